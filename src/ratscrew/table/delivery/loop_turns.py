"""Spreads calls that are due at one moment over the loop's iterations, so that sockets are served in between."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class LoopTurns:
    """Runs at most one call in each iteration of the loop, in the order in which they became due.

    A table with many strong bots takes some milliseconds for a card, and hundreds of tables may turn one together.
    """

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._taken = False

    def call(self, do: Callable[[], None]) -> None:
        """Call a function now, or in its turn if another was called in this iteration already."""
        if self._taken:
            self._waiting.append(do)
            return
        self._taken = True
        self._run(do)

    def _run(self, do: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(self._next)
        do()

    def _next(self) -> None:
        if self._waiting:
            self._run(self._waiting.popleft())
        else:
            self._taken = False
