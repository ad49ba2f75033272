"""The order and the time in which a room sends: after the log has stored the events, and to each client in time.

`CommitQueue` orders all actions of a room behind the log; `DelayedDelivery` delays those for one client. Neither knows
what the actions do.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple

from ratscrew.errors import LogError, WireError
from ratscrew.table.record.clock import Clock

COMMITS_MOST = 10_000
"""How many actions may wait for the log; a page at its rate limit adds 120 a second. With one more the queue fails: the
log is too slow for this room."""


class _Pending(NamedTuple):
    """One action in the queue: `stored` must be done before `do` may be called."""

    stored: Future[int] | None
    do: Callable[[], None]


class CommitQueue:
    """A room's one queue of actions. For the event loop's thread.

    It fails if the log could not store something, if too much waits for the log, or if an action raises: `fail` is
    called once with the error, and no action is done any more.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, fail: Callable[[Exception], None]) -> None:
        self._loop, self._fail = loop, fail
        self._waiting: deque[_Pending] = deque()
        self._flushing = self._ended = False
        self._broken = False
        self.last: Future[int] | None = None
        """The newest entries of which the log has not stored all, or that it has refused; None if it has stored all."""

    def put(self, do: Callable[[], None], stored: Future[int] | None = None) -> None:
        """Add an action. It is done once every action before it is done and the log has `stored`."""
        if stored:
            self.last = stored
        if self._ended:
            return
        self._waiting.append(_Pending(stored, do))
        if len(self._waiting) > COMMITS_MOST:
            self._give_up(LogError(f"more than {COMMITS_MOST} actions wait for the log: it is too slow"))
            return
        self._flush()
        if stored and not stored.done():
            stored.add_done_callback(self._stored)

    async def stored(self) -> None:
        """Wait until the log has everything that was put in so far; cancelling the wait cancels no write.

        Raises: LogError if it could not be stored, or if the queue has failed.
        """
        if self._broken:
            raise LogError("this room has failed")
        if self.last:
            await asyncio.shield(asyncio.wrap_future(self.last))

    @property
    def oldest(self) -> Future[int] | None:
        """What the actions wait for; None if none waits."""
        return self._waiting[0].stored if self._waiting else None

    @property
    def settled(self) -> bool:
        """Whether the log has stored or refused everything that was put in."""
        return self.last is None or self.last.done()

    def end(self) -> None:
        """Do no action any more."""
        self._ended = True
        self._waiting.clear()

    def _stored(self, _: Future[int]) -> None:
        """The log's thread has stored something. The loop may have ended meanwhile."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._flush)

    def _flush(self) -> None:
        """Do every action up to the first whose entries the log does not have yet."""
        if self._flushing:
            return
        self._flushing = True
        try:
            while self._waiting and ((stored := self._waiting[0].stored) is None or stored.done()):
                if stored:
                    stored.result()
                    self.last = None if stored is self.last else self.last  # it takes more than a kilobyte
                self._waiting.popleft().do()
        except Exception as error:
            self._give_up(error)
        finally:
            self._flushing = False

    def _give_up(self, error: Exception) -> None:
        self.end()
        self._broken = not isinstance(error, LogError)
        self._fail(error)


DELAYED_MOST = 2000
"""How many actions may wait for their time: a card is revealed less than a second after it is turned, and a page at its
rate limit is answered 120 times in that second."""


class DelayedDelivery:
    """One subscriber's queue of actions, in order, some with a time to wait for. For the event loop's thread.

    If an action raises, or too much waits, `fail` is called once with the error, and no action is done any more.
    """

    __slots__ = ("_alarm", "_clock", "_ended", "_fail", "_loop", "_waiting")

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop, fail: Callable[[Exception], None]) -> None:
        self._clock, self._loop, self._fail = clock, loop, fail
        self._waiting: list[tuple[int, Callable[[], None]]] = []  # mostly empty: a deque takes 700 bytes more
        self._alarm: asyncio.TimerHandle | None = None
        self._ended = False

    def put(self, do: Callable[[], None], at_us: int = 0) -> None:
        """Add an action. It is done after all earlier ones, and not before `at_us` (microseconds of the clock)."""
        if self._ended:
            return
        if not self._waiting and (not at_us or at_us <= self._clock.now_us()):
            try:
                do()
            except Exception as error:
                self._give_up(error)
            return
        if len(self._waiting) >= DELAYED_MOST:
            self._give_up(WireError(f"more than {DELAYED_MOST} actions wait for their time"))
            return
        self._waiting.append((at_us, do))
        if not self._alarm:
            self._wait()

    def end(self) -> None:
        """Do no action any more."""
        self._ended = True
        self._waiting.clear()
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _wait(self) -> None:
        self._alarm = self._loop.call_later(self._clock.until_s(self._waiting[0][0]), self._flush)

    def _flush(self) -> None:
        self._alarm = None
        now_us = self._clock.now_us()
        while self._waiting and self._waiting[0][0] <= now_us:
            self._try(self._waiting.pop(0)[1])
        if self._waiting and not self._alarm:
            self._wait()

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.end()
        self._fail(error)
