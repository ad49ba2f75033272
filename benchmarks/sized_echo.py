"""A bare server that sends as many messages and bytes as a room would, on aiohttp: the lower bound for a room's cost.

Each message says how many replies its group gets, and how long they are; the replies go to the group's connections in
turn. All four connections of a group send at the same moments, as the players of a room send heartbeats.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from aiohttp import WSMsgType, web

from benchmarks.counting_socket import CountingSocket, Tally, open_counting_socket
from benchmarks.simulated_player import TEXT, frame

CONNECTIONS = 4
"""Connections of a group."""

HEAD = len("010016400000001")
"""A message begins with the number of replies, their length, and its own number; each reply with that number."""

_FILL = "." * 5000


class Traffic(NamedTuple):
    """Messages per second of one group and the mean bytes of their payloads, in both directions."""

    in_per_s: float
    in_bytes: float
    out_per_s: float
    out_bytes: float


def make_sized_echo() -> web.Application:
    """The server's application."""
    groups: defaultdict[str, list[web.WebSocketResponse]] = defaultdict(list)
    turns: defaultdict[str, count[int]] = defaultdict(count)

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        code = request.match_info["code"]
        group, turn = groups[code], turns[code]
        group.append(socket)
        async for message in socket:
            data: str = message.data
            if replies := int(data[:2]):
                reply = (data[7:HEAD] + _FILL)[: int(data[2:7])].encode()
                for _ in range(replies):
                    with suppress(ConnectionError):  # the client has just disconnected
                        await group[next(turn) % len(group)].send_frame(reply, WSMsgType.TEXT)
        group.remove(socket)
        return socket

    app = web.Application()
    app.router.add_get("/api/rooms/{code}/socket", echo)
    return app


class EchoGroup:
    """Four connections that send in turn; times each message until the last of its replies."""

    def __init__(self, tally: Tally, traffic: Traffic, code: str) -> None:
        self._tally, self._traffic, self._code = tally, traffic, code
        self._awaited: dict[bytes, list[float]] = {}
        self._sockets: list[CountingSocket] = []
        self._owed = random.random()
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None

    async def connect(self, port: int) -> None:
        """Connect all four."""
        for _ in range(CONNECTIONS):
            self._sockets.append(
                await open_counting_socket(port, self._tally, lambda _: b"echo", self._on_message, self._code)
            )

    def begin(self, _: float) -> None:
        """Start sending."""
        self._loop, self._every_s = asyncio.get_running_loop(), CONNECTIONS / self._traffic.in_per_s
        self._due = self._loop.time() + random.random() * self._every_s
        self._timer = self._loop.call_at(self._due, self._send)

    def stop(self) -> None:
        """Stop sending."""
        if self._timer:
            self._timer.cancel()

    def close(self) -> None:
        """Close the connections."""
        for socket in self._sockets:
            socket.close()

    def _send(self) -> None:
        for socket in self._sockets:
            self._send_on(socket)
        self._due += self._every_s
        self._timer = self._loop.call_at(self._due, self._send)

    def _send_on(self, socket: CountingSocket) -> None:
        traffic = self._traffic
        self._count, self._owed = self._count + 1, self._owed + traffic.out_per_s / traffic.in_per_s
        replies = min(99, int(self._owed))
        self._owed -= replies
        number = b"%08d" % (self._count % 10**8)
        body = (b"%02d%05d" % (replies, max(len(number), round(traffic.out_bytes)))) + number
        if replies:
            self._awaited[number] = [replies, time.perf_counter()]
        socket.send(b"echo", frame(TEXT, body.ljust(round(traffic.in_bytes), b".")))

    def _on_message(self, _: bytes, body: bytes, now: float) -> None:
        number = body[:8]
        awaited = self._awaited[number]
        awaited[0] -= 1
        if not awaited[0]:
            self._tally.delays_ms["echo"].append((now - self._awaited.pop(number)[1]) * 1e3)
