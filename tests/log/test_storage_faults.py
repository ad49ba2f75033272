"""A file that cannot be written, is locked by another process, or was cut: an error says so, and its entries stay."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log import database
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)

FILL = """
import json, os, resource, sys
from pathlib import Path
from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
file, filler, most = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
filler.write_bytes(b"x" * 400_000)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
log, number, said = SqliteLog(file, Codec[str](str)), 0, []
while len(said) < 3:
    try:
        number = log.append("g", number, [str(number) * 1000, "and"])
    except LogError as error:
        said.append(str(error))
kept = len(log.read("g"))
filler.unlink()
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(json.dumps([said[-1], number, kept, log.append("g", number, ["on"])]))
log.close()
"""
"""Appends until there is no room, and twice more; then room is made, and it goes on."""

SMALL_DISK = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o size=1m t "$1" && shift && "$@"']
"""Runs a command with a disk of a megabyte in a folder, which no other process sees and which ends with it."""


def small_disks() -> bool:
    """Whether this machine lets us have such a disk."""
    try:
        with TemporaryDirectory() as folder:
            return not subprocess.run([*SMALL_DISK, "sh", folder, "true"], capture_output=True, timeout=30).returncode
    except OSError:
        return False


def refused(path: Path) -> str:
    """What is said of a file that cannot be the log."""
    with pytest.raises(LogError) as caught:
        SqliteLog(path, TEXT)
    return str(caught.value)


def fill(folder: Path, most: int, *before: str) -> tuple[str, int, int, int]:
    """What is said of the log in a folder when there is no room, how far it got, what it holds, how it goes on."""
    words = [*before, sys.executable, "-c", FILL, str(folder / "log.sqlite3"), str(folder / "filler"), str(most)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    said, number, kept, on = json.loads(done.stdout)
    return said, number, kept, on


def test_a_file_that_may_not_grow_loses_nothing_and_goes_on_when_it_may(tmp_path: Path) -> None:
    said, number, kept, on = fill(tmp_path, 500_000)
    assert said.startswith(f"{tmp_path / 'log.sqlite3'}: 1 writes could not be stored: ")
    assert "the disk is full or failing" in said
    assert (kept, on, number > 40) == (number, number + 1, True)


@pytest.mark.skipif(not small_disks(), reason="this machine lends nobody a small disk")
def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    said, number, kept, on = fill(tmp_path, 10_000_000, *SMALL_DISK, "sh", str(tmp_path))
    assert said.endswith("1 writes could not be stored: database or disk is full; free some disk space")
    assert (kept, on, number > 40) == (number, number + 1, True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "log.sqlite3"


def sql(file: Path, statement: str) -> None:
    """Do something to the file behind the log's back."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


@pytest.fixture
def powerless() -> Iterator[Path]:
    """A folder with a log in it, for a user who may only read it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with closing(SqliteLog(folder / "log.sqlite3", TEXT)) as log:
            log.append("g", 0, ["a"])
        (folder / "log.sqlite3").chmod(0o444)
        folder.chmod(0o555)
        me = os.geteuid()
        os.seteuid(me or 65534)  # the first user may do anything
        yield folder
        os.seteuid(me)
        folder.chmod(0o755)


def test_a_file_that_may_only_be_read_is_named_with_what_to_do(powerless: Path) -> None:
    said = refused(powerless / "log.sqlite3")
    assert f"{powerless / 'log.sqlite3'} cannot be used as the log: " in said
    assert said.endswith("permission to write to it and its folder, or name another file with --data")


def test_a_folder_that_may_only_be_read_is_named_with_what_to_do(powerless: Path) -> None:
    said = refused(powerless / "new.sqlite3")
    assert said.endswith("check that its folder exists and is writable, or name another file with --data")


def test_a_file_that_another_program_holds_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.01)
    file = tmp_path / "log.sqlite3"
    log = SqliteLog(file, TEXT)
    log.append("g", 0, ["a"])
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogError, match="database is locked; another program is using it"):
            log.append("g", 1, ["b"])
        assert "another program is using it: stop that program, or name another file with --data" in refused(file)
        assert log.read("g") == ["a"]
    assert log.append("g", 1, ["b"]) == 2
    log.close()


def test_what_is_wrong_with_one_append_is_no_fault_of_the_others(tmp_path: Path) -> None:
    """They gather while the file is held, so that all are of one group."""
    file = tmp_path / "log.sqlite3"
    log = SqliteLog(file, TEXT)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        soon = [log.append_soon(game, 0, ["a"]) for game in ("first", "x", "\ud800", "y")]
        other.execute("ROLLBACK")
    assert [soon[place].result(10) for place in (0, 1, 3)] == [1, 1, 1]
    assert isinstance(soon[2].exception(10), LogError)
    log.close()


def test_of_a_log_that_was_cut_anywhere_everything_before_the_cut_stays(tmp_path: Path) -> None:
    """What a loss of power may leave of the newest: a journal with less in it than was written."""
    file, chance = tmp_path / "log.sqlite3", random.Random(5)
    journal, ends = Path(f"{file}-wal"), [0]
    with closing(SqliteLog(file, TEXT)) as log:
        for number in range(40):
            log.append("g", number, [f"{number} " * chance.randrange(1, 900)])
            ends.append(journal.stat().st_size)
        whole, entries = (file.read_bytes(), journal.read_bytes()), log.read("g")
    for cut in [chance.randrange(len(whole[1])) for _ in range(20)]:
        copy = tmp_path / "cut.sqlite3"
        copy.write_bytes(whole[0])
        Path(f"{copy}-wal").write_bytes(whole[1][:cut])
        at_least = sum(end <= cut for end in ends) - 1
        with closing(SqliteLog(copy, TEXT)) as log:
            found = log.read("g")
            assert found == entries[: len(found)]
            assert len(found) >= at_least
            assert log.append("g", len(found), ["on"]) == len(found) + 1


# Files of other programs


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ana, " * 100)
    assert (
        refused(letter) == f"{letter} cannot be used as the log: file is not a database; name another file with --data"
    )
    assert letter.read_text() == "Dear Ana, " * 100
    assert list(tmp_path.iterdir()) == [letter]


def test_only_an_ordinary_file_is_a_log(tmp_path: Path) -> None:
    """Of these SQLite would say that the disk is full or failing."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        assert refused(path) == f"{path} cannot be used as the log: it is no ordinary file; name one with --data"


def test_a_place_under_a_file_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "folder" / "log.sqlite3"
    assert f"{path} cannot be used as the log: " in refused(path)


OTHER_VERSION = (
    "was written by another version of Ratscrew (format {}; this one reads format 1): use the version that wrote it, "
    "or name another file"
)


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (2, OTHER_VERSION.format(2)),
        (99, OTHER_VERSION.format(99)),
        (-1, "cannot be used as the log: it is not a log of Ratscrew; name another file"),
        (0, "cannot be used as the log: it is not a log of Ratscrew; name another file"),
    ],
)
def test_a_file_of_another_format_is_left_alone(file: Path, version: int, says: str) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a"])
    sql(file, f"PRAGMA user_version = {version}")
    assert refused(file) == f"{file} {says} with --data"
    sql(file, "PRAGMA user_version = 1")
    with closing(SqliteLog(file, TEXT)) as log:
        assert log.read("g") == ["a"]


@pytest.mark.parametrize("version", [0, 1, 2])
def test_somebody_elses_database_is_left_alone(tmp_path: Path, version: int) -> None:
    """Another program may number the formats of its own file too."""
    path = tmp_path / "recipes.sqlite3"
    sql(path, "CREATE TABLE recipe (name TEXT)")
    sql(path, f"PRAGMA user_version = {version}")
    assert str(path) in refused(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]
