"""The thread that restores a room prepares all that its first snapshot needs, so that the event loop need not."""

from __future__ import annotations

from collections.abc import Iterable
from threading import get_ident

import pytest

from ratscrew.game.view_changes import ViewUpdate, replayed
from ratscrew.log.memory import MemoryLog
from ratscrew.rules import link
from ratscrew.rules.house import Rules
from ratscrew.table.core import table
from ratscrew.table.record.entries import Entry, Recorded, is_game_event
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.registry import restoring
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.room.subscriber import TableSnapshot
from ratscrew.table.state import log_writer
from ratscrew.table.state.log_writer import numbered
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here, settle
from tests.table.test_restoring import stopped


@on_manual_clock
async def test_what_a_snapshot_needs_of_the_rules_is_computed_in_the_thread_too(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, threads = MemoryLog[Entry](), list[int]()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)

    def to_link(rules: Rules, base: str | None = None) -> str:
        threads.append(get_ident())
        return link.to_link(rules, base)

    monkeypatch.setattr(table, "to_link", to_link)
    room = here(await registry.find(code))
    assert room
    room.enter(ana := Person(0))
    await settle()
    assert [isinstance(each, TableSnapshot) for each in ana.got][:1] == [True]
    assert len(threads) == 1
    assert get_ident() not in threads


@on_manual_clock
async def test_the_events_of_the_log_are_numbered_in_the_thread_too(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, threads = MemoryLog[Entry](), list[int]()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)

    def note(events: Iterable[Recorded], first: int, seen: Iterable[ViewUpdate]) -> tuple[EventMessage, ...]:
        threads.append(get_ident())
        return numbered(events, first, seen)

    for module in (restoring, log_writer):
        monkeypatch.setattr(module, "numbered", note)
    room = here(await registry.find(code))
    assert room
    events = [entry.event for entry in log.read(room.table.log.game)]
    played = [event for event in events if is_game_event(event)]
    version, messages = room.table.state.version, numbered(events, 1, replayed(played, len(played))[1])
    assert version == len(messages) > 3
    room.enter(behind := Person(None), room.table.log.public, version - 2)
    assert behind.got[:1] == [("missed", version, list(messages[-2:]))]
    assert len(threads) == 1
    assert get_ident() not in threads
