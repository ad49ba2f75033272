"""A file of an earlier format is brought to the present one, and stays beside it as it was."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log import formats
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)

FORMAT_2_TABLES = """
    PRAGMA journal_mode=WAL;
    CREATE TABLE game (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE entry (game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, body BLOB NOT NULL,
                        PRIMARY KEY (game, number)) WITHOUT ROWID;
    CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    PRAGMA user_version=2;
"""
"""A file as Ratscrew made it before entries had checksums."""

FORMAT_2 = f"""{FORMAT_2_TABLES}
    INSERT INTO game VALUES (1, 'B-1'), (2, 'A-1');
    INSERT INTO entry VALUES (1, 1, x'226122'), (1, 2, x'226222'), (2, 1, x'226322');
    INSERT INTO kept VALUES ('seat-key', x'00ff');
"""
"""The same with games in it."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file of format 2."""
    file = tmp_path / "log.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(FORMAT_2)
    return file


def version(file: Path) -> int:
    """The number of a file's format."""
    with closing(sqlite3.connect(file)) as database:
        number: int = database.execute("PRAGMA user_version").fetchone()[0]
        return number


def holds_it_all(file: Path) -> bool:
    """Whether a log holds what the file of format 2 held."""
    with closing(SqliteLog(file, TEXT)) as log:
        assert (log.games(), log.read("B-1"), log.read("A-1")) == (["B-1", "A-1"], ["a", "b"], ["c"])
        return log.get_or_create("seat-key", bytes) == b"\x00\xff"


def test_a_file_of_format_2_goes_on_and_stays_beside_as_it_was(old: Path) -> None:
    assert holds_it_all(old)
    with closing(SqliteLog(old, TEXT)) as log:
        assert log.append("B-1", 2, ["d"]) == 3
    before = old.with_name("log.sqlite3.format-2")
    assert (version(old), version(before)) == (formats.FORMAT, 2)
    assert {path.name for path in old.parent.iterdir()} == {old.name, before.name}
    before.rename(old)
    assert holds_it_all(old)


def test_its_entries_are_guarded_as_new_ones_are(old: Path) -> None:
    with closing(SqliteLog(old, TEXT)) as log, closing(sqlite3.connect(old)) as other, other:
        other.execute("UPDATE entry SET body = '\"x\"' WHERE game = 2")
        other.commit()
        with pytest.raises(Corrupt):
            log.read("A-1")


def test_of_several_who_open_it_at_once_one_brings_it_up(old: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(holds_it_all, [old] * 4))
    assert version(old.with_name("log.sqlite3.format-2")) == 2


def test_where_it_cannot_be_copied_first_it_is_left_as_it_is(old: Path) -> None:
    (old.parent / "log.sqlite3.format-2.unfinished").mkdir()
    with pytest.raises(LogError, match=r"log\.sqlite3\.format-2: the copy failed: "):
        SqliteLog(old, TEXT)
    (old.parent / "log.sqlite3.format-2.unfinished").rmdir()
    assert version(old) == 2
    assert holds_it_all(old)


def test_a_step_that_fails_leaves_it_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(database: sqlite3.Connection) -> None:
        formats._add_checksums(database)
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setitem(formats.MIGRATIONS, 3, half)
        with pytest.raises(LogError, match="database or disk is full"):
            SqliteLog(old, TEXT)
    assert version(old) == 2
    assert holds_it_all(old)
