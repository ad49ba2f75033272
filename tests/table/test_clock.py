"""The clocks: the one of a process, which never goes back, and the one that tests set by hand."""

from __future__ import annotations

import asyncio
import time

import pytest

from ratscrew.table.record.clock import SystemClock
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


class Machine:
    """A machine whose clocks are set by hand. Unit: seconds since 1970, and since it was started."""

    def __init__(self, day_s: float, awake_s: float = 100) -> None:
        self.day_s, self.awake_s = day_s, awake_s

    def clock(self, speed: float = 1) -> SystemClock:
        """The clock of a process that begins now."""
        return SystemClock(speed, lambda: int(self.day_s * 1e9), lambda: int(self.awake_s * 1e9))

    def wait(self, s: float) -> None:
        """Time passes."""
        self.day_s, self.awake_s = self.day_s + s, self.awake_s + s

    def sleep(self, s: float) -> None:
        """Time passes while the machine sleeps: its monotonic clock stands still."""
        self.day_s += s


def test_while_the_machine_sleeps_nobodys_time_runs_out() -> None:
    machine = Machine(day_s=1_700_000_000)
    clock = machine.clock()
    machine.wait(10)
    due_us = clock.now_us() + 5_000_000
    machine.sleep(8 * 3600)
    assert (clock.now_us(), clock.behind_s()) == (1_700_000_010_000_000, 8 * 3600)
    assert clock.until_s(due_us) == pytest.approx(5, abs=0.002)
    machine.wait(5)
    assert clock.until_s(due_us) == 0
    assert machine.clock().now_us() == 1_700_000_015_000_000 + 8 * 3600 * 1_000_000


@pytest.mark.parametrize("by_s", [-40 * 86_400, -3600, 3600, 20 * 86_400])
def test_when_the_systems_clock_is_set_a_running_server_goes_on_as_before(by_s: float) -> None:
    machine = Machine(day_s=1_700_000_000)
    clock = machine.clock(speed=10)
    machine.day_s += by_s
    machine.wait(2)
    assert (clock.now_us(), clock.behind_s()) == (1_700_000_020_000_000, by_s)


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


@on_manual_clock
async def test_a_manual_clock_stands_still_while_a_thread_works(clock: ManualClock) -> None:
    """Otherwise actions that are due later would come before the end of the work."""
    later = asyncio.create_task(asyncio.sleep(3600))
    before = clock.now_us()

    def work() -> None:
        until_s = time.monotonic() + 0.02
        while time.monotonic() < until_s:
            pass

    await asyncio.to_thread(work)
    assert (clock.now_us(), later.done()) == (before, False)
    await later
    assert clock.now_us() - before == pytest.approx(3_600_000_000, abs=10)
