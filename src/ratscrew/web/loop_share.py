"""The event loop's time, shared: how much of it the bytes from one address may take. Does not import aiohttp.

Requests and messages differ in cost by a factor of a thousand, so what they take is measured and charged to their
address. An address that has used more than its share is not read for a while: its bytes wait in the system's buffers,
where they cost nothing, and its own senders wait behind them. Nothing is lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from ratscrew.web.limits import Bucket, Limit

OF_ADDRESS = Limit(50_000, 5e-6)
"""Microseconds of the loop's time: 50 ms at once, and a fifth of its time. A class of thirty takes a twentieth."""

OF_ALL = Limit(50_000, 2e-6)
"""What all addresses may take together before those with more than their `ENSURED` share wait: half of the time."""

GUARANTEED = Limit(5000, 40e-6)
"""The share that an address has however much others take: a fortieth of the time. A player takes a thousandth."""

BYTE_US = 0.8
"""Paid in advance for each byte of a socket, before it is parsed; each message that is handled gets back what it took
less. Otherwise hundreds of sockets could be parsed at one moment, and be handled at the next."""

MESSAGE_US, ANSWER_US = 10, 30
"""What a message costs besides what its handling takes, for a task is woken; and each answer that it gets at once."""

REQUEST_US, KILOBYTE_US = 250, 2.5
"""Charged for each request of HTTP besides, when its handling begins, and for each kilobyte of the answer."""

SOCKET_SLICE, HTTP_SLICE = 1024, 8192
"""Bytes that are parsed at once: the loop serves others before the next ones of the same connection."""

RETRY_S = 0.001
"""The least time after which an address whose turn came too early is looked at again."""

MEASURE_EVERY_S = 0.1
BUSY, CALM = 0.65, 0.5
"""If the loop was busy for more than the first part of such a time, prices rise; they fall below the second."""

RISE, FALL, PRICE_MOST = 1.3, 1.05, 4.0
"""How fast prices rise and fall, and how far: what a player takes is ensured still."""

FULL, OVER_S = 0.6, 0.4
"""A server whose loop was so busy on average over such a time opens no more rooms: those who play go before others."""

_EVICT_AT = 10_000


class QueuedWork:
    """A place in the line of an address, for some work."""

    def __init__(self, queue: dict[QueuedWork, None], work: Callable[[], None]) -> None:
        self._queue, self.work = queue, work

    def cancel(self) -> None:
        """Leave the line; this may be said twice."""
        self._queue.pop(self, None)


class LoopShare:
    """What each address has used of the loop's time. `times` as much is allowed where many share one address."""

    def __init__(self, times: float = 1, now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000) -> None:
        """`now_us` is the time in microseconds, from any beginning."""
        self._times, self._now_us = times, now_us
        self._all = Bucket(OF_ALL, now_us())
        self._used: dict[str, tuple[Bucket, Bucket]] = {}
        self._queues: dict[str, dict[QueuedWork, None]] = {}
        self._measured: tuple[float, float] | None = None
        self._evict_at = _EVICT_AT
        self._price = 1.0
        self.busy = 0.0
        """The part of its time for which the loop was busy, 0 to 1, smoothed over `OVER_S`."""

    async def measure_load(self) -> None:
        """See how busy the loop was since the last time: not all that something costs can be measured where it is.

        Call it on the loop's thread, every `LOOK_EVERY_S`.
        """
        now_s, used_s = time.monotonic(), time.thread_time()
        before_s, before_used_s = self._measured or (now_s, used_s)
        self._measured = now_s, used_s
        if now_s > before_s:
            self.record_load((used_s - before_used_s) / (now_s - before_s))

    def record_load(self, busy: float) -> None:
        """The loop was busy for this part of the last `LOOK_EVERY_S`."""
        self.busy += (busy - self.busy) * MEASURE_EVERY_S / OVER_S
        if busy > BUSY:
            self._price = min(PRICE_MOST, self._price * RISE)
        elif busy < CALM:
            self._price = max(1.0, self._price / FALL)

    @property
    def full(self) -> bool:
        """Whether the server has enough to do with the rooms that it has."""
        return self.busy > FULL

    def charge(self, address: str, us: float) -> None:
        """An address has used so many microseconds of the loop's time."""
        now_us, cost = self._now_us(), round(us * self._price)
        if (used := self._used.get(address)) is None:
            self._evict_unused(now_us)
            used = self._used[address] = self._bucket(OF_ADDRESS, now_us), self._bucket(GUARANTEED, now_us)
        of_address, ensured = used
        self._all.spend(now_us, cost)
        of_address.spend(now_us, cost)
        ensured.spend(now_us, cost)

    def wait_s(self, address: str) -> float:
        """How long an address has to wait until more is read from it; 0 if it need not."""
        if (used := self._used.get(address)) is None:
            return 0
        now_us, (of_address, ensured) = self._now_us(), used
        wait_us = of_address.wait_us(now_us, 0)
        if not wait_us and (wait_us := ensured.wait_us(now_us, 0)):
            wait_us = min(wait_us, self._all.wait_us(now_us, 0))
        return wait_us / 1e6

    def run(self, address: str, work: Callable[[], None]) -> QueuedWork | None:
        """Do some work for an address now, if it has time left; otherwise in its turn, and the answer is its place.

        Each address has one line and one timer, however many of its connections wait. Call it on the loop's thread.
        """
        queue = self._queues.get(address)
        if queue is None:
            if not (wait_s := self.wait_s(address)):
                work()
                return None
            queue = self._queues[address] = {}
            self._schedule_next(address, wait_s)
        queue[queued := QueuedWork(queue, work)] = None
        return queued

    async def wait_turn(self, address: str) -> None:
        """Wait until an address has time left, and it is its turn."""
        future = asyncio.get_running_loop().create_future()
        queued = self.run(address, lambda: future.set_result(None))
        try:
            await future
        finally:
            if queued:
                queued.cancel()

    @property
    def waiting(self) -> int:
        """How many connections wait."""
        return sum(map(len, self._queues.values()))

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._used)

    def _schedule_next(self, address: str, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._run_next, address)

    def _run_next(self, address: str) -> None:
        """The first in the line of an address has its turn, if the address has time left."""
        queue = self._queues[address]
        if not queue:
            del self._queues[address]
            return
        if wait_s := self.wait_s(address):
            self._schedule_next(address, max(wait_s, RETRY_S))
            return
        self._schedule_next(address, 0)
        queued = next(iter(queue))
        queued.cancel()
        queued.work()

    def _bucket(self, limit: Limit, now_us: int) -> Bucket:
        return Bucket(Limit(round(limit.most * self._times), limit.every_s / self._times), now_us)

    def _evict_unused(self, now_us: int) -> None:
        """Let go of addresses that have their whole share again, as soon as there are many."""
        if len(self._used) >= self._evict_at:
            kept = self._used.items()
            self._used = {key: used for key, used in kept if not all(bucket.unused(now_us) for bucket in used)}
            self._evict_at = max(_EVICT_AT, 2 * len(self._used))
