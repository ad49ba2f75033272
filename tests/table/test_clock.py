"""The clocks: the one of a process, which never goes back, and the one that tests set by hand."""

from __future__ import annotations

import asyncio
import time

import pytest

from ratscrew.table.clock import SystemClock
from ratscrew.testing.clock import ManualClock, on_manual_clock


def test_the_clock_of_a_process_tells_the_time_of_day() -> None:
    assert SystemClock().now_us() / 1e6 == pytest.approx(time.time(), abs=5)


def test_the_clock_of_a_process_never_goes_back() -> None:
    clock = SystemClock()
    times = [clock.now_us() for _ in range(2000)]
    assert times == sorted(times)


def test_a_faster_clock_waits_less() -> None:
    plain, fast = SystemClock(), SystemClock(speed=10)
    assert plain.until_s(plain.now_us() + 60_000_000) == pytest.approx(60, abs=5)
    assert fast.until_s(fast.now_us() + 60_000_000) == pytest.approx(6, abs=0.5)
    assert fast.until_s(fast.now_us() - 1) == 0
    before = plain.now_us(), fast.now_us()
    while plain.now_us() - before[0] < 10_000:
        pass
    assert fast.now_us() - before[1] >= 90_000


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(5)
    assert (clock.now_us(), clock.now_us(), clock.until_s(1_000_005), clock.until_s(4)) == (5, 5, 1.0, 0.0)
    clock.advance(7)
    assert clock.now_us() == 12
    with pytest.raises(ValueError, match="cannot go back"):
        clock.advance(-1)


@on_manual_clock
async def test_on_a_manual_clock_nobody_waits_in_earnest(clock: ManualClock) -> None:
    started, before, order = time.monotonic(), clock.now_us(), list[int]()

    async def wait(s: int) -> None:
        await asyncio.sleep(s)
        order.append(s)

    await asyncio.gather(wait(3600), wait(60), wait(86_400))
    assert order == [60, 3600, 86_400]
    assert clock.now_us() - before == pytest.approx(86_400_000_000, abs=10)
    assert time.monotonic() - started < 20
