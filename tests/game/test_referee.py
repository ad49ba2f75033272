"""The referee: every worked example holds, and an example that is wrong is found out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ratscrew.game.referee import differences, read

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
EXAMPLES = [value for file in sorted(GOLDEN.glob("*.json")) for value in json.loads(file.read_text())["vectors"]]
BY_ID = {value["id"]: value for value in EXAMPLES}

PAIR: dict[str, Any] = {
    "kind": "scenario",
    "players": [{"name": "A", "deck": ["9S", "2C"]}, {"name": "B", "deck": ["9H", "3C"]}],
    "turn": "A",
    "actions": [{"do": "play", "p": "A"}, {"do": "play", "p": "B"}, {"do": "slap", "p": "B"}],
    "expect": {"events": [["take", "B", 2, "slap:double"]], "state": {"turn": "B", "hands": {"A": 1, "B": 3}}},
}


def found(**changed: Any) -> str:
    """What the referee says of the pair above, with some of its fields changed."""
    return "; ".join(differences(read({**PAIR, **changed})))


def expecting(**expect: Any) -> str:
    """What the referee says of the pair above, with other expectations."""
    return found(expect=expect)


@pytest.mark.parametrize("value", EXAMPLES, ids=[value["id"] for value in EXAMPLES])
def test_the_game_goes_as_the_worked_example_says(value: Any) -> None:
    assert differences(read(value)) == []


def test_no_two_examples_have_one_id() -> None:
    assert len(BY_ID) == len(EXAMPLES) > 300


def test_every_example_expects_something() -> None:
    assert [value["id"] for value in EXAMPLES if not any(value["expect"].values())] == []


def test_an_example_that_holds_has_no_fault() -> None:
    assert found() == ""


def test_a_wrong_state_is_reported_with_the_expected_and_the_seen() -> None:
    assert expecting(state={"turn": "A"}) == 'turn: expected "A", seen "B"'


@pytest.mark.parametrize(
    "state",
    [
        {"phase": "won"},
        {"hands": {"A": 2}},
        {"decks": {"B": "9S 9H 3C"}},
        {"asides": {"A": "9S"}},
        {"pile": "9S 9H"},
        {"challenge": {"by": "A", "to": "B", "left": 1}},
        {"slappable": ["double"]},
        {"order": ["B", "A"]},
        {"status": {"A": "eliminated"}},
        {"winner": "A"},
        {"all_lose": True},
    ],
    ids=lambda state: str(next(iter(state))),
)
def test_every_field_of_a_state_is_compared(state: dict[str, Any]) -> None:
    assert expecting(state=state).startswith(f"{next(iter(state))}: expected")


@pytest.mark.parametrize(
    ("unknown", "says"),
    [
        (
            {"optons": {"slaps": {"double": False}}},
            "there is no field 'optons'; there are kind, expect, id, preset, opt",
        ),
        ({"players": [{"name": "A", "dekc": "9S"}]}, "`dekc`"),
        ({"context": {"chance": 2}}, "`chance`"),
        ({"expect": {"slapable": True}}, "`slapable`"),
        ({"expect": {"state": {"trun": "A"}}}, "`trun`"),
        ({"actions": [{"do": "slap", "pp": "A"}]}, "`pp`"),
        ({"actions": [{"do": "slaps", "slaps": [{"p": "A", "tt": 1}]}]}, "`tt`"),
    ],
)
def test_a_field_that_is_misspelt_is_an_error_wherever_it_stands(unknown: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read({**PAIR, **unknown})


def test_notes_for_people_are_no_part_of_an_example() -> None:
    noted = {**PAIR, "rule": "a pair", "why": "both nines", "source": "a page", "needs": ["double"], "note": ""}
    assert read(noted) == read(PAIR)


def test_an_event_that_does_not_come_is_reported() -> None:
    assert expecting(events=[["wrong", "B"]]).startswith('events: expected ["wrong","B"]')


def test_events_have_to_come_in_order() -> None:
    assert expecting(events=[["take", "B", 2, "slap:double"], ["play", "A", "9S"]]).startswith("events: expected")


def test_an_example_that_names_one_taking_names_them_all() -> None:
    players = [{"name": "A", "deck": "9S 3H 2C"}, {"name": "B", "deck": "9H 3C"}]
    again = [{"do": "play", "p": "B"}, {"do": "play", "p": "A"}, {"do": "slap", "p": "B"}]
    actions = [*PAIR["actions"], *again]
    once = [["take", "B", 2, "slap:double"]]
    assert found(players=players, actions=actions, expect={"events": [["play", "A", "3H"]]}) == ""
    assert found(players=players, actions=actions, expect={"events": [*once, *once]}) == ""
    assert found(players=players, actions=actions, expect={"events": once}).startswith("events: expected")


def test_a_hand_among_others_that_does_not_count_is_ignored_by_name() -> None:
    actions = [{"do": "play", "p": "A"}, {"do": "play", "p": "B"}, {"do": "slaps", "slaps": [{"p": "Z"}, {"p": "A"}]}]
    expect = {"events": [["ignored", "Z", "not_playing"], ["take", "A", 2, "slap:double"]]}
    assert found(actions=actions, spectators=["Z"], options={"late_join": "no"}, expect=expect) == ""


def test_cards_may_be_a_list_or_a_line() -> None:
    lines = [{"name": "A", "deck": "9S 2C"}, {"deck": "9H 3C", "name": "B"}]
    assert found(players=lines, expect={"state": {"decks": {"B": ["3C", "9S", "9H"]}, "pile": []}}) == ""


def test_people_may_be_names_alone() -> None:
    deal = {"kind": "deal", "players": [{"name": "A"}, "B"], "expect": {"counts": {"A": 26, "B": 26}, "first": "A"}}
    assert differences(read(deal)) == []


def test_a_leader_without_cards_is_skipped() -> None:
    players = [{"name": "A", "deck": ""}, {"name": "B", "deck": "9H 3C"}, {"name": "C", "deck": "2C"}]
    actions = [{"do": "play", "p": "B"}]
    assert found(players=players, actions=actions, expect={"state": {"turn": "C", "pile": "9H"}}) == ""


def test_a_pile_may_lie_there_from_the_start() -> None:
    assert (
        found(pile="9D", expect={"events": [["take", "B", 3, "slap:triple"]]}, options={"slaps": {"triple": "pile"}})
        == ""
    )


@pytest.mark.parametrize("action", ["hover", "forehead", "feint", "award", "stow", "contest", "notice", "reveal"])
def test_an_action_that_the_house_does_not_know_has_no_effect(action: str) -> None:
    actions = [{"do": action, "p": "A"}, *PAIR["actions"]]
    assert found(actions=actions) == ""


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"kind": "duel"}, "duel"),
        ({"expect": {"slapable": True}}, "slapable"),
        ({"expect": {"state": {"turns": "A"}}}, "turns"),
        ({"actions": [{"do": "dance", "p": "A"}]}, "dance"),
        ({"actions": [{"do": "play", "p": "Q"}]}, "Q"),
        ({"players": [{"name": "A", "deck": "9X"}]}, "9X"),
        ({"players": []}, "nobody"),
        ({"players": [{"name": "A"}]}, "nobody holds a card"),
        ({"kind": "deal", "players": [], "options": {"remainder": "jokers"}}, "nobody"),
        ({"preset": "bridge"}, "bridge"),
        ({"options": {"tie": "maybe"}}, "tie"),
        ({"turn": "Q"}, "Q"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_example_that_is_not_in_the_form_is_refused_with_a_reason(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        found(**changed)


@pytest.mark.parametrize(
    ("example", "path", "wrong"),
    [
        ("D03", ("counts", "B"), 10),
        ("D07", ("pile",), 0),
        ("D06", ("first",), "B"),
        ("SD01", ("error",), False),
        ("P01", ("slappable",), False),
        ("P01", ("include",), ["sandwich"]),
        ("P01", ("exclude",), ["double"]),
        ("B42", ("cards",), 3),
        ("B42", ("winner",), "A"),
        ("B10", ("cycle_cards",), 441),
        ("B10", ("outcome",), "win"),
    ],
)
def test_a_wrong_expectation_is_found_out(example: str, path: tuple[str, ...], wrong: Any) -> None:
    value = json.loads(json.dumps(BY_ID[example]))
    *outer, last = path
    inner = value["expect"]
    for step in outer:
        inner = inner[step]
    inner[last] = wrong
    assert len(differences(read(value))) == 1


def test_a_refusal_is_no_fault_of_the_example() -> None:
    actions = [{"do": "play", "p": "B"}, *PAIR["actions"]]
    assert found(actions=actions, expect={"events": [["ignored", "B", "not_your_turn"]]}) == ""
