"""A room restored from the newest snapshot in its game's log is the one restored from all entries."""

from __future__ import annotations

import asyncio
import hashlib
import re
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.inspect import type_info
from msgspec.structs import replace

from ratscrew.errors import Corrupt
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.core.erasure import delete_names_in_log, seated_by
from ratscrew.table.record import requests
from ratscrew.table.record.entries import AccountLinked, Entry, RequestId
from ratscrew.table.registry.restoring import RECENT, Restored, restore
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.state import log_snapshot
from ratscrew.table.state.log_snapshot import Snapshot, change_events, decode_snapshot
from ratscrew.table.state.log_writer import STATE_EVERY
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import LiveTable, new_table
from tests.table.people import Person
from tests.table.test_idle import let_pass, two
from tests.table.test_room_snapshot import ROOM, CountingCodec, empty_table, log_of, restart

LATER_US = 10_000_000_000_000


def restored(log: MemoryLog[Entry] | SqliteLog[Entry], alive_us: int = LATER_US) -> Restored:
    found = restore(log, ROOM, empty_table(), alive_us)
    assert found
    return found


def long_game() -> LiveTable:
    """A table of two people and a bot that have turned a hundred cards."""
    live = LiveTable(new_table(3))
    for name, level in (("Ana", None), ("Thoth", "sharp"), ("Bo", None)):
        live.table.add_seat(name, level)
    live.start()
    while live.game.n < 100 and not live.game.over:
        if not live.table.seats[live.game.standing.turn].bot:
            live.play(live.game.standing.turn)
        live.pass_ms(700)
    assert live.game.n >= 100
    return live


def test_restoring_decodes_the_newest_snapshot_and_what_follows_it(tmp_path: Path) -> None:
    """One entry twice: the last one says which has the snapshot."""
    codec, live = CountingCodec(), long_game()
    with closing(SqliteLog(tmp_path / "log.sqlite3", codec, "process")) as log:
        for store in live.stores:
            log.append(store.game, store.after, store.entries)
        codec.decoded = 0
        found = restored(log)
        since, version = live.table.state.since, live.table.state.version
        assert codec.decoded == version - since + 2
        assert STATE_EVERY < since < version
        assert version - since < STATE_EVERY + 20
        assert found.table.game == live.table.game


DAMAGES = [
    lambda stored: {},
    lambda stored: {**stored, "format": 2},
    lambda stored: {**stored, "unknown": 1},
    lambda stored: {**stored, "memory": {}},
    lambda stored: {**stored, "state": []},
    *[
        lambda stored, damage=damage: {**stored, "state": damage(stored["state"])}
        for damage in (
            lambda state: {**state, "unknown": 1},
            lambda state: {name: value for name, value in state.items() if name != "rules"},
            lambda state: {**state, "game": []},
            lambda state: {**state, "game": {**state.get("game", {}), "hands": [["9H"]]}},
            lambda state: {**state, "seats": [{"name": "Ana"}]},
            lambda state: {**state, "rules": {"decks": "many"}},
        )
    ],
]


def damaged(live: LiveTable, damage: Any, from_entry: int) -> MemoryLog[Entry]:
    """The log of a table, in which the snapshots from an entry on cannot be read."""
    bad = MemoryLog[Entry]()
    for game in log_of(live).games():
        entries = enumerate(log_of(live).read(game), 1)
        changed = [
            replace(entry, state=damage(entry.state)) if entry.state and number >= from_entry else entry
            for number, entry in entries
        ]
        bad.append(game, 0, changed)
    return bad


@pytest.mark.parametrize("damage", [*DAMAGES, lambda stored: {**stored, "state": {**stored["state"], "version": 3}}])
def test_a_snapshot_that_cannot_be_read_is_ignored(damage: Any) -> None:
    live = long_game()
    assert live.table.state.since > STATE_EVERY
    found, whole = restored(damaged(live, damage, 2)), restored(log_of(live))
    assert found.table.state == whole.table.state == live.table.state
    assert found.table.bots.memory == live.table.bots.memory
    assert len(found.recent) == RECENT


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_room_whose_first_snapshot_cannot_be_read_is_not_restored_to_something_else(damage: Any) -> None:
    with pytest.raises(Corrupt, match="game TEST-1-1: its first entry has a snapshot of the table"):
        restored(damaged(long_game(), damage, 1))


# Names and accounts


def test_a_deleted_name_is_in_no_snapshot_of_a_running_game(tmp_path: Path) -> None:
    codec, live = Codec[Entry](Entry), long_game()
    path = tmp_path / "log.sqlite3"
    with closing(SqliteLog(path, codec)) as log:
        for store in live.stores:
            log.append(store.game, store.after, [change_events(entry, ghislaine) for entry in store.entries])
        assert log.purge()
        assert sum(file.read_bytes().count(b"Ghislaine") for file in tmp_path.iterdir()) == 4
        before = restored(log).table
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 1
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 0
        assert log.purge()
        assert [file.name for file in tmp_path.iterdir() if b"Ghislaine" in file.read_bytes()] == []
        after = restored(log).table
    assert (after.state.since, after.game) == (before.state.since, before.game)
    assert [seat.name for seat in after.seats] == ["–", *[seat.name for seat in before.seats[1:]]]


def ghislaine(event: Any) -> Any:
    return replace(event, name="Ghislaine") if getattr(event, "name", None) == "Ana" else event


def test_a_snapshot_whose_names_cannot_be_found_is_dropped() -> None:
    entry = long_game().entries[0]
    assert entry.state
    unreadable = replace(entry, state={**entry.state, "state": {"seats": [{"called": "Ghislaine"}]}})
    assert change_events(unreadable, lambda event: event) == replace(entry, state=None)
    assert change_events(entry, lambda event: event) is entry


# Requests, and the room


@on_manual_clock
async def test_a_room_writes_snapshots_and_a_request_before_one_is_not_done_again(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    room = RoomRegistry(log, clock).open(RoomRequest("Ana", 1))
    room.enter(ana := Person(0))
    room.once(ana, "ana's page", 1, lambda: room.request(ana, requests.Mute(1, True)))
    for _ in range(3 * STATE_EVERY):
        if room.table.state.version < 2 * STATE_EVERY - 10 and (game := room.table.game):
            room.play(ana, game.n)
            await asyncio.sleep(0.7)
    entries = log.read(room.table.log.game)
    states = [number for number, entry in enumerate(entries, 1) if entry.state]
    assert len(states) == 2
    assert states[0] == 1
    assert STATE_EVERY < states[1] < STATE_EVERY + 10
    assert [entry.since for entry in entries] == [states[n >= states[1]] for n in range(1, len(entries) + 1)]
    assert any(entry.request == RequestId("ana's page", 1) for entry in entries[: states[1] - 1])
    again = await restart(log, clock, room)
    again.enter(ana := Person(0))
    done = list[int]()
    for number in (1, 2):
        again.once(ana, "ana's page", number, partial(done.append, number))
    assert done == [2]
    assert again.table.seats[1].muted


# Its format


def test_a_change_of_what_a_snapshot_contains_is_a_change_of_its_format() -> None:
    """A server of the next version reads the snapshots of this one. If they would be wrong for it, raise `FORMAT`; if
    they would not, as after a new field whose default says what was so before, only note the new hash here."""
    contents = re.sub(r" at 0x[0-9a-f]+|ratscrew\.[a-z_.]+\.", "", repr(type_info(Snapshot)))
    assert (log_snapshot.FORMAT, hashlib.sha256(contents.encode()).hexdigest()[:12]) == (1, "3fd996b3029d")


def test_the_snapshot_of_an_entry_without_one_is_none() -> None:
    assert decode_snapshot(Entry(1, AccountLinked(0, "a"))) is None


def test_a_bot_that_stands_in_after_a_snapshot_plays_on() -> None:
    """The snapshot of a game without bots has no memory, and the events since do not begin with the deal."""
    live = two()
    live.table.log.state_every = 1
    let_pass(live, 1)
    live.table.log.state_every = 1000
    let_pass(live, 2)
    entries, table = live.entries, empty_table()
    since = max(number for number, entry in enumerate(entries) if entry.state)
    snapshot = decode_snapshot(entries[since])
    assert snapshot
    assert snapshot.memory is None
    table.restore(live.table.state.round, entries[since:], snapshot, LATER_US)
    assert table.state == live.table.state
    assert table.bots.playing
    assert table.bots.memory == live.table.bots.memory
