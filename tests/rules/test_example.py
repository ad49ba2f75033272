"""The search for an example of a pattern ends, whatever cards and patterns somebody chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ratscrew.cards import Card
from ratscrew.rules import example as examples
from ratscrew.rules.check import parse_rules
from ratscrew.rules.example import example
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import BoundPattern
from ratscrew.rules.presets import house
from ratscrew.rules.sight import Sight


def row_of_13(without: list[str]) -> Iterator[tuple[Rules, BoundPattern]]:
    rules = parse_rules(
        {"without": without, "slaps": {"run": {"len": 13, "step": "any_order", "ace": "high"}}}, over=house("classic")
    )
    return ((rules, bound) for bound in rules.patterns if bound.pattern.name == "run")


@pytest.mark.parametrize("without", [["J"], ["2", "9S"], ["K"]])
def test_a_row_of_all_ranks_is_not_sought_for_ever_where_one_is_missing(
    without: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are 12 to the power of 12 beginnings, and a page describes every house that comes in a link."""
    looks = 0
    matches = BoundPattern.matches_prefix

    def counted(bound: BoundPattern, window: Sequence[Card]) -> bool:
        nonlocal looks
        looks += 1
        assert looks <= examples._MOST, "it is sought for ever"
        return matches(bound, window)

    monkeypatch.setattr(BoundPattern, "matches_prefix", counted)
    for rules, bound in row_of_13(without):
        assert example(rules, bound) is None
    assert looks > 1000


def test_where_none_is_missing_the_row_is_found() -> None:
    [(rules, bound)] = row_of_13([])
    pile = example(rules, bound)
    assert pile is not None
    assert len({laid.card.rank for laid in pile}) == 13


def test_two_cards_that_never_match_are_not_sought_in_each_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight decks have 190,000 pairs of cards, of which 2,800 differ."""
    looks = 0
    matches = BoundPattern.matches

    def counted(bound: BoundPattern, seen: Sight) -> bool:
        nonlocal looks
        looks += 1
        return matches(bound, seen)

    monkeypatch.setattr(BoundPattern, "matches", counted)
    slaps = {"partners": {"cards": ["JS"], "ranks": "double", "gap": 3}}
    rules = parse_rules({"decks": 8, "jokers": 4, "slaps": slaps})
    bound = next(bound for bound in rules.patterns if bound.pattern.name == "partners")
    assert example(rules, bound) is None
    assert 1000 < looks < 4000
