"""The penalty of a wrong slap: carries out each consequence of `rules.penalties`."""

from __future__ import annotations

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.decide.take import take
from ratscrew.game.decide.turn_order import following_seats, previous_holder
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Burned, Eliminated, Fouled, Given, HandBurned, Indebted, Locked, Struck
from ratscrew.game.state import Game
from ratscrew.rules.penalties import Burn, BurnHand, Consequence, Give, Lock, Offence, Owe, PileToLast, Strike


def penalise(builder: EventBuilder, seat: int) -> None:
    """Penalise a seat's wrong slap. The turn and the chances stay as they are.

    Raises: Refusal (already_won, not_playing) if the house ignores it: it has no effect.
    """
    game, person = builder.game, builder.game.seat_states[seat]
    held = game.cards_held(seat) if person.playing else 0
    failed = game.standing.phase == "won" and game.standing.reason == "challenge"
    if failed and game.rules.final_card_slap == "free":
        raise Refusal(RefusalReason.ALREADY_WON)
    costs = game.rules.penalty_for(Offence(held, person.strikes, person.fouls))
    if not held and not costs:
        raise Refusal(RefusalReason.NOT_PLAYING)
    if game.standing.phase == "won" and any(isinstance(cost, PileToLast) and not cost.literal for cost in costs):
        raise Refusal(RefusalReason.ALREADY_WON)
    builder.add(Fouled(seat, _streak(game, seat)))
    for cost in costs:
        _carry_out(builder, seat, cost)
    if 0 < game.rules.max_streak < builder.game.seat_states[seat].streak:
        cards = builder.game.asides[seat] + builder.game.hands[seat]
        builder.add(Eliminated(seat, len(cards), cards, game.rules.burn_face_up))


def _streak(game: Game, seat: int) -> int:
    """On how many cards in a row the seat has slapped wrongly, including this one."""
    person = game.seat_states[seat]
    if person.streak_n == game.n:
        return person.streak
    return person.streak + 1 if person.streak_n == game.n - 1 else 1


def _carry_out(builder: EventBuilder, seat: int, cost: Consequence) -> None:
    game = builder.game
    match cost:
        case Burn(count, place):
            if cards := game.hands[seat][:count]:
                builder.add(Burned(seat, len(cards), cards, place, game.rules.burn_face_up))
        case PileToLast():
            receiver = _last(game, seat)
            if receiver is not None:
                take(builder, receiver, "penalty")
        case Give("last_player"):
            receiver = _last(game, seat)
            if receiver is not None:
                _give(builder, seat, receiver)
        case Give():
            for receiver in following_seats(game, seat):
                if not game.seat_states[receiver].out:
                    _give(builder, seat, receiver)
        case Lock(until):
            builder.add(Locked(seat, game.n + until if isinstance(until, int) else until))
        case Strike():
            builder.add(Struck(seat, game.seat_states[seat].strikes + 1))
        case BurnHand():
            builder.add(HandBurned(seat))
        case Owe(count):
            builder.add(Indebted(seat, game.seat_states[seat].debt + count))


def _last(game: Game, seat: int) -> int | None:
    """The player of the newest card; if that is the seat itself or out of the game, the holder before the seat."""
    last = game.last
    return previous_holder(game, seat) if last is not None and (last == seat or game.seat_states[last].out) else last


def _give(builder: EventBuilder, seat: int, receiver: int) -> None:
    if builder.game.hands[seat]:
        builder.add(Given(seat, receiver, builder.game.hands[seat][0]))
