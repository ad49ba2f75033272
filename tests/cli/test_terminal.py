"""Text from a log has no power over the terminal that it is printed on."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from ratscrew import cli
from ratscrew.cli.terminal import one_line, printable
from ratscrew.table.record.entries import Sat
from tests.cli.sample_room import FIRST, ROOM, Run, with_verdicts, write

EVIL = "Ana\x1b]0;owned\x07\x1b[2J\x9b31m\u202eobjects\nBo wins"
"""Sets a window's title, clears the screen, colours it in two ways, turns the line around, and begins another."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana 🂡 Ωmega – ok\n\tnext", "Ana 🂡 Ωmega – ok\n\tnext"),
        ("\x1b[31mred", "\\u001b[31mred"),
        ("\x00\x07\x08\r\x7f\x9b", "\\u0000\\u0007\\u0008\\u000d\\u007f\\u009b"),
        ("\u202eabc\u2066\u200e", "\\u202eabc\\u2066\\u200e"),
        ("\ud800", "\\ud800"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
    ],
)
def test_what_is_no_sign_is_escaped_as_in_json(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_name_has_one_line() -> None:
    assert one_line("Ana\nBo\tCy") == "Ana\\u000aBo\\u0009Cy"


def test_printed_json_keeps_its_meaning() -> None:
    said = json.dumps({"name": EVIL}, ensure_ascii=False)
    assert json.loads(printable(said)) == {"name": EVIL}
    assert printable(json.dumps({"name": "\x9b"}, ensure_ascii=False)) == '{"name": "\\u009b"}'


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A room in which a player has a name that an earlier version accepted."""
    file = tmp_path / "evil.sqlite3"
    events = [Sat(0, EVIL) if event == Sat(0, "Ana") else event for event in with_verdicts(FIRST)]
    write(file, f"{ROOM}-1", *events)
    return file


@pytest.mark.parametrize(
    "words",
    [
        ("replay", ROOM),
        ("replay", ROOM, "--json"),
        ("replay", ROOM, "--judge"),
        ("replay", ROOM, "--judge", "--json"),
        ("suspicion", ROOM),
        ("suspicion", ROOM, "--json"),
        ("verify", ROOM),
        ("forget", ROOM, "nobody"),
    ],
)
def test_no_command_prints_a_name_that_acts(evil: Path, run: Run, words: tuple[str, ...]) -> None:
    _, out, err = run(*words, "--data", evil)
    assert out + err
    assert not [sign for sign in out + err if sign != "\n" and not sign.isprintable()]
    assert "\nBo wins" not in out + err


def test_commands_print_by_the_function_that_escapes_or_by_rich() -> None:
    """`print` stands in one file only."""
    folder = Path(cli.__file__).parent
    used = {
        file.name
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert used == {"terminal.py"}
