"""Supervised background tasks: a failure is logged, the task continues, and readiness reports which tasks fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

RESTART_AFTER_S = 1.0
"""Pause before a failed task is restarted."""

_logger = logging.getLogger(__name__)


class Supervisor:
    """Runs background tasks, and tracks those that have failed and not succeeded since."""

    def __init__(self) -> None:
        self._failing: set[str] = set()

    @property
    def failing(self) -> tuple[str, ...]:
        """The names of the failing tasks, sorted."""
        return tuple(sorted(self._failing))

    async def run_every(self, seconds: float, name: str, step: Callable[[], Awaitable[object]]) -> None:
        """Run a step forever, with a pause of so many seconds before each."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await step()
            except Exception as error:
                self._record_failure(name, error)
            else:
                self._failing.discard(name)

    async def run_forever(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Run work that does not end, and restart it when it fails."""
        while True:
            try:
                await work()
            except Exception as error:
                self._record_failure(name, error)
            await asyncio.sleep(RESTART_AFTER_S)

    def _record_failure(self, name: str, error: Exception) -> None:
        """Log only the first of several failures in a row: a task that fails every second would fill the log."""
        if name not in self._failing:
            _logger.error("the background task %r failed; it continues", name, exc_info=error)
        self._failing.add(name)
