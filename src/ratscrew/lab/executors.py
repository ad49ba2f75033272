"""Processes and threads of this machine that play games for one. Nothing in this file knows what they play."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context


def process_pool(size: int) -> AbstractContextManager[Executor]:
    """So many processes, for what Python itself computes."""
    # Fresh ones: a copy of a process that has threads already may wait for ever for what they hold.
    return _cancelling(ProcessPoolExecutor(size, mp_context=get_context("spawn")))


def thread_pool(size: int) -> AbstractContextManager[Executor]:
    """So many threads, for what is compiled."""
    return _cancelling(ThreadPoolExecutor(size))


@contextmanager
def _cancelling(pool: Executor) -> Iterator[Executor]:
    """What nobody has begun when it is no longer wanted is not begun."""
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
