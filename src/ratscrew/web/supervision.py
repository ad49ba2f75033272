"""Background tasks that outlive their faults: a fault is logged, the task goes on, readiness says which fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

RESTART_AFTER_S = 1.0
"""Pause before a task that has failed is started again."""

_journal = logging.getLogger(__name__)


class Supervisor:
    """Runs background tasks, and knows which of them have failed and not succeeded since."""

    def __init__(self) -> None:
        self._failing: set[str] = set()

    @property
    def failing(self) -> tuple[str, ...]:
        """The names of the tasks that fail at present, in order."""
        return tuple(sorted(self._failing))

    async def run_every(self, seconds: float, name: str, step: Callable[[], Awaitable[object]]) -> None:
        """Do a step for ever, with so many seconds before each."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await step()
            except Exception as error:
                self._record_failure(name, error)
            else:
                self._failing.discard(name)

    async def run_forever(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Do work that has no end, and start it again when it fails."""
        while True:
            try:
                await work()
            except Exception as error:
                self._record_failure(name, error)
            await asyncio.sleep(RESTART_AFTER_S)

    def _record_failure(self, name: str, error: Exception) -> None:
        """Only the first of several faults in a row is logged: a task that fails each second would fill the journal."""
        if name not in self._failing:
            _journal.error("the background task %r failed; it goes on", name, exc_info=error)
        self._failing.add(name)
