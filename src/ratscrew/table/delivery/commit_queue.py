"""What is to be said, in its order: nothing is said before the log has what it tells of, nor before what came first.

Nothing in this file knows what is said.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple

from ratscrew.errors import LogError

WAITING_MOST = 10_000
"""How much may wait for the log: a page that sends as much as it may adds 120 answers a second. One more, and the queue
fails: the log is too slow for this room."""


class _Said(NamedTuple):
    """One thing in the queue: `kept` must be done before `say` may be called."""

    kept: Future[int] | None
    say: Callable[[], None]


class CommitQueue:
    """The one queue of a room. For the event loop's thread.

    It fails if the log could not keep something, if too much waits for the log, or if a callback raises: `fail` is
    called once with the error, and nothing that waited is said any more. After that nothing is taken in either.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, fail: Callable[[Exception], None]) -> None:
        self._loop, self._fail = loop, fail
        self._waiting: deque[_Said] = deque()
        self._flushing = self._ended = False
        self._broken = False
        self._last: Future[int] | None = None

    def put(self, say: Callable[[], None], kept: Future[int] | None = None) -> None:
        """Say it when everything before it has been said and the log has `kept`."""
        if kept:
            self._last = kept
        if self._ended:
            return
        self._waiting.append(_Said(kept, say))
        if len(self._waiting) > WAITING_MOST:
            self._give_up(LogError(f"more than {WAITING_MOST} messages wait for the log: it is too slow"))
            return
        self._flush()
        if kept and not kept.done():
            kept.add_done_callback(self._kept)

    async def kept(self) -> None:
        """Wait until the log has everything that was put in so far; who no longer waits calls nothing back from it.

        Raises: LogError if it could not be kept, or if the queue has failed and takes nothing in any more.
        """
        if self._broken:
            raise LogError("this room has failed")
        if self._last:
            await asyncio.shield(asyncio.wrap_future(self._last))

    @property
    def settled(self) -> bool:
        """Whether the log has kept or refused everything that was put in."""
        return self._last is None or self._last.done()

    def end(self) -> None:
        """What has not been said is not said any more, and nothing else is."""
        self._ended = True
        self._waiting.clear()

    def _kept(self, _: Future[int]) -> None:
        """The log's thread has kept something; the loop may have ended meanwhile, and nobody listens any more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._flush)

    def _flush(self) -> None:
        """Say what may be said: everything up to the first entry that the log does not have yet."""
        if self._flushing:
            return
        self._flushing = True
        try:
            while self._waiting and ((kept := self._waiting[0].kept) is None or kept.done()):
                if kept:
                    kept.result()
                self._waiting.popleft().say()
        except Exception as error:
            self._give_up(error)
        finally:
            self._flushing = False

    def _give_up(self, error: Exception) -> None:
        self.end()
        self._broken = not isinstance(error, LogError)
        self._fail(error)
