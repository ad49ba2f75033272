"""Token buckets, and limits of all clients that keep a share for newcomers. Does not import aiohttp.

A limit of all clients together is one that a few could use up for everyone. So each has two buckets. One is for
everybody, first come, first served. The other, the kept share, is only for addresses and networks that have used little
of this limit lately: attackers with many addresses leave it to players who come now and then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Limit(NamedTuple):
    """A token bucket: `most` at once, then one more every `every_s` seconds. `first` is what it starts with."""

    most: int
    every_s: float
    first: int | None = None


@lru_cache(maxsize=256)
def _times_us(limit: Limit) -> tuple[int, int, int]:
    """Until a bucket has one more, until an empty one is full, and until a new one is; cached, so that buckets share
    the numbers."""
    every_us = max(1, round(limit.every_s * 1e6))
    return every_us, limit.most * every_us, 0 if limit.first is None else (limit.most - limit.first) * every_us


class Bucket:
    """The token bucket of an address or a connection, stored as the time when it is full again. Unit: microseconds."""

    __slots__ = ("_every_us", "_full_us", "_most_us")

    def __init__(self, limit: Limit, now_us: int) -> None:
        self._every_us, self._most_us, missing_us = _times_us(limit)
        self._full_us = now_us + missing_us

    def wait_us(self, now_us: int, cost: int = 1) -> int:
        """How long until so much can be taken; 0 for now."""
        return max(0, self._full_us + cost * self._every_us - self._most_us - now_us)

    def take(self, now_us: int, cost: int = 1) -> int:
        """Take from the bucket if that is possible now. Returns: 0 if taken, else how long until it is possible."""
        full_us = self._full_us if self._full_us > now_us else now_us
        full_us += cost * self._every_us
        if (wait_us := full_us - self._most_us - now_us) > 0:
            return wait_us
        self._full_us = full_us
        return 0

    def spend(self, now_us: int, cost: int) -> None:
        """Charge for something that has already happened, even if the bucket is overdrawn by that."""
        self._full_us = min(max(self._full_us, now_us) + cost * self._every_us, now_us + 2 * self._most_us)

    def overdrawn(self, now_us: int) -> bool:
        """Whether more was charged than the bucket had."""
        return self._full_us - now_us > self._most_us

    def add(self, now_us: int, cost: int) -> None:
        """Charge what another node has let happen, or refund it if `cost` is negative. The whole debt is remembered."""
        self._full_us = max(self._full_us, now_us) + cost * self._every_us

    def give_back(self) -> None:
        """Undo one `take`."""
        self._full_us -= self._every_us

    def refund(self, cost: int) -> None:
        """Refund a part of the cost."""
        self._full_us -= cost * self._every_us

    def half_used(self, now_us: int) -> bool:
        """Whether more than half is used up."""
        return self._full_us - now_us > self._most_us / 2

    def unused(self, now_us: int) -> bool:
        """Whether the bucket is full."""
        return self._full_us <= now_us


KEPT_FOR = 125
"""For how many addresses the kept share of a limit has what each may use as a newcomer: attackers with fewer addresses
cannot use it up."""

KEPT_SLOWER = 2
"""How much slower the kept share fills than the limit for everybody."""

NETWORK_TIMES = 10
"""What a network (/24 of IPv4, /48 of IPv6) may use, in allowances of an address."""

NEW_NETWORK_TIMES = 4
"""What a network may use as a newcomer, in allowances of an address."""


class GlobalLimit:
    """A limit of all clients together: a bucket for everybody, and one that is kept for newcomers."""

    def __init__(self, limit: Limit, newcomer: Limit, now_us: int) -> None:
        """`newcomer` is what an address may use lately and still count as one."""
        self.common = Bucket(limit, now_us)
        self.kept = Bucket(Limit(KEPT_FOR * newcomer.most, KEPT_SLOWER * limit.every_s), now_us)

    def wait_us(self, now_us: int, cost: int = 1) -> int:
        """How long until anybody may use so much; 0 for now, if perhaps only newcomers."""
        return min(self.common.wait_us(now_us, cost), self.kept.wait_us(now_us, cost))
