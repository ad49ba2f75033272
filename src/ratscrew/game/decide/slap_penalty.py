"""The penalty of a wrong slap: an event for each move that `penalty_logic` makes of its consequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ratscrew.errors import Refusal
from ratscrew.game import penalty_logic
from ratscrew.game.decide.slap_eligibility import PHASES, REASONS
from ratscrew.game.decide.take import take
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Burned, Eliminated, Fouled, Given, HandBurned, Indebted, Locked, Struck
from ratscrew.game.penalty_logic import FOR_THE_GAME, UNTIL_TAKEN
from ratscrew.game.state import Game
from ratscrew.rules.penalties import Burn, BurnHand, Consequence, Give, Lock, Offence, Owe, PileToLast, Place, Strike

PLACES: tuple[Place, ...] = ("bottom", "top")
"""Where burned cards go, in the order of `penalty_logic`."""

RawConsequence: TypeAlias = tuple[int, int, int]
UNDOES: RawConsequence = penalty_logic.TAKE, 0, penalty_logic.LAST_PLAYER
"""The consequence that would take a won pile from its winner."""


def penalise(builder: EventBuilder, seat: int) -> None:
    """Penalise a seat's wrong slap. The turn and the chances stay as they are.

    Raises: Refusal (already_won, not_playing) if the house ignores it: it has no effect.
    """
    game, person = builder.game, builder.game.seat_states[seat]
    held = game.cards_held(seat) if person.playing else 0
    costs = list(map(ints_of, game.rules.penalty_for(Offence(held, person.strikes, person.fouls))))
    if why := REASONS[_refusal(game, held, costs)]:
        raise Refusal(why)
    builder.add(Fouled(seat, penalty_logic.streak_after(person.streak, person.streak_n, game.n)))
    for cost in costs:
        _carry_out(builder, seat, cost)
    if penalty_logic.is_eliminated(game.rules.max_streak, builder.game.seat_states[seat].streak):
        cards = builder.game.asides[seat] + builder.game.hands[seat]
        builder.add(Eliminated(seat, len(cards), cards, game.rules.burn_face_up))


def ints_of(cost: Consequence) -> RawConsequence:
    """A consequence as `penalty_logic` knows it: its kind, its number, and how."""
    match cost:
        case Burn():
            return penalty_logic.BURN, cost.count, PLACES.index(cost.place)
        case PileToLast():
            return penalty_logic.TAKE, int(cost.literal), penalty_logic.LAST_PLAYER
        case Give():
            to = penalty_logic.EVERYBODY if cost.to == "everybody" else penalty_logic.LAST_PLAYER
            return penalty_logic.GIVE, 1, to
        case Lock(int(cards)):
            return penalty_logic.LOCK, cards, 0
        case Lock(until):
            return penalty_logic.LOCK, UNTIL_TAKEN if until == "pile" else FOR_THE_GAME, 0
        case Strike():
            return penalty_logic.STRIKE, 0, 0
        case BurnHand():
            return penalty_logic.BURN_HAND, 0, 0
        case Owe():
            return penalty_logic.OWE, cost.count, 0


def _refusal(game: Game, held: int, costs: Sequence[RawConsequence]) -> int:
    now, free = game.standing, game.rules.final_card_slap == "free"
    return penalty_logic.penalty_refusal(PHASES[now.phase], _is_final(game), free, held, len(costs), UNDOES in costs)


def _is_final(game: Game) -> bool:
    """Whether the newest card is the last one of a challenge: the challenge has failed, or the card answers it."""
    now, before = game.standing, game.undo_state.standing if game.undo_state else None
    answered = before and before.phase == "play" and before.challenger is not None and before.chances_left == 1
    return bool(answered) or (now.phase == "won" and now.reason == "challenge")


def _carry_out(builder: EventBuilder, seat: int, cost: RawConsequence) -> None:
    """Make an event of each move of a consequence. A player who is not in the circle yet counts as being at its end."""
    kind, number, how = cost
    circle = builder.game.circle if seat in builder.game.circle else (*builder.game.circle, seat)
    received = penalty_logic.has_receiver(kind)
    for at in range(penalty_logic.move_count(kind, how, len(circle))):
        game, person = builder.game, builder.game.seat_states[seat]
        to, in_hand = _receiver(game, circle, seat, how, at) if received else -1, len(game.hands[seat])
        move, amount = penalty_logic.penalty_move(kind, number, to, game.n, in_hand, person.strikes, person.debt)
        _make(builder, move, seat, to, amount, PLACES[how])


def _receiver(game: Game, circle: Sequence[int], seat: int, how: int, at: int) -> int:
    """The seat that gets cards by a move, or -1."""
    held, out = [game.cards_held(each) for each in circle], [game.seat_states[each].out for each in circle]
    last = -1 if game.last is None else circle.index(game.last)
    place = penalty_logic.receiver(how, at, circle.index(seat), last, held, out, game.rules.step)
    return -1 if place < 0 else circle[place]


def _make(builder: EventBuilder, move: int, seat: int, to: int, amount: int, place: Place) -> None:
    cards = builder.game.hands[seat]
    if move == penalty_logic.BURN:
        builder.add(Burned(seat, amount, cards[:amount], place, builder.game.rules.burn_face_up))
    elif move == penalty_logic.TAKE:
        take(builder, to, "penalty")
    elif move == penalty_logic.GIVE:
        builder.add(Given(seat, to, cards[0]))
    elif move == penalty_logic.LOCK:
        builder.add(Locked(seat, "game" if amount == FOR_THE_GAME else "pile" if amount == UNTIL_TAKEN else amount))
    elif move == penalty_logic.STRIKE:
        builder.add(Struck(seat, amount))
    elif move == penalty_logic.BURN_HAND:
        builder.add(HandBurned(seat))
    elif move == penalty_logic.OWE:
        builder.add(Indebted(seat, amount))
