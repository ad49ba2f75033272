"""The baseline for a room of four: four connections to an echo server, which sends each message to all four."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from itertools import count

from benchmarks.four_players import PLAYERS, AwaitedBroadcast
from benchmarks.simulated_player import TEXT, Sample, frame, open_raw_socket

ECHO_EVERY_S = 0.05
"""The interval between the messages of a group."""


class EchoGroup:
    """Four connections to an echo, which send in turn; times each message until all four have it."""

    numbers = count()

    def __init__(self, sample: Callable[[], Sample]) -> None:
        self._sample, self._awaited = sample, dict[bytes, AwaitedBroadcast]()

    async def connect(self, port: int) -> None:
        """Connect and start sending."""
        self._loop, room = asyncio.get_running_loop(), f"{next(self.numbers)}"
        self._sockets = [await open_raw_socket(port, self._on_message, room) for _ in range(PLAYERS)]
        self._count = 0
        self._timer = self._loop.call_later(random.uniform(0, ECHO_EVERY_S), self._send)

    def close(self) -> None:
        """Stop sending and close the connections."""
        self._timer.cancel()
        for socket in self._sockets:
            socket.close()

    def _send(self) -> None:
        self._count += 1
        body = b'{"t":"played","number":%010d,"n":123,"card":"7H","to":{"phase":"play","turn":3}}' % self._count
        self._awaited[body] = AwaitedBroadcast(time.perf_counter())
        self._sample().counts["in"] += 1
        self._sockets[self._count % PLAYERS].send_frame(frame(TEXT, body))
        self._timer = self._loop.call_later(ECHO_EVERY_S, self._send)

    def _on_message(self, body: bytes, now: float) -> None:
        self._sample().counts["out"] += 1
        awaited = self._awaited[body]
        awaited.received += 1
        if awaited.received == PLAYERS:
            self._sample().delays_ms["echo"].append((now - self._awaited.pop(body).sent) * 1e3)
