"""The choices of a house: checked as a whole, every problem at once, the same in Python and in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given

from ratscrew.cards import NAMES, PACK
from ratscrew.errors import RulesError
from ratscrew.rules import presets
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house
from ratscrew.testing.strategies import houses


def problems(choices: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with the choices."""
    with pytest.raises(RulesError) as caught:
        Rules.read(choices)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def test_the_defaults_are_the_rules_of_classic() -> None:
    assert Rules() == Rules.read({}) == house() == house("classic")
    assert msgspec.to_builtins(house()) == {
        "direction": "cw",
        "max_players": 8,
        "chances": {"J": 1, "Q": 2, "K": 3, "A": 4},
        "slaps": {"double": True, "sandwich": True},
        "wrong_slap": {"kind": "burn", "count": 1, "place": "bottom"},
        "no_cards": {"kind": "strikes", "limit": 3},
        "turn_ms": 8000,
        "collect_delay_ms": 1500,
    }


def test_one_house_does_not_change_another() -> None:
    Rules().slaps["double"] = False
    Rules().chances.clear()
    assert Rules().slaps["double"]
    assert Rules().chances == {"J": 1, "Q": 2, "K": 3, "A": 4}


@given(houses())
def test_a_house_reads_its_own_choices(rules: Rules) -> None:
    assert Rules.read(msgspec.to_builtins(rules)) == rules


@given(houses())
def test_a_house_is_the_same_as_json(rules: Rules) -> None:
    sent = msgspec.json.encode(rules)
    assert Rules.read(msgspec.json.decode(sent)) == rules
    assert msgspec.json.decode(sent, type=Rules) == rules


def test_slaps_are_chosen_switch_by_switch() -> None:
    assert house(slaps={"double": False}).slaps == {"double": False, "sandwich": True}
    assert Rules.read({"slaps": {"sandwich": False}}).slaps == {"double": True, "sandwich": False}
    assert [pattern.name for pattern in house(slaps={"double": False}).patterns] == ["sandwich"]


def test_every_other_option_is_replaced_as_a_whole() -> None:
    rules = house(chances={"T": 5})
    assert rules.chances == {"T": 5}
    assert {NAMES[card] for card in PACK if rules.chances_by_card[card]} == {"TC", "TD", "TH", "TS"}


def test_a_card_goes_before_its_rank() -> None:
    by_card = house(chances={"Q": 2, "QS": 7, "JK": 3, "JKR": 9}).chances_by_card
    named = dict(zip(NAMES, by_card, strict=True))
    assert (named["QH"], named["QS"], named["JKB"], named["JKR"], named["KS"]) == (2, 7, 3, 9, 0)


def test_patterns_are_read_in_their_own_order_not_in_that_of_the_choice() -> None:
    rules = Rules(slaps={"sandwich": True, "double": True})
    assert [pattern.name for pattern in rules.patterns] == ["double", "sandwich"]


def test_play_goes_to_the_next_seat_or_to_the_one_before() -> None:
    assert (house().step, house(direction="ccw").step) == (1, -1)


def test_an_option_that_is_not_there_is_named_with_those_that_are() -> None:
    (problem,) = problems({"colour": "red"})
    assert problem.startswith("colour: there is no such option; there are ")
    assert all(name in problem for name in msgspec.structs.asdict(Rules()))


def test_a_pattern_that_is_not_there_is_named_with_those_that_are() -> None:
    (problem,) = problems({"slaps": {"tripple": True}})
    assert problem.startswith("slaps.tripple: there is no such pattern; there are double, sandwich")


@pytest.mark.parametrize(
    ("option", "known"),
    [("wrong_slap", "burn"), ("no_cards", "strikes")],
)
def test_a_penalty_that_is_not_there_is_named_with_those_that_are(option: str, known: str) -> None:
    (problem,) = problems({option: {"kind": "tickle"}})
    assert problem.startswith(f"{option}.kind = 'tickle': there is no such penalty; there are {known}")
    (problem,) = problems({option: {}})
    assert problem.startswith(f"{option}.kind")
    assert known in problem


def test_a_penalty_for_who_has_cards_is_none_for_who_has_none() -> None:
    assert len(problems({"wrong_slap": {"kind": "strikes"}, "no_cards": {"kind": "burn"}})) == 2


def test_a_parameter_that_is_not_there_is_named_with_those_that_are() -> None:
    (problem,) = problems({"wrong_slap": {"kind": "burn", "cuont": 2}})
    assert problem == "wrong_slap.cuont: burn has no such parameter; it has count, place"


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("max_players", 9, "8"),
        ("max_players", 1, "2"),
        ("max_players", "8", "int"),
        ("max_players", True, "int"),
        ("turn_ms", 999, "1000"),
        ("turn_ms", 600_001, "600000"),
        ("turn_ms", 8000.5, "int"),
        ("collect_delay_ms", -1, "0"),
        ("collect_delay_ms", 600_001, "600000"),
        ("direction", 1, "it can be 'cw' or 'ccw'"),
        ("chances", {"J": 0}, "1"),
        ("chances", {"J": 14}, "13"),
        ("chances", {"J": "two"}, "int"),
        ("chances", ["J"], "object"),
        ("slaps", {"double": "yes"}, "bool"),
        ("slaps", {"double": 1}, "bool"),
        ("wrong_slap", "burn", "object"),
        ("no_cards", None, "object"),
    ],
)
def test_a_value_that_cannot_be_is_told_with_what_can(option: str, value: object, allowed: str) -> None:
    (problem,) = problems({option: value})
    assert problem.startswith(f"{option} = {value!r}: ")
    assert allowed in problem.removeprefix(f"{option} = {value!r}: ")


@pytest.mark.parametrize(
    ("option", "choice", "allowed"),
    [
        ("wrong_slap.count", {"kind": "burn", "count": "two"}, "int"),
        ("wrong_slap.count", {"kind": "burn", "count": True}, "int"),
        ("wrong_slap.count", {"kind": "burn", "count": 0}, "1"),
        ("wrong_slap.count", {"kind": "burn", "count": -3}, "1"),
        ("wrong_slap.count", {"kind": "burn", "count": 53}, "52"),
        ("no_cards.limit", {"kind": "strikes", "limit": 0}, "1"),
        ("no_cards.limit", {"kind": "strikes", "limit": "three"}, "int"),
    ],
)
def test_a_parameter_that_cannot_be_is_told_with_what_can(option: str, choice: dict[str, Any], allowed: str) -> None:
    penalty, _, name = option.partition(".")
    (problem,) = problems({penalty: choice})
    assert problem.startswith(f"{option} = {choice[name]!r}: ")
    assert allowed in problem.removeprefix(f"{option} = {choice[name]!r}: ")


@pytest.mark.parametrize(
    ("choices", "allowed"),
    [
        ({"direction": "up"}, ["cw", "ccw"]),
        ({"wrong_slap": {"kind": "burn", "place": "top"}}, ["bottom"]),
    ],
)
def test_a_word_that_cannot_be_is_told_with_those_that_can(choices: Mapping[str, Any], allowed: Sequence[str]) -> None:
    (problem,) = problems(choices)
    assert all(word in problem for word in allowed)


@pytest.mark.parametrize("slaps", [None, 5, ["double"]])
def test_slaps_that_are_no_switches_are_told_like_any_wrong_value(slaps: object) -> None:
    with pytest.raises(RulesError, match="slaps = "):
        house("classic", slaps=slaps)


def test_chances_are_for_ranks_and_cards_only() -> None:
    (problem,) = problems({"chances": {"J": 1, "jack": 1}})
    assert problem.startswith("chances.jack: this is no rank or card; write one of 2 3 4 5 6 7 8 9 T J Q K A JK")


def test_every_problem_is_told_at_once() -> None:
    found = problems(
        {
            "colour": "red",
            "max_players": 1,
            "chances": {"jack": 1, "queen": 2},
            "slaps": {"tripple": True, "hoagy": False},
            "wrong_slap": {"kind": "burn", "cuont": 2, "count": "two"},
            "no_cards": {"kind": "tickle"},
            "turn_ms": 8000,
        }
    )
    assert [problem.split(":")[0].split(" = ")[0] for problem in found] == [
        "colour",
        "max_players",
        "slaps.tripple",
        "slaps.hoagy",
        "chances.jack",
        "chances.queen",
        "wrong_slap.cuont",
        "wrong_slap.count",
        "no_cards.kind",
    ]


def test_an_unknown_preset_is_named_with_those_that_are_there() -> None:
    with pytest.raises(RulesError, match="there is no preset 'clasic'; there are classic"):
        house("clasic")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_a_house(preset: str) -> None:
    rules = house(preset)
    assert Rules.read(msgspec.to_builtins(rules)) == rules


def test_a_preset_goes_before_the_defaults_and_an_option_before_the_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"max_players": 3, "turn_ms": 5000, "slaps": {"sandwich": False}}
    monkeypatch.setattr(presets, "PRESETS", {"small": small, **PRESETS})
    assert house("small") == house(max_players=3, turn_ms=5000, slaps={"sandwich": False})
    assert house("small", max_players=4) == house(max_players=4, turn_ms=5000, slaps={"sandwich": False})
    assert house("small", slaps={"double": False}).slaps == {"double": False, "sandwich": False}
    assert house("small", slaps={"sandwich": True}).slaps == {"double": True, "sandwich": True}


def test_a_wrong_option_of_a_preset_is_told_like_any_other() -> None:
    with pytest.raises(RulesError) as caught:
        house("classic", slaps={"tripple": True}, colour="red")
    assert len(caught.value.problems) == 2
