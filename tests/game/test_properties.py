"""Invariants of every game of any house at every moment, after any commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import get_args

from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Card
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Command
from ratscrew.game.engine import decide, evolve, replay
from ratscrew.game.event_base import EventBase
from ratscrew.game.events import Burned, Dealt, Eliminated, Event, Exposed, Misplayed, Played
from ratscrew.game.evolve import _STEPS
from ratscrew.game.state import Game
from ratscrew.game.view import DealtPublic, Public, RedealtPublic, View, public, view
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import commands, deals, eventful_rules, next_command, random_command

EVENT: Codec[Event] = Codec(Event)
PUBLIC: Codec[Public] = Codec(Public)
GAME: Codec[Game] = Codec(Game)
VIEW: Codec[View] = Codec(View)


def cards_in(value: object) -> Iterator[Card]:
    """Every card in a value, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from cards_in(item)


def everything(game: Game) -> Counter[Card]:
    """Every card of a game, wherever it is: in a hand, aside, on the pile, in a thief's hand, or given for a claim."""
    places: list[Iterable[Card]] = [*game.hands, *game.asides, [laid.card for laid in game.pile]]
    places.append([laid.card for laid in game.theft.pile] if game.theft else [])
    places.append(game.claim.stakes if game.claim else ())
    return Counter(card for place in places for card in place)


def seen_in(event: Event) -> Iterable[Card]:
    """The cards that this event shows to all players, unless they have seen them before."""
    match event:
        case Dealt(pile=pile):
            return [laid.card for laid in pile if laid.face_up]
        case Played(card=card) | Misplayed(card=card) | Exposed(card=card):
            return [card]
        case Burned(cards=cards, face_up=True) | Eliminated(cards=cards, face_up=True):
            return cards
    return ()


def stands(game: Game) -> bool:
    """Whether the standing of a game can be: checked line by line, so that a failure shows which."""
    to, seats = game.standing, range(len(game.hands))
    assert to.turn in seats
    assert to.challenger is None or to.challenger in seats
    assert (to.reason is not None) == (to.phase == "won")
    assert len(game.seat_states) == len(game.asides) == len(seats)
    playing = {seat for seat in seats if game.seat_states[seat].playing}
    assert playing <= set(game.circle) <= playing | {seat for seat in seats if game.seat_states[seat].out}
    assert len(game.circle) == len(set(game.circle))
    assert (game.claim is not None) == (to.phase == "claim") or game.over
    assert not [seat for seat in seats if game.seat_states[seat].out and game.cards_held(seat)]
    assert game.voided <= bool(game.pile or (game.theft and game.theft.pile))
    assert (game.resume_state is not None) == (to.phase in ("claim", "tie", "grab", "split")) or game.over
    assert game.theft is None or not game.theft.pile or to.phase == "grab"
    in_game = {seat for seat in game.circle if not game.seat_states[seat].out}
    if to.phase in ("play", "won", "last_chance", "grab", "split"):
        assert to.turn in game.circle
        assert to.challenger is None or to.challenger in game.circle
        assert to.turn in in_game or to.phase == "split" or not in_game
    match to.phase:
        case "play":
            assert game.cards_held(to.turn) > 0
            assert (to.chances_left >= 1) == (to.challenger is not None)
            assert to.challenger != to.turn
        case "won":
            assert game.pile
            assert to.turn in in_game or not game.holders
        case "tie":
            assert to.turn in game.tied
        case "grab":
            assert game.theft
            assert game.theft.pile
        case "over":
            assert game.winner in (None, to.turn)
            assert game.winner is None or not game.seat_states[game.winner].out
    return True


class Table(RuleBasedStateMachine):
    """A table of any house with any commands of any player."""

    @initialize(dealt=deals(eventful_rules()), seed=st.integers(0, 2**32))
    def begin(self, dealt: Dealt, seed: int) -> None:
        self.log: list[Event] = [dealt]
        self.game = evolve(None, dealt)
        self.deck = everything(self.game)
        self.seen = set(seen_in(dealt))
        self.asked: list[tuple[Command, int]] = []
        self.chance = Random(seed)

    @rule(moves=st.integers(1, 5))
    def play_goes_on(self, moves: int) -> None:
        for _ in range(moves):
            self.ask(next_command(self.game))

    @rule(moves=st.integers(1, 15))
    def people_do_what_people_do(self, moves: int) -> None:
        for _ in range(moves):
            self.ask(random_command(self.game, self.chance))

    @rule(command=commands())
    def anything_is_asked(self, command: Command) -> None:
        self.ask(command)

    def ask(self, command: Command) -> None:
        """A command: done as decided, or refused with a code and nothing changed."""
        before, was, seed = self.game, repr(self.game), self.chance.randrange(2**32)
        self.asked.append((command, seed))
        events: tuple[Event, ...] = ()
        why: RefusalReason | None = None
        try:
            after, events = decide(before, command, Random(seed).randrange)
        except Refusal as refusal:
            after, why = before, refusal.reason
        for event in events:
            self.game = evolve(self.game, event)
            self.log.append(event)
            self.happened(event)
        if why is None:
            assert (after, events) == decide(before, command, Random(seed).randrange)
            assert events
        else:
            assert why in RefusalReason
            note(why)
        assert self.game == after
        assert repr(before) == was

    def happened(self, event: Event) -> None:
        """What is true after each event, in the middle of a command too."""
        note(type(event).__name__)
        assert everything(self.game) == self.deck
        assert EVENT.decode(EVENT.encode(event)) == event
        told = public(event)
        assert PUBLIC.decode(PUBLIC.encode(told)) == told
        self.seen |= set(seen_in(event))
        assert set(cards_in(told)) <= self.seen

    @invariant()
    def no_card_is_lost_or_found(self) -> None:
        assert everything(self.game) == self.deck

    @invariant()
    def the_standing_can_be(self) -> None:
        assert stands(self.game)

    @invariant()
    def the_log_tells_the_game(self) -> None:
        assert replay(self.log) == self.game
        assert self.game.version == len(self.log)
        assert self.game.n == sum(isinstance(event, Played) for event in self.log)

    @invariant()
    def the_game_and_its_view_read_back(self) -> None:
        assert GAME.decode(GAME.encode(self.game)) == self.game
        assert VIEW.decode(VIEW.encode(view(self.game))) == view(self.game)

    @invariant()
    def no_card_that_nobody_has_seen_is_sent(self) -> None:
        told = replace(view(self.game), rules=house(slaps={"instant": []}))
        sent = VIEW.encode(told).decode()
        assert set(cards_in(told)) <= self.seen
        assert not [card for card in self.deck if f'"{card}"' in sent and card not in self.seen]

    @invariant()
    def the_view_is_the_same_whatever_order_the_hands_are_in(self) -> None:
        hidden = iter(sorted(card for hand in self.game.hands for card in hand))
        other = tuple(tuple(next(hidden) for _ in hand) for hand in self.game.hands)
        assert view(replace(self.game, hands=other)) == view(self.game)

    @invariant()
    def a_game_that_is_over_accepts_nothing_and_one_that_is_not_goes_on(self) -> None:
        why = None
        try:
            decide(self.game, next_command(self.game), Random(0).randrange)
        except Refusal as refusal:
            why = refusal.reason
        assert why == (RefusalReason.GAME_OVER if self.game.over else None)

    def teardown(self) -> None:
        """The same commands at a table where the cards that nobody has seen lie in another order: it looks the same."""
        if not hasattr(self, "log"):
            return
        first = self.log[0]
        assert isinstance(first, Dealt)
        unseen = iter([card for hand in first.hands for card in hand if card not in self.seen][::-1])
        hands = tuple(tuple(card if card in self.seen else next(unseen) for card in hand) for hand in first.hands)
        told = [public(event) for event in self.log]
        log = self.again(replace(first, hands=hands))
        assert list(map(public, log)) == told
        assert view(replay(log)) == view(self.game)

    def again(self, first: Event) -> list[Event]:
        """The log of the same commands after another deal."""
        log, game = [first], evolve(None, first)
        for command, seed in self.asked:
            try:
                game, events = decide(game, command, Random(seed).randrange)
            except Refusal:
                continue
            log += events
        return log


TestTable = Table.TestCase


@given(dealt=deals(eventful_rules()), seed=st.integers(0, 2**32))
def test_however_people_play_no_card_is_lost_and_every_standing_can_be(dealt: Dealt, seed: int) -> None:
    chance, game = Random(seed), replay([dealt])
    deck = everything(game)
    for _ in range(200):
        try:
            after, events = decide(game, random_command(game, chance), chance.randrange)
        except Refusal:
            continue
        for event in events:
            game = evolve(game, event)
            assert everything(game) == deck
        assert game == after
        assert stands(game)


def test_every_event_has_its_step_and_its_own_name() -> None:
    kinds = get_args(Event)
    assert set(kinds) == {kind for kind in EventBase.__subclasses__() if kind not in (DealtPublic, RedealtPublic)}
    assert set(kinds) == {Dealt, *_STEPS}
    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds)
