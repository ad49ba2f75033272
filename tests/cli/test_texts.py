"""`ratscrew export` and `ratscrew import`: games go out as texts and come back, and nothing is written over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from ratscrew.game.codec import Codec
from ratscrew.game.events import Burned, Won
from ratscrew.game.standing import Standing
from ratscrew.log.rows import Packed
from ratscrew.table.history.import_export import entries_of, name_of
from ratscrew.table.record.entries import Entry
from ratscrew.web.rendering.rendering import game_as_data, game_as_text
from tests.cli.sample_room import ROOM, Run, with_verdicts, write
from tests.table.test_import_export import SHORT

NAMED = SHORT.replace("hand 1", "name 1 Seat 1\nname 2 Seat 2\nhand 1")
"""As it is written when those who had no names have got some."""


@pytest.fixture
def over(file: Path) -> Path:
    """The file, with one more game of the room, which is over."""
    write(file, f"{ROOM}-2", *(entry.event for entry in entries_of(SHORT)))
    return file


def test_what_is_over_goes_out_and_comes_back(over: Path, run: Run) -> None:
    """The game that is not stays; put in twice it is there once, and it can be looked at by its name."""
    folder, other, name = over.parent / "texts", over.parent / "other.sqlite3", name_of(NAMED)
    assert run("export", "--out", folder, "--data", over) == (0, f"{folder} holds 1 games, each as a text file\n", "")
    (text,) = folder.iterdir()
    assert (text.name, text.read_text()) == (f"{ROOM}-2.txt", NAMED)
    assert run("import", text, "--data", other) == (0, f"{text}: {name}\n", "")
    assert run("import", text, "--data", other) == (0, f"{text}: {name}, which was there before\n", "")
    assert run("replay", name.lower(), "--data", other) == (0, NAMED, "")
    again = over.parent / "again"
    assert run("export", name, "--out", again, "--data", other)[0] == 0
    assert (again / f"{name}.txt").read_text() == NAMED


def test_a_room_stands_for_all_its_games_that_are_over(over: Path, run: Run) -> None:
    for what in ("wolf", ROOM, f"{ROOM}-2"):
        assert run("export", what, "--out", over.parent / what, "--data", over)[0] == 0
        assert [path.name for path in (over.parent / what).iterdir()] == [f"{ROOM}-2.txt"]


def test_a_game_that_was_decided_otherwise_has_no_text_and_everything_else(over: Path, run: Run) -> None:
    """As by a later version with another rule: the burned card lies where it would not lie today."""
    events = [replace(event, place="top") if isinstance(event, Burned) else event for event in with_verdicts()]
    write(over, f"{ROOM}-3", *events, Won(0, Standing("over", 0)))
    why = f"{ROOM}-3: this game cannot be exported as text: another version of Ratscrew decided it differently ("
    code, out, _ = run("export", "--out", over.parent / "texts", "--data", over)
    assert (code, out.startswith(why)) == (1, True)
    assert [path.name for path in (over.parent / "texts").iterdir()] == [f"{ROOM}-2.txt"]
    code, _, err = run("replay", f"{ROOM}-3", "--data", over)
    assert (code, err.startswith(f"ratscrew: {why}"), "; --json prints its entries" in err) == (1, True, True)
    assert run("replay", f"{ROOM}-3", "--json", "--data", over)[0] == 0
    bodies = [Codec[Entry](Entry).encode(Entry(1, event)) for event in (*events, Won(0, Standing("over", 0)))]
    packed = Packed.of(bodies)
    assert (game_as_text("", *packed).status, game_as_data("", *packed).status) == (409, 200)


def test_a_game_that_is_named_and_not_over_is_reported(over: Path, run: Run) -> None:
    words = ("export", f"{ROOM}-1", "--out", over.parent / "texts", "--data", over)
    assert run(*words) == (1, "", f"ratscrew: {ROOM}-1: this game is not over\n")


def test_another_text_in_the_way_is_not_written_over_and_the_same_may_stay(over: Path, run: Run) -> None:
    text = over.parent / f"{ROOM}-2.txt"
    words = ("export", "--out", over.parent, "--data", over)
    assert (run(*words)[0], run(*words)[0]) == (0, 0)
    text.write_text("mine")
    code, out, err = run(*words)
    assert (code, out, text.read_text()) == (1, "", "mine")
    assert err.startswith(f"ratscrew: {text} cannot be written: ")


def test_a_damaged_game_is_reported_and_the_others_go_out(over: Path, run: Run) -> None:
    with closing(sqlite3.connect(over)) as database, database:
        database.execute("UPDATE entry SET body = 'x' WHERE game = 1 AND number = 2")
    code, out, err = run("export", "--out", over.parent / "texts", "--data", over)
    assert (code, err, out.splitlines()) == (
        1,
        "",
        [
            f"{over}: game {ROOM}-0, entry 2 cannot be read: its checksum is wrong",
            f"{over.parent / 'texts'} holds 1 games, each as a text file",
        ],
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SHORT.replace("2:3H", "2:5H").encode(), ", line 6, move '2:5H': "),
        (SHORT.rpartition(" 1+")[0].encode(), ", this game is not over: only finished games can be imported"),
        (b"\xff\xfe", " cannot be read: "),
        (None, " cannot be read: "),
    ],
)
def test_of_several_texts_none_is_put_in_if_one_is_wrong(
    text: bytes | None, says: str, tmp_path: Path, run: Run
) -> None:
    good, bad, data = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "games.sqlite3"
    good.write_text(SHORT)
    if text is not None:
        bad.write_bytes(text)
    code, out, err = run("import", good, bad, "--data", data)
    assert (code, out, data.exists(), err.startswith(f"ratscrew: {bad}{says}")) == (1, "", False, True)
