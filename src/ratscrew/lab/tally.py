"""A tally: the totals of many games, in integers. Independent of how they were played.

Tallies add up: the sum is the same for any split among threads, processes and machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from typing import Any

BINS = 80
"""The number of bins of lengths: more than any game needs."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The totals of some games.

    Shape: `wins`, `good` (slaps that took a pile, or won the game) and `wrong` (slaps that cost something) by seat;
    `slaps` are the good ones by pattern; `lengths` counts games by the cards turned, in the bins of `bin_of`. Of cards,
    tricks (piles taken) and time there is also the sum of squares, that of the time in milliseconds. Seat 0 leads.
    `comebacks` are games whose winner had run out of cards on the way; `limited` are games that ended at their limit of
    cards, which are also wins or `drawn`. `never_ended` are games given up after too many
    cards.
    """

    games: int = 0
    wins: tuple[int, ...] = ()
    drawn: int = 0
    all_lose: int = 0
    limited: int = 0
    never_ended: int = 0
    cards: int = 0
    cards2: int = 0
    tricks: int = 0
    tricks2: int = 0
    time_us: int = 0
    time2_ms: int = 0
    slaps: Mapping[str, int] = field(default_factory=dict)
    good: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    comebacks: int = 0
    leader_wins: int = 0
    lengths: tuple[int, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        sums: dict[str, Any] = {
            each.name: _sum(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)
        }
        return Tally(**sums)


def bin_of(cards: int) -> int:
    """The bin of a length; there are four bins from each power of two to the next."""
    power = 0
    while cards > 7:
        cards >>= 1
        power += 1
    return min(4 * power + cards, BINS - 1)


def bin_start(place: int) -> int:
    """The shortest length in a bin."""
    if place < 4:
        return place
    power = place // 4 + 1
    return (4 + place % 4) << (power - 2)


def strip_zeros(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Counts without trailing zeros, so that equal tallies compare equal."""
    last = max((place for place, count in enumerate(counts) if count), default=-1)
    return counts[: last + 1]


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, int):
        return one + other
    if isinstance(one, tuple):
        return tuple(a + b for a, b in zip_longest(one, other, fillvalue=0))
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}
