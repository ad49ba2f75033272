"""The tables of docs/rules.md are complete and true: every rule has its clause, its option, and its example or test."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Literal, NamedTuple, get_args, get_origin

import pytest

from ratscrew.errors import RulesError
from ratscrew.rules.house import option_types
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text()
GOLDEN = [value for file in (ROOT / "tests/golden").glob("*.json") for value in json.loads(file.read_text())["vectors"]]

STATED = {
    "SD": 28,
    "TR": 14,
    "CH": 20,
    "PC": 7,
    "SP": 32,
    "SJ": 12,
    "WS": 21,
    "DC": 12,
    "CC": 10,
    "EL": 10,
    "EG": 10,
    "PH": 15,
    "ST": 17,
    "NM": 6,
}
"""How many rules the sources state, by kind."""

READINGS = 61

TEXT = {"SD03", "SD26", "PH01", "PH02", "PH12"}
"""Rules that are only told to players."""


class Row(NamedTuple):
    """One row of a table."""

    id: str
    rule: str
    clause: str
    option: str
    held: str

    @property
    def ids(self) -> list[str]:
        """The worked examples and tests that hold it."""
        return re.findall(r"`([^`]+)`", self.held)


def rows(ids: str) -> list[Row]:
    """The rows whose ids look like this."""
    lines = re.findall(rf"^\| ({ids}) \|(.*)\|$", PAGE, re.MULTILINE)
    return [Row(name, *(cell.strip() for cell in cells.split(" | "))) for name, cells in lines]


def functions(path: Path) -> set[str]:
    """The tests of a file."""
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


ROWS = rows("[A-Z]{2}[0-9]{2}")
READ = rows("A[0-9]{2}")
CLAUSES = set(re.findall(r"^([0-9]+\.[0-9]+) ", PAGE, re.MULTILINE))
EXAMPLES = {value["id"] for value in GOLDEN}


def chosen(token: str) -> bool:
    """Whether a house can choose this option: tried on the house with every option, and on the plainest."""
    for preset in ("chaos", "classic"):
        try:
            from_link(f"1;{preset};{token}")
        except RulesError:
            continue
        return True
    return False


def exists(name: str) -> bool:
    """Whether there is a worked example of this id, or a test of this name."""
    path, colons, test = name.partition("::")
    if not colons:
        return name in EXAMPLES
    return (ROOT / path).is_file() and test in functions(ROOT / path)


def test_every_rule_that_a_page_states_has_its_row() -> None:
    assert [row.id for row in ROWS] == [f"{kind}{n:02}" for kind, most in STATED.items() for n in range(1, most + 1)]


def test_every_reading_has_its_row() -> None:
    assert [row.id for row in READ] == [f"A{n:02}" for n in range(1, READINGS + 1)]


def test_every_row_says_something() -> None:
    assert [row.id for row in ROWS + READ if not all(row)] == []


def test_every_row_has_a_clause_that_is_there() -> None:
    assert [(row.id, row.clause) for row in ROWS + READ if row.clause not in CLAUSES] == []


def test_every_clause_has_a_row_or_is_ours_alone() -> None:
    assert CLAUSES - {row.clause for row in ROWS + READ} == {
        *("2.8", "2.9", "4.18", "4.19", "5.8", "5.9", "5.10", "10.6", "10.7", "12.1", "12.2", "12.3")
    }


def test_clauses_are_numbered_in_order() -> None:
    numbers = re.findall(r"^([0-9]+)\.([0-9]+) ", PAGE, re.MULTILINE)
    places = [(int(chapter), int(clause)) for chapter, clause in numbers]
    assert places == sorted(set(places))
    assert all((chapter, clause - 1) in places for chapter, clause in places if clause > 1)


def test_an_option_is_one_that_a_house_can_choose() -> None:
    named = [(row.id, token) for row in ROWS + READ for token in re.findall(r"`([^`]+)`", row.option)]
    assert len(named) > 200
    assert [name for name in named if not chosen(name[1])] == []


@pytest.mark.parametrize("token", ["colour=red", "tie=maybe", "slaps.lettuce=true", "wrong_slap.kind=lose", "decks=9"])
def test_an_option_that_does_not_exist_is_found(token: str) -> None:
    assert not chosen(token)


def test_a_row_without_an_option_gives_the_reason() -> None:
    def fits(row: Row) -> bool:
        if row.option.startswith("text: "):
            return row.id in TEXT and row.held != "—"
        if row.option.startswith("not a rule: "):
            return row.held == "—" or all(name.startswith("tests/bots/") for name in row.ids)
        return (row.option == "always" or row.option.startswith("`")) and row.held != "—"

    assert [row.id for row in ROWS + READ if not fits(row)] == []


def test_the_example_or_test_of_a_row_exists() -> None:
    named = [(row.id, name) for row in ROWS + READ for name in row.ids]
    assert len(named) > 300
    assert [name for name in named if not exists(name[1])] == []


def test_every_rule_has_an_example_or_a_test() -> None:
    held_by_nothing = {row.id for row in ROWS + READ if not row.ids}
    excused = {row.id for row in ROWS if row.option.startswith("not a rule: ")}
    assert held_by_nothing - excused == set()
    assert "later" not in "".join(row.held for row in ROWS + READ).replace("SP12-later", "")


def test_a_missing_example_or_test_is_found() -> None:
    assert not exists("Z99")
    assert not exists("tests/test_rules_table.py::test_nothing")
    assert exists("tests/test_rules_table.py::test_a_missing_example_or_test_is_found")


def test_every_value_of_every_option_is_played_in_a_worked_example() -> None:
    houses = [house(value.get("preset", "classic"), **value.get("options", {})) for value in GOLDEN]
    unplayed = [
        f"{name}={value}"
        for name, type_ in option_types().items()
        if get_origin(type_) is Literal
        for value in get_args(type_)
        if all(getattr(rules, name) != value for rules in houses)
    ]
    assert unplayed == ["slap_hand=other"]
