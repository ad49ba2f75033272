"""The census of a pattern: how many ordered windows of distinct cards of one pack match, of how many.

Each figure can be checked by hand: tests/golden/census.csv has the closed forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from math import factorial, perm, prod
from typing import NamedTuple

from ratscrew.cards import PACK, Card
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, FEATURES, BoundPattern, Feature
from ratscrew.rules.sight import Sight

_EACH: Mapping[Feature, Mapping[int, int]] = {feature: Counter(map(look, PACK)) for feature, look in FEATURES.items()}
"""How many cards of a pack have each value of each feature."""

_APART = {"first", "lowest", "opening"}
"""The fields of a sight that are a card outside the view."""

SECOND = 2
"""The answer number for which patterns that depend on it are counted."""


class Count(NamedTuple):
    """How many windows match, of how many."""

    match: int
    of: int


def census(rules: Rules) -> dict[str, Count]:
    """The count of each pattern of a house, without wild cards.

    A pattern of variable length is counted in windows of two cards, one that compares the top card with another of the
    pile over both cards, one that depends on an answer's number for the second answer. In a gap any card may lie.
    """
    return {bound.pattern.name: count(bound) for bound in rules.patterns}


def count(bound: BoundPattern) -> Count:
    pattern = bound.pattern
    apart = bool(_APART & set(pattern.sights))
    size = 2 if bound.depth == ALL else bound.size + apart
    feature: Feature = "card" if apart else pattern.feature
    if bound.given.get("step") == "any_order":
        windows = [row for row in combinations(_EACH[feature], size) if _matches(bound, row)]
        return Count(factorial(size) * sum(_ways(feature, window) for window in windows), perm(52, size))
    if pattern.size is None:
        windows = _rows(bound, size)
    else:
        windows = [window for window in product(_EACH[feature], repeat=size) if _matches(bound, window, apart)]
    between = perm(52 - size, bound.gap)
    return Count(between * sum(_ways(feature, window) for window in windows), between * perm(52, size))


def _matches(bound: BoundPattern, faces: tuple[int, ...], apart: bool = False) -> bool:
    """Whether a pattern matches these features; `apart`: the last is not in the view but the other card it looks at.

    The features are passed to the pattern directly, without a card that has them.
    """
    look = FEATURES[bound.pattern.feature]
    view = [look(Card(face)) for face in faces[:-1]] if apart else map(Card, faces)
    other = Card(faces[-1]) if apart else None
    number = 0 if apart else SECOND
    seen = Sight((), other, other, False, other, number, number, number)
    return bool(
        bound.pattern.test(*view, **{name: getattr(seen, name) for name in bound.pattern.sights}, **bound.given)
    )


def _rows(bound: BoundPattern, size: int) -> list[tuple[int, ...]]:
    """Every row of a size, built card by card: both ends of a row are shorter rows."""
    rows: list[tuple[int, ...]] = [(face,) for face in _EACH[bound.pattern.feature]]
    follow: dict[tuple[int, ...], list[int]] = {(): [face for (face,) in rows]}
    for length in range(2, size + 1):
        shorter = BoundPattern(bound.pattern, {**bound.given, "len": length} if "len" in bound.given else bound.given)
        longer = ((*row, face) for row in rows for face in follow.get(row[1:], ()))
        rows = [row for row in longer if _matches(shorter, row)]
        follow = {}
        for row in rows:
            follow.setdefault(row[:-1], []).append(row[-1])
    return rows


def _ways(feature: Feature, window: tuple[int, ...]) -> int:
    """How many windows of distinct cards have these features."""
    return prod(perm(_EACH[feature][face], times) for face, times in Counter(window).items())
