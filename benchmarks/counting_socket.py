"""A minimal WebSocket client that counts every frame and its bytes: messages and control frames, in both directions."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

import msgspec

from benchmarks.simulated_player import PING, PONG, TEXT, frame, handshake, messages_in

CLOSE = 8
CONTROL = {CLOSE: b"control close", PING: b"control ping", PONG: b"control pong"}
"""The kinds under which control frames are counted."""

SHARED = b"less those in the frame of another"
"""The kind that makes the sum of all kinds the number of frames: messages that left together are one."""

Counts: TypeAlias = defaultdict[bytes, list[int]]
"""Frames by kind, and their bytes."""

KindOf: TypeAlias = Callable[[bytes], bytes]
"""Names the kind of a message that was received."""


class Tally:
    """What simulated clients have sent and received so far, and how long they waited, in milliseconds by kind."""

    def __init__(self) -> None:
        self.sent: Counts = defaultdict(lambda: [0, 0])
        self.received: Counts = defaultdict(lambda: [0, 0])
        self.counts: Counter[str] = Counter()
        self.delays_ms: defaultdict[str, list[float]] = defaultdict(list)


class CountingSocket(asyncio.Protocol):
    """One connection to a room; the cookie authorises a seat. All frames of a chunk have the time of its arrival."""

    def __init__(
        self, tally: Tally, kind_of: KindOf, on_message: Callable[[bytes, bytes, float], None], path: str, cookie: str
    ) -> None:
        self._sent, self._received, self._counts = tally.sent, tally.received, tally.counts
        self._kind_of, self._on_message, self._path, self._cookie = kind_of, on_message, path, cookie
        self._data = b""
        self._closing = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the WebSocket handshake."""
        self._transport = cast(asyncio.WriteTransport, transport)
        self._transport.write(handshake(self._path, self._cookie))

    def connection_lost(self, _: Exception | None) -> None:
        """The connection has ended, closed by either side."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server opened no WebSocket"))
        elif not self._closing:
            self._counts["lost connections"] += 1

    def data_received(self, data: bytes) -> None:
        """Parse frames, count and handle them."""
        now = time.perf_counter()
        if self._data:
            data = self._data + data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._data = head
                return
            if b" 101 " not in head:
                self._transport.abort()
                return
            self.opened.set_result(None)
        at, length = 0, len(data)
        while length >= at + 2:
            size, begin = data[at + 1], at + 2
            if size >= 126:
                begin += 2 if size == 126 else 8
                if length < begin:
                    break
                size = int.from_bytes(data[at + 2 : begin], "big")
            if length < begin + size:
                break
            code, body, end_at = data[at] & 15, data[begin : begin + size], begin + size
            if code == TEXT:
                self._receive_messages(messages_in(body), end_at - at, now)
            else:
                self._count(CONTROL.get(code, b"control other"), 1, end_at - at)
            if code == PING:
                self.send(CONTROL[PONG], frame(PONG, body))
            at = end_at
        self._data = data[at:]

    def _receive_messages(self, messages: Sequence[bytes | msgspec.Raw], size: int, now: float) -> None:
        """Count and handle the messages of a frame of so many bytes."""
        others = size - sum(map(len, map(bytes, messages)))
        for message in map(bytes, messages):
            kind = self._kind_of(message)
            self._count(kind, 1, len(message) + others)
            self._on_message(kind, message, now)
            others = 0
        if len(messages) > 1:
            self._count(SHARED, 1 - len(messages), 0)

    def _count(self, kind: bytes, frames: int, size: int) -> None:
        count = self._received[kind]
        count[0] += frames
        count[1] += size

    def send(self, kind: bytes, data: bytes) -> None:
        """Send and count a frame."""
        if not self._closing:
            count = self._sent[kind]
            count[0] += 1
            count[1] += len(data)
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection."""
        self._closing = True
        self._transport.close()


async def open_counting_socket(
    port: int,
    tally: Tally,
    kind_of: KindOf,
    on_message: Callable[[bytes, bytes, float], None],
    room: str,
    cookie: str = "",
    address: str = "127.0.0.1",
) -> CountingSocket:
    """An open connection to a room of a server on this machine, from one of its own addresses."""
    path = f"/api/rooms/{room}/socket"
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: CountingSocket(tally, kind_of, on_message, path, cookie),
        "127.0.0.1",
        port,
        local_addr=(address, 0),
    )
    await socket.opened
    return socket
