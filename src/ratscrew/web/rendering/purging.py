"""Purges deleted data from the log's files, with retries until nothing of it is left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from ratscrew.errors import LogError
from ratscrew.supervision import Supervisor

FIRST_RETRY_S, LAST_RETRY_S = 1.0, 60.0
"""The first and the longest pause before a retry; each is twice the one before."""

_logger = logging.getLogger(__name__)


class Purger:
    """Purges a log. `pending` says whether deleted data may be left."""

    def __init__(self, purge: Callable[[], bool], supervisor: Supervisor) -> None:
        """`purge` is the method of an `EventLog`; `supervisor` runs the retries."""
        self._purge, self._supervisor = purge, supervisor
        self._retrying: asyncio.Task[None] | None = None
        self.pending = False

    async def purge(self) -> bool:
        """Purge now; whether nothing is left. Otherwise retries run in the background."""
        self.pending = True
        if await self._try():
            return True
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.create_task(self._supervisor.run("retry_purge", self._retry))
        return False

    async def stop(self) -> None:
        """Stop retrying; the next start of the server tries again."""
        if self._retrying:
            self._retrying.cancel()
            with suppress(asyncio.CancelledError):
                await self._retrying

    async def _retry(self) -> None:
        """Retry until nothing is left. A log that is only written to at that moment is free at the first retry: silent.

        From the second retry on, an operator should know.
        """
        await asyncio.sleep(FIRST_RETRY_S)
        if await self._try():
            return
        _logger.warning("deleted names are still in the files of the log, which are in use: retrying")
        wait_s = FIRST_RETRY_S
        while self.pending:
            wait_s = min(2 * wait_s, LAST_RETRY_S)
            await asyncio.sleep(wait_s)
            await self._try()
        _logger.warning("deleted names are no longer in the log's files")

    async def _try(self) -> bool:
        try:
            done = await asyncio.to_thread(self._purge)
        except LogError as error:
            _logger.error("the log's files cannot be cleared of deleted names", extra={"error": str(error)})
            return False
        if done:
            self.pending = False
        return done
