"""Stored entries get the names of the present version: by a table of renames, in the file, and in files only read."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import Card
from ratscrew.errors import Corrupt
from ratscrew.game.codec import Codec
from ratscrew.game.events import LastChanceGiven, Played
from ratscrew.game.standing import Standing
from ratscrew.judge.credit import Credit
from ratscrew.log.entry_renames import FORMAT_4, Renames, renamed, renamed_body
from ratscrew.log.reader import SqliteReader
from ratscrew.log.rescue import rescue
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.records.entries import (
    Appearance,
    Entry,
    LedgerSnapshot,
    Measured,
    RemovedPlayers,
    RequestId,
    Sat,
    SlapRecord,
)
from tests.log.test_formats import FORMAT_2_TABLES, version

OLD: list[dict[str, Any]] = [
    {
        "at_us": 1,
        "event": {"e": "sat", "seat": 0, "name": "who", "bot": None, "who": 7, "guise": {"hue": 2, "shape": "paw"}},
        "wish": ["page", 3],
        "ledger": {"next_who": 9, "credits": {"4": {"purse_us": 0, "excesses_us": [5], "struck": True}}},
    },
    {"at_us": 2, "event": {"e": "barred", "whos": [3, 5]}},
    {
        "at_us": 3,
        "event": {
            "e": "played",
            "seat": 0,
            "card": "KS",
            "n": 1,
            "to": {"phase": "play", "turn": 1, "by": 0, "left": 3, "why": None},
            "chance": 2,
        },
    },
    {"at_us": 4, "event": {"e": "spared", "seat": 0, "to": {"phase": "last", "turn": 0, "by": None, "left": 1}}},
    {"at_us": 5, "event": {"e": "weighed", "n": 1, "hit": {"seat": 1, "us": 300_000}}},
]
NEW = [
    Entry(
        1,
        Sat(0, "who", None, 7, Appearance(2, "paw")),
        RequestId("page", 3),
        LedgerSnapshot(9, {4: Credit(0, (5,), True)}),
    ),
    Entry(2, RemovedPlayers((3, 5))),
    Entry(3, Played(0, Card.parse("KS"), 1, Standing("play", 1, 0, 3), 2)),
    Entry(4, LastChanceGiven(0, Standing("last_chance", 0, None, 1))),
    Entry(5, Measured(1, SlapRecord(1, 300_000))),
]
ENTRIES = Codec[Entry](Entry)


def old_file(file: Path, *bodies: bytes, checksum: int | None = None) -> Path:
    """A file of format 3 with one game of these entries; the last one may have another checksum."""
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(FORMAT_2_TABLES)
        database.execute("ALTER TABLE entry ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
        database.execute("INSERT INTO game VALUES (1, 'G-1')")
        rows = [(number, body, zlib.crc32(body)) for number, body in enumerate(bodies, 1)]
        if checksum is not None:
            rows[-1] = (*rows[-1][:2], checksum)
        database.executemany("INSERT INTO entry VALUES (1, ?, ?, ?)", rows)
        database.execute("PRAGMA user_version=3")
    return file


def bodies() -> list[bytes]:
    """The old entries as they are stored."""
    return [json.dumps(entry).encode() for entry in OLD]


def test_an_entry_gets_its_present_names_at_every_depth_and_texts_stay() -> None:
    assert [ENTRIES.decode(renamed_body(body)) for body in bodies()] == NEW


def test_an_entry_that_has_its_present_names_stays_as_it_is() -> None:
    for entry in NEW:
        body = ENTRIES.encode(entry)
        assert renamed_body(body) is body
    for old in OLD:
        now = renamed(old, FORMAT_4)
        assert renamed(now, FORMAT_4) == now


@pytest.mark.parametrize("body", [b"", b"{", b'"text"', b"[1, 2]", b'{"event": 3}', b"[" * 100_000])
def test_what_is_no_entry_stays_as_it_is(body: bytes) -> None:
    assert renamed_body(body) is body


def test_renames_apply_to_each_element_of_an_array_and_each_value_of_a_mapping() -> None:
    renames = Renames({"a": "b"}, inside={"many": Renames({"c": "d"}), "by_name": Renames(values=Renames({"e": "f"}))})
    old = {"a": {"a": 1}, "many": [{"c": 1, "a": 2}], "by_name": {"e": {"e": 1}}, "other": {"a": 1}}
    new = {"b": {"a": 1}, "many": [{"d": 1, "a": 2}], "by_name": {"e": {"f": 1}}, "other": {"a": 1}}
    assert renamed(old, renames) == new


def no_new_name_is_an_old_one(renames: Renames) -> bool:
    """Whether the table may be applied twice."""
    tables = [
        renames.fields,
        *renames.texts.values(),
        {tag: new for tag, (new, _) in renames.events.items() if tag != new},
    ]
    inner = [*renames.inside.values(), *(each for _, each in renames.events.values())]
    inner += [renames.values] if renames.values else []
    return all(table.keys().isdisjoint(table.values()) for table in tables) and all(
        map(no_new_name_is_an_old_one, inner)
    )


def test_no_new_name_is_an_old_name_of_the_same_object() -> None:
    assert no_new_name_is_an_old_one(FORMAT_4)


def test_texts_of_a_field_are_renamed_and_those_of_others_stay() -> None:
    renames = Renames({"a": "b"}, texts={"a": {"x": "y"}})
    assert renamed({"a": "x", "c": "x"}, renames) == {"b": "y", "c": "x"}
    assert renamed({"a": ["x"]}, renames) == {"b": ["x"]}


def test_a_file_of_format_3_is_brought_up_with_fresh_checksums(tmp_path: Path) -> None:
    file = old_file(tmp_path / "log.sqlite3", *bodies())
    with closing(SqliteLog(file, ENTRIES)) as log:
        assert log.read("G-1") == NEW
    with closing(sqlite3.connect(file)) as database:
        stored = database.execute("SELECT body, sum FROM entry ORDER BY number").fetchall()
    assert all(zlib.crc32(body) == checksum for body, checksum in stored)
    assert version(file.with_name("log.sqlite3.format-3")) == 3


def test_a_file_of_format_3_that_is_only_read_stays_so(tmp_path: Path) -> None:
    file = old_file(tmp_path / "log.sqlite3", *bodies())
    with closing(SqliteReader(file, ENTRIES)) as log:
        assert (log.read("G-1"), log.read("G-1", 1), log.last("G-1")) == (NEW, NEW[1:], NEW[-1])
    assert version(file) == 3


def test_a_file_of_format_3_can_be_rescued(tmp_path: Path) -> None:
    file = old_file(tmp_path / "log.sqlite3", *bodies())
    assert [(game.entries, game.wrong) for game in rescue(file, tmp_path / "new.sqlite3", ENTRIES)] == [(len(OLD), "")]
    with closing(SqliteReader(tmp_path / "new.sqlite3", ENTRIES)) as log:
        assert log.read("G-1") == NEW


def test_an_entry_that_was_damaged_before_is_still_found_out(tmp_path: Path) -> None:
    file = old_file(tmp_path / "log.sqlite3", *bodies(), checksum=1)
    with (
        closing(SqliteLog(file, ENTRIES)) as log,
        pytest.raises(Corrupt, match=r"entry 5 cannot be read: its checksum"),
    ):
        log.read("G-1")


def test_more_entries_than_are_in_memory_at_a_time_are_all_renamed(tmp_path: Path) -> None:
    file = old_file(tmp_path / "log.sqlite3", *bodies() * 700)
    with closing(SqliteLog(file, ENTRIES)) as log:
        assert log.read("G-1") == NEW * 700
