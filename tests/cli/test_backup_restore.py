"""`ratscrew backup` and `ratscrew rescue` say what they did, and put nothing in the place of anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cli.sample_room import GAME, ROOM, Run


def test_a_backup_says_what_it_holds_and_can_be_used(file: Path, run: Run) -> None:
    """Three entries before the first game, sixteen of it."""
    to = file.parent / "copy.sqlite3"
    told = f"{to} holds 2 games with 19 entries, as {file} did just now; all of it can be read\n"
    assert run("backup", to, "--data", file) == (0, told, "")
    assert run("replay", ROOM, "--data", to) == (0, GAME, "")


def test_a_backup_replaces_another_file_only_on_request(file: Path, run: Run) -> None:
    to = file.parent / "copy.sqlite3"
    to.write_text("older")
    refused = f"ratscrew: {to} already exists: name another file, or add --force\n"
    assert run("backup", to, "--data", file) == (1, "", refused)
    assert to.read_text() == "older"
    assert run("backup", to, "--force", "--data", file)[0] == 0
    assert run("replay", ROOM, "--data", to) == (0, GAME, "")


def test_a_backup_is_never_put_in_the_place_of_the_games_themselves(file: Path, run: Run) -> None:
    for words in (["--force"], []):
        code, _, err = run("backup", file, *words, "--data", file)
        assert (code, err.startswith(f"ratscrew: {file} already exists: name another file")) == (1, True)
    assert run("backup", file.parent, "--force", "--data", file)[0] == 1
    assert run("replay", ROOM, "--data", file) == (0, GAME, "")


def test_a_rescue_says_what_is_missing(file: Path, run: Run) -> None:
    """The last entry, with which a player joined the next game."""
    new = file.parent / "new.sqlite3"
    assert run("rescue", file, new) == (0, f"{new} holds 2 games, of which 0 are incomplete\n", "")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE entry SET body = 'x' WHERE game = 2 AND number = 16")
    assert run("rescue", file, new) == (1, "", f"ratscrew: {new} already exists: name another file\n")
    new.unlink()
    code, out, err = run("rescue", file, new)
    assert (code, err, out.splitlines()) == (
        1,
        "",
        [
            f"{ROOM}-1: 15 entries are saved; entry 16 cannot be read: its checksum is wrong",
            f"{new} holds 2 games, of which 1 are incomplete",
        ],
    )
    assert run("replay", ROOM, "--data", new) == (0, GAME, "")


def test_of_a_file_that_is_not_there_no_copy_is_made(tmp_path: Path, run: Run) -> None:
    for words in (
        ["backup", tmp_path / "copy", "--data", tmp_path / "no"],
        ["rescue", tmp_path / "no", tmp_path / "copy"],
    ):
        code, out, err = run(*words)
        assert (code, out, "there is no such file" in err) == (1, "", True)
    assert list(tmp_path.iterdir()) == []
