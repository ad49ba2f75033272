"""Pools of local processes and threads. Independent of what they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context


def process_pool(size: int, prepare: Callable[[], object] | None = None) -> AbstractContextManager[Executor]:
    """A pool of so many processes, for pure Python. Each calls `prepare` first."""
    # Spawn, not fork: a fork of a process with threads may deadlock on the locks that they hold.
    return _cancelling(ProcessPoolExecutor(size, mp_context=get_context("spawn"), initializer=prepare))


def thread_pool(size: int) -> AbstractContextManager[Executor]:
    """A pool of so many threads, for compiled code without the GIL."""
    return _cancelling(ThreadPoolExecutor(size))


@contextmanager
def _cancelling(pool: Executor) -> Iterator[Executor]:
    """Cancel pending work on exit."""
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
