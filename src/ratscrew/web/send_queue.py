"""Messages that wait for one slow reader: in order, and bounded. A client that is too far behind is disconnected."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from aiohttp import WSMsgType, web

MESSAGES_MOST = 512
"""Messages that may wait for a slow reader; with one more the client is disconnected."""

BYTES_MOST = 256 * 1024
"""Bytes that may wait, with what the system has not taken yet. A snapshot of a table has some ten thousand."""

IN_HAND_MOST = 16 * 1024
"""Bytes that are handed to the system's buffer before it is asked whether it is full."""


class SendQueue:
    """What waits for the reader at the other end of a socket."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._socket, self._transport = socket, transport
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._ended = False
        self.count = 0
        """Messages so far."""
        self._more = asyncio.Event()

    def put(self, frames: Sequence[bytes]) -> None:
        """Send these messages after those before them."""
        if self._ended:
            return
        self.count += len(frames)
        self._waiting += frames
        self._bytes += sum(map(len, frames))
        if len(self._waiting) > MESSAGES_MOST or self._bytes + self._transport.get_write_buffer_size() > BYTES_MOST:
            self.abort()
            return
        self._more.set()

    def end(self) -> None:
        """Close the socket behind the last message."""
        self._ended = True
        self._more.set()

    def abort(self) -> None:
        """End the connection at once, with all that waits."""
        self._waiting.clear()
        self._bytes = 0
        self._transport.abort()

    async def write(self) -> None:
        """Send what gathers, until the last message or until the reader is gone."""
        with suppress(ConnectionError):
            while True:
                while self._waiting:
                    data = self._waiting.popleft()
                    self._bytes -= len(data)
                    await self._socket.send_frame(data, WSMsgType.TEXT)
                if self._ended:
                    await self._socket.close()
                    return
                self._more.clear()
                await self._more.wait()
