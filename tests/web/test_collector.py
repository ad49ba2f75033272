"""Garbage is collected in quiet moments, and only then."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from ratscrew.judge.screen import Screen
from ratscrew.log.memory import MemoryLog
from ratscrew.table.lobby import Asked, Lobby
from ratscrew.table.record import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import collector


class Ring:
    """Something that only a collection lets go of."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Collection goes on as before."""
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


async def collected(quiet: list[bool], times: int) -> list[float]:
    """How long the first collections took; each moment is as quiet as the next of these."""
    took: list[float] = []
    collecting = asyncio.create_task(collector.collect_in_quiet(lambda _: quiet.pop(0), took.append))
    while len(took) < times and not collecting.done():
        await asyncio.sleep(1)
    collecting.cancel()
    return took


@on_manual_clock
async def test_nothing_is_collected_in_full_until_a_quiet_moment(clock: ManualClock) -> None:
    quiet = [False, False, True]
    collecting = asyncio.create_task(collector.collect_in_quiet(lambda _: quiet.pop(0), lambda _: None))
    await asyncio.sleep(0)
    gone = weakref.ref(Ring())
    assert gc.get_threshold()[2] > 10**9
    await asyncio.sleep(collector.EVERY_S + 1.5 * collector.LOOK_EVERY_S)
    assert (len(quiet), gone() is None) == (1, False)
    await asyncio.sleep(collector.LOOK_EVERY_S)
    assert (quiet, gone()) == ([], None)
    collecting.cancel()


@on_manual_clock
async def test_where_it_is_never_quiet_it_is_collected_all_the_same(clock: ManualClock) -> None:
    began_us = clock.now_us()
    assert len(await collected([False] * 10_000, 1)) == 1
    assert 10 <= (clock.now_us() - began_us) / 1e6 <= 12


@on_manual_clock
async def test_what_was_frozen_and_is_garbage_later_goes_when_enough_has_been_frozen(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "COUNT_EVERY", 3)
    monkeypatch.setattr(collector, "GROWN", 1.0)
    monkeypatch.setattr(collector, "SPARE", 5_000)
    crowd = [Ring() for _ in range(4_000)]
    gone = weakref.ref(crowd[0])
    took: list[float] = []
    collecting = asyncio.create_task(collector.collect_in_quiet(lambda _: True, took.append))
    await asyncio.sleep(0)
    more = [Ring() for _ in range(4_000)]
    await asyncio.sleep(1.5 * collector.EVERY_S)
    crowd.clear()
    await asyncio.sleep(3 * collector.EVERY_S)
    assert (len(took), gone() is None) == (4, False)  # as many as were frozen have come since: 5,000 objects at most
    more += [Ring() for _ in range(4_000)]
    await asyncio.sleep(3 * collector.EVERY_S)
    assert (len(took), gone()) == (7, None)
    collecting.cancel()


@on_manual_clock
async def test_no_moment_is_quiet_in_which_a_table_has_something_to_do(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog[Entry](), clock)
    assert lobby.quiet_for(3600)
    room = lobby.open(Asked("Ana", 2))
    room.table.come(0, clock.now_us(), Screen())
    due_us = room.table.wake_us()
    assert due_us is not None
    ahead_s = (due_us - clock.now_us()) / 1e6
    assert lobby.quiet_for(ahead_s - 0.001)
    assert not lobby.quiet_for(ahead_s)
    lobby.close()
