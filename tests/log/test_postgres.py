"""The log in PostgreSQL keeps every promise of a log, and reports what it cannot read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import LiteralString
from zlib import crc32

import psycopg
import pytest

from ratscrew.errors import Conflict, Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.postgres.purge import rewrite
from ratscrew.log.postgres.reader import PostgresReader
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.testing.log_checks import check_log
from ratscrew.testing.postgres_server import PostgresServer
from tests.log.conftest import OpenLog, sql

TEXT = Codec[str](str)
NAMES = ["one", "two", "three"]


def test_the_log_in_postgresql_keeps_every_promise_of_a_log(postgres_server: PostgresServer) -> None:
    made: list[PostgresAddress] = []

    def make() -> PostgresLog[str]:
        made.append(postgres_server.create_log())
        return PostgresLog(made[-1], TEXT)

    @contextmanager
    def refusing(_: object) -> Iterator[None]:
        """The newest database takes no second entry of a batch, and no other game."""
        sql(
            made[-1],
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$",
        )
        rule = "WHEN ((NEW.game, NEW.number) <> ('g', 2)) EXECUTE FUNCTION refuse()"
        sql(made[-1], f"CREATE TRIGGER full_disk BEFORE INSERT ON ratscrew.entry FOR EACH ROW {rule}")
        yield
        sql(made[-1], "DROP TRIGGER full_disk ON ratscrew.entry")

    check_log(make, refusing)


def test_what_was_stored_is_there_for_the_next_process(address: PostgresAddress) -> None:
    with closing(PostgresLog(address, TEXT)) as log:
        log.append("B-1", 0, ["a", "b"])
        log.append("A-1", 0, ["c"])
        key = log.get_or_create("key", lambda: b"made once")
    with closing(PostgresLog(address, TEXT)) as log, closing(PostgresReader(address, TEXT)) as reader:
        assert (log.games(), reader.read("B-1"), log.last("A-1")) == (["B-1", "A-1"], ["a", "b"], "c")
        assert log.get_or_create("key", lambda: b"made again") == key
        assert log.append("B-1", 2, ["d"]) == 3
        assert reader.read("B-1", 2) == ["d"]
        with pytest.raises(Conflict, match="game A-1: append after 0, but the last entry is 1"):
            log.append("A-1", 0, ["e"])


@pytest.mark.parametrize(
    ("setting", "theirs", "ours"),
    [
        ("synchronous_commit", "off", "on"),
        ("synchronous_commit", "remote_apply", "remote_apply"),
        ("default_transaction_isolation", "serializable", "read committed"),
    ],
)
def test_no_default_of_the_database_weakens_what_is_stored(
    address: PostgresAddress, setting: LiteralString, theirs: str, ours: str
) -> None:
    (name,) = sql(address, "SELECT current_database()")[0]
    sql(address, f"ALTER DATABASE {name} SET {setting} = {theirs}")
    with closing(PostgresLog(address, TEXT)) as log:
        found = log._sessions.run(lambda session: session.execute(f"SHOW {setting}").fetchall())
        assert log._writer._session
        assert [*found, *log._writer._session.execute(f"SHOW {setting}")] == [(ours,), (ours,)]


def test_games_begun_in_one_batch_are_listed_in_the_order_of_the_calls(open_log: OpenLog) -> None:
    log, names = open_log(), [f"{number * 7 % 50:02}" for number in range(50)]
    for soon in [log.append_soon(name, 0, ["x"]) for name in names]:
        soon.result()
    assert log.games() == names


@pytest.mark.parametrize("name", ["", "a b", "ÄÖ", "🂡", "a'b\"c", "%_\\", "{}", "x" * 2000, "\x01\x7f\n"])
def test_any_text_without_nul_is_a_name(open_log: OpenLog, name: str) -> None:
    log = open_log()
    assert log.append(name, 0, ["a"]) == 1
    log.put(name, b"value")
    log.redact(name, str.upper)
    assert (log.games(name), log.read(name), log.last(name), log.get(name)) == ([name], ["A"], "A", {name: b"value"})


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_postgresql_cannot_store_fails_alone_and_names_nothing(open_log: OpenLog, name: str) -> None:
    log = open_log()
    soon = [log.append_soon(each, 0, ["a"]) for each in ("first", name, "last")]
    assert (soon[0].result(10), soon[2].result(10)) == (1, 1)
    assert type(soon[1].exception(10)) is LogError
    with pytest.raises(LogError, match="cannot be stored as a name"):
        log.put(name, b"value")
    log.redact(name, str.upper)
    assert (log.games(name), log.read(name), log.last(name), log.get(name)) == ([], [], None, {})


def test_an_append_that_postgresql_refuses_fails_alone(open_log: OpenLog, address: PostgresAddress) -> None:
    sql(address, "ALTER TABLE ratscrew.entry ADD CHECK (game <> 'bad')")
    log = open_log()
    soon = [log.append_soon(game, 0, ["a"]) for game in ("x", "bad", "y")] + [log.append_soon("x", 1, ["b"])]
    assert [soon[place].result(10) for place in (0, 2, 3)] == [1, 1, 2]
    assert "violates check constraint" in str(soon[1].exception(10))
    assert log.games() == ["x", "y"]


@pytest.mark.parametrize("after", [2**31, 2**63, 10**30, -1])
def test_a_number_that_no_entry_has_is_refused(open_log: OpenLog, after: int) -> None:
    log = open_log()
    log.append("g", 0, ["a"])
    with pytest.raises(LogError):
        log.append("g", after, ["b"])
    assert log.read("g") == ["a"]


# Damage


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"at_us":1,"event":{"e":"sat","seat":0,"name":"Ana"', "truncated"),
        (b'{"at_us":1,"event":{"e":"danced","seat":0}}', "danced"),
        (b"", "truncated"),
        (b"\xff\xfe", "malformed|UTF-8"),
    ],
)
def test_an_entry_that_cannot_be_read_is_named(address: PostgresAddress, body: bytes, why: str) -> None:
    with closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        log.append("R-1", 0, [Entry(1, Sat(seat, "Ana")) for seat in range(3)])
        sql(address, "UPDATE ratscrew.entry SET body = %s, checksum = %s WHERE number = 2", body, crc32(body))
        with pytest.raises(Corrupt, match=rf"game R-1, entry 2 cannot be read: .*({why})") as caught:
            log.read("R-1")
        assert str(caught.value).startswith(str(address))
        assert log.read("R-1", 2) == [Entry(1, Sat(2, "Ana"))]


@pytest.mark.parametrize("change", ["checksum = checksum + 1", "number = 9", "body = '\"too\"'"])
def test_a_changed_row_is_reported(open_log: OpenLog, address: PostgresAddress, change: str) -> None:
    log = open_log()
    log.append("g", 0, NAMES)
    sql(address, f"UPDATE ratscrew.entry SET {change} WHERE number = 2")
    with pytest.raises(Corrupt, match="game g, entry 2 cannot be read"):
        log.read("g")
    with pytest.raises(Corrupt, match="game g, entry 2 cannot be read"):
        log.redact("g", str.upper)


@pytest.mark.parametrize(
    ("loss", "number"),
    [("entry WHERE number = 2", 2), ("entry WHERE number > 2", 3), ("entry", 1), ("game", 4)],
)
def test_a_missing_row_is_reported(open_log: OpenLog, address: PostgresAddress, loss: str, number: int) -> None:
    log = open_log()
    log.append("g", 0, NAMES)
    sql(address, f"DELETE FROM ratscrew.{loss}")
    for attempt in (lambda: log.read("g"), lambda: log.redact("g", str.upper)):
        with pytest.raises(Corrupt, match=f"game g, entry {number} cannot be read"):
            attempt()


def test_a_damaged_last_entry_is_reported(open_log: OpenLog, address: PostgresAddress) -> None:
    log = open_log()
    log.append("g", 0, NAMES)
    sql(address, "UPDATE ratscrew.entry SET body = '\"x\"' WHERE number = 3")
    with pytest.raises(Corrupt, match="game g, entry 3 cannot be read: its checksum is wrong"):
        log.last("g")


# Redaction


def test_a_rewrite_also_changes_what_is_appended_while_it_reads(open_log: OpenLog) -> None:
    """The first change of an entry appends another, which is only seen once the game is locked."""
    log = open_log()
    log.append("g", 0, ["Ana", "b"])
    late = iter(["Ana"])

    def change(event: str) -> str:
        for more in late:
            log.append("g", 2, [more, "c"])
        return event.replace("Ana", "–")

    log.redact("g", change)
    assert log.read("g") == ["–", "b", "–", "c"]
    assert log.append("g", 4, ["d"]) == 5


def test_a_purge_waits_for_no_reader_and_says_whether_one_can_still_see_what_was_deleted(
    open_log: OpenLog, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ratscrew.log.postgres.purge.OLD_TRANSACTIONS_S", 0.05)
    log = open_log()
    log.append("g", 0, ["Persephone"])
    with psycopg.connect(address.url) as backup:
        backup.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        backup.execute("SELECT FROM ratscrew.game")
        log.redact("g", lambda event: "–")
        assert not log.purge()
        assert log.append("g", 1, ["on"]) == 2
        backup.rollback()
    assert log.purge()
    assert log.read("g") == ["–", "on"]


def test_rewritten_tables_have_no_dead_rows(open_log: OpenLog, address: PostgresAddress) -> None:
    log = open_log()
    log.append("g", 0, ["Persephone" * 100] * 1000)
    log.redact("g", lambda event: "–")
    (before,) = sql(address, "SELECT pg_relation_size('ratscrew.entry')")[0]
    rewrite(address)
    (after,) = sql(address, "SELECT pg_relation_size('ratscrew.entry')")[0]
    assert after < before / 4
    assert log.read("g") == ["–"] * 1000


def test_a_closed_log_says_so(open_log: OpenLog) -> None:
    log = open_log()
    log.close()
    with pytest.raises(LogError, match="the log is closed"):
        log.append_soon("g", 0, ["a"]).result(2)
    with pytest.raises(LogError, match="the log is closed"):
        log.read("g")
    log.close()
