"""A room of a cluster: its new owner logs that first, and a stale owner is gone at its first append."""

from __future__ import annotations

from typing import Any

from ratscrew.errors import Conflict
from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.table import Table
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry, Owned
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.record.redaction import redact
from ratscrew.table.registry.restoring import restore
from ratscrew.table.room.ownership import Ownership
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import at_table
from tests.table.people import HANDS, Person, SlowLog, settle

OWNED = Owned(2, "b")


class Owner:
    """A process of a cluster with one room, and the rooms that it has lost."""

    def __init__(self, log: MemoryLog[Entry], clock: ManualClock, table: Table, epoch: int, node: str) -> None:
        self.lost: list[str] = []
        self.room = Room(table, log, clock, ownership=Ownership(epoch, node, log, lambda: self.lost.append(node)))
        self.ana = Person(0)


def two_owners(clock: ManualClock, log: MemoryLog[Entry]) -> tuple[Owner, Owner]:
    """A room at a process that was paused, and at the one that took it over: both have the same of its log."""
    live = at_table(HANDS, here=[])
    MemoryLog.append(log, live.table.log.game, 0, live.entries)
    restored = restore(log, live.table.room, at_table(HANDS, here=[]).table, 0)
    assert restored
    return Owner(log, clock, live.table, 1, "a"), Owner(log, clock, restored.table, 2, "b")


@on_manual_clock
async def test_a_new_owner_sends_nothing_before_the_log_has_its_ownership(clock: ManualClock) -> None:
    log = SlowLog()
    _, new = two_owners(clock, log)
    new.room.take_over()
    new.room.enter(new.ana)
    await settle()
    assert new.ana.now() == []
    await log.keep_now()
    assert [type(message) for message in new.ana.now()] == [TableSnapshot]
    last = log.last(new.room.table.log.game)
    assert last
    assert last.event == OWNED


@on_manual_clock
async def test_a_stale_owner_is_gone_at_its_first_append_and_has_sent_nothing(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    old, new = two_owners(clock, log)
    old.room.enter(old.ana)
    await settle()
    old.ana.now()
    new.room.take_over()
    before = log.read(new.room.table.log.game)
    old.room.request(old.ana, requests.ListRoom(True))
    await settle()
    assert (old.ana.now(), old.lost, old.room.closed) == (["leave: moved"], ["a"], True)
    old.room.request(old.ana, requests.ListRoom(True))
    assert log.read(new.room.table.log.game) == before
    assert len(old.lost) == 1


@on_manual_clock
async def test_a_stale_owner_cannot_begin_the_next_game(clock: ManualClock) -> None:
    """The next game's log is another one: only its first append says that the game before ends."""
    log = MemoryLog[Entry]()
    old, new = two_owners(clock, log)
    new.room.take_over()
    game = old.room.table.log.game
    old.room.start()
    await settle()
    assert old.lost == ["a"]
    assert log.games() == [game]
    new.room.start()
    await settle()
    assert (new.lost, len(log.games())) == ([], 2)


@on_manual_clock
async def test_a_conflict_without_a_cluster_is_a_failure_of_the_log(clock: ManualClock) -> None:
    log = SlowLog()
    live = at_table(HANDS, here=[])
    MemoryLog.append(log, live.table.log.game, 0, live.entries)
    room, ana = Room(live.table, log, clock), Person(0)
    room.enter(ana)
    room.request(ana, requests.ListRoom(True))
    await settle()
    ana.now()
    await log.fail_now(Conflict("another writer"))
    assert ana.now() == ["leave: unkept"]


@on_manual_clock
async def test_clients_get_the_ownership_as_an_event_without_the_name_of_the_node(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    _, new = two_owners(clock, log)
    version = new.room.table.state.version
    new.room.enter(new.ana)
    await settle()
    new.ana.now()
    new.room.take_over()
    await settle()
    got: list[Any] = [message for message in new.ana.now() if isinstance(message, EventMessage)]
    assert got == [EventMessage(version + 1, Owned(2, None))]
    assert redact(OWNED) == Owned(2, None)
    assert new.room.epoch == 2
