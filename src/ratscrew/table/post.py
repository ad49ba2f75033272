"""What is on its way to one guest, in its order: some of it leaves only at its moment, and what follows waits behind.

Nothing in this file knows what is said.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ratscrew.table.clock import Clock


class Post:
    """The post to one guest. For the event loop's thread."""

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop) -> None:
        self._clock, self._loop = clock, loop
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    def put(self, say: Callable[[], None], at_us: int = 0) -> None:
        """Say it, not before `at_us` (microseconds of the clock), and not before what was put in earlier."""
        if not self._waiting and at_us <= self._clock.now_us():
            say()
            return
        self._waiting.append((at_us, say))
        if not self._alarm:
            self._wait()

    def end(self) -> None:
        """What has not left stays."""
        self._waiting.clear()
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _wait(self) -> None:
        self._alarm = self._loop.call_later(self._clock.until_s(self._waiting[0][0]), self._leave)

    def _leave(self) -> None:
        self._alarm = None
        while self._waiting and self._waiting[0][0] <= self._clock.now_us():
            self._waiting.popleft()[1]()
        if self._waiting and not self._alarm:
            self._wait()
