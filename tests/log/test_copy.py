"""A copy during writes is the log as it was at one moment; a copy that fails leaves nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log import copy as copying
from ratscrew.log.copy import Counts, copy
from ratscrew.log.database import open_read_only
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A log with something in it."""
    with closing(SqliteLog(tmp_path / "log.sqlite3", TEXT)) as log:
        log.append("g", 0, [f"{number} " * 300 for number in range(50)])
        log.get_or_create("seat-key", lambda: b"key")
    return tmp_path / "log.sqlite3"


@pytest.fixture
def writing(file: Path) -> Iterator[tuple[SqliteLog[str], Event]]:
    """A thread writes without a pause, two entries at a time; the event says that it has begun."""
    stop, begun = Event(), Event()
    with closing(SqliteLog(file, TEXT, "process")) as log:

        def write() -> None:
            number = 0
            while not stop.is_set():
                number = log.append("busy", number, [str(number + 1), str(number + 2)])
                begun.set()

        thread = Thread(target=write)
        thread.start()
        yield log, begun
        stop.set()
        thread.join()


def made(file: Path, to: Path) -> Counts:
    """A copy of a log."""
    with closing(open_read_only(file)) as database:
        return copy(database, to)


def test_a_copy_while_somebody_writes_is_whole(writing: tuple[SqliteLog[str], Event], file: Path) -> None:
    """Three copies, each of a moment: no pair of entries is torn, and what was there before the copy is in it."""
    log, begun = writing
    assert begun.wait(30)
    for number in range(3):
        at_least, to = len(log.read("busy")), file.with_name(f"{number}.sqlite3")
        counted = made(file, to)
        assert set(file.parent.glob(f"{number}.*")) == {to}
        with closing(SqliteLog(to, TEXT)) as copied:
            entries = copied.read("busy")
            assert entries == [str(number) for number in range(1, len(entries) + 1)]
            assert (len(entries) % 2, len(entries) >= at_least) == (0, True)
            assert (copied.read("g"), copied.get_or_create("seat-key", bytes)) == (log.read("g"), b"key")
            assert counted == (2, len(entries) + 50)


def test_what_is_written_between_counting_and_copying_is_in_neither(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, count = SqliteLog(file, TEXT), copying._count

    def and_somebody_writes(database: sqlite3.Connection) -> Counts:
        counted = count(database)
        log.append("new", len(log.read("new")), ["x"])
        return counted

    monkeypatch.setattr(copying, "_count", and_somebody_writes)
    assert made(file, file.with_name("copy.sqlite3")) == (1, 50)
    assert len(log.read("new")) == 2
    log.close()


def test_a_copy_can_be_read_where_nothing_can_be_written(file: Path) -> None:
    """The file says how it is written: 2 would be with a journal beside it (fileformat2.html, bytes 18 and 19)."""
    made(file, to := file.with_name("copy.sqlite3"))
    assert (file.read_bytes()[18:20], to.read_bytes()[18:20]) == (b"\2\2", b"\1\1")


@pytest.mark.parametrize(
    "damage", [slice(3 * 4096, 4 * 4096), slice(36, 40)], ids=["a page", "what only a check finds"]
)
def test_a_damaged_log_is_not_copied_and_what_was_in_the_way_stays(file: Path, damage: slice) -> None:
    """A page of entries, or how many pages are unused."""
    whole = bytearray(file.read_bytes())
    whole[damage] = b"\x00\x00\x00\x05" * ((damage.stop - damage.start) // 4)
    file.write_bytes(whole)
    to = file.with_name("copy.sqlite3")
    to.write_text("the last copy")
    with pytest.raises(LogError, match=r"copy\.sqlite3.* `ratscrew rescue` copies the readable part"):
        made(file, to)
    assert to.read_text() == "the last copy"
    assert set(file.parent.glob("copy.*")) == {to}


def test_a_copy_for_which_there_is_no_room_leaves_nothing(file: Path) -> None:
    """The folder is none."""
    with pytest.raises(LogError, match="the copy failed"):
        made(file, file / "copy.sqlite3")


def test_a_command_that_only_reads_writes_nothing(file: Path) -> None:
    with closing(open_read_only(file)) as database, pytest.raises(sqlite3.OperationalError, match="readonly"):
        database.execute("DELETE FROM entry")
