"""`ratscrew referee`: each failure, the totals, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cli.games.referee import referee

GOOD = {"id": "good", "kind": "pattern", "pile": "9S 9H", "expect": {"slappable": True, "include": ["double"]}}
BAD = {"id": "bad", "kind": "pattern", "pile": "9S 8H", "expect": {"slappable": True}}
GOLDEN = Path(__file__).resolve().parent.parent / "golden"


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """Writes examples to a file."""

    def write(*examples: object, name: str = "some.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps({"vectors": examples}))
        return path

    return write


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was printed, line by line."""
    out, err = capsys.readouterr()
    assert err == ""
    return str(out).splitlines()


def test_examples_that_hold_are_counted(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee([file(GOOD, GOOD)]) == 0
    assert printed(capsys) == ["2 passed, 0 failed"]


def test_a_failure_is_reported_with_its_file_its_id_the_expected_and_the_seen(
    file: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(GOOD, BAD)
    assert referee([path]) == 1
    assert printed(capsys) == [f"{path}: bad: slappable: expected true, seen false", "1 passed, 1 failed"]


def test_several_files_have_one_total(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee([file(GOOD), file(BAD, name="other.json")]) == 1
    assert printed(capsys)[-1] == "1 passed, 1 failed"


def test_the_files_of_this_project_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert referee([GOLDEN / "vectors.json", GOLDEN / "playouts.json"]) == 0
    assert printed(capsys) == ["146 passed, 0 failed"]


def test_a_list_of_examples_is_a_file_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps([GOOD]))
    assert referee([path]) == 0
    assert printed(capsys) == ["1 passed, 0 failed"]


def test_presets_that_a_file_carries_do_not_change_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.json"
    own = {"classic": {"slaps": {"double": False}}}
    path.write_text(json.dumps({"presets": own, "defaults": {"slaps": {}}, "vectors": [GOOD]}))
    assert referee([path]) == 0
    assert printed(capsys) == ["1 passed, 0 failed"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file"),
        ("", "this is no JSON"),
        ("{", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        (b"\xff\xfe\x00", "this is no JSON"),
        (rb'[{"id": "\ud800"}]', "this is no JSON"),
        ("7", "no worked examples"),
        ('{"vector": []}', "no worked examples"),
        ('{"vectors": {}}', "no worked examples"),
    ],
    ids=["missing", "empty", "half", "deep", "bytes", "surrogate", "number", "misspelt", "table"],
)
def test_a_file_that_cannot_be_read_is_reported_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | bytes | None, says: str
) -> None:
    path = tmp_path / "broken.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert referee([path]) == 2
    line, totals = printed(capsys)
    assert line.startswith(f"{path}: ")
    assert says in line
    assert totals == "0 passed, 0 failed"


@pytest.mark.parametrize(
    "broken",
    [
        7,
        None,
        [],
        {},
        {"id": "x"},
        {**GOOD, "kind": "duel"},
        {**GOOD, "pile": "9Z"},
        {**GOOD, "expect": None},
        {**GOOD, "preset": "bridge"},
        {**GOOD, "options": {"tie": 3}},
    ],
    ids=repr,
)
def test_an_example_that_cannot_be_read_has_failed_and_the_others_are_played(
    file: Any, capsys: pytest.CaptureFixture[str], broken: object
) -> None:
    path = file(broken, GOOD)
    assert referee([path]) == 2
    line, totals = printed(capsys)
    name = broken["id"] if isinstance(broken, dict) and "id" in broken else "example 1"
    assert line.startswith(f"{path}: {name}: cannot be read: ")
    assert totals == "1 passed, 1 failed"


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee([tmp_path]) == 2
    assert printed(capsys)[0] == f"{tmp_path}: Is a directory"
