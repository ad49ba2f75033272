"""The choices of a house: checked as a whole, every problem at once, the same in Python and in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as trial

from ratscrew.cards import NAMES
from ratscrew.errors import RulesError
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.testing.house_strategies import houses

TOP_BOTTOM = {"match": "rank", "anchor": "pile", "after_burn": "void"}
few = trial(max_examples=40, deadline=None)


def problems(choices: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with the choices."""
    with pytest.raises(RulesError) as caught:
        parse_rules(choices)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def test_the_defaults_are_the_rules_of_classic() -> None:
    assert Rules() == parse_rules({}) == house() == house("classic")


def test_one_house_does_not_change_another() -> None:
    Rules().slaps["double"] = False
    Rules().chances.clear()
    Rules().wrong_slap["count"] = 9
    assert Rules().slaps["double"]
    assert Rules().chances == {"J": 1, "Q": 2, "K": 3, "A": 4}
    assert Rules().wrong_slap["count"] == 1


@few
@given(houses())
def test_a_house_reads_its_own_choices(rules: Rules) -> None:
    assert parse_rules(msgspec.to_builtins(rules), over=Rules(slaps={}, chances={})) == rules


@few
@given(houses())
def test_a_house_is_the_same_as_json(rules: Rules) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


@pytest.mark.parametrize(
    ("option", "known"),
    [("endgame", "play_out"), ("slaps", "double"), ("wrong_slap", "burn"), ("no_cards", "strikes")],
)
def test_rules_with_something_of_another_program_cannot_be_read(option: str, known: str) -> None:
    """An endgame, a pattern or a penalty that is declared elsewhere only: without it, it would be another game."""
    stored = msgspec.json.encode(Rules()).decode()
    assert stored.count(f'"{known}"') == 1
    with pytest.raises(msgspec.ValidationError, match=f"{option}: there is no 'lucky_dip' here; .*{known}"):
        msgspec.json.decode(stored.replace(f'"{known}"', '"lucky_dip"'), type=Rules)


@pytest.mark.parametrize(
    ("rules", "where", "known"),
    [
        (house(wrong_slap={"kind": "burn"}), "wrong_slap.burn", "kind, count, place, escalate"),
        (house(no_cards={"kind": "ignore"}), "no_cards.ignore", "kind"),
        (house(slaps={"run": {"len": 3}}), "slaps.run", "len, step, ace"),
    ],
)
def test_rules_with_a_parameter_of_another_program_cannot_be_read(rules: Rules, where: str, known: str) -> None:
    stored = msgspec.to_builtins(rules)
    option, name = where.split(".")
    chosen = stored[option][name] if option == "slaps" else stored[option]
    chosen["jitter"] = 2
    with pytest.raises(msgspec.ValidationError, match=f"{where}: there is no 'jitter' here; there are {known}$"):
        msgspec.convert(stored, Rules)


def test_a_pattern_of_another_program_that_is_off_changes_nothing() -> None:
    stored = msgspec.json.encode(Rules()).replace(b'"double":true', b'"double":true,"lucky_dip":false')
    assert msgspec.json.decode(stored, type=Rules).patterns == Rules().patterns


def test_slaps_are_chosen_switch_by_switch() -> None:
    assert house(slaps={"double": False}).slaps == {"sandwich": True, "instant": ["JK"]}
    assert house(slaps={"hoagie": True}).slaps == {"double": True, "sandwich": True, "hoagie": True, "instant": ["JK"]}


@pytest.mark.parametrize("off", [False, "off", 0, None, []])
def test_a_slap_is_off_in_any_way_in_which_one_may_say_so(off: object) -> None:
    assert house(slaps={"double": off, "instant": off}).slaps == {"sandwich": True}


@pytest.mark.parametrize(
    ("name", "switch", "whole"),
    [
        ("triple", True, "pile"),
        ("triple", {"ends": "win"}, "win"),
        ("suit_run", {"len": 3}, 3),
        ("top_bottom", True, TOP_BOTTOM),
        ("top_bottom", {"anchor": "game"}, {**TOP_BOTTOM, "anchor": "game"}),
        ("run", {"len": 4}, {"step": "consecutive", "ace": "either", "len": 4}),
        ("instant", ["QS"], ["QS"]),
        ("wild", ["2"], ["2"]),
    ],
)
def test_equal_houses_are_equal_values_however_a_slap_was_chosen(name: str, switch: Any, whole: Any) -> None:
    assert house(slaps={name: switch}).slaps[name] == whole


def test_what_a_penalty_leaves_out_is_filled_in() -> None:
    assert house(wrong_slap={"kind": "burn"}).wrong_slap == {
        "kind": "burn",
        "count": 1,
        "place": "bottom",
        "escalate": False,
    }
    assert house(no_cards={"kind": "ignore"}).no_cards == {"kind": "ignore"}


def test_challenges_are_chosen_card_by_card() -> None:
    assert house(chances={"JK": 5}).chances == {"J": 1, "Q": 2, "K": 3, "A": 4, "JK": 5}
    rules = house(chances={**dict.fromkeys("JQKA", "off"), "T": 5})
    assert rules.chances == {"T": 5}
    assert {NAMES[i] for i, chances in enumerate(rules.chances_by_card) if chances} == {"TC", "TD", "TH", "TS"}


def test_a_card_goes_before_its_rank() -> None:
    by_card = house(chances={"Q": 2, "QS": 7, "JK": 3, "JKR": 9}).chances_by_card
    named = dict(zip(NAMES, by_card, strict=True))
    assert (named["QH"], named["QS"], named["JKB"], named["JKR"], named["9S"]) == (2, 7, 3, 9, 0)


def test_play_goes_to_the_next_seat_or_to_the_one_before() -> None:
    assert (house().step, house(direction="ccw").step) == (1, -1)


# Problems are reported: the option, the value, and the possible values


def test_an_option_that_is_not_there_is_named_with_those_that_are() -> None:
    (problem,) = problems({"colour": "red"})
    assert problem.startswith("colour: there is no such option; there are decks, pack, ")
    assert all(name in problem for name in msgspec.structs.asdict(Rules()))


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("decks", 9, "it can be a whole number from 1 to 8 or 'auto'"),
        ("decks", "many", "it can be a whole number from 1 to 8 or 'auto'"),
        ("jokers", True, "it can be a whole number from 0 to 4"),
        ("jokers", 1.5, "it can be a whole number from 0 to 4"),
        ("turn_ms", 999, "it can be a whole number from 1000 to 600000"),
        ("collect_delay_ms", -1, "it can be a whole number from 0 to 600000"),
        ("direction", 1, "it can be 'cw' or 'ccw'"),
        ("tie", "toss", "it can be 'earliest', 'contact', 'void' or 'judge'"),
        ("feints", "no", "it can be true or false"),
        ("stoppers", "T", "it can be a list of cards, such as ['JK', 'T']"),
        ("chances", ["J"], "it can be 1 to 52 tries for a card, such as {'J': 1, 'QS': 2}"),
        ("slaps", ["double"], "it can be choices by their names, such as {"),
        ("wrong_slap", "burn", "it can be choices by their names, such as {"),
        ("no_cards", None, "it can be choices by their names, such as {"),
    ],
)
def test_a_value_that_cannot_be_is_reported_with_what_can(option: str, value: object, allowed: str) -> None:
    (problem,) = problems({option: value})
    assert problem.startswith(f"{option} = {value!r}: ")
    assert allowed in problem.removeprefix(f"{option} = {value!r}: ")


@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        (
            {"stoppers": ["ten", "T"]},
            "stoppers: 'ten' is not a card: write a rank (2 to 10, J, Q, K, A), a card such as",
        ),
        ({"chances": {"jack": 1}}, "chances: 'jack' is not a card: write a rank (2 to 10, J, Q, K, A), a card such as"),
        ({"chances": {"K": 53}}, "chances.K = 53: it can be a whole number from 1 to 52 or 'off'"),
        ({"chances": {"K": True}}, "chances.K = True: it can be a whole number from 1 to 52 or 'off'"),
        ({"chances": {"QS": "two"}}, "chances.QS = 'two': it can be a whole number from 1 to 52 or 'off'"),
    ],
)
def test_a_problem_with_a_card_names_it(choices: dict[str, object], problem: str) -> None:
    (found,) = problems(choices)
    assert found.startswith(problem)


def test_a_ten_may_be_written_as_on_the_card() -> None:
    written = house(stoppers=["10", "10S", 10], chances={"10": 2, "10H": 3}, slaps={"instant": ["10"], "wild": ["10D"]})
    assert written == house(
        stoppers=["T", "TS", "T"], chances={"T": 2, "TH": 3}, slaps={"instant": ["T"], "wild": ["TD"]}
    )


def test_one_player_is_no_table() -> None:
    assert problems({"max_players": 1}) == ("max_players = 1: it can be 0 (no limit), or 2 and more",)
    assert [house(max_players=most).max_players for most in (0, 2)] == [0, 2]


@pytest.mark.parametrize(
    ("slaps", "problem"),
    [
        ({"tripple": True}, "slaps.tripple: there is no such pattern; there are triple_six, triple, double"),
        ({"double": "yes"}, "slaps.double = 'yes': it can be true or false"),
        ({"double": 1}, "slaps.double = 1: it can be true or false"),
        ({"double": {"len": 2}}, "slaps.double.len: double has no such parameter; it has none"),
        ({"triple": "lose"}, "slaps.triple = 'lose': it can be 'pile' or 'win'"),
        ({"run": 3}, "slaps.run = 3: it can be off or its parameters len, step, ace by name"),
        ({"run": True}, "slaps.run: it needs len"),
        ({"run": {"len": 1}}, "slaps.run.len = 1: it can be a whole number from 2 to 13"),
        ({"run": {"len": 3, "ace": "odd"}}, "slaps.run.ace = 'odd': it can be 'either', 'low', 'high' or 'wrap'"),
        ({"run": {"len": 3, "wide": 1}}, "slaps.run.wide: run has no such parameter; it has len, step, ace"),
        ({"suit_run": 14}, "slaps.suit_run = 14: it can be a whole number from 2 to 13"),
        ({"tens": {"total": 21}}, "slaps.tens.total = 21: it can be a whole number from 4 to 20"),
        ({"instant": ["ZZ"]}, "slaps.instant: 'ZZ' is not a card: write a rank (2 to 10, J, Q, K, A), "),
        ({"wild": ["K", "1S"]}, "slaps.wild: '1S' is not a card: "),
        ({"wild": "JK"}, "slaps.wild = 'JK': "),
    ],
)
def test_a_slap_that_cannot_be_is_reported_with_what_can(slaps: Mapping[str, Any], problem: str) -> None:
    (found,) = problems({"slaps": slaps})
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("option", "choice", "problem"),
    [
        ("wrong_slap", {"kind": "tickle"}, "wrong_slap.kind = 'tickle': it can be 'burn', 'pile_to_last', "),
        ("wrong_slap", {"kind": "strikes"}, "wrong_slap.kind = 'strikes': it can be 'burn'"),
        ("no_cards", {"kind": "burn"}, "no_cards.kind = 'burn': it can be 'strikes', 'ignore', "),
        (
            "wrong_slap",
            {"kind": "burn", "cuont": 2},
            "wrong_slap.cuont: burn has no such parameter; it has count, place, escalate",
        ),
        (
            "wrong_slap",
            {"kind": "burn", "count": 0},
            "wrong_slap.count = 0: it can be a whole number from 1 to 52",
        ),
        ("wrong_slap", {"kind": "burn", "place": "up"}, "wrong_slap.place = 'up': it can be 'bottom' or 'top'"),
        (
            "wrong_slap",
            {"kind": "lockout", "until": "noon"},
            "wrong_slap.until = 'noon': it can be a whole number from 1 to 52 or 'pile'",
        ),
        ("no_cards", {"kind": "strikes", "limit": "three"}, "no_cards.limit = 'three': it can be a whole number"),
        ("no_cards", {"kind": "ignore", "limit": 3}, "no_cards.limit: ignore has no such parameter; it has none"),
    ],
)
def test_a_penalty_that_cannot_be_is_reported_with_what_can(
    option: str, choice: Mapping[str, Any], problem: str
) -> None:
    (found,) = problems({option: choice})
    assert found.startswith(problem)


def test_every_problem_is_reported_at_once() -> None:
    found = problems(
        {
            "colour": "red",
            "jokers": 9,
            "slaps": {"tripple": True, "run": {"len": 1, "ace": "odd"}},
            "wrong_slap": {"kind": "burn", "cuont": 2, "count": "two"},
            "no_cards": {"kind": "tickle"},
            "turn_ms": 8000,
        }
    )
    assert [problem.split(":")[0].split(" = ")[0] for problem in found] == [
        "colour",
        "jokers",
        "slaps.tripple",
        "slaps.run.len",
        "slaps.run.ace",
        "wrong_slap.cuont",
        "wrong_slap.count",
        "no_cards.kind",
    ]


# What one choice needs of another

NEEDS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"cheat": "split"}, {"collect": "manual"}, "cheat = 'split' needs collect = 'manual'"),
    (
        {"triple_six_ban": True},
        {"slaps": {"triple_six": True}},
        "triple_six_ban = true needs slaps.triple_six = 'all_lose'",
    ),
    ({"dead_place": "top"}, {"out_of_turn": "dead"}, "dead_place needs out_of_turn = 'dead'"),
    ({"out_of_turn_burn": 1}, {"out_of_turn": "dead"}, "out_of_turn_burn needs out_of_turn = 'dead'"),
    ({"join_seat": "choose", "late_join": "no"}, {"late_join": "slap_in"}, "join_seat needs late_join = 'slap_in'"),
    ({"tie_window_ms": 30}, {"tie": "void"}, "tie_window_ms needs tie = 'contact', 'void' or 'judge'"),
    (
        {"slaps": {"top_bottom": {"after_burn": "burn_is_bottom"}}, "burn_face_up": False},
        {"burn_face_up": True},
        "slaps.top_bottom.after_burn = 'burn_is_bottom' needs burn_face_up = true",
    ),
]


@pytest.mark.parametrize(("choices", "needed", "problem"), NEEDS, ids=[problem for _, _, problem in NEEDS])
def test_a_choice_that_needs_another_is_refused_without_it(
    choices: dict[str, Any], needed: dict[str, Any], problem: str
) -> None:
    assert problems(choices) == (problem,)
    whole = parse_rules({**choices, **needed})
    kept = {name: value for name, value in choices.items() if name not in {"slaps", *needed}}
    assert {name: getattr(whole, name) for name in kept} == kept


def test_every_missing_need_is_reported_at_once() -> None:
    assert len(problems({"cheat": "split", "tie_window_ms": 30, "dead_place": "top", "max_players": 1})) == 4
