"""Patterns as truth tables, computed by calling the functions of `rules/slaps.py` on every window of cards.

A window consists of codes of a few bits. A wild card has a code of its own, and so has a wild joker, which may stand
for one more card: itself. Tables do not depend on which cards are wild, so they are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ratscrew.cards import JOKER, JOKERS, PACK, Card
from ratscrew.rules.pattern import ALL, PATTERNS, BoundPattern, Pattern
from ratscrew.rules.ranks import WILD
from ratscrew.rules.sight import Sight

Truth = NDArray[np.bool_]

FACES = (*PACK, *JOKERS)
CONTEXT_CARDS = ("first", "lowest", "opening")
"""The cards that a pattern may depend on besides those on top."""

COUNTS = {"chance_no", "pile_no", "game_no"}
"""The numbers of a card that a pattern may depend on."""

RANK_CODES, SUIT_CODES = 16, 8
"""How many codes of ranks there are (two to joker, a wild card, a wild joker), and of suits (also no card)."""

LONG_ROWS = ("run", "suit_run", "colour_run", "family")
"""The patterns whose rows may be longer than a window, or are of whole cards: the kernel has functions for them."""

MAX_DEPTH = {"rank": 4, "suit": 5, "colour": 5}
"""The depth limit of a window, by the property of the cards that it shows."""

GAPS = range(4)
"""How many cards may lie between two that make a pair."""

SUMS = "tens"
"""The pattern of unlimited depth, for which there is no table but a compiled function."""

MAX_ANSWERS = 54
"""How many answers to a challenge are counted."""

_SUIT_OF = {"suit": (0, 1, 2, 3, 4), "colour": (0, 1, 1, 0, 2)}
"""The suit and the colour of each suit code."""


def rank_code(card: Card, wild: frozenset[Card]) -> int:
    """The code of a card in a window of ranks."""
    return card.rank if card not in wild else JOKER + 2 if card.rank == JOKER else JOKER + 1


def suit_code(card: Card, wild: frozenset[Card]) -> int:
    """The code of a card in a window of suits."""
    return card.suit if card not in wild else 6 if card.rank == JOKER else 5


def unsupported_reason(bound: BoundPattern) -> str | None:
    """Why a pattern has no table; None if it has one."""
    pattern, name = bound.pattern, bound.pattern.label
    if pattern.sights:
        alone = set(pattern.sights) <= COUNTS or not {*pattern.sights} - {*CONTEXT_CARDS, "burned"}
        return None if alone and pattern.size == 1 else f"{name} depends on more than the top card and one other thing"
    if bound.is_pair:
        return None if bound.gap < len(GAPS) else f"{name} looks at {bound.depth} cards"
    if pattern.size == ALL and pattern.name != SUMS:
        return f"{name} has no fixed depth"
    if is_long_row(bound) and pattern.name not in LONG_ROWS:
        return f"{name} looks at {bound.depth} cards"
    if 1 < bound.depth < ALL and bound.depth > MAX_DEPTH.get(pattern.feature, 1) and not is_long_row(bound):
        return f"{name} looks at {bound.depth} cards"
    return None


def is_long_row(bound: BoundPattern) -> bool:
    """Whether a pattern is a row longer than a window; the kernel checks its cards one by one instead."""
    return bound.pattern.size is None and bound.depth > MAX_DEPTH.get(bound.pattern.feature, 0)


def window(bound: BoundPattern) -> Truth:
    """The truth table of a pattern, by the codes of the cards in its window, top card first."""
    given = msgspec.json.encode(bound.given, order="deterministic")
    return _window(bound.pattern.name, given, bound.pattern.test)


def top(bound: BoundPattern) -> Truth:
    """The truth table of a pattern of one card, by card."""
    return np.array([bound.matches(Sight((card,))) for card in FACES])


def pair(bound: BoundPattern) -> Truth:
    """The truth table of a pattern of two whole cards, by card on top and under it."""
    given = msgspec.json.encode(bound.given, order="deterministic")
    table = _pair(bound.pattern.base, given, bound.pattern.test).copy()
    wild = list(bound.wild)
    table[wild] |= table.any(0)
    table[:, wild] |= table.any(1, keepdims=True)
    return table


@lru_cache(maxsize=64)
def _pair(name: str, given: bytes, _: Callable[..., bool]) -> Truth:
    pattern, choices = PATTERNS[name], msgspec.json.decode(given)
    return np.array([[pattern.test(card, other, **choices) for other in FACES] for card in FACES])


def answers(bound: BoundPattern) -> Truth:
    """The truth table of a pattern of a card and one of its numbers, such as which answer to a challenge it is."""
    return np.array(
        [
            [
                bound.matches(Sight((card,), chance_no=number, pile_no=number, game_no=number))
                for number in range(MAX_ANSWERS)
            ]
            for card in FACES
        ]
    )


def beside(bound: BoundPattern) -> Truth:
    """The truth table of a pattern of two cards, by whether cards are burned, the sight, the card, the other.

    A pattern depends on one of the sights, as the house has it, so each sight is tabulated alone.
    """
    given = msgspec.json.encode(bound.given, order="deterministic")
    return _beside(bound.pattern.name, given, bound.wild, bound.pattern.test)


@lru_cache(maxsize=64)
def _beside(name: str, given: bytes, wild: frozenset[Card], _: Callable[..., bool]) -> Truth:
    bound = BoundPattern(PATTERNS[name], msgspec.json.decode(given), wild)
    table = np.zeros((2, len(CONTEXT_CARDS), len(FACES), len(FACES)), np.bool_)
    for burned, (place, sight) in product(range(2), enumerate(CONTEXT_CARDS)):
        if sight not in bound.pattern.sights:
            continue
        for card, other in product(FACES, FACES):
            seen: dict[str, Any] = {sight: other}
            table[burned, place, card, other] = bound.matches(Sight((card,), burned=bool(burned), **seen))
    return table


@lru_cache(maxsize=256)
def _window(name: str, given: bytes, _: Callable[..., bool]) -> Truth:
    pattern, choices = PATTERNS[name], msgspec.json.decode(given)
    if pattern.size is None:
        return _row(pattern, choices)
    if pattern.feature == "rank":
        plain = _plain(pattern, choices, JOKER + 1, pattern.size)
        return _with_wild(plain, (JOKER + 1, JOKER + 1), RANK_CODES)
    faces = max(_SUIT_OF[pattern.feature]) + 1
    table = _with_wild(_plain(pattern, choices, faces, pattern.size), (faces - 1, faces), SUIT_CODES)
    return _by_code(table, (*_SUIT_OF[pattern.feature], faces, faces + 1, SUIT_CODES - 1))


def _plain(pattern: Pattern, choices: Mapping[str, Any], faces: int, size: int) -> Truth:
    """The table of a pattern with a fixed window, without wild cards."""
    some = (pattern.test(*window, **choices) for window in product(range(faces), repeat=size))
    return np.fromiter(some, np.bool_, faces**size).reshape((faces,) * size)


def _with_wild(plain: Truth, stand_ins: Sequence[int], codes: int) -> Truth:
    """The table with two more codes: cards that may stand for any of the first so many faces."""
    faces = plain.shape[0]
    table = plain
    for axis in range(plain.ndim):
        more = [table.take(range(count), axis).any(axis, keepdims=True) for count in stand_ins]
        none = np.zeros_like(more[0]).repeat(codes - faces - len(more), axis)
        table = np.concatenate([table, *more, none], axis)
    return table


def _row(pattern: Pattern, choices: Mapping[str, Any]) -> Truth:
    """The table of a row, whose length the house sets; both ends of a row are shorter rows."""
    if pattern.feature == "rank":
        faces, codes = (*range(JOKER + 1), WILD), (*range(JOKER + 1), JOKER + 1, JOKER + 1)
    else:
        faces = (*sorted(set(_SUIT_OF[pattern.feature])), WILD)
        codes = (*_SUIT_OF[pattern.feature], len(faces) - 1, len(faces) - 1, len(faces))
    length = choices["len"]
    table = np.zeros((len(faces) + 1,) * length, np.bool_)
    for row in _rows(pattern, choices, faces, length):
        table[row] = True
    return _by_code(table, codes)


def _rows(pattern: Pattern, choices: Mapping[str, Any], faces: Sequence[int], length: int) -> Iterable[tuple[int, ...]]:
    """Every row of a length, by the indices of its faces."""
    rows: list[tuple[int, ...]] = [(number,) for number in range(len(faces))]
    for _ in range(2, length + 1):
        shorter = set(rows)
        tries = ((*row, number) for row in rows for number in range(len(faces)) if (*row[1:], number) in shorter)
        rows = [row for row in tries if pattern.test(*(faces[number] for number in row), **choices)]
    return rows


def _by_code(table: Truth, codes: Sequence[int]) -> Truth:
    """The table indexed by codes instead of faces."""
    for axis in range(table.ndim):
        table = table.take(codes, axis)
    return table
