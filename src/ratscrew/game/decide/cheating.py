"""False pickups: who notices at once gives the pile back, who notices late gets half of the cheater's hand.

A pickup that nobody notices until play has gone round once is rightfully the cheater's.
"""

from __future__ import annotations

from typing import Literal

from ratscrew.errors import Why
from ratscrew.game.course import Course
from ratscrew.game.decide.ring import next_seat
from ratscrew.game.events import Got, Grabbed, Returned, Split, Stowed
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def grab(course: Course, seat: int) -> None:
    """The seat picks up a pile that is not his."""
    game, now = course.game, course.game.to
    victim = now.turn if now.phase == "won" else game.last
    course.add(Grabbed(seat, len(game.pile), _cheated(game, seat, victim), Standing("grab", seat)))


def stow(course: Course, seat: int) -> None:
    """The seat puts what it has picked up under its hand, and leads.

    Raises: Refusal (not_your_turn).
    """
    course.require(course.game.to.phase == "grab" and course.game.to.turn == seat, Why.NOT_YOUR_TURN)
    course.add(Stowed(seat, Standing("play", seat)))


def notice(course: Course, seat: int) -> None:
    """The seat protests.

    Raises: Refusal (not_playing, too_late, not_yours).
    """
    game, theft = course.game, course.game.theft
    course.require(game.people[seat].playing, Why.NOT_PLAYING)
    course.require(theft is not None and game.to.phase in ("grab", "play", "won"), Why.TOO_LATE)
    assert theft
    course.require(seat != theft.seat, Why.NOT_YOURS)
    if game.to.phase == "grab":
        assert game.back
        course.add(Returned(theft.seat, game.back))
    else:
        course.add(Split(theft.seat, Standing("split", _cheated(game, theft.seat, theft.victim))))


def choose(course: Course, seat: int, half: Literal["top", "bottom"]) -> None:
    """The cheated seat takes a half, unseen; the hand is cut in the middle, the odd card below.

    Raises: Refusal (not_your_turn).
    """
    game = course.game
    course.require(game.to.phase == "split" and game.to.turn == seat, Why.NOT_YOUR_TURN)
    assert game.theft
    assert game.back
    hand = len(game.hands[game.theft.seat])
    count = hand // 2 if half == "top" else hand - hand // 2
    course.add(Got(seat, game.theft.seat, half, count, game.back))


def _cheated(game: Game, thief: int, victim: int | None) -> int:
    """Whom it was taken from; if that is the thief himself, or nobody who is still in the game, the player before."""
    if victim is None or victim == thief:
        victim = next_seat(game, thief, back=True)
    while game.people[victim].out:
        victim = next_seat(game, victim, back=True)
    return victim
