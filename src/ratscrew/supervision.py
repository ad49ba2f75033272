"""Supervised background tasks: a failure is logged, the task continues, and readiness reports which tasks fail.

Every task that has no end runs here: one that only `asyncio.create_task` starts ends at its first error, unnoticed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from ratscrew.errors import RatscrewError

RESTART_AFTER_S = 1.0
"""Pause before failed work is restarted."""

RECOVERED_AFTER_S = 60.0
"""Restarted work that has run for so long without an error counts as recovered."""

_logger = logging.getLogger(__name__)


class Supervisor:
    """Runs background tasks, and tracks those that have failed and not succeeded since."""

    def __init__(self) -> None:
        self._failing: set[str] = set()

    @property
    def failing(self) -> tuple[str, ...]:
        """The names of the failing tasks, sorted."""
        return tuple(sorted(self._failing))

    @asynccontextmanager
    async def running(self, *works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Run these calls of `run_every` and `run` as tasks, until the block ends."""
        tasks = self.start(*works)
        try:
            yield
        finally:
            await self.end(tasks)

    def start(self, *works: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
        """Run these calls of `run_every` and `run` as tasks, until `end`."""
        return [asyncio.create_task(work) for work in works]

    async def end(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """End these tasks, and wait until they have."""
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def run_every(
        self,
        seconds: float,
        name: str,
        step: Callable[[], Awaitable[object]],
        passing: tuple[type[Exception], ...] = (),
        at_once: bool = False,
    ) -> None:
        """Run a step forever, with a pause of so many seconds before each, except the first if it runs `at_once`.

        Errors that are `passing` are neither logged nor a failure: they end by themselves, and are logged elsewhere.
        """
        while True:
            if not at_once:
                await asyncio.sleep(seconds)
            at_once = False
            try:
                await step()
            except passing:
                pass
            except Exception as error:
                self._record_failure(name, error)
            else:
                self._failing.discard(name)

    async def run(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Run work until it returns, and restart it when it fails."""
        while True:
            recovery = asyncio.get_running_loop().call_later(RECOVERED_AFTER_S, self._failing.discard, name)
            try:
                await work()
            except Exception as error:
                self._record_failure(name, error)
            else:
                self._failing.discard(name)
                return
            finally:
                recovery.cancel()
            await asyncio.sleep(RESTART_AFTER_S)

    def _record_failure(self, name: str, error: Exception) -> None:
        """Log only the first of several failures in a row: a task that fails every second would fill the log.

        An error that is raised on purpose says what is wrong; only others need a traceback.
        """
        if name not in self._failing:
            bug = None if isinstance(error, RatscrewError) else error
            _logger.error(
                "the background task %r failed; it continues", name, exc_info=bug, extra={"error": repr(error)}
            )
        self._failing.add(name)
