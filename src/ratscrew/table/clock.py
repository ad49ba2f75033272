"""The one clock of a process: it never goes back, and tells the time of day to whoever reads the log."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Something that knows what time it is."""

    def now_us(self) -> int:
        """Microseconds since 1970; never less than before."""
        ...


class SystemClock:
    """The time of day when the process began, and from then on the monotonic clock."""

    def __init__(self) -> None:
        self._start_us = (time.time_ns() - time.monotonic_ns()) // 1000

    def now_us(self) -> int:
        """See `Clock`."""
        return self._start_us + time.monotonic_ns() // 1000
