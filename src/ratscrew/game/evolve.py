"""Applies events to a game. It cannot refuse: an event in the log has happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, TypeVar

from msgspec.structs import force_setattr, replace

from ratscrew.cards import Hand, Pile, PileCard
from ratscrew.game import events as ev
from ratscrew.game.events import Dealt, Event
from ratscrew.game.repetition import next_checkpoint
from ratscrew.game.slap_in_chance import ONE_CHANCE, note_missed
from ratscrew.game.state import Claim, Game, SeatState, Theft, UndoState

T = TypeVar("T")
Step = Callable[[Game, Any], Game]


def evolve(game: Game | None, event: Event) -> Game:
    """The game after an event of it; the game given does not change.

    The first event is `Dealt`, and the game before it None.

    Raises: ValueError if another event comes first.
    """
    if game is None:
        if not isinstance(event, Dealt):
            raise ValueError("a game begins with Dealt")
        seats = len(event.hands)
        seat_states, asides = (SeatState(),) * seats, ((),) * seats
        return Game(
            event.rules, event.hands, event.standing, tuple(range(seats)), seat_states, asides, event.pile, version=1
        )
    after = _STEPS[type(event)](game, event)
    if game.rules.slap_in in ONE_CHANCE:
        after = note_missed(game, after, event)
    if after is game:
        return replace(game, version=game.version + 1)
    force_setattr(after, "version", game.version + 1)  # nobody else has it yet, and another copy would cost a third
    return after


def replay(events: Iterable[Event]) -> Game:
    """The game after all its events, the first of which is `Dealt`.

    Raises: ValueError if there is no event, or another one comes first.
    """
    game = reduce(evolve, events, None)
    if game is None:
        raise ValueError("no events, no game")
    return game


def _set(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def _note(game: Game, seat: int, **notes: Any) -> Game:
    return replace(game, seat_states=_set(game.seat_states, seat, replace(game.seat_states[seat], **notes)))


def _draw_off(game: Game, seat: int, count: int) -> tuple[Hand, ...]:
    """The hands without the top cards of one."""
    return _set(game.hands, seat, game.hands[seat][count:])


def _put_under(hands: tuple[Hand, ...], seat: int, cards: Hand) -> tuple[Hand, ...]:
    return _set(hands, seat, hands[seat] + cards)


# Cards


def _played(game: Game, event: ev.Played) -> Game:
    seat, card = event.seat, event.card
    hands, asides = game.hands, game.asides
    if event.aside:
        asides = _set(asides, seat, asides[seat][1:])
    else:
        hands = _set(hands, seat, hands[seat][1:])
    if game.seat_states[seat].touched:
        game = _note(game, seat, touched=False)
    theft = game.theft
    if theft and (yet := tuple(other for other in theft.seats_to_play if other != seat)) != theft.seats_to_play:
        theft = replace(theft, seats_to_play=yet) if yet else None
    return replace(
        game,
        hands=hands,
        asides=asides,
        pile=(*game.pile, PileCard(card)),
        standing=event.standing,
        last=seat,
        n=event.n,
        answer_number=event.answer_number,
        opening=card if game.opening is None else game.opening,
        loser=seat if event.answer_number and event.standing.reason == "challenge" else None,
        voided=False,
        tied=(),
        theft=theft,
        turned_ms=event.at_ms,
        undo_state=_undo_state(game, event),
    )


def _passed(game: Game, event: ev.Passed) -> Game:
    failed = event.standing.reason == "challenge"
    return replace(game, standing=event.standing, loser=game.standing.turn if failed else game.loser)


def _undo_state(game: Game, event: ev.Played) -> UndoState | None:
    """The state that the card covers, unless it is the first of its pile."""
    if game.last is None:
        return None
    return UndoState(game.standing, game.last, game.answer_number, game.turned_ms, game.voided, event.aside)


def _withdrawn(game: Game, event: ev.Withdrawn) -> Game:
    """The game before the newest card; what players have lost since stays lost."""
    undo_state, seat, card = game.undo_state, event.seat, event.card
    for other, state in enumerate(game.seat_states):
        if state.missed == game.n > 0:
            game = _note(game, other, missed=0)
    assert undo_state, "there is a card to take back"
    if event.aside:
        game = replace(game, asides=_set(game.asides, seat, (card, *game.asides[seat])))
    else:
        game = replace(game, hands=_put_under(game.hands, seat, (card,)))
    place = max(place for place, laid in enumerate(game.pile) if laid.live)
    return replace(
        game,
        pile=(*game.pile[place + 1 :], *game.pile[:place]),
        standing=event.standing,
        last=undo_state.last,
        withdrawn=game.withdrawn + 1,
        undo_state=None,
        answer_number=event.answer_number,
        loser=None,
        voided=undo_state.voided,
        tied=(),
        turned_ms=undo_state.turned_ms,
    )


def _misplayed(game: Game, event: ev.Misplayed) -> Game:
    dead = PileCard(event.card, "dead")
    pile = (dead, *game.pile) if event.place == "bottom" else (*game.pile, dead)
    return replace(game, hands=_draw_off(game, event.seat, 1), pile=pile)


def _exposed(game: Game, event: ev.Exposed) -> Game:
    asides = _set(game.asides, event.seat, (*game.asides[event.seat], event.card))
    return replace(game, hands=_draw_off(game, event.seat, 1), asides=asides)


def _burned(game: Game, event: ev.Burned) -> Game:
    burned = [PileCard(card, "burned", event.face_up) for card in event.cards]
    pile = (*burned[::-1], *game.pile) if event.place == "bottom" else (*game.pile, *burned)
    hands = _draw_off(game, event.seat, len(event.cards))
    owed = 0 if game.pile else game.seat_states[event.seat].debt  # a debt begins a pile, a penalty goes to one
    game = replace(game, hands=hands, pile=pile)
    return _note(game, event.seat, debt=owed - len(event.cards)) if owed else game


def _given(game: Game, event: ev.Given) -> Game:
    assert event.card is not None, "a secret was left out of this event"
    hands = _draw_off(game, event.seat, 1)
    if game.claim and game.claim.seat == event.to_seat:
        return replace(game, hands=hands, claim=replace(game.claim, stakes=(*game.claim.stakes, event.card)))
    return replace(game, hands=_put_under(hands, event.to_seat, (event.card,)))


def _eliminated(game: Game, event: ev.Eliminated) -> Game:
    burned = tuple(PileCard(card, "burned", event.face_up) for card in reversed(event.cards))
    game = replace(
        game,
        hands=_set(game.hands, event.seat, ()),
        asides=_set(game.asides, event.seat, ()),
        pile=(*burned, *game.pile),
        undo_state=None if event.seat == game.last else game.undo_state,
    )
    return _note(game, event.seat, playing=False, out=True)


def _taken(game: Game, event: ev.Taken) -> Game:
    seat, pile = event.seat, game.pile
    if event.aside is not None:
        pile = (*pile, PileCard(game.asides[event.aside][0]))
        game = replace(game, asides=_set(game.asides, event.aside, game.asides[event.aside][1:]))
    cards = event.order if event.order is not None else _picked_up(game, pile)
    hands = _set(game.hands, seat, ()) if game.rules.pickup == "shuffle_hand" else game.hands
    gifts = game.claim.stakes if game.claim else ()
    game = _cleared(replace(game, hands=_put_under(hands, seat, cards + gifts), standing=event.standing))
    if event.reason.startswith("slap:"):
        return _note(game, seat, fouls=0, streak=0, streak_n=-1)
    checkpoint = next_checkpoint(game.rules, game.checkpoint, game.hands, event.standing.turn)
    return game if checkpoint is None else replace(game, checkpoint=checkpoint)


def _picked_up(game: Game, pile: Pile) -> Hand:
    """The cards of a pile that is not shuffled, as they go under a hand."""
    return tuple([laid.card for laid in (reversed(pile) if game.rules.pickup == "reverse" else pile)])


def _cleared(game: Game) -> Game:
    """The game after its pile has been taken."""
    seat_states = [
        replace(person, hand_burned=False, locked=0 if person.locked == "pile" else person.locked)
        if person.hand_burned or person.locked == "pile"
        else person
        for person in game.seat_states
    ]
    return replace(
        game,
        pile=(),
        last=None,
        loser=None,
        undo_state=None,
        answer_number=0,
        voided=False,
        seat_states=tuple(seat_states),
        tied=(),
        claim=None,
        theft=None,
        resume_state=None,
    )


# Slaps and penalties


def _slapped(game: Game, event: ev.Slapped) -> Game:
    for seat, state in enumerate(game.seat_states):
        if (state.touched or state.hovering) and seat in event.seats:
            game = _note(game, seat, touched=False, hovering=False)
        elif state.hand_burned:
            game = _note(game, seat, hand_burned=False)
    return game


def _fouled(game: Game, event: ev.Fouled) -> Game:
    fouls = game.seat_states[event.seat].fouls + 1
    return _note(game, event.seat, fouls=fouls, streak=event.streak, streak_n=game.n, convicted=True)


def _claimed(game: Game, event: ev.Claimed) -> Game:
    return replace(game, claim=Claim(event.seat, event.claim_type), resume_state=game.standing, standing=event.standing)


def _contested(game: Game, event: ev.Contested) -> Game:
    assert game.claim
    return replace(game, claim=replace(game.claim, contesters=(*game.claim.contesters, event.seat)))


# Cheating


def _grabbed(game: Game, event: ev.Grabbed) -> Game:
    theft = Theft(event.seat, game.pile, event.victim, tuple(game.holders))
    return replace(game, pile=(), theft=theft, resume_state=game.standing, standing=event.standing)


def _returned(game: Game, event: ev.Returned) -> Game:
    assert game.theft
    return replace(game, pile=game.theft.pile, theft=None, resume_state=None, standing=event.standing)


def _stowed(game: Game, event: ev.Stowed) -> Game:
    assert game.theft
    theft = game.theft
    cards = _picked_up(game, theft.pile)
    game = replace(_cleared(game), hands=_put_under(game.hands, event.seat, cards), standing=event.standing)
    return replace(game, theft=replace(theft, pile=()))


def _split(game: Game, event: ev.Split) -> Game:
    return replace(game, resume_state=game.standing, standing=event.standing)


def _half_taken(game: Game, event: ev.HalfTaken) -> Game:
    hand = game.hands[event.cheater]
    cut = len(hand) // 2
    top, bottom = hand[:cut], hand[cut:]
    kept, lost = (bottom, top) if event.half == "top" else (top, bottom)
    hands = _put_under(_set(game.hands, event.cheater, kept), event.seat, lost)
    return replace(game, hands=hands, theft=None, resume_state=None, standing=event.standing)


def _redealt(game: Game, event: ev.Redealt) -> Game:
    return replace(_cleared(game), hands=event.hands, asides=((),) * len(game.hands), standing=event.standing)


def _arrived(game: Game, _: ev.Arrived) -> Game:
    return replace(
        game,
        hands=(*game.hands, ()),
        asides=(*game.asides, ()),
        seat_states=(*game.seat_states, SeatState(playing=False)),
    )


_STEPS: dict[type[Event], Step] = {
    ev.Played: _played,
    ev.Passed: _passed,
    ev.Misplayed: _misplayed,
    ev.Exposed: _exposed,
    ev.Slapped: _slapped,
    ev.Withdrawn: _withdrawn,
    ev.Fouled: _fouled,
    ev.Burned: _burned,
    ev.Given: _given,
    ev.Struck: lambda game, event: _note(game, event.seat, strikes=event.strikes),
    ev.Locked: lambda game, event: _note(game, event.seat, locked=event.until),
    ev.HandBurned: lambda game, event: _note(game, event.seat, hand_burned=True),
    ev.Indebted: lambda game, event: _note(game, event.seat, debt=event.cards),
    ev.Eliminated: _eliminated,
    ev.Voided: lambda game, event: replace(game, voided=True, tied=event.seats),
    ev.Tied: lambda game, event: replace(game, tied=event.seats, resume_state=game.standing, standing=event.standing),
    ev.Claimed: _claimed,
    ev.Contested: _contested,
    ev.Resumed: lambda game, event: replace(game, claim=None, tied=(), resume_state=None, standing=event.standing),
    ev.Grabbed: _grabbed,
    ev.Returned: _returned,
    ev.Stowed: _stowed,
    ev.Split: _split,
    ev.HalfTaken: _half_taken,
    ev.Taken: _taken,
    ev.Arrived: _arrived,
    ev.Joined: lambda game, event: replace(_note(game, event.seat, playing=True), circle=event.circle),
    ev.Touched: lambda game, event: _note(game, event.seat, touched=True),
    ev.Hovered: lambda game, event: _note(game, event.seat, hovering=not event.off),
    ev.SlappedDown: lambda game, event: _note(game, event.target, hovering=False),
    ev.Feinted: lambda game, _: game,
    ev.LastChanceGiven: lambda game, event: replace(game, standing=event.standing),
    ev.LimitSet: lambda game, event: replace(game, limit_set=event.cards),
    ev.Won: lambda game, event: replace(game, standing=event.standing, winner=event.seat, end_reason=event.reason),
    ev.Lost: lambda game, event: replace(game, standing=event.standing, all_lose=True),
    ev.Drawn: lambda game, event: replace(game, standing=event.standing, end_reason=event.reason),
    ev.Redealt: _redealt,
}
