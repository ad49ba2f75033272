"""Processes of this machine that play games for one. Nothing in this file knows what they play."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


@contextmanager
def crew(size: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes; what nobody has begun when they are no longer wanted is not begun."""
    # Fresh ones: a copy of a process that has threads already may wait for ever for what they hold.
    pool = ProcessPoolExecutor(size, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
