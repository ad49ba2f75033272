"""What is rewritten or dropped in a log's file is not found in its bytes any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not there yet, alone in its folder."""
    return tmp_path / "log.sqlite3"


def holding(file: Path, word: bytes) -> list[Path]:
    """The files of a log in which a word stands."""
    return [each for each in file.parent.iterdir() if word in each.read_bytes()]


def test_what_was_rewritten_or_dropped_is_in_no_file(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a", "Persephone", "c"])
        log.keep("key-1", lambda: b"open sesame")
        assert all(holding(file, word) for word in (b"Persephone", b"open sesame"))
        log.rewrite("g", lambda event: event.replace("Persephone", "–"))
        log.drop("key-")
        assert [holding(file, word) for word in (b"Persephone", b"open sesame")] == [[], []]
        assert log.read("g") == ["a", "–", "c"]


def test_while_somebody_reads_a_rewrite_cannot_end_and_may_be_asked_for_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ratscrew.log.database.BUSY_S", 0.01)
    with closing(SqliteLog(file, TEXT)) as log, closing(sqlite3.connect(file)) as reader:
        log.append("g", 0, ["Persephone"])
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entry").fetchall()
        with pytest.raises(LogError, match="another program reads it"):
            log.rewrite("g", lambda event: "–")
        reader.rollback()
        log.rewrite("g", lambda event: "–")
        assert (holding(file, b"Persephone"), log.read("g")) == ([], ["–"])


def test_a_game_that_cannot_be_read_is_not_rewritten(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["a", "b"])
        damage = "UPDATE entry SET body = ? WHERE number = 2"
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(damage, (b'"B"',))
        with pytest.raises(Corrupt, match="game g, entry 2 cannot be read: it is not as it was written"):
            log.rewrite("g", str.upper)
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(damage, (b'"b"',))
        assert log.read("g") == ["a", "b"]
