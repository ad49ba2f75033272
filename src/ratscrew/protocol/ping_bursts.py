"""Pings new pages often at first, so that their round trips are known by their first card.

All pages of a server take turns: after a restart thousands come within a second, and ten pings of each at once would
delay the snapshots of those that come last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice

BURST, BURST_EVERY_S = 10, 0.06
"""How many pings a new page gets, and how far apart they are at least."""

AT_ONCE, EVERY_S = 2, 0.004
"""How many pages are pinged in each period: 500 a second, which take a fraction of the loop's time."""

BUSY_EVERY_S = 0.016
"""The period while rooms are being restored: their pages wait for their snapshots."""


class PingBursts:
    """The new pages of a server, each by the function that pings it: the one that has waited longest comes first."""

    def __init__(self, busy: Callable[[], bool] = lambda: False) -> None:
        """`busy` tells whether pages wait for something that matters more."""
        self._busy = busy
        self._waiting: dict[Callable[[], None], tuple[float, int]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, ping: Callable[[], None]) -> None:
        """Ping a page `BURST` times from now on."""
        self._wait(ping, BURST)

    def end(self, ping: Callable[[], None]) -> None:
        """Ping a page no more; its connection has ended."""
        self._waiting.pop(ping, None)

    def __len__(self) -> int:
        """How many pages wait for a ping."""
        return len(self._waiting)

    def _wait(self, ping: Callable[[], None], left: int) -> None:
        self._waiting[ping] = asyncio.get_running_loop().time() + BURST_EVERY_S, left
        if self._timer is None:
            self._set_timer(BURST_EVERY_S)

    def _set_timer(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._turn)

    def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        now_s, self._timer = loop.time(), None
        due = [(ping, left) for ping, (due_s, left) in islice(self._waiting.items(), AT_ONCE) if due_s <= now_s]
        for ping, left in due:
            del self._waiting[ping]
            if left > 1:
                self._wait(ping, left - 1)
        if self._waiting:
            next_s, _ = next(iter(self._waiting.values()))
            self._set_timer(max(BUSY_EVERY_S if self._busy() else EVERY_S, next_s - now_s))
        for ping, _ in due:
            ping()
