"""Paces reads of requests: a burst of them waits unparsed, while WebSockets are served. Does not import aiohttp."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

READS, READS_EVERY_S = 8, 0.004
"""How many reads from clients between two requests happen in each period: 2,000 a second. Between them the loop serves
the tables."""

READS_WAITING_MOST = 8000
"""Reads that may wait: the last one waits 4 s. More clients get 503. The pages of 1,000 rooms wait after a restart: a
refusal takes a quarter of a handshake's time, and a page that is refused comes again twice a second."""


WAITING_BYTES_MOST = 16 * 1024
"""Bytes of a read that may wait, some four times as many as a page's request has: all together take 128 MB at most. A
longer one gets 503 if it would have to wait."""


class PacedConnection(Protocol):
    """A connection whose reads are paced."""

    address: str

    @property
    def has_left(self) -> bool:
        """Whether the client has ended the connection meanwhile."""

    def drop(self) -> None:
        """Close the connection."""

    def hold(self) -> None:
        """Pause reading."""

    def parse(self, data: bytes) -> None:
        """Parse what was read."""


class Pacer:
    """Spreads reads from clients over time: a burst waits here, unparsed, while WebSockets are served.

    Addresses take turns, so one with many connections delays only itself. Behind a proxy all have one address.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[tuple[PacedConnection, bytes]]] = {}
        self._count = 0
        self._left, self._until_s = READS, 0.0
        self._timer: asyncio.TimerHandle | None = None

    def read(self, handler: PacedConnection, data: bytes) -> bool:
        """Parse data from a client, now or later; False if too many reads wait already, or this one is too long to."""
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._until_s:
            self._left, self._until_s = READS, now_s + READS_EVERY_S
        if self._left and not self._waiting:
            self._left -= 1
            handler.parse(data)
            return True
        if self._count >= READS_WAITING_MOST or len(data) > WAITING_BYTES_MOST:
            return False
        handler.hold()
        self._count += 1
        self._waiting.setdefault(handler.address, deque()).append((handler, data))
        self._timer = self._timer or asyncio.get_running_loop().call_later(READS_EVERY_S, self._turn)
        return True

    @property
    def waiting(self) -> int:
        """How many reads wait."""
        return self._count

    def close(self) -> None:
        """Drop all waiting reads."""
        if self._timer:
            self._timer.cancel()
        self._waiting.clear()
        self._count = 0

    def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(min(READS, self._count)):
            address = next(iter(self._waiting))
            queue = self._waiting.pop(address)
            handler, data = queue.popleft()
            self._count -= 1
            if queue:
                self._waiting[address] = queue
            if handler.has_left:  # it would be answered in vain, and has perhaps come again: the others come sooner
                handler.drop()
            else:
                handler.parse(data)
        self._left, self._until_s = 0, loop.time() + READS_EVERY_S
        self._timer = loop.call_later(READS_EVERY_S, self._turn) if self._waiting else None
