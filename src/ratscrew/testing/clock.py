"""A clock that a test sets by hand, and an event loop that lives on it: no test of a race has to wait.

    @on_manual_clock
    async def test_a_guest_is_sent_away_after_ten_seconds(clock: ManualClock) -> None: ...

On such a loop nobody waits in earnest: whenever everything waits, the clock goes on to whatever is due next.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import math
from collections.abc import Awaitable, Callable
from typing import Any

POLL_S = 0.001
"""How long sockets and threads are really waited for before the clock goes on."""


class ManualClock:
    """A clock that stands still until somebody moves it, and never goes back."""

    speed = 1.0

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        """See `Clock`."""
        return self._now_us

    def until_s(self, at_us: int) -> float:
        """See `Clock`; on a `manual_loop` these are its seconds."""
        return max(0, at_us - self._now_us) / 1e6

    def advance(self, us: int) -> None:
        """Let so many microseconds pass.

        Raises: ValueError if they are negative: no clock goes back.
        """
        if us < 0:
            raise ValueError(f"a clock cannot go back, not even by {-us} µs")
        self._now_us += us


def manual_loop(clock: ManualClock) -> asyncio.SelectorEventLoop:
    """An event loop whose time is the clock's: when everybody waits, the clock goes on to what is due next.

    While work is done in a thread of an executor, the clock stands still.
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
    """Run an `async` test on a loop of its own, whose clock it gets as `clock`."""

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
