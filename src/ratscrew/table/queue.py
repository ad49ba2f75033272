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


class _Said(NamedTuple):
    """One thing in the queue: `kept` must be done before `say` may be called."""

    kept: Future[int] | None
    say: Callable[[], None]


class Queue:
    """The one queue of a room. For the event loop's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, fail: Callable[[BaseException], None]) -> None:
        self._loop, self._fail = loop, fail
        self._waiting: deque[_Said] = deque()
        self._flushing = False
        self._last: Future[int] | None = None

    def put(self, say: Callable[[], None], kept: Future[int] | None = None) -> None:
        """Say it when everything before it has been said and the log has `kept`."""
        self._waiting.append(_Said(kept, say))
        self._flush()
        if kept:
            self._last = kept
            if not kept.done():
                kept.add_done_callback(self._kept)

    async def kept(self) -> None:
        """Wait until the log has everything that was put in so far; who no longer waits calls nothing back from it.

        Raises: LogError if it could not be kept.
        """
        if self._last:
            await asyncio.shield(asyncio.wrap_future(self._last))

    @property
    def settled(self) -> bool:
        """Whether the log has kept or refused everything that was put in."""
        return self._last is None or self._last.done()

    def end(self) -> None:
        """What has not been said is not said any more."""
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
        while self._waiting and ((kept := self._waiting[0].kept) is None or kept.done()):
            if kept and (error := kept.exception()):
                self._waiting.clear()
                self._fail(error)
                break
            self._waiting.popleft().say()
        self._flushing = False
