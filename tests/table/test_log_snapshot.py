"""A room restored from the newest snapshot in its game's log is the one restored from all entries."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.inspect import type_info
from msgspec.structs import replace

from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.table import requests
from ratscrew.table.records import log_snapshot
from ratscrew.table.records.entries import AccountLinked, Entry, RequestId
from ratscrew.table.records.erasure import delete_names_in_log, seated_by
from ratscrew.table.records.log_snapshot import STATE_EVERY, LogSnapshot, change_events, read_state, with_state
from ratscrew.table.records.logged_requests import LoggedRequests
from ratscrew.table.records.rejudge import FRESH
from ratscrew.table.rooms.restoring import RECENT, Restored, restore
from ratscrew.table.rooms.room_registry import RoomRegistry, RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.testing.houses import houses
from tests.table.driver import LiveTable
from tests.table.people import Person
from tests.table.test_idle import let_pass, two
from tests.table.test_room_snapshot import ROOM, CountingCodec, empty_table, facts, log_of, play_games, restart

LATER_US = 10_000_000_000_000


def restored(log: MemoryLog[Entry] | SqliteLog[Entry], alive_us: int = LATER_US) -> Restored:
    found = restore(log, ROOM, empty_table(), alive_us)
    assert found
    return found


def everything(found: Restored) -> list[object]:
    """All that a restored room knows, but for how many of its last events."""
    table = found.table
    log, session = table.log, table.session
    assert session
    timer = vars(session.turn_timer)
    room = [table.base, table.link, table.pause.until_us, table.roster.host, log.version, vars(log.budget), timer]
    seats = [(seat.account, seat.network, seat.wins, seat.bot is None) for seat in table.seats]
    return [*facts(table), *room, seats, session.bots.memory, vars(found.logged_requests)]


def without_states(log: MemoryLog[Entry]) -> MemoryLog[Entry]:
    """The log as a version without such snapshots would have written it."""
    old = MemoryLog[Entry]()
    for game in log.games():
        old.append(game, 0, [replace(entry, state=None, since=0) for entry in log.read(game)])
    return old


def cut(log: MemoryLog[Entry], left: int) -> MemoryLog[Entry]:
    """The log without all but `left` entries of its last game."""
    last, short = log.games()[-1], MemoryLog[Entry]()
    for game in log.games():
        short.append(game, 0, log.read(game)[: left if game == last else None])
    return short


@given(houses(), st.integers(0, 99999), st.integers(1, 9))
def test_a_room_restored_from_a_snapshot_is_the_one_restored_from_all_entries(
    rules: Rules, seed: int, every: int
) -> None:
    if (live := play_games(rules, seed, seed % 2 + 1, every)) is None:
        return
    log = log_of(live)
    entries = log.read(log.games()[-1])
    for left in {len(entries), *[number for number, entry in enumerate(entries, 1) if entry.state]}:
        short = cut(log, left)
        found, whole = restored(short), restored(without_states(short))
        assert everything(found) == everything(whole)
        assert found.table.log.since == max((n for n, entry in enumerate(entries[:left], 1) if entry.state), default=0)
        for count in range(len(found.recent) + 1):
            assert found.recent.last(count) == whole.recent.last(count)


def test_the_random_games_are_worth_comparing() -> None:
    """Their snapshots have all kinds of facts, and bots that remember."""
    seen = Counter[str]()
    for seed in range(60):
        live = play_games(house(), seed, 2, 1)
        assert live
        for store in live.stores:
            if state := store.entries[-1].state:
                seen.update({fact["e"] for fact in state["facts"]})
                seen.update({name for name in ("memory", "next_rules") if state[name]})
                seen.update({"credits"} if state["ledger"]["credits"] else set())
    assert {"sat", "left", "muted", "removed_players", "nonce_given", "committed", "promised", "listed"} < set(seen)
    assert {"room_locked", "memory", "credits"} < set(seen)


def long_game() -> LiveTable:
    """A table of two people and a bot that have turned a hundred cards."""
    live = play_games(house(), 3, 1)
    assert live
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
        since, version = live.table.log.since, live.table.log.version
        assert codec.decoded == version - since + 2
        assert STATE_EVERY < since < version
        assert version - since < STATE_EVERY + 20
        assert found.table.game == live.table.game


@pytest.mark.parametrize(
    "damage",
    [
        lambda state: {},
        lambda state: {**state, "format": 2},
        lambda state: {**state, "version": state["version"] + 1},
        lambda state: {**state, "unknown": 1},
        lambda state: {name: value for name, value in state.items() if name != "game"},
        lambda state: {**state, "game": []},
        lambda state: {**state, "game": {**state["game"], "hands": [["9H"]]}},
        lambda state: {**state, "facts": [{"e": "promoted"}]},
        lambda state: {**state, "rules": {"decks": "many"}},
        lambda state: {**state, "memory": {}},
    ],
)
def test_a_snapshot_that_cannot_be_read_is_ignored(damage: Any) -> None:
    live, bad = long_game(), MemoryLog[Entry]()
    for game in log_of(live).games():
        entries = log_of(live).read(game)
        assert any(entry.state for entry in entries)
        bad.append(game, 0, [replace(each, state=damage(each.state)) if each.state else each for each in entries])
    found = restored(bad)
    assert everything(found) == everything(restored(without_states(bad)))
    assert len(found.recent) == RECENT


def test_a_snapshot_follows_only_a_move_after_which_nothing_else_has_happened() -> None:
    live = long_game()
    table, store = live.table, live.stores[-1]
    entries = tuple(replace(entry, state=None) for entry in store.entries)
    moved = (*entries[:-1], replace(entries[-1], event=next(e.event for e in live.entries if hasattr(e.event, "n"))))
    attach = partial(with_state, table, store, requests=LoggedRequests())
    assert attach(moved)[-1].state
    assert attach((*entries[:-1], replace(entries[-1], event=AccountLinked(0, "a"))))[-1].state is None
    assert with_state(table, store._replace(after=store.after - 1), moved, LoggedRequests()) == moved
    assert with_state(table, store._replace(game="TEST-1-0"), moved, LoggedRequests()) == moved
    table.pause.until_us = 0
    assert attach(moved) == moved


# Names and accounts


def test_a_deleted_name_is_in_no_snapshot_of_a_running_game(tmp_path: Path) -> None:
    codec, live = Codec[Entry](Entry), long_game()
    path = tmp_path / "log.sqlite3"
    with closing(SqliteLog(path, codec)) as log:
        for store in live.stores:
            log.append(store.game, store.after, [change_events(entry, ghislaine) for entry in store.entries])
        assert log.purge()
        assert sum(file.read_bytes().count(b"Ghislaine") for file in tmp_path.iterdir()) == 3
        before = restored(log).table
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 1
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 0
        assert log.purge()
        assert [file.name for file in tmp_path.iterdir() if b"Ghislaine" in file.read_bytes()] == []
        after = restored(log).table
    assert (after.log.since, after.game) == (before.log.since, before.game)
    assert [seat.name for seat in after.seats] == ["–", *[seat.name for seat in before.seats[1:]]]


def ghislaine(event: Any) -> Any:
    return replace(event, name="Ghislaine") if getattr(event, "name", None) == "Ana" else event


def test_a_snapshot_whose_names_cannot_be_found_is_dropped() -> None:
    entry = next(entry for entry in long_game().entries if entry.state)
    assert entry.state
    unreadable = replace(entry, state={**entry.state, "facts": [{"e": "seated", "name": "Ghislaine"}]})
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
        if room.table.log.version < 2 * STATE_EVERY - 10 and (game := room.table.game):
            room.play(ana, game.n)
            await asyncio.sleep(0.7)
    entries = log.read(room.table.log.game)
    states = [number for number, entry in enumerate(entries, 1) if entry.state]
    assert len(states) == 1
    assert STATE_EVERY <= states[0] < STATE_EVERY + 10
    assert [entry.since for entry in entries] == [states[0] * (n >= states[0]) for n in range(1, len(entries) + 1)]
    assert any(entry.request == RequestId("ana's page", 1) for entry in entries[: states[0] - 1])
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
    contents = re.sub(" at 0x[0-9a-f]+", "", repr(type_info(LogSnapshot)))
    assert (log_snapshot.FORMAT, hashlib.sha256(contents.encode()).hexdigest()[:12]) == (1, "7bb97bb669e9")


def test_the_snapshot_of_an_entry_without_one_is_none() -> None:
    assert read_state(Entry(1, AccountLinked(0, "a"))) is None


def test_a_bot_that_stands_in_after_a_snapshot_plays_on() -> None:
    """The snapshot of a game without bots has no memory, and the events since do not begin with the deal."""
    live = two()
    live.state_every = 1
    let_pass(live, 1)
    live.state_every = 1000
    let_pass(live, 2)
    entries, table = live.entries, empty_table()
    since = max(number for number, entry in enumerate(entries) if entry.state)
    snapshot = read_state(entries[since])
    assert snapshot
    assert snapshot.memory is None
    table.restore(live.table.log.round, entries[since:], FRESH, LATER_US, snapshot)
    assert table.session
    assert table.session.game == live.game
    assert table.session.bots.playing
    assert table.session.bots.memory
