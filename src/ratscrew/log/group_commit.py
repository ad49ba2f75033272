"""Group commit: one thread commits everything that is queued at a time. Independent of the storage.

There is no timer: while one group is committed, the next one queues up.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, NamedTuple, TypeVar

from ratscrew.errors import LogError

W = TypeVar("W")

_logger = logging.getLogger(__name__)


class Queued(NamedTuple, Generic[W]):
    """A queued write, and the future for its result."""

    write: W
    done: Future[Any]


class GroupCommit(Generic[W]):
    """A queue of writes and the thread that commits them. Every method may be called from any thread."""

    def __init__(self, log: str, commit: Callable[[list[Queued[W]]], None]) -> None:
        """`commit` commits a group and completes each of its futures; `log` names the log in errors."""
        self._log, self._commit = log, commit
        self._lock, self._closed = Lock(), False
        self._queue: SimpleQueue[Queued[W] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="ratscrew-log", daemon=True)
        self._thread.start()

    def submit(self, write: W) -> Future[Any]:
        """Queue a write; the future holds its result, or LogError if the log is closed. It cannot be cancelled."""
        done: Future[Any] = Future()
        done.set_running_or_notify_cancel()
        with self._lock:
            if self._closed:
                done.set_exception(LogError(f"{self._log}: the log is closed"))
            else:
                self._queue.put(Queued(write, done))
        return done

    def close(self) -> None:
        """Commit the queued writes, then end the thread. Closing again does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            group, more = [first], True
            while more and not self._queue.empty():
                if (queued := self._queue.get()) is None:
                    self._queue.put(None)
                    more = False
                else:
                    group.append(queued)
            try:
                self._commit(group)
            except Exception as error:  # a faulty commit must not end the thread: later writes would wait for ever
                _logger.exception("%s: a commit failed", self._log)
                for queued in group:
                    if not queued.done.done():
                        queued.done.set_exception(LogError(f"{self._log}: the commit failed: {error!r}"))
