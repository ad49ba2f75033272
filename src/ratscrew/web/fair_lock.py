"""Turns at something that serves one client at a time: addresses take turns, so each delays only itself."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ratscrew.errors import LimitExceeded, Overloaded

WAITING_MOST = 128
"""How many may wait; above that clients get 503."""

OF_ADDRESS_MOST = 40
"""How many of one address may wait: a whole class asks for the game that has just ended."""

WAIT_MOST_S = 20.0
"""How long a turn is waited for before the client gets 503."""


class FairLock:
    """One holder at a time. Addresses take turns; of one address the first that came is the first served."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._locked = False

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def hold(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it as long as the context lasts.

        The next turn begins in a later iteration of the loop, so others are served in between.

        Raises: LimitExceeded if too many of this address wait; Overloaded if too many wait at all, or it has taken too
        long.
        """
        await self._acquire(address)
        try:
            yield
            await asyncio.sleep(0)
        finally:
            if address in self._waiting:  # behind all others
                self._waiting[address] = self._waiting.pop(address)
            self._wake_next()

    async def _acquire(self, address: str) -> None:
        if not self._locked:
            self._locked = True
            return
        if len(self._waiting.get(address, ())) >= OF_ADDRESS_MOST:
            raise LimitExceeded(WAIT_MOST_S)
        if self.waiting >= WAITING_MOST:
            raise Overloaded(WAIT_MOST_S)
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(waiter)
        try:
            async with asyncio.timeout(WAIT_MOST_S):
                await waiter
        except (TimeoutError, asyncio.CancelledError) as error:
            if waiter.done() and not waiter.cancelled():
                self._wake_next()
            else:
                self._remove(address, waiter)
            if isinstance(error, TimeoutError):
                raise Overloaded(WAIT_MOST_S) from None
            raise

    def _wake_next(self) -> None:
        """The next turn is for the first request of the first address in line."""
        while self._waiting:
            address = next(iter(self._waiting))
            waiting = self._waiting.pop(address)
            waiter = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting  # behind all others
            if not waiter.done():
                waiter.set_result(None)
                return
        self._locked = False

    def _remove(self, address: str, waiter: asyncio.Future[None]) -> None:
        if waiting := self._waiting.get(address):
            with suppress(ValueError):
                waiting.remove(waiter)
            if not waiting:
                del self._waiting[address]
