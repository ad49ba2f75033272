"""Tables that are due together go one after the other, and the event loop serves others in between."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effect
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.turns import Turns
from tests.table.people import here


def test_calls_that_fall_due_together_keep_their_order_and_others_are_served_between_two_of_them() -> None:
    async def story() -> list[str]:
        turns, told = Turns(), list[str]()

        def other() -> None:
            told.append("other")
            asyncio.get_running_loop().call_soon(other)

        other()
        for name in ("first", "second", "third"):
            turns.call(partial(told.append, name))
        while "third" not in told:
            await asyncio.sleep(0)
        return told

    told = asyncio.run(story())
    tables = [name for name in told if name != "other"]
    assert tables == ["first", "second", "third"]
    assert "other" in told[told.index("first") : told.index("second")]
    assert "other" in told[told.index("second") : told.index("third")]


def test_a_call_that_is_alone_does_not_wait() -> None:
    async def story() -> None:
        turns, told = Turns(), list[str]()
        for name in ("first", "second"):
            turns.call(partial(told.append, name))
            assert told[-1] == name
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(story())


def test_a_call_that_fails_keeps_no_other_from_its_turn() -> None:
    async def story() -> list[str]:
        turns, told = Turns(), list[str]()

        def fail() -> None:
            raise ValueError("this table fails")

        with pytest.raises(ValueError, match="this table fails"):
            turns.call(fail)
        turns.call(lambda: told.append("second"))
        for _ in range(3):
            await asyncio.sleep(0)
        return told

    assert asyncio.run(story()) == ["second"]


@pytest.mark.parametrize("restored", [False, True])
@on_manual_clock
async def test_rooms_of_one_lobby_that_fall_due_at_one_moment_take_turns(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, restored: bool
) -> None:
    due_us, iteration, ticks = clock.now_us() + 1000, 0, dict[str, int]()

    def wake_us(table: Table) -> int | None:
        return None if table.room in ticks else due_us

    def tick(table: Table, _: int) -> list[Effect]:
        ticks[table.room] = iteration
        return []

    monkeypatch.setattr(Table, "wake_us", wake_us)
    monkeypatch.setattr(Table, "tick", tick)
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    rooms = [registry.open(RoomRequest("Ana", 2)) for _ in range(5)]
    if restored:
        await asyncio.gather(*(room.stored() for room in rooms))
        registry.close()
        registry = RoomRegistry(log, clock)
        for room in rooms:
            found = here(await registry.find(code_of(room.table.room)))
            assert found
            found.join("Ben")
    clock.advance(1000)
    for _ in range(20):
        iteration += 1
        await asyncio.sleep(0)
    assert sorted(ticks) == sorted(room.table.room for room in rooms)
    assert len(set(ticks.values())) == len(rooms)
