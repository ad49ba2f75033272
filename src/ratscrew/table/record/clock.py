"""The one clock of a process. It never goes back, and its times in the log are times of day."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Protocol


class Clock(Protocol):
    """The time at a table."""

    @property
    def speed(self) -> float:
        """How many seconds of this clock pass in a real second."""
        ...

    def now_us(self) -> int:
        """Microseconds since 1970; never less than before."""
        ...

    def until_s(self, at_us: int) -> float:
        """How many real seconds a timer should wait for a moment; 0 if it is past."""
        ...


EARLY_MS = 0.5
"""uvloop rounds a timer to a millisecond, and almost half of them fired too early and had to be set again; with this
addition, rounded up, one in a hundred does."""


class SystemClock:
    """The time of day when the process began, and from then on the monotonic clock, `speed` times as fast.

    If the system's clock is set while the process runs, this one goes on as before: no turn ends at once, and none
    lasts for ever. While the machine sleeps it stands still (on Linux and macOS, as `time.monotonic` does), so nobody's
    time runs out in the meantime; afterwards it is behind the time of day for as long as the machine slept. The next
    process has the time of day again.
    """

    def __init__(
        self,
        speed: float = 1.0,
        day_ns: Callable[[], int] = time.time_ns,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.speed = speed
        self._day_ns, self._monotonic_ns = day_ns, monotonic_ns
        self._day_us = day_ns() // 1000
        self._start_ns = monotonic_ns()

    def now_us(self) -> int:
        return self._day_us + int((self._monotonic_ns() - self._start_ns) * self.speed) // 1000

    def until_s(self, at_us: int) -> float:
        left_us = at_us - self.now_us()
        return ceil(left_us / 1e3 / self.speed + EARLY_MS) / 1e3 if left_us > 0 else 0

    def behind_s(self) -> float:
        """How many seconds this clock is behind the system's clock since the start; negative if it is ahead."""
        day_us = self._day_ns() // 1000 - self._day_us
        return (day_us - (self._monotonic_ns() - self._start_ns) // 1000) / 1e6
