"""What a wrong slap costs, as functions of small ints only, so that numba can compile them.

A consequence is a kind, a number, and how: the place of burned cards, or who gets cards. `penalty_move` says what it
does, one move after the other; the engine makes an event of each, and the lab's kernel changes its record. Seats are
places in the circle, -1 is none, and yes or no is 1 or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ratscrew.game.slap_logic import COUNTS, FOREVER, NOT_PLAYING, WON_ALREADY
from ratscrew.game.turn_logic import WON

NOTHING, BURN, TAKE, GIVE, LOCK, STRIKE, BURN_HAND, OWE = range(8)
"""The kinds of consequences, and of moves."""

LAST_PLAYER, EVERYBODY = range(2)
"""Who gets cards: the player of the newest card, or each other player."""

UNTIL_TAKEN, FOR_THE_GAME = FOREVER, 2 * FOREVER
"""The numbers of locks that no card ends."""

Move: TypeAlias = tuple[int, int, int]
"""What happens next: its kind, the seat that receives cards, and a number.

The number is how many cards, the card before which the seat may not slap, its strikes, or what it owes in all.
"""


class PenaltyTable(NamedTuple):
    """What everybody sees of the table.

    Shape: `held` (how many cards) and `out` by seat. `n` is the number of the newest card, `last` the seat that turned
    it, and `step` is +1 if play goes to the next seat, -1 if to the one before.
    """

    n: int
    last: int
    step: int
    held: Sequence[int]
    out: Sequence[int]


class Offender(NamedTuple):
    """A seat that slapped wrongly; `in_hand` is how many cards it has besides those aside."""

    seat: int
    in_hand: int
    strikes: int
    debt: int


def move_count(kind: int, how: int, seats: int) -> int:
    """How many moves a consequence has; some may be nothing."""
    return seats - 1 if kind == GIVE and how == EVERYBODY else 1


def penalty_move(kind: int, number: int, how: int, at: int, table: PenaltyTable, offender: Offender) -> Move:
    """The move number `at` of a consequence, as things stand then."""
    if kind == BURN and offender.in_hand > 0:
        return BURN, -1, min(number, offender.in_hand)
    if kind in (TAKE, GIVE):
        to = receiver(how, at, table, offender.seat)
        if to < 0 or (kind == GIVE and offender.in_hand == 0):
            return NOTHING, -1, 0
        return kind, to, 1
    if kind == LOCK:
        return LOCK, -1, lock_end(table.n, number)
    if kind == STRIKE:
        return STRIKE, -1, offender.strikes + 1
    if kind == BURN_HAND:
        return BURN_HAND, -1, 0
    if kind == OWE:
        return OWE, -1, offender.debt + number
    return NOTHING, -1, 0


def receiver(how: int, at: int, table: PenaltyTable, seat: int) -> int:
    """The seat that gets what a seat loses, or -1.

    The player of the newest card; if that is the seat itself or out of the game, the holder before the seat. Or each
    other player who is not out, in the order of play, from the next one.
    """
    seats = len(table.held)
    if how == EVERYBODY:
        other = (seat + table.step * (at + 1) + seats) % seats
        return -1 if table.out[other] else other
    if table.last < 0 or (table.last != seat and not table.out[table.last]):
        return table.last
    other = seat
    for _ in range(seats - 1):
        other = (other - table.step + seats) % seats
        if table.held[other] > 0:
            return other
    return -1


def lock_end(n: int, cards: int) -> int:
    """The card before which a seat may not slap that is locked now, for so many cards or `FOREVER`."""
    return n + cards if cards < FOREVER else cards


def penalty_refusal(phase: int, failed: int, final_free: int, held: int, costs: int, undoes: int) -> int:
    """Why a wrong slap has no effect, or `COUNTS`.

    `final_free`: the house allows slaps at a pile that a challenge has won. `costs` is how many consequences there are;
    `undoes`: one of them would take a won pile from its winner.
    """
    if failed and final_free:
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
