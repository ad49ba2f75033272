"""Nothing that can be chosen is without words, and everything that can be chosen is described."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import NAMES, RANKS
from ratscrew.rules.describe import Choice, Described, describe, described
from ratscrew.rules.house import Rules, option_types
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.link import from_link
from ratscrew.rules.options import GROUPS, OPTIONS, REQUIREMENTS, TOUCH_ONLY
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, parameters, words_of
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.words import ENGLISH, Words, read_words, spoken, written

FIELDS = option_types()


# Words


def test_a_text_gives_a_choice_a_title_a_hint_and_words_to_its_values() -> None:
    words = read_words("""
        A sentence: it is no choice.
        len: Cards. How many.
        len = 1: (just one)
        len = {}: {} of them
        other = 1: a word without a title is none
    """)
    assert words == {"len": Words("Cards", "How many.", {"1": "(just one)", "{}": "{} of them"})}
    assert [words["len"].of(value) for value in (1, 2)] == ["just one", "2 of them"]
    assert [words["len"].aloud(value) for value in (1, 2)] == ["", "2 of them"]


def test_a_value_without_words_is_said_plainly() -> None:
    assert Words("Width", "", {}).aloud("very_wide") == "width: very wide"


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (3, "3"), ("off", "off"), (["JK", "TD"], "JK+TD"), ([], "-"), ({}, "-")]
)
def test_a_value_is_written_as_in_a_text(value: Any, text: str) -> None:
    assert written(value) == text


def test_cards_and_times_are_said_as_people_say_them() -> None:
    assert [ENGLISH.called(name) for name in ("8", "A", "JK", "JKR", "QS", "TD")] == [
        "an eight",
        "an ace",
        "a joker",
        "the red joker",
        "the queen of spades",
        "the ten of diamonds",
    ]
    assert spoken(["JKR", "T", "QS"]) == "the red joker, a ten or the queen of spades"
    assert spoken({"Q": 2, "J": 1}) == "1 try for a jack and 2 tries for a queen"
    assert [ENGLISH.lasting(ms) for ms in (30, 150, 1000, 1500, 60_000)] == [
        "30 milliseconds",
        "0.15 seconds",
        "1 second",
        "1.5 seconds",
        "60 seconds",
    ]


@pytest.mark.parametrize("name", [*RANKS, *NAMES])
def test_every_card_has_a_name(name: str) -> None:
    assert ENGLISH.called(name).split()[0] in ("a", "an", "the")


# Nothing is without words


def test_every_option_has_words_and_there_are_words_for_no_other() -> None:
    assert {option.name for option in OPTIONS} == {*FIELDS, "slaps.wild"}
    assert GROUPS == ("cards", "challenges", "slaps", "wrong slaps", "running out", "table manners", "speed")


def types() -> Iterator[tuple[str, Words | None, Any]]:
    """Every option, and every parameter of a pattern or a penalty, with its words and its type."""
    for option in OPTIONS:
        if option.name not in ("slaps", "wrong_slap", "no_cards"):
            yield option.name, option.words, FIELDS.get(option.name, list[str])
    for pattern in PATTERNS.values():
        for name, type_ in pattern.choices.items():
            yield f"{pattern.name}.{name}", pattern.words.get(name), type_
    penalty: Penalty
    for penalty in (*WRONG_SLAP.values(), *NO_CARDS.values()):
        for name, type_ in parameters(penalty).items():
            yield f"{penalty.__name__}.{name}", words_of(penalty)[1].get(name), type_


@pytest.mark.parametrize(("name", "words", "type_"), [*types()], ids=[name for name, _, _ in types()])
def test_every_option_and_parameter_and_each_of_its_values_has_words(
    name: str, words: Words | None, type_: Any
) -> None:
    assert words is not None
    assert words.title[0].isupper()
    assert words.hint.endswith(".")
    kind = kind_of(type_)
    values = {"false", "true"} if kind.kind == "flag" else set(kind.values)
    numbers = set(map(str, range(kind.least or 0, (kind.most or 0) + 1))) if kind.kind == "number" else set()
    if kind.kind in ("cards", "chances") or not numbers <= words.values.keys():
        values.add("{}")
    if kind.kind in ("cards", "chances") and name not in ("instant.cards", "family.cards"):
        values.add("off" if name == "slaps.wild" else "-")
    assert values <= words.values.keys() <= values | numbers


def test_what_needs_something_and_what_is_for_touch_screens_is_there() -> None:
    known = {option.name for option in OPTIONS}
    known |= {f"slaps.{name}" for name in PATTERNS}
    known |= {f"slaps.{name}.{parameter}" for name, pattern in PATTERNS.items() for parameter in pattern.choices}
    assert {path for need in REQUIREMENTS for path in (need.option, need.other)} <= known
    assert all(set(values) <= set(kind_of(FIELDS[name]).values) for name, values in TOUCH_ONLY.items())


# What can be chosen


def choices(told: Described) -> dict[str, Choice]:
    """Every choice by its path."""
    options = [option for group in told.groups for option in group.options]
    parts = [part for slap in told.slaps for part in slap.parameters]
    return {choice.path: choice for choice in (*options, *parts)}


def test_everything_that_can_be_chosen_is_described() -> None:
    told = described()
    assert FIELDS.keys() <= choices(told).keys()
    assert [slap.name for slap in told.slaps] == [*PATTERNS]
    assert [cost.kind for cost in told.wrong_slap] == [*WRONG_SLAP]
    assert [cost.kind for cost in told.no_cards] == [*NO_CARDS]
    assert [preset.name for preset in told.presets] == [*PRESETS]


def test_what_is_described_is_plain_data() -> None:
    assert msgspec.convert(json.loads(json.dumps(describe())), Described) == msgspec.convert(describe(), Described)


@pytest.mark.parametrize(
    ("path", "kind", "values", "least", "most", "default"),
    [
        ("decks", "number", ["auto", 1], 1, 8, 1),
        ("tie", "choice", ["earliest", "contact", "void", "judge"], None, None, "earliest"),
        ("feints", "flag", [False, True], None, None, True),
        ("chances", "chances", [], 1, 52, {"J": 1, "Q": 2, "K": 3, "A": 4}),
        ("stoppers", "cards", [], None, None, []),
        ("slaps.wild", "cards", [], None, None, []),
        ("slaps.run.len", "number", [], 2, 13, None),
        ("slaps.triple.ends", "choice", ["pile", "win"], None, None, "pile"),
    ],
)
def test_a_choice_says_what_it_can_be(
    path: str, kind: str, values: list[Any], least: int | None, most: int | None, default: Any
) -> None:
    choice = choices(described())[path]
    assert (choice.kind, [value.value for value in choice.values]) == (kind, values)
    assert (choice.least, choice.most, choice.default) == (least, most, default)


def test_a_choice_says_what_it_needs_and_what_is_for_touch_screens() -> None:
    told = choices(described())
    (need,) = told["cheat"].needs
    assert (need.value, need.option, need.values, need.required) == ("split", "collect", ("manual",), True)
    touch = {(path, value.value) for path, choice in told.items() for value in choice.values if value.touch}
    assert touch == {("tie", "contact"), ("slap_hand", "other")}


@given(st.sampled_from(described().presets))
def test_a_described_preset_is_the_house_of_its_name(preset: Any) -> None:
    rules: Mapping[str, Any] = preset.rules
    assert msgspec.convert(rules, Rules) == house(preset.name) == from_link(preset.link)
    assert house(**preset.choices) == house(preset.name)
