"""A lock that is fair between client addresses: they take turns, so a busy client delays only itself.

An address that has not held the lock lately goes first. When too many wait, the address with most of them gives way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ratscrew.errors import LimitExceeded, Overloaded
from ratscrew.turns import FairQueue

WAITING_MOST = 128
"""How many requests may wait; more get 503."""

OF_ADDRESS_MOST = 40
"""How many requests of one address may wait: a whole class requests the game that has just ended."""

SERVED_MOST = 1000
"""How many addresses are remembered that have held the lock last."""

WAIT_MOST_S = 20.0
"""How long a request waits for the lock before it gets 503."""


class FairLock:
    """A lock. Addresses take turns; requests of one address are served first come, first served."""

    def __init__(self) -> None:
        self._waiting = FairQueue[asyncio.Future[None]]()
        self._served: dict[str, None] = {}
        self._locked = False

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def hold(self, address: str) -> AsyncIterator[None]:
        """Context manager: acquire the lock for a request of an address.

        The next holder gets it in a later iteration of the loop, so other work runs in between.

        Raises: LimitExceeded if too many requests of this address wait; Overloaded if too many wait altogether, or the
        wait took too long.
        """
        await self._acquire(address)
        self._served.pop(address, None)
        self._served[address] = None
        if len(self._served) > SERVED_MOST:
            del self._served[next(iter(self._served))]
        try:
            yield
            await asyncio.sleep(0)
        finally:
            self._waiting.put_last(address)
            self._wake_next()

    async def _acquire(self, address: str) -> None:
        if not self._locked:
            self._locked = True
            return
        if len(self._waiting.of(address)) >= OF_ADDRESS_MOST:
            raise LimitExceeded(WAIT_MOST_S)
        if self.waiting >= WAITING_MOST:
            if (displaced := self._waiting.displace(address)) is None:
                raise Overloaded(WAIT_MOST_S)
            displaced.set_exception(Overloaded(WAIT_MOST_S))
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.put(address, waiter)
        try:
            async with asyncio.timeout(WAIT_MOST_S):
                await waiter
        except (TimeoutError, asyncio.CancelledError) as error:
            if waiter.done() and not waiter.cancelled() and not waiter.exception():
                self._wake_next()
            else:
                self._waiting.remove(address, waiter)
            if isinstance(error, TimeoutError):
                raise Overloaded(WAIT_MOST_S) from None
            raise

    def _wake_next(self) -> None:
        """Wake the first request of the next address."""
        while self._waiting:
            waiter = self._waiting.pop(lambda address: address not in self._served)
            if not waiter.done():
                waiter.set_result(None)
                return
        self._locked = False
