"""What is rewritten or dropped in a log's file is not found in its bytes any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import Corrupt
from ratscrew.game.codec import Codec
from ratscrew.log.copy import copy
from ratscrew.log.database import open_read_only
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not there yet, alone in its folder."""
    return tmp_path / "log.sqlite3"


def holding(file: Path, word: bytes) -> list[Path]:
    """The files of a log in which a word stands."""
    return [each for each in file.parent.iterdir() if word in each.read_bytes()]


def test_what_was_rewritten_or_dropped_is_in_no_file_after_a_purge(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a", "Persephone", "c"])
        log.get_or_create("key-1", lambda: b"open sesame")
        assert all(holding(file, word) for word in (b"Persephone", b"open sesame"))
        log.redact("g", lambda event: event.replace("Persephone", "–"))
        log.delete_prefix("key-")
        assert (log.read("g"), log.get()) == (["a", "–", "c"], {})
        assert log.purge()
        assert [holding(file, word) for word in (b"Persephone", b"open sesame")] == [[], []]


@pytest.fixture
def reader(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program, which will read the file for as long as it likes, as a backup does."""
    with closing(sqlite3.connect(file)) as database:
        yield database


def hold(reader: sqlite3.Connection) -> None:
    """Begin to read, and stay."""
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM entry").fetchall()


def test_while_somebody_reads_a_purge_says_that_it_is_not_done_and_may_be_asked_for_again(
    file: Path, reader: sqlite3.Connection
) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["Persephone"])
        hold(reader)
        log.redact("g", lambda event: "–")
        assert log.read("g") == ["–"]
        assert not log.purge()
        assert holding(file, b"Persephone")
        reader.rollback()
        assert log.purge()
        assert (holding(file, b"Persephone"), log.read("g")) == ([], ["–"])


def test_nothing_waits_for_a_reader(file: Path, reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lock of SQLite is asked for once: where one had to wait, it would fail."""
    monkeypatch.setattr("ratscrew.log.database.BUSY_TIMEOUT_S", 0)
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["Persephone"])
        hold(reader)
        for number in range(1, 50):
            log.redact("g", lambda event: "–")
            assert not log.purge()
            assert log.append("g", number, [str(number)]) == number + 1
            log.put("alive", b"%d" % number)
            assert log.read("g", number) == [str(number)]
        with closing(open_read_only(file)) as backup:
            assert copy(backup, file.with_name("copy.sqlite3")) == (1, 50)


def test_a_rewrite_also_changes_what_is_appended_while_it_reads(file: Path) -> None:
    """The first change of an entry appends another, which only the writer can see before it puts the rows in place."""
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["Ana", "b"])
        late = iter(["Ana"])

        def change(event: str) -> str:
            for more in late:
                log.append("g", 2, [more, "c"])
            return event.replace("Ana", "–")

        log.redact("g", change)
        assert log.read("g") == ["–", "b", "–", "c"]


def test_the_writer_is_not_held_up_by_a_rewrite_that_takes_long(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a", "b"])

        def change(event: str) -> str:
            assert log.append("h", len(log.read("h")), [event]) > 0  # kept, though the rewrite is under way
            return event.upper()

        log.redact("g", change)
        assert (log.read("g"), log.read("h")) == (["A", "B"], ["a", "b"])


def test_a_game_that_cannot_be_read_is_not_rewritten(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a", "b"])
        damage = "UPDATE entry SET body = ? WHERE number = 2"
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(damage, (b'"B"',))
        with pytest.raises(Corrupt, match="game g, entry 2 cannot be read: its checksum is wrong"):
            log.redact("g", str.upper)
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(damage, (b'"b"',))
        assert log.read("g") == ["a", "b"]
