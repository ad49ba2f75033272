"""What a wrong slap costs, as functions of small ints only, so that numba can compile them.

A consequence is a kind, a number, and how: the place of burned cards, or who gets cards. `penalty_move` says what it
does, one move after the other; the engine makes an event of each, and the lab's kernel changes its record. Seats are
places in the circle, -1 is none, and yes or no is 1 or 0. `held` is how many cards each place holds, `step` +1 or -1,
the direction of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ratscrew.game.slap_logic import COUNTS, FOREVER, NOT_PLAYING, WON_ALREADY
from ratscrew.game.turn_logic import WON

NOTHING, BURN, TAKE, GIVE, LOCK, STRIKE, BURN_HAND, OWE = range(8)
"""The kinds of consequences, and of moves."""

LAST_PLAYER, EVERYBODY = range(2)
"""Who gets cards: the player of the newest card, or each other player."""

UNTIL_TAKEN, FOR_THE_GAME = FOREVER, 2 * FOREVER
"""The numbers of locks that no card ends."""

Move: TypeAlias = tuple[int, int]
"""What happens next: its kind, and a number.

The number is how many cards, the card before which the seat may not slap, its strikes, or what it owes in all.
"""


def move_count(kind: int, how: int, seats: int) -> int:
    """How many moves a consequence has; some may be nothing."""
    return seats - 1 if kind == GIVE and how == EVERYBODY else 1


def penalty_move(kind: int, number: int, to: int, n: int, in_hand: int, strikes: int, debt: int) -> Move:
    """A move of a consequence, as things stand then.

    `to` is its `receiver`, if it `has_receiver`. `n` is the number of the newest card. Of the player who slapped
    wrongly, `in_hand` is how many cards they have besides those aside, and `debt` what they owe.
    """
    if kind == BURN and in_hand > 0:
        return BURN, min(number, in_hand)
    if kind == LOCK:
        return LOCK, lock_end(n, number)
    if kind == STRIKE:
        return STRIKE, strikes + 1
    if kind == BURN_HAND:
        return BURN_HAND, 0
    if kind == OWE:
        return OWE, debt + number
    if has_receiver(kind) and to >= 0 and (kind == TAKE or in_hand > 0):
        return kind, 1
    return NOTHING, 0


def has_receiver(kind: int) -> bool:
    """Whether somebody gets cards."""
    return kind in (TAKE, GIVE)


def receiver(how: int, at: int, seat: int, last: int, held: Sequence[int], out: Sequence[int], step: int) -> int:
    """The seat that gets what a seat loses by move number `at` of a consequence, or -1.

    The player of the newest card, seat `last`; if that is the seat itself or out of the game, the holder before the
    seat. Or each other player who is not out, in the order of play, from the next one.
    """
    seats = len(held)
    if how == EVERYBODY:
        other = (seat + step * (at + 1) + seats) % seats
        return -1 if out[other] else other
    if last < 0 or (last != seat and not out[last]):
        return last
    other = seat
    for _ in range(seats - 1):
        other = (other - step + seats) % seats
        if held[other] > 0:
            return other
    return -1


def lock_end(n: int, cards: int) -> int:
    """The card before which a seat may not slap that is locked now, for so many cards or `FOREVER`."""
    return n + cards if cards < FOREVER else cards


def penalty_refusal(phase: int, final: int, final_free: int, held: int, costs: int, undoes: int) -> int:
    """Why a wrong slap has no effect, or `COUNTS`.

    `final`: the newest card is the last one of a challenge, answered or not; `final_free`: wrong slaps at it are free.
    `costs` is how many consequences there are; `undoes`: one of them would take a won pile from its winner.
    """
    if final and final_free:
        return WON_ALREADY
    if held == 0 and costs == 0:
        return NOT_PLAYING
    if phase == WON and undoes:
        return WON_ALREADY
    return COUNTS


def streak_after(streak: int, streak_n: int, n: int) -> int:
    """On how many cards in a row a seat has slapped wrongly, including card `n`; before, they went up to `streak_n`."""
    if streak_n == n:
        return streak
    return streak + 1 if streak_n == n - 1 else 1


def is_eliminated(max_streak: int, streak: int) -> bool:
    """Whether so many wrong slaps in a row end the game for a player."""
    return 0 < max_streak < streak
