"""Garbage collection: young cycles are freed at once, and full collections wait for an idle moment after growth."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.edge import gc_policy


class Ring:
    """Something that only a collection lets go of."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Collection goes on as before."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """5,000 blocks of memory are enough."""
    monkeypatch.setattr(gc_policy, "GROWN", 1.0)
    monkeypatch.setattr(gc_policy, "SPARE", 5_000)


def rings(count: int) -> list[Ring]:
    return [Ring() for _ in range(count)]


@on_manual_clock
async def test_everything_is_looked_at_in_a_quiet_moment_once_enough_has_come(clock: ManualClock) -> None:
    quiet = [False, False, True]
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: quiet.pop(0), lambda _: None))
    await asyncio.sleep(0)
    crowd = rings(9_000)
    gone = weakref.ref(crowd[0])
    crowd.clear()
    await asyncio.sleep(gc_policy.CHECK_EVERY_S + 1.5 * gc_policy.POLL_EVERY_S)
    assert (len(quiet), gone() is None) == (1, False)
    await asyncio.sleep(gc_policy.POLL_EVERY_S)
    assert (quiet, gone()) == ([], None)
    collecting.cancel()


@on_manual_clock
async def test_cycles_of_young_objects_are_freed_without_a_look_at_everything(clock: ManualClock) -> None:
    """100,000 cycles come and go, and the server has not grown by more than a few thousand objects."""
    looked = list[int]()

    def note(phase: str, about: dict[str, int]) -> None:
        looked.extend([about["generation"]] * (phase == "start"))

    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: True, lambda _: None))
    await asyncio.sleep(0)
    gc.callbacks.append(note)
    try:
        before = len(gc.get_objects())
        for _ in range(100_000):
            Ring()
        assert len(gc.get_objects()) - before <= 2 * gc_policy.THRESHOLDS[0]
        assert set(looked) == {0, 1}
    finally:
        gc.callbacks.remove(note)
        collecting.cancel()


@on_manual_clock
async def test_what_was_there_at_the_start_is_never_looked_at_again(clock: ManualClock) -> None:
    kept = rings(9_000)
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: True, lambda _: None))
    await asyncio.sleep(0)
    assert gc.get_freeze_count() >= len(kept)
    collecting.cancel()


@on_manual_clock
async def test_where_it_is_never_quiet_all_objects_are_frozen_without_a_look_at_them(clock: ManualClock) -> None:
    took: list[float] = []
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: False, took.append))
    await asyncio.sleep(0)
    before, kept = gc.get_freeze_count(), rings(9_000)
    await asyncio.sleep(gc_policy.CHECK_EVERY_S + gc_policy.IDLE_WAIT_S - 1)
    assert gc.get_freeze_count() < before + 100
    await asyncio.sleep(2)
    assert gc.get_freeze_count() > before + len(kept) - 100
    assert not took
    collecting.cancel()


@on_manual_clock
async def test_what_was_frozen_is_looked_at_again_in_a_quiet_moment(clock: ManualClock) -> None:
    quiet, took = False, list[float]()
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: quiet, took.append))
    await asyncio.sleep(0)
    crowd = rings(9_000)
    gone = weakref.ref(crowd[0])
    await asyncio.sleep(gc_policy.CHECK_EVERY_S + gc_policy.IDLE_WAIT_S + 1)
    crowd.clear()
    assert (len(took), gone() is None) == (0, False)
    quiet, kept = True, rings(9_000)
    await asyncio.sleep(gc_policy.CHECK_EVERY_S + 1)
    assert (len(took), gone()) == (1, None)
    collecting.cancel()
    assert kept


@on_manual_clock
async def test_where_it_is_never_quiet_everything_is_collected_once_memory_has_grown_much(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc_policy, "FROZEN_MOST", 1.0)
    took: list[float] = []
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: False, took.append))
    await asyncio.sleep(0)
    kept = rings(9_000)
    await asyncio.sleep(gc_policy.CHECK_EVERY_S + gc_policy.IDLE_WAIT_S - 1)
    assert not took
    await asyncio.sleep(2)
    assert len(took) == 1
    collecting.cancel()
    assert kept


@on_manual_clock
async def test_as_long_as_little_has_come_nothing_is_looked_at(clock: ManualClock) -> None:
    took: list[float] = []
    collecting = asyncio.create_task(gc_policy.collect_when_idle(lambda _: True, took.append))
    await asyncio.sleep(0)
    kept = rings(9_000)
    await asyncio.sleep(1.5 * gc_policy.CHECK_EVERY_S)
    assert len(took) == 1
    await asyncio.sleep(30 * gc_policy.CHECK_EVERY_S)
    assert len(took) == 1  # nothing has come since: what there was then was no garbage
    collecting.cancel()
    assert kept


@on_manual_clock
async def test_no_moment_is_quiet_in_which_a_table_has_something_to_do(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog[Entry](), clock)
    assert registry.quiet_for(3600)
    room = registry.open(RoomRequest("Ana", 2))
    room.table.come(0, clock.now_us(), PageState())
    due_us = room.table.wake_us()
    assert due_us is not None
    ahead_s = (due_us - clock.now_us()) / 1e6
    assert registry.quiet_for(ahead_s - 0.001)
    assert not registry.quiet_for(ahead_s)
    registry.close()


@on_manual_clock
async def test_no_moment_is_quiet_while_a_room_is_being_restored(clock: ManualClock) -> None:
    registry, go = RoomRegistry(MemoryLog[Entry](), clock), asyncio.Event()

    async def restore() -> None:
        await go.wait()

    restoring = asyncio.create_task(registry._restores.run("WOLF", restore))
    await asyncio.sleep(0)
    assert not registry.quiet_for(0)
    go.set()
    await restoring
    assert registry.quiet_for(0)
