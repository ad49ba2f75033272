"""The log in a file: acknowledged entries are there afterwards, and a file that cannot be used gives a clear error."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from zlib import crc32

import pytest

from ratscrew.cards import cards
from ratscrew.errors import Conflict, Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.game.events import Burned, Dealt, Taken
from ratscrew.game.standing import Standing
from ratscrew.log.database import Durability, open_database
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Entry, Judged, Sat, SlapRecord
from ratscrew.testing.log_checks import TIMEOUT_S, check_log

TEXT = Codec[str](str)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not there yet, in a folder that is not there yet."""
    return tmp_path / "games" / "log.sqlite3"


@pytest.fixture
def open_log(file: Path) -> Iterator[Callable[[], SqliteLog[str]]]:
    """Opens the log in the file, as often as asked; all are closed in the end."""
    opened: list[SqliteLog[str]] = []

    def open_one() -> SqliteLog[str]:
        opened.append(SqliteLog(file, TEXT))
        return opened[-1]

    yield open_one
    for log in opened:
        log.close()


OpenLog = Callable[[], SqliteLog[str]]


def sql(file: Path, statement: str, *values: object) -> None:
    """Do something to the file behind the log's back."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement, values)


@pytest.mark.parametrize("durability", ["process", "full"])
def test_the_log_in_a_file_keeps_every_promise_of_a_log(tmp_path: Path, durability: Durability) -> None:
    files = [tmp_path / f"{number}.sqlite3" for number in range(10, 100)]
    unused = iter(files)

    @contextmanager
    def full_disk(_: object) -> Iterator[None]:
        """The newest file takes no second entry of a batch, and no other game."""
        file = max(file for file in files if file.exists())
        ill = "(NEW.game, NEW.number) != (1, 2)"
        sql(file, f"CREATE TRIGGER full BEFORE INSERT ON entry WHEN {ill} BEGIN SELECT RAISE(ABORT, 'full'); END")
        yield
        sql(file, "DROP TRIGGER full")

    check_log(lambda: SqliteLog(next(unused), TEXT, durability), full_disk)


@pytest.mark.parametrize(("durability", "synchronous"), [("process", 1), ("full", 2)])
def test_only_what_is_to_survive_a_loss_of_power_waits_for_the_disk(
    file: Path, durability: Durability, synchronous: int
) -> None:
    """SQLite's word for it: NORMAL is 1, FULL is 2."""
    with closing(open_database(file, durability)) as database:
        assert database.execute("PRAGMA synchronous").fetchone() == (synchronous,)


# What stays


def test_the_file_opened_again_holds_what_it_held(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("B-1", 0, ["a", "b"])
        log.append("A-1", 0, ["c"])
        key = log.get_or_create("key", lambda: b"made once")
    with closing(SqliteLog(file, TEXT)) as log:
        assert (log.games(), log.read("B-1"), log.read("A-1")) == (["B-1", "A-1"], ["a", "b"], ["c"])
        assert log.get_or_create("key", lambda: b"made again") == key
        assert log.append("B-1", 2, ["d"]) == 3
        with pytest.raises(Conflict):
            log.append("A-1", 0, ["e"])


def test_close_waits_for_what_is_under_way(file: Path) -> None:
    log = SqliteLog(file, TEXT)
    soon = [log.append_soon("g", number, [str(number)]) for number in range(200)]
    log.close()
    assert [future.result(0) for future in soon] == list(range(1, 201))
    with closing(SqliteLog(file, TEXT)) as again:
        assert again.read("g") == [str(number) for number in range(200)]


def test_a_name_that_is_no_text_fails_alone(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        with pytest.raises(LogError):
            log.append_soon("\ud800", 0, ["a"]).result(5)
        assert log.append_soon("g", 0, ["a"]).result(5) == 1


def test_an_append_after_the_close_fails_and_does_not_wait_for_ever(file: Path) -> None:
    log = SqliteLog(file, TEXT)
    log.close()
    with pytest.raises(LogError):
        log.append_soon("g", 0, ["a"]).result(2)


def test_the_entries_of_a_table_are_read_as_they_were_written(file: Path) -> None:
    codec, to = Codec[Entry](Entry), Standing("play", 1)
    entries = [
        Entry(1_700_000_000_000_000, Sat(0, "Ana 🂡")),
        Entry(1_700_000_000_000_000, Sat(1, "Thoth", "sharp")),
        Entry(1_700_000_000_000_000, Dealt(house(), (cards("7H 2C"), cards("JKR")), to)),
        Entry(1_700_000_000_000_001, Burned(0, 1, cards("7H"), "bottom")),
        Entry(1_700_000_000_000_002, Judged(3, "double", (SlapRecord(1, 412_345), SlapRecord(0, 413_000)), tie=True)),
        Entry(1_700_000_000_000_002, Taken(1, 2, "slap:double", to, order=cards("2C 7H"))),
    ]
    with closing(SqliteLog(file, codec)) as log:
        log.append("R-1", 0, entries)
    with closing(SqliteLog(file, codec)) as log:
        assert log.read("R-1") == entries


# A batch


def test_a_batch_is_kept_whole_or_not_at_all(open_log: OpenLog, file: Path) -> None:
    """The third entry of a batch cannot be written, because its place is taken: none is."""
    log = open_log()
    log.append("g", 0, ["a"])
    sql(file, "CREATE TRIGGER full BEFORE INSERT ON entry WHEN NEW.number = 4 BEGIN SELECT RAISE(ABORT, 'full'); END")
    with pytest.raises(LogError, match="could not be stored"):
        log.append("g", 1, ["b", "c", "d"])
    assert log.read("g") == ["a"]
    assert log.append("g", 1, ["b", "c"]) == 3


def test_after_a_failure_the_log_says_so_and_goes_on(open_log: OpenLog, file: Path) -> None:
    log = open_log()
    sql(file, "CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    with pytest.raises(LogError, match="the disk is full") as caught:
        log.append("g", 0, ["a"])
    assert str(file) in str(caught.value)
    assert not isinstance(caught.value, Conflict)
    sql(file, "DROP TRIGGER full")
    assert log.append("g", 0, ["a"]) == 1


# Many at once


def test_many_threads_write_many_games_and_nothing_is_lost(open_log: OpenLog) -> None:
    log = open_log()

    def write(game: str) -> list[int]:
        return [log.append(game, number, [f"{game} {number}"]) for number in range(50)]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(write, "ABCDEFGH"))
    assert answers == [list(range(1, 51))] * 8
    assert all(log.read(game) == [f"{game} {number}" for number in range(50)] for game in "ABCDEFGH")


def test_the_second_process_to_open_the_file_fences_the_first_off(open_log: OpenLog) -> None:
    stale, owner = open_log(), open_log()
    stale.append("g", 0, ["a", "b"])
    assert owner.append("g", len(owner.read("g")), ["c"]) == 3
    with pytest.raises(Conflict, match=r"game g: append after 2, but the last entry is 3"):
        stale.append("g", 2, ["x"])
    assert stale.read("g") == owner.read("g") == ["a", "b", "c"]


def test_of_several_owners_of_one_file_one_wins_each_position(open_log: OpenLog) -> None:
    logs = [open_log() for _ in range(3)]
    for after in range(20):
        soon = [log.append_soon("g", after, [str(me)]) for me, log in enumerate(logs)]
        errors = [future.exception(TIMEOUT_S) for future in soon]
        assert sum(error is None for error in errors) == 1
        assert all(error is None or isinstance(error, Conflict) for error in errors)
        assert logs[0].read("g", after) == [str(errors.index(None))]


def test_the_second_owner_is_given_the_key_that_the_first_has_made(open_log: OpenLog) -> None:
    first, second = open_log(), open_log()
    assert (
        first.get_or_create("seat-key", lambda: b"mine")
        == second.get_or_create("seat-key", lambda: b"yours")
        == b"mine"
    )


def test_of_two_owners_who_make_a_value_at_once_both_are_given_the_first(open_log: OpenLog) -> None:
    first, second = open_log(), open_log()
    made = first.get_or_create("seat-key", lambda: second.get_or_create("seat-key", lambda: b"theirs") and b"ours")
    assert made == first.get_or_create("seat-key", bytes) == second.get_or_create("seat-key", bytes) == b"theirs"


# Unreadable


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"at_us":1,"event":{"e":"sat","seat":0,"name":"Ana"', "truncated"),
        (b'{"at_us":1,"event":{"e":"danced","seat":0}}', "danced"),
        (b'{"at_us":1,"event":{"e":"sat","seat":"0","name":"Ana"}}', r"Expected `int`, got `str` .* `\$.event.seat`"),
        (b'{"at_us":1,"event":{"e":"burned","seat":0,"cards":["7X"],"place":"bottom","to":{}}}', "7X"),
        (b"", "truncated"),
        (b"\xff\xfe", "malformed|UTF-8"),
        (b'{"at_us":1,"event":{"e":"sat","seat":0,"name":"Ana","more":' + b"[" * 100_000, "recursion"),
    ],
)
def test_an_entry_that_cannot_be_read_is_named(file: Path, body: bytes, why: str) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        log.append("R-1", 0, [Entry(1, Sat(seat, "Ana")) for seat in range(3)])
        sql(file, "UPDATE entry SET body = ?, sum = ? WHERE number = 2", body, crc32(body))
        with pytest.raises(Corrupt, match=rf"{re.escape(str(file))}: game R-1, entry 2 cannot be read: .*({why})"):
            log.read("R-1")
        assert log.read("R-1", 2) == [Entry(1, Sat(2, "Ana"))]


def test_a_missing_entry_is_named(open_log: OpenLog, file: Path) -> None:
    log = open_log()
    log.append("g", 0, ["a", "b", "c"])
    sql(file, "DELETE FROM entry WHERE number = 2")
    with pytest.raises(Corrupt, match=rf"{re.escape(str(file))}: game g, entry 2 cannot be read: its number is 3"):
        log.read("g")


def test_an_entry_whose_bytes_have_changed_is_found_out_though_it_can_be_read(file: Path) -> None:
    """A seven has become a nine."""
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        log.append("R-1", 0, [Entry(1, Burned(0, 1, cards("7H"), "bottom"))])
        (was,) = log.read("R-1")
        sql(file, "UPDATE entry SET body = ?", Codec[Entry](Entry).encode(was).replace(b"7H", b"9H"))
        with pytest.raises(Corrupt, match="game R-1, entry 1 cannot be read: its checksum is wrong"):
            log.read("R-1")


def test_a_file_damaged_while_it_lay_there_is_a_log_error(file: Path) -> None:
    with closing(SqliteLog(file, TEXT)) as log:
        log.append("g", 0, ["x" * 1000] * 100)
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\x55" * (len(whole) - 8192))
    with closing(SqliteLog(file, TEXT)) as log, pytest.raises(Corrupt, match="`ratscrew rescue` copies") as caught:
        log.read("g")
    assert str(caught.value).startswith(str(file))


NAMES = ["one", "two", "three"]


@pytest.mark.parametrize("body", [b'"two"\n"three"', b'"t\x00"', b"\xff", b"", b"{}"])
def test_an_entry_that_cannot_be_read_among_the_others_is_reported_by_its_number(
    open_log: OpenLog, file: Path, body: bytes
) -> None:
    """All entries of a game are read as one row of lines; if that does not work, one by one."""
    log = open_log()
    log.append("a game", 0, NAMES)
    sql(file, "UPDATE entry SET body = ?, sum = ? WHERE number = 2", body, crc32(body))
    assert log.read("a game", 2) == NAMES[2:]
    with pytest.raises(Corrupt, match="entry 2 cannot be read"):
        log.read("a game")


def test_an_entry_of_several_lines_is_read(open_log: OpenLog, file: Path) -> None:
    log, body = open_log(), b'\n"two"\n'
    log.append("a game", 0, NAMES)
    sql(file, "UPDATE entry SET body = ?, sum = ? WHERE number = 2", body, crc32(body))
    assert log.read("a game") == NAMES


@pytest.mark.parametrize("change", ["sum = sum + 1", "sum = 'x'", "number = 9", "body = '\"too\"'"])
def test_a_changed_row_is_reported(open_log: OpenLog, file: Path, change: str) -> None:
    log = open_log()
    log.append("a game", 0, NAMES)
    sql(file, f"UPDATE entry SET {change} WHERE number = 2")
    with pytest.raises(Corrupt, match="entry 2 cannot be read"):
        log.read("a game")


def test_a_faulty_write_fails_alone(open_log: OpenLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is no text cannot be stored; it was queued together with a good write while another was committed."""
    log, begun, go_on = open_log(), Event(), Event()
    check = log._identity.check

    def slow_check() -> None:
        begun.set()
        go_on.wait(TIMEOUT_S)
        check()

    monkeypatch.setattr(log, "_identity", SimpleNamespace(check=slow_check))
    first = log.append_soon("A", 0, ["one"])
    assert begun.wait(TIMEOUT_S)
    bad, good = log.append_soon("\ud800", 0, ["two"]), log.append_soon("B", 0, ["three"])
    go_on.set()
    assert (first.result(TIMEOUT_S), good.result(TIMEOUT_S)) == (1, 1)
    with pytest.raises(LogError, match="could not be stored"):
        bad.result(TIMEOUT_S)
    assert (log.read("A"), log.read("B")) == (["one"], ["three"])
