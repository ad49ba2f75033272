"""What stands beside a room of four: four connections to a bare echo, of which each message is told to all four."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from itertools import count

from benchmarks.four import PEOPLE, Waited
from benchmarks.person import TEXT, Sample, connect_raw, frame

ECHO_EVERY_S = 0.05
"""How often one of a group says something."""


class Group:
    """Four connections to an echo, of which one after the other says something that all four hear."""

    numbers = count()

    def __init__(self, sample: Callable[[], Sample]) -> None:
        self._sample, self._said = sample, dict[bytes, Waited]()

    async def come(self, port: int) -> None:
        """Begin."""
        self._loop, room = asyncio.get_running_loop(), f"{next(self.numbers)}"
        self._lines = [await connect_raw(port, self._hear, room) for _ in range(PEOPLE)]
        self._count = 0
        self._timer = self._loop.call_later(random.uniform(0, ECHO_EVERY_S), self._say)

    def go(self) -> None:
        """End."""
        self._timer.cancel()
        for line in self._lines:
            line.close()

    def _say(self) -> None:
        self._count += 1
        body = b'{"t":"played","number":%010d,"n":123,"card":"7H","to":{"phase":"play","turn":3}}' % self._count
        self._said[body] = Waited(time.perf_counter())
        self._sample().counts["in"] += 1
        self._lines[self._count % PEOPLE].send(frame(TEXT, body))
        self._timer = self._loop.call_later(ECHO_EVERY_S, self._say)

    def _hear(self, body: bytes, now: float) -> None:
        self._sample().counts["out"] += 1
        waited = self._said[body]
        waited.heard += 1
        if waited.heard == PEOPLE:
            self._sample().delays_ms["echo"].append((now - self._said.pop(body).sent) * 1e3)
