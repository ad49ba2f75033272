"""False pickups: noticed at once, the pile goes back; noticed late, half of the cheater's hand is lost.

A false pickup that goes unnoticed until play has gone round once is the cheater's for good.
"""

from __future__ import annotations

from typing import Literal

from ratscrew.errors import RefusalReason
from ratscrew.game.decide.turn_order import next_seat
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Grabbed, HalfTaken, Returned, Split, Stowed
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def grab(builder: EventBuilder, seat: int) -> None:
    """The seat picks up a pile that is not its own."""
    game, now = builder.game, builder.game.standing
    victim = now.turn if now.phase == "won" else game.last
    builder.add(Grabbed(seat, len(game.pile), _cheated(game, seat, victim), Standing("grab", seat)))


def stow(builder: EventBuilder, seat: int) -> None:
    """The seat puts what it has picked up under its hand, and leads.

    Raises: Refusal (not_your_turn).
    """
    builder.require(
        builder.game.standing.phase == "grab" and builder.game.standing.turn == seat, RefusalReason.NOT_YOUR_TURN
    )
    builder.add(Stowed(seat, Standing("play", seat)))


def notice(builder: EventBuilder, seat: int) -> None:
    """The seat protests.

    Raises: Refusal (not_playing, too_late, not_yours).
    """
    game, theft = builder.game, builder.game.theft
    builder.require(game.seat_states[seat].playing, RefusalReason.NOT_PLAYING)
    builder.require(theft is not None and game.standing.phase in ("grab", "play", "won"), RefusalReason.TOO_LATE)
    assert theft
    builder.require(seat != theft.seat, RefusalReason.NOT_YOURS)
    if game.standing.phase == "grab":
        assert game.resume_state
        builder.add(Returned(theft.seat, game.resume_state))
    else:
        builder.add(Split(theft.seat, Standing("split", _cheated(game, theft.seat, theft.victim))))


def choose(builder: EventBuilder, seat: int, half: Literal["top", "bottom"]) -> None:
    """The cheated seat takes a half, unseen; the hand is cut in the middle, an odd card goes to the bottom half.

    Raises: Refusal (not_your_turn).
    """
    game = builder.game
    builder.require(game.standing.phase == "split" and game.standing.turn == seat, RefusalReason.NOT_YOUR_TURN)
    assert game.theft
    assert game.resume_state
    hand = len(game.hands[game.theft.seat])
    count = hand // 2 if half == "top" else hand - hand // 2
    builder.add(HalfTaken(seat, game.theft.seat, half, count, game.resume_state))


def _cheated(game: Game, thief: int, victim: int | None) -> int:
    """The seat it was taken from; if that is the thief or is out of the game, the nearest earlier seat that is not."""
    if victim is None or victim == thief:
        victim = next_seat(game, thief, back=True)
    while game.seat_states[victim].out:
        victim = next_seat(game, victim, back=True)
    return victim
