"""Deleted data is purged from the log's files, with retries at growing intervals until nothing is left."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest

from ratscrew.errors import LogError
from ratscrew.supervision import Supervisor
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.rendering.purging import Purger


def answers(clock: ManualClock, tried_s: list[float], *answers: bool | LogError) -> Callable[[], bool]:
    """A log that answers so; it notes when it was asked. Unit: seconds."""
    left = iter(answers)

    def purge() -> bool:
        tried_s.append(round(clock.now_us() / 1e6))
        answer = next(left)
        if isinstance(answer, LogError):
            raise answer
        return answer

    return purge


@on_manual_clock
async def test_what_is_cleared_at_once_is_not_tried_again(clock: ManualClock) -> None:
    tried_s: list[float] = []
    purger = Purger(answers(clock, tried_s, True), Supervisor())
    assert await purger.purge()
    await asyncio.sleep(1000)
    assert (len(tried_s), purger.pending) == (1, False)


@on_manual_clock
async def test_it_is_tried_after_1_2_4_seconds_and_at_last_once_a_minute(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    tried_s: list[float] = []
    purger = Purger(answers(clock, tried_s, *[False] * 5, LogError("away"), *[False] * 3, True), Supervisor())
    assert not await purger.purge()
    assert purger.pending
    await asyncio.sleep(1000)
    waits = [after - before for before, after in itertools.pairwise(tried_s)]
    assert waits == pytest.approx([1, 2, 4, 8, 16, 32, 60, 60, 60], abs=1)
    assert not purger.pending
    told = [record.getMessage() for record in caplog.records if record.name.startswith("ratscrew")]
    assert told == [
        "deleted names are still in the files of the log, which are in use: retrying",
        "the log's files cannot be cleared of deleted names",
        "deleted names are no longer in the log's files",
    ]


@on_manual_clock
async def test_a_log_that_is_free_a_second_later_is_no_warning(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that has just started purges while the first rooms are written."""
    tried_s: list[float] = []
    purger = Purger(answers(clock, tried_s, False, True), Supervisor())
    assert not await purger.purge()
    await asyncio.sleep(100)
    assert (len(tried_s), purger.pending, caplog.records) == (2, False, [])


@on_manual_clock
async def test_two_deletions_are_cleared_by_one_background_task(clock: ManualClock) -> None:
    tried_s: list[float] = []
    purger = Purger(answers(clock, tried_s, False, False, False, True), Supervisor())
    assert not await purger.purge()
    assert not await purger.purge()
    await asyncio.sleep(100)
    assert (len(tried_s), purger.pending) == (4, False)


@on_manual_clock
async def test_a_server_that_stops_tries_no_more(clock: ManualClock) -> None:
    tried_s: list[float] = []
    purger = Purger(answers(clock, tried_s, False), Supervisor())
    await purger.purge()
    await purger.stop()
    await asyncio.sleep(100)
    assert (len(tried_s), purger.pending) == (1, True)
