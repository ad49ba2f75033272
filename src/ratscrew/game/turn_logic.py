"""Decisions about turns and challenges as functions of small ints only, so that numba can compile them.

`held` is how many cards each seat holds after the card has left the hand; `step` is +1 or -1, the direction of
play. A result is `(state, turn, by, left)`: `by` is the challenger's seat or -1, `left` the chances left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

PLAY, WON, STALE = 0, 1, 2
"""States: a seat has to play; the challenger has won the pile; no seat has a card and there is no challenge."""

RawStanding: TypeAlias = tuple[int, int, int, int]


def next_holder(seat: int, held: Sequence[int], step: int) -> int:
    """The next seat after `seat` that holds cards (`seat` itself comes last), or -1 if none does."""
    other = seat
    for _ in range(len(held)):
        other = neighbour(other, step, len(held))
        if held[other] > 0:
            return other
    return -1


def neighbour(seat: int, step: int, seats: int) -> int:
    """The seat next to `seat` in a circle. Called for every card of millions of games, so it avoids division."""
    other = seat + step
    if other == seats:
        return 0
    return seats - 1 if other < 0 else other


def after_card(seat: int, chances: int, by: int, left: int, held: Sequence[int], step: int) -> RawStanding:
    """The standing after `seat` has turned a card that gives `chances` (0 for an ordinary card)."""
    if chances > 0:
        to = next_holder(seat, held, step)
        if to < 0 or to == seat:
            return WON, seat, seat, 0
        return PLAY, to, seat, chances
    if by >= 0:
        if left == 1:
            return WON, by, by, 0
        if held[seat] > 0:
            return PLAY, seat, by, left - 1
        return run_out(seat, by, left - 1, held, step)
    to = next_holder(seat, held, step)
    if to < 0:
        return STALE, seat, -1, 0
    return PLAY, to, -1, 0


def run_out(seat: int, by: int, left: int, held: Sequence[int], step: int) -> RawStanding:
    """The standing when `seat`, which had to answer, has no card left: the next seat goes on with the chances.

    The challenger never answers their own card: when the turn would come back to them, they have won the pile.
    """
    other = seat
    for _ in range(len(held) - 1):
        other = neighbour(other, step, len(held))
        if other == by:
            break
        if held[other] > 0:
            return PLAY, other, by, left
    return WON, by, by, 0


def after_loss(turn: int, by: int, left: int, last: int, held: Sequence[int], step: int) -> RawStanding:
    """The standing when the seat `turn`, which has to play, has lost its last card other than by playing."""
    if by >= 0:
        return run_out(turn, by, left, held, step)
    to = next_holder(turn, held, step)
    if to < 0:
        return STALE, last, -1, 0
    return PLAY, to, -1, 0
