"""The lag of an event loop: caused by other processes, or by too much work of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

PROBE_S = 0.01
"""The interval of lag probes; libuv's timers count whole milliseconds, so up to 1 ms is no lag."""

STALL_MS = 5.0


class Stall(NamedTuple):
    """A period in which an event loop was stalled. Unit: milliseconds of the machine's clock."""

    begin: float
    end: float


class LoopLag:
    """Measures how late a loop's timers are, in milliseconds; `stalls` are the times of those later than `STALL_MS`."""

    def __init__(self) -> None:
        self.stalls: list[Stall] = []
        self._late_ms: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + PROBE_S
        self._loop.call_at(self._due, self._probe)

    def _probe(self) -> None:
        now = self._loop.time()
        self._late_ms.append((now - self._due) * 1e3)
        if self._late_ms[-1] > STALL_MS:
            self.stalls.append(Stall(self._due * 1e3, now * 1e3))
        self._due = now + PROBE_S
        self._loop.call_at(self._due, self._probe)

    def take(self) -> list[float]:
        """The lags since the last call."""
        late_ms, self._late_ms = self._late_ms, []
        return late_ms


class OwnStalls:
    """Measures the longest stall of a loop, with and without the time for which other processes had its core.

    The kernel counts how long the thread was ready and did not run. The rest of a stall is work or waiting of the loop
    itself, and so the server's fault even on a busy machine.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:  # no Linux: everything counts as the loop's own
            self._schedstat = -1
        self._longest = self._longest_own = 0.0
        self._due, self._waited_ms = self._loop.time() + PROBE_S, self._waiting_ms()
        self._loop.call_at(self._due, self._probe)

    def _waiting_ms(self) -> float:
        return int(os.pread(self._schedstat, 100, 0).split()[1]) / 1e6 if self._schedstat >= 0 else 0.0

    def _probe(self) -> None:
        now, waited_ms = self._loop.time(), self._waiting_ms()
        late_ms = (now - self._due) * 1e3
        self._longest = max(self._longest, late_ms)
        self._longest_own = max(self._longest_own, late_ms - (waited_ms - self._waited_ms))
        self._due, self._waited_ms = now + PROBE_S, waited_ms
        self._loop.call_at(self._due, self._probe)

    def take(self) -> dict[str, float]:
        """The longest stalls since the last call, in milliseconds."""
        found = {"stall_ms": self._longest, "own_stall_ms": self._longest_own}
        self._longest = self._longest_own = 0.0
        return found


def summarize(values: Sequence[float]) -> dict[str, float]:
    """Count, median, 99th percentile and maximum."""
    ranked = sorted(values) or [0.0]
    p50, p99 = (ranked[min(len(ranked) - 1, int(len(ranked) * share))] for share in (0.5, 0.99))
    return {"count": len(values), "p50": p50, "p99": p99, "most": ranked[-1]}


def disturbed(begin: float, end: float, stalls: Iterable[Stall]) -> bool:
    """Whether any stall overlaps a period."""
    return any(stall.begin < end and begin < stall.end for stall in stalls)
