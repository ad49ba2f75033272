"""What is on its way to one guest, in its order: some of it leaves only at its moment, and what follows waits behind.

Nothing in this file knows what is said.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ratscrew.errors import WireError
from ratscrew.table.clock import Clock

WAITING_MOST = 2000
"""How much may wait for its moment: a card is seen less than a second after it is turned, and a page that sends as much
as it may is answered 120 times in it."""


class DelayedDelivery:
    """The post to one guest. For the event loop's thread.

    If a callback raises, or too much waits, `fail` is called once with the error, and nothing more leaves.
    """

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop, fail: Callable[[Exception], None]) -> None:
        self._clock, self._loop, self._fail = clock, loop, fail
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        self._alarm: asyncio.TimerHandle | None = None
        self._ended = False

    def put(self, say: Callable[[], None], at_us: int = 0) -> None:
        """Say it, not before `at_us` (microseconds of the clock), and not before what was put in earlier."""
        if self._ended:
            return
        if not self._waiting and at_us <= self._clock.now_us():
            self._try(say)
            return
        if len(self._waiting) >= WAITING_MOST:
            self._give_up(WireError(f"more than {WAITING_MOST} messages wait for their moment"))
            return
        self._waiting.append((at_us, say))
        if not self._alarm:
            self._wait()

    def end(self) -> None:
        """What has not left stays, and nothing else leaves."""
        self._ended = True
        self._waiting.clear()
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _wait(self) -> None:
        self._alarm = self._loop.call_later(self._clock.until_s(self._waiting[0][0]), self._leave)

    def _leave(self) -> None:
        self._alarm = None
        while self._waiting and self._waiting[0][0] <= self._clock.now_us():
            self._try(self._waiting.popleft()[1])
        if self._waiting and not self._alarm:
            self._wait()

    def _try(self, say: Callable[[], None]) -> None:
        try:
            say()
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.end()
        self._fail(error)
