"""The truth tables of patterns agree with the patterns' functions and with counts worked out by hand."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ratscrew.bots.ladder import PLAIN
from ratscrew.cards import PACK, Card
from ratscrew.lab import tables
from ratscrew.lab.kernel.runner import Kernel
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, PATTERNS, BoundPattern
from ratscrew.rules.presets import house
from ratscrew.rules.sight import Sight

with (Path(__file__).parents[1] / "golden" / "census.csv").open(encoding="utf8", newline="") as file:
    ROWS = [row for row in csv.DictReader(file) if row["of"] in ("2652", "132600")]

WILD: Mapping[str, list[str]] = {"none": [], "some": ["2", "QS", "JKR"]}
OFF: Mapping[str, Any] = dict.fromkeys(PATTERNS, False)

SWITCHES: list[tuple[str, Any]] = [
    *((name, True) for name, pattern in PATTERNS.items() if not set(pattern.choices) - set(pattern.defaults)),
    *(("run", {"len": length, "step": "consecutive", "ace": ace}) for length, ace in product((2, 3), ("low", "wrap"))),
    ("run", {"len": 4, "step": "monotone", "ace": "either"}),
    ("run", {"len": 3, "step": "any_order", "ace": "low"}),
    ("run", {"len": 4, "step": "any_order", "ace": "wrap"}),
    *((name, length) for name in ("suit_run", "colour_run") for length in (2, 3, 5)),
    *(("top_bottom", {"match": match, "anchor": "game"}) for match in ("rank_colour", "rank_suit")),
    *(("top_bottom", {"anchor": "pile", "after_burn": after}) for after in ("ignore_burns", "burn_is_bottom")),
    ("instant", ["JK", "9", "QS"]),
    ("partners", {"ranks": "double", "gap": 3}),
    ("partners", {"cards": ["J", "7", "2"], "ranks": "other", "suit": "colour", "gap": 1}),
]
TABLED = [switch for switch in SWITCHES if switch[0] not in ("tens", "partners_2", "partners_3")]


def only(name: str, switch: Any, wild: list[str]) -> Rules:
    """A house of one pattern."""
    return house(slaps={**OFF, name: switch, "wild": wild})


def masks(kernel: Kernel, sight: Sight, wild: frozenset[Card]) -> int:
    """The patterns of a sight by the tables of a house, combined as in the kernel."""
    tabled, card = kernel.config, sight.view[0]
    ranks = suits = 0
    for each in reversed(sight.view[:5]):
        ranks = (ranks << 4 | tables.rank_code(each, wild)) & 0xFFFF
        suits = (suits << 3 | tables.suit_code(each, wild)) & 0x7FFF
    mask = tabled["ranks"][ranks] | tabled["suits"][suits] | tabled["faces"][card]
    mask |= tabled["answers"][card, sight.chance_no]
    for gap, under in enumerate(sight.view[1:5]):
        mask |= tabled["pairs"][gap, card, under]
    others = (sight.first, sight.lowest, sight.opening)
    for place, other in enumerate(others):
        if other is not None:
            mask |= tabled["beside"][int(sight.burned), place, card, other]
    return int(mask & tabled["deep_enough"][min(len(sight.view), int(tabled["depth"]))])


def sights(chance: Random, count: int) -> list[Sight]:
    """Some sights, many of few ranks, so that patterns are common."""
    found = []
    for _ in range(count):
        few = chance.random() < 0.7
        pack = [card for card in tables.FACES if not few or card.rank in (0, 1, 4, 9, 10, 11, 12, 13)]
        view = tuple(chance.sample(pack, chance.randint(1, 6)))
        others = [chance.choice([None, *pack]) for _ in range(3)]
        found.append(Sight(view, others[0], others[1], chance.random() < 0.5, others[2], chance.randrange(6)))
    return found


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("switch", TABLED, ids=str)
def test_the_tables_say_what_the_function_says(switch: tuple[str, Any], wild: str) -> None:
    rules = only(*switch, WILD[wild])
    kernel = Kernel.of(rules, [PLAIN["sharp"]] * 2)
    (bound,) = rules.patterns
    for sight in sights(Random(1), 400):
        assert bool(masks(kernel, sight, bound.wild)) == bound.matches(sight), sight


def bound_of(row: Mapping[str, str]) -> BoundPattern:
    """The pattern of a row of the census."""
    given = dict(part.split("=") for part in row["parameters"].split())
    typed: Mapping[str, Any] = {
        name: int(value) if value.isdigit() else value.split("+") if name == "cards" else value
        for name, value in given.items()
    }
    return BoundPattern(PATTERNS[row["pattern"]], {**PATTERNS[row["pattern"]].defaults, **typed})


def has_window(bound: BoundPattern) -> bool:
    """Whether a pattern has a table of the cards in its window."""
    return (
        not (tables.unsupported_reason(bound) or bound.is_pair or tables.is_long_row(bound)) and 1 < bound.depth < ALL
    )


COUNTED = [row for row in ROWS if has_window(bound_of(row))]
PAIRS = [row for row in ROWS if bound_of(row).is_pair and not bound_of(row).gap]


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: f"{row['pattern']} {row['parameters']}")
def test_the_census_of_a_table_is_what_can_be_worked_out_by_hand(row: Mapping[str, str]) -> None:
    bound = bound_of(row)
    table, code = tables.window(bound), tables.rank_code if bound.pattern.feature == "rank" else tables.suit_code
    faces = [code(card, frozenset()) for card in PACK]
    match = sum(bool(table[tuple(faces[card] for card in window)]) for window in permutations(PACK, bound.depth))
    assert match == int(row["match"])


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: f"{row['pattern']} {row['parameters']}")
def test_so_is_the_census_of_a_table_of_two_whole_cards(row: Mapping[str, str]) -> None:
    table = tables.pair(bound_of(row))
    assert sum(bool(table[one, other]) for one, other in permutations(PACK, 2)) == int(row["match"])
