"""The patterns, each with its own examples, and how many windows of a pack they fit."""

from __future__ import annotations

from itertools import permutations

import pytest

from ratscrew.cards import PACK, Pile, pile, text
from ratscrew.rules.pattern import PATTERNS, Pattern, view
from ratscrew.rules.presets import house

YES = [(pattern, some) for pattern in PATTERNS.values() for some in pattern.yes]
NO = [(pattern, some) for pattern in PATTERNS.values() for some in pattern.no]


def named(value: Pattern | Pile) -> str:
    """A pattern or a pile as the name of a test."""
    return value.name if isinstance(value, Pattern) else text(value)


@pytest.mark.parametrize(("pattern", "some"), YES, ids=named)
def test_a_pattern_lies_on_its_examples(pattern: Pattern, some: Pile) -> None:
    assert pattern.fits(view(some, len(some)))
    only = dict.fromkeys(PATTERNS, False) | {pattern.name: True}
    assert house(slaps=only).slap_on(some) == pattern.name


@pytest.mark.parametrize(("pattern", "some"), NO, ids=named)
def test_a_pattern_does_not_lie_on_its_counterexamples(pattern: Pattern, some: Pile) -> None:
    assert not pattern.fits(view(some, len(some)))


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=named)
def test_a_pattern_says_what_it_is_and_shows_it(pattern: Pattern) -> None:
    assert pattern.says.endswith(".")
    assert pattern.says[0].isupper()
    assert pattern.yes
    assert pattern.no


@pytest.mark.parametrize(
    ("some", "slap"),
    [
        ("9S 9H", "double"),
        ("9S 9H 9D", "double"),
        ("JKB JKR", "double"),
        ("2C KS KD", "double"),
        ("5S 7D 5H", "sandwich"),
        ("QS KD QH", "sandwich"),
        ("JKB 5S JKR", "sandwich"),
        ("5S 5D 5H", "double"),
        ("5S 5D 7H 5C", "sandwich"),
        ("8C* 9S 9H", "double"),
        ("8C* 9S 8H 9D", "sandwich"),
        ("", None),
        ("9S", None),
        ("9S 8H", None),
        ("9C* 9S", None),
        ("9C 9S*", None),
        ("9S 9H 8D", None),
        ("5S 7D 8D 5H", None),
        ("5H* 7D 5S", None),
        ("5H 7D* 5S", None),
        ("9S TD", None),
        ("KS QH", None),
        ("3H 4D 5C 6S", None),
    ],
)
def test_classic_calls_a_pile_by_the_first_pattern_on_it(some: str, slap: str | None) -> None:
    assert house().slap_on(pile(some)) == slap


def test_a_house_without_patterns_has_nothing_to_slap() -> None:
    rules = house(slaps=dict.fromkeys(PATTERNS, False))
    assert rules.slap_on(pile("9S 9H")) is None
    assert rules.patterns == ()


@pytest.mark.parametrize(("name", "windows"), [("double", 52 * 3), ("sandwich", 52 * 48 * 3)])
def test_the_census_of_a_pattern_is_what_can_be_reckoned_by_hand(name: str, windows: int) -> None:
    pattern = PATTERNS[name]
    assert sum(map(pattern.fits, permutations(PACK, pattern.size))) == windows
