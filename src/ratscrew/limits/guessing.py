"""Rate limits for wrong room codes: per address, per network and for all clients. Does not import aiohttp.

Every request for a room is charged before the code is looked up, so a limit is reached at the same moment whether or
not a code exists. A right code is refunded. When attackers with many addresses have used up the limit of all clients,
each address still has `FIRST` tries: a player who types the right code gets in, and attackers do not.

The nodes of a cluster share these limits (`limits/shared_limits.py`). Each lets through no more than its share of a
limit before it has told the others, so N nodes together allow at most N guesses more than one, and no more in the long
run.

Attackers with N addresses make at most EVERYBODY.most + T / EVERYBODY.every_s + N * (FIRST.most + T / FIRST.every_s)
guesses in T seconds. Each finds a room with a probability below 1 / GUESSES_PER_ROOM (`table/registry/codes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ratscrew.errors import LimitExceeded
from ratscrew.limits.buckets import Bucket, Limit
from ratscrew.limits.shared_limits import EXCHANGE_EVERY_S, SharedLimits
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.networks import network_of

ADDRESS = Limit(40, 30)
"""Of an address, or a /64 network of IPv6: each of a class of thirty behind one may mistype once."""

NETWORK = Limit(100, 10)
"""Of a network: /24 of IPv4, /48 of IPv6."""

EVERYBODY = Limit(600, 1)

FIRST = Limit(3, 1200)
"""Of an address, when the limit of all clients is used up."""

REMEMBERED_MOST = 20_000
"""Addresses and networks with wrong guesses in memory. More of them share a single limit."""

PURGE_EVERY_US = 60_000_000

KINDS = {ADDRESS: "guess_address", NETWORK: "guess_network", EVERYBODY: "guess", FIRST: "guess_first"}
"""What the nodes of a cluster call these limits."""

_OVERFLOW = "overflow"


class GuessLimiter:
    """Limits how fast clients may try room codes. `times` multiplies the limits, where many share an address."""

    def __init__(self, clock: Clock, times: float = 1, shared: SharedLimits | None = None) -> None:
        self._clock, self._times, self._shared = clock, times, shared
        for limit, kind in KINDS.items() if shared else ():
            shared.receive(kind, partial(self._add, limit))  # type: ignore[union-attr]
        self._everybody = self._new(EVERYBODY)
        self._buckets: dict[tuple[Limit, str], Bucket] = {}
        self._purge_us = 0

    def charge(self, address: str) -> Charge:
        """Charge an address for a try, before the code is looked up.

        Raises: LimitExceeded if it has to wait.
        """
        now_us = self._clock.now_us()
        key, network = address, network_of(address)
        if self._shared:
            key, network = self._shared.hide(key), self._shared.hide(network)
        own = [(ADDRESS, key), (NETWORK, network)]
        if wait_us := max(self._wait_us(*each, now_us) for each in own):
            raise LimitExceeded(self._seconds(wait_us))
        others = [(EVERYBODY, ""), (FIRST, key)]
        if wait_us := min(self._wait_us(*each, now_us) for each in others):
            raise LimitExceeded(self._seconds(wait_us))
        taken = list[Callable[[], None]]()
        for limit, each in (*own, *others):
            bucket = self._bucket(limit, each)
            if not bucket.take(now_us):
                taken.append(bucket.give_back)
                if self._shared:
                    self._shared.note(KINDS[limit], each)
                    taken.append(partial(self._shared.note, KINDS[limit], each, -1))
        return Charge(taken)

    def __len__(self) -> int:
        return len(self._buckets)

    def _wait_us(self, limit: Limit, key: str, now_us: int) -> int:
        """How long until a limit can be charged. Beyond this node's share, until the other nodes know of it."""
        wait_us = self._bucket(limit, key).wait_us(now_us)
        if not wait_us and self._shared and self._shared.uses_share(KINDS[limit], key, round(limit.most * self._times)):
            return round(EXCHANGE_EVERY_S * self._clock.speed * 1e6)
        return wait_us

    def _add(self, limit: Limit, key: str, count: int) -> None:
        """Charge what another node has let through."""
        self._bucket(limit, key).add(self._clock.now_us(), count)

    def _bucket(self, limit: Limit, key: str) -> Bucket:
        if limit is EVERYBODY:
            return self._everybody
        if bucket := self._buckets.get((limit, key)):
            return bucket
        now_us = self._clock.now_us()
        if len(self._buckets) >= REMEMBERED_MOST and now_us >= self._purge_us:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.unused(now_us)}
            self._purge_us = now_us + PURGE_EVERY_US
        if len(self._buckets) >= REMEMBERED_MOST:
            key = _OVERFLOW
        return self._buckets.setdefault((limit, key), self._new(limit))

    def _new(self, limit: Limit) -> Bucket:
        return Bucket(Limit(round(limit.most * self._times), limit.every_s / self._times), self._clock.now_us())

    def _seconds(self, wait_us: int) -> float:
        return wait_us / self._clock.speed / 1e6


class Charge:
    """A charge for one try of a code."""

    def __init__(self, refunds: Iterable[Callable[[], None]]) -> None:
        self._refunds = tuple(refunds)

    def refund(self) -> None:
        """Refund the charge: the code was right. A second refund does nothing."""
        for refund in self._refunds:
            refund()
        self._refunds = ()
