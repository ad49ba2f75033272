"""The census of a pattern: how many ordered windows of distinct cards of one pack match, of how many.

Each figure can be worked out by hand, which is what it is for: tests/golden/census.csv has the closed forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import perm, prod
from typing import NamedTuple

from ratscrew.cards import PACK, Card
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, LENSES, Bound, Lens
from ratscrew.rules.sight import Sight

_EACH: Mapping[Lens, Mapping[int, int]] = {lens: Counter(map(look, PACK)) for lens, look in LENSES.items()}
"""How many cards of a pack look alike under each lens."""

SECOND = 2
"""The answer to a challenge that the count of an answer pattern is made for."""


class Count(NamedTuple):
    """How many windows match, of how many."""

    match: int
    of: int


def census(rules: Rules) -> dict[str, Count]:
    """The count of each pattern of a house.

    A pattern that reads on by itself is counted in windows of two cards, one that compares the top card with another
    of the pile over both, one that asks for an answer's number for the second answer.
    """
    return {bound.pattern.name: count(bound) for bound in rules.patterns}


def count(bound: Bound) -> Count:
    """The count of one pattern."""
    pattern = bound.pattern
    apart = bool({"first", "lowest", "opening"} & set(pattern.sights))
    size = 2 if apart or bound.depth == ALL else bound.depth
    windows = _grown(bound, size) if pattern.size is None else _all(pattern.lens, size, apart)
    lens: Lens = "card" if apart else pattern.lens
    return Count(sum(_ways(lens, window) for window in windows if _fits(bound, lens, window, apart)), perm(52, size))


def _fits(bound: Bound, lens: Lens, window: tuple[int, ...], apart: bool) -> bool:
    cards = tuple(_card(lens, face) for face in window)
    if apart:
        top, other = cards
        return bound.fits(Sight((top,), other, other, False, other, 0))
    return bound.fits(Sight(cards, chance_no=SECOND))


def _card(lens: Lens, face: int) -> Card:
    """Some card that looks so."""
    return next(card for card in PACK if LENSES[lens](card) == face)


def _all(lens: Lens, size: int, apart: bool) -> Iterator[tuple[int, ...]]:
    """Every window as its faces."""
    faces = tuple(_EACH["card" if apart else lens])

    def grow(window: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(window) == size:
            yield window
            return
        for face in faces:
            yield from grow((*window, face))

    return grow(())


def _grown(bound: Bound, size: int) -> Iterator[tuple[int, ...]]:
    """Every window that matches, card by card: the upper part of a row is a shorter row."""
    windows: list[tuple[int, ...]] = [(face,) for face in _EACH[bound.pattern.lens]]
    for length in range(2, size + 1):
        shorter = Bound(bound.pattern, {**bound.given, "len": length})
        longer = ((*window, face) for window in windows for face in _EACH[bound.pattern.lens])
        windows = [window for window in longer if _fits(shorter, bound.pattern.lens, window, apart=False)]
    return iter(windows)


def _ways(lens: Lens, window: tuple[int, ...]) -> int:
    """How many windows of distinct cards look so."""
    return prod(perm(_EACH[lens][face], times) for face, times in Counter(window).items())
