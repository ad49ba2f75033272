"""The census: each figure is what can be worked out by hand."""

from __future__ import annotations

import ast
import csv
from collections.abc import Callable, Mapping
from itertools import permutations
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import PACK
from ratscrew.rules.pattern import PATTERNS, BoundPattern
from ratscrew.rules.presets import house
from ratscrew.rules.sight import Sight
from ratscrew.rules.slap_census import Count, census, count

GOLDEN = Path(__file__).parents[1] / "golden" / "census.csv"
with GOLDEN.open(encoding="utf8", newline="") as file:
    ROWS = list(csv.DictReader(file))

OPERATORS: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: lambda one, other: one + other,
    ast.Mult: lambda one, other: one * other,
    ast.FloorDiv: lambda one, other: one // other,
    ast.Pow: lambda one, other: one**other,
}


def by_hand(formula: str) -> int:
    """The value of a closed form: sums, products, powers, `F(n)` for n! and `C(n;k)` for n over k."""

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(int() as number):
                return number
            case ast.BinOp(left, operator, right):
                return OPERATORS[type(operator)](value(left), value(right))
            case ast.Call(ast.Name("F"), [n]):
                return factorial(value(n))
            case ast.Call(ast.Name("C"), [n, k]):
                return comb(value(n), value(k))
        raise ValueError(f"{formula}: this is no closed form")

    return value(ast.parse(formula.replace(";", ","), mode="eval").body)


def bound(row: Mapping[str, str]) -> BoundPattern:
    """The pattern of a row with its parameters."""
    pattern, given = PATTERNS[row["pattern"]], {}
    for name, _, text in (part.partition("=") for part in row["parameters"].split()):
        value: Any = int(text) if text.isdigit() else text.split("+") if name == "cards" else text
        given[name] = value
    return BoundPattern(pattern, {**pattern.defaults, **given})


def named(row: Mapping[str, str]) -> str:
    """A row as the name of a test."""
    return f"{row['pattern']} {row['parameters']}".strip()


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_figure_is_what_can_be_worked_out_by_hand(row: Mapping[str, str]) -> None:
    assert count(bound(row)) == Count(int(row["match"]), int(row["of"]))
    assert (int(row["match"]), int(row["of"])) == (by_hand(row["by hand"]), by_hand(row["of by hand"]))


def test_every_pattern_has_its_figures() -> None:
    assert {row["pattern"] for row in ROWS} == PATTERNS.keys()


@pytest.mark.parametrize("row", [row for row in ROWS if named(row) in {"sandwich", "suit_run len=3"}], ids=named)
def test_a_figure_is_what_trying_every_window_gives(row: Mapping[str, str]) -> None:
    some = bound(row)
    assert sum(some.matches(Sight(window)) for window in permutations(PACK, 3)) == int(row["match"])


def test_the_census_of_a_house_is_that_of_its_patterns() -> None:
    assert census(house()) == {"double": (156, 2652), "sandwich": (7488, 132600), "instant": (0, 52)}
    assert census(house("beggar")) == {}


def test_a_wild_card_does_not_change_the_census() -> None:
    assert census(house(slaps={"wild": ["2"]})) == census(house())
