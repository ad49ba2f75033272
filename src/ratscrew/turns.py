"""Turns for those who wait: keys, such as client addresses, take turns, and a few calls are made in each period."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items that wait by key. Keys take turns, so one with many items delays only itself; each key's are in order."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[T, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        """How many items wait."""
        return self._count

    def of(self, key: str) -> Collection[T]:
        """The items of a key that wait."""
        return self._waiting.get(key, ())

    def put(self, key: str, item: T) -> None:
        """Add an item behind the others of its key; one that waits there already keeps its place."""
        queue = self._waiting.setdefault(key, {})
        self._count += item not in queue
        queue[item] = None

    def pop(self, prefer: Callable[[str], bool] = lambda _: False) -> T:
        """Remove the first item of the next key, of one to `prefer` if there is any; the key is behind all others then.

        Raises: StopIteration if nothing waits.
        """
        key = next(filter(prefer, self._waiting), next(iter(self._waiting)))
        item = next(iter(self._waiting[key]))
        self.remove(key, item)
        self.put_last(key)
        return item

    def displace(self, key: str) -> T | None:
        """Remove the newest item of the key with most of them, to make space for another of this key.

        None if no key has two more than this one.
        """
        most = max(self._waiting, key=lambda each: len(self._waiting[each]))
        if len(self._waiting[most]) < len(self.of(key)) + 2:
            return None
        item = next(reversed(self._waiting[most]))
        self.remove(most, item)
        return item

    def remove(self, key: str, item: T) -> None:
        """Remove an item, if it waits."""
        if item in self.of(key):
            self._count -= 1
            del self._waiting[key][item]
            if not self._waiting[key]:
                del self._waiting[key]

    def put_last(self, key: str) -> None:
        """Have all other keys come before this one."""
        if key in self._waiting:
            self._waiting[key] = self._waiting.pop(key)

    def clear(self) -> None:
        """Remove all items."""
        self._waiting.clear()
        self._count = 0


class Turns:
    """Makes a bounded number of calls in each period, at once while one is left. The others wait; keys take turns.

    So sockets are served in between when many calls become due together.
    """

    def __init__(self, budget: int = 1, every_s: float = 0.0) -> None:
        """So many calls in each period; by default one in each iteration of the event loop."""
        self._budget, self._every_s, self._left = budget, every_s, budget
        self._waiting = FairQueue[Callable[[], None]]()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many calls wait."""
        return len(self._waiting)

    def take(self) -> bool:
        """Whether a call may be made now; it counts as made."""
        if not self._left:
            return False
        self._left -= 1
        self._timer = self._timer or self._begin_period()
        return True

    def call(self, do: Callable[[], None], key: str = "") -> None:
        """Call a function now, or in its turn; one that waits already, of the same key, keeps its place."""
        if self.take():
            do()
        else:
            self._waiting.put(key, do)

    def close(self) -> None:
        """Make no call that waits."""
        self._waiting.clear()
        if self._timer:
            self._timer.cancel()
        self._timer, self._left = None, self._budget

    def _begin_period(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._every_s, self._next)

    def _next(self) -> None:
        """Make the calls of a period. The next one begins at their end, so that they leave time to others."""
        self._timer = None
        if not self._waiting:
            self._left = self._budget
            return
        try:
            for _ in range(self._budget):
                if self._waiting:  # a call may end the others
                    self._waiting.pop()()
        finally:
            self._timer = self._begin_period()
