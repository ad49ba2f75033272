"""How late a process is with what it means to do: the machine's fault, or its own when it has too much to do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import NamedTuple

PROBE_S = 0.01
"""How often a loop is asked how late it is; libuv's timers count whole milliseconds, so up to 1 ms is no lag."""

STALL_MS = 5.0


class Stall(NamedTuple):
    """A while in which a process did nothing, though it had to. Unit: milliseconds of the machine's clock."""

    begin: float
    end: float


class Lag:
    """How late a loop's timers are, in milliseconds; `stalls` are the times of those later than `STALL_MS`."""

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

    def empty(self) -> list[float]:
        """What was seen since the last time."""
        late_ms, self._late_ms = self._late_ms, []
        return late_ms


def spread(values: Sequence[float]) -> dict[str, float]:
    """How many values there are, and where the middle, the last hundredth and the end of them lie."""
    ranked = sorted(values) or [0.0]
    p50, p99 = (ranked[min(len(ranked) - 1, int(len(ranked) * share))] for share in (0.5, 0.99))
    return {"count": len(values), "p50": p50, "p99": p99, "most": ranked[-1]}


def disturbed(begin: float, end: float, stalls: Iterable[Stall]) -> bool:
    """Whether any of these lies in a span of time."""
    return any(stall.begin < end and begin < stall.end for stall in stalls)
