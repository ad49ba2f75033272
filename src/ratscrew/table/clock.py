"""The one clock of a process: it never goes back, and tells the time of day to whoever reads the log."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Something that knows what time it is at a table."""

    @property
    def speed(self) -> float:
        """How many of its seconds pass in a real one."""
        ...

    def now_us(self) -> int:
        """Microseconds since 1970; never less than before."""
        ...

    def until_s(self, at_us: int) -> float:
        """How many real seconds there are until a moment; 0 if it is past."""
        ...


class SystemClock:
    """The time of day when the process began, and from then on the monotonic clock, `speed` times as fast."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._day_us = time.time_ns() // 1000
        self._start_ns = time.monotonic_ns()

    def now_us(self) -> int:
        """See `Clock`."""
        return self._day_us + int((time.monotonic_ns() - self._start_ns) * self.speed) // 1000

    def until_s(self, at_us: int) -> float:
        """See `Clock`."""
        return max(0, at_us - self.now_us()) / 1e6 / self.speed
