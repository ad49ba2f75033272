"""What waits for one reader: in its order, and bounded. Who is too far behind is cut off, and has to come back."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from aiohttp import WSMsgType, web

MESSAGES_MOST = 512
"""Messages that may wait for a slow reader; one more and he is cut off."""

BYTES_MOST = 256 * 1024
"""Bytes that may wait for him, with what the system has not taken yet. A table as a whole has some ten thousand."""

IN_HAND_MOST = 16 * 1024
"""Bytes that are handed to the system's buffer before it is asked whether it is full."""


class SendQueue:
    """What waits for the reader at the other end of a socket."""

    def __init__(self, talk: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._talk, self._transport = talk, transport
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self.count = 0
        """Messages so far."""
        self._more = asyncio.Event()

    def put(self, data: bytes) -> None:
        """One more message; an empty one is the last."""
        self.count += 1
        self._bytes += len(data)
        if len(self._waiting) >= MESSAGES_MOST or self._bytes + self._transport.get_write_buffer_size() > BYTES_MOST:
            self.cut()
            return
        self._waiting.append(data)
        self._more.set()

    def cut(self) -> None:
        """End the connection at once, with all that waits."""
        self._waiting.clear()
        self._bytes = 0
        self._transport.abort()

    async def write(self) -> None:
        """Send what gathers, until the last message or until the reader is gone."""
        with suppress(ConnectionError):
            while True:
                while self._waiting:
                    if not (data := self._waiting.popleft()):
                        await self._talk.close()
                        return
                    self._bytes -= len(data)
                    await self._talk.send_frame(data, WSMsgType.TEXT)
                self._more.clear()
                await self._more.wait()
