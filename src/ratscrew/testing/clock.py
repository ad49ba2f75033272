"""A manual clock and an event loop that uses it, so that tests of timing need not wait.

    @on_manual_clock
    async def test_a_guest_is_sent_away_after_ten_seconds(clock: ManualClock) -> None: ...

Whenever every task on such a loop waits, the clock jumps to the next due time.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import math
from collections.abc import Awaitable, Callable
from typing import Any

POLL_S = 0.001
"""How long the loop really waits for sockets and threads before the clock jumps."""


class ManualClock:
    """A clock that moves only when the test advances it, and never back."""

    speed = 1.0

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        return self._now_us

    def until_s(self, at_us: int) -> float:
        """See `Clock`; on a `manual_loop` these are its seconds."""
        return max(0, at_us - self._now_us) / 1e6

    def advance(self, us: int) -> None:
        """Advance the clock by so many microseconds.

        Raises: ValueError if they are negative: no clock goes back.
        """
        if us < 0:
            raise ValueError(f"a clock cannot go back, not even by {-us} µs")
        self._now_us += us


def manual_loop(clock: ManualClock) -> asyncio.SelectorEventLoop:
    """An event loop on the clock's time: when all tasks wait, the clock jumps to the next due time.

    The clock stands still while an executor's thread works.
    """
    loop = asyncio.SelectorEventLoop()
    in_threads, run_in_executor = set[asyncio.Future[Any]](), loop.run_in_executor
    selector: Any = loop._selector  # type: ignore[attr-defined]
    wait = selector.select

    def select(timeout: float | None = None) -> Any:
        ready = wait(min(timeout, POLL_S) if timeout else timeout)
        if not ready and timeout and timeout > 0 and not in_threads:
            clock.advance(math.ceil(timeout * 1e6))
        return ready

    def run(executor: Any, work: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        future = run_in_executor(executor, work, *args)
        in_threads.add(future)
        future.add_done_callback(in_threads.discard)
        return future

    selector.select = select
    loop.run_in_executor = run  # type: ignore[method-assign, assignment]
    loop.time = lambda: clock.now_us() / 1e6  # type: ignore[method-assign]
    return loop


def on_manual_clock(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Decorator: run an `async` test on its own loop, and pass the loop's clock as `clock`."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        clock = ManualClock(1_000_000)

        async def story() -> None:
            await test(*args, clock=clock, **kwargs)

        with asyncio.Runner(loop_factory=lambda: manual_loop(clock)) as runner:
            runner.run(story())

    signature = inspect.signature(test)
    others = [parameter for name, parameter in signature.parameters.items() if name != "clock"]
    run.__signature__ = signature.replace(parameters=others, return_annotation=None)  # type: ignore[attr-defined]
    return run
