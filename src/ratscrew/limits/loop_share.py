"""Shares the event loop's time between client addresses. Does not import aiohttp.

Requests and messages differ in cost by a factor of a thousand, so their time is measured and charged to their address.
The server stops reading from an address over its share for a while: its bytes wait in the system's buffers, where they
cost nothing, and then its senders wait (TCP backpressure). Nothing is lost.
"""

from __future__ import annotations

import asyncio
import time
import types
from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

from ratscrew.limits.buckets import Bucket, Limit

T = TypeVar("T")

OF_ADDRESS = Limit(50_000, 5e-6)
"""Microseconds of the loop's time per address: 50 ms at once, then a fifth. A class of thirty takes a twentieth."""

OF_ALL = Limit(50_000, 2e-6)
"""What all addresses may take together before those over their `GUARANTEED` share wait: half of the time."""

GUARANTEED = Limit(5000, 40e-6)
"""The share of an address regardless of others: a fortieth of the time. A player takes a thousandth."""

SETTLE_US = 1000
"""What an address may use before its shares are looked at: most messages cost less than that would."""

MESSAGE_US, ANSWER_US = 10, 30
"""What a message costs besides its handling, in the system's network code; and what each immediate reply costs."""

REQUEST_US, KILOBYTE_US = 180, 2.5
"""Charged for each HTTP request when its handling begins, besides the time that parsing and the handler take, and for
each kilobyte of the response."""

HTTP_SLICE = 8192
"""Bytes of HTTP that are parsed at once: the loop serves other connections before the next slice."""

RETRY_S = 0.001
"""The shortest time before an address that still has no time left is checked again."""

MEASURE_EVERY_S = 0.1
BUSY, CALM = 0.65, 0.5
"""Prices rise if the loop was busy for more than the first fraction of the period, and fall below the second."""

RISE, FALL, PRICE_MOST = 1.3, 1.05, 4.0
"""Factors by which prices rise and fall, and the highest price, at which a player still has enough."""

FULL, OVER_S = 0.6, 0.4
"""A server whose loop is busier than this, averaged over this time, opens no more rooms: running games come first."""

_EVICT_AT = 10_000


class QueuedWork:
    """A piece of work in the queue of an address."""

    def __init__(self, queue: dict[QueuedWork, None], work: Callable[[], None]) -> None:
        self._queue, self.work = queue, work

    def cancel(self) -> None:
        """Remove the work from its queue. A second call does nothing."""
        self._queue.pop(self, None)


class _Account:
    """What one address has used: its two shares, what is not charged to them yet, and whether it may have to wait."""

    __slots__ = ("guaranteed", "may_wait", "share", "unsettled_us")

    def __init__(self, share: Bucket, guaranteed: Bucket) -> None:
        self.share, self.guaranteed = share, guaranteed
        self.unsettled_us, self.may_wait = 0.0, False


class LoopShare:
    """The loop's time that each address has used. `times` multiplies the shares, where many share one address."""

    def __init__(self, times: float = 1, now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000) -> None:
        """`now_us` is a clock in microseconds with any origin."""
        self._times, self._now_us = times, now_us
        self._all = Bucket(OF_ALL, now_us())
        self._accounts: dict[str, _Account] = {}
        self._queues: dict[str, dict[QueuedWork, None]] = {}
        self._measured: tuple[float, float] | None = None
        self._evict_at = _EVICT_AT
        self._price = 1.0
        self.busy = 0.0
        """The fraction of time for which the loop was busy, 0 to 1, smoothed over `OVER_S`."""

    async def measure_load(self) -> None:
        """Measure how busy the loop was since the last call: not every cost can be measured where it arises.

        Call it on the loop's thread, every `MEASURE_EVERY_S`.
        """
        now_s, used_s = time.monotonic(), time.thread_time()
        before_s, before_used_s = self._measured or (now_s, used_s)
        self._measured = now_s, used_s
        if now_s > before_s:
            self.record_load((used_s - before_used_s) / (now_s - before_s))

    def record_load(self, busy: float) -> None:
        """Update the load and the prices; `busy` is the fraction of the last `MEASURE_EVERY_S`."""
        self.busy += (busy - self.busy) * MEASURE_EVERY_S / OVER_S
        if busy > BUSY:
            self._price = min(PRICE_MOST, self._price * RISE)
        elif busy < CALM:
            self._price = max(1.0, self._price / FALL)

    @property
    def full(self) -> bool:
        """Whether the server is too busy to open more rooms."""
        return self.busy > FULL

    def charge(self, address: str, us: float) -> None:
        """Charge an address for this many microseconds of the loop's time."""
        account = self._accounts.get(address) or self._open_account(address)
        account.unsettled_us += us
        if account.unsettled_us >= SETTLE_US:
            now_us, cost = self._now_us(), round(account.unsettled_us * self._price)
            account.unsettled_us = 0.0
            for bucket in (self._all, account.share, account.guaranteed):
                bucket.spend(now_us, cost)
            account.may_wait = account.share.overdrawn(now_us) or account.guaranteed.overdrawn(now_us)

    def wait_s(self, address: str) -> float:
        """How long until the server may read more from an address; 0 if it may now."""
        account = self._accounts.get(address)
        if account is None or not account.may_wait:
            return 0
        now_us = self._now_us()
        wait_us = account.share.wait_us(now_us, 0)
        if not wait_us and (wait_us := account.guaranteed.wait_us(now_us, 0)):
            wait_us = min(wait_us, self._all.wait_us(now_us, 0))
        return wait_us / 1e6

    def run(self, address: str, work: Callable[[], None]) -> QueuedWork | None:
        """Do some work for an address now if it has time left, and return None; otherwise queue it.

        Each address has one queue and one timer for all its connections. Call it on the loop's thread.
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
        """Wait until an address has time left and earlier work in its queue is done."""
        future = asyncio.get_running_loop().create_future()
        queued = self.run(address, lambda: future.set_result(None))
        try:
            await future
        finally:
            if queued:
                queued.cancel()

    async def metered(self, address: str, work: Awaitable[T]) -> T:
        """Await some work, and charge an address for the time that this keeps the loop; pauses cost nothing."""
        return await _metered(work.__await__(), lambda us: self.charge(address, us))

    @property
    def waiting(self) -> int:
        """How many pieces of work wait."""
        return sum(map(len, self._queues.values()))

    def __len__(self) -> int:
        """How many addresses are in memory."""
        return len(self._accounts)

    def _schedule_next(self, address: str, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._run_next, address)

    def _run_next(self, address: str) -> None:
        """Run the first work in the queue of an address, if the address has time left."""
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

    def _open_account(self, address: str) -> _Account:
        """An account for a new address. Once there are many, those that have their whole share again are dropped."""
        now_us = self._now_us()
        if len(self._accounts) >= self._evict_at:
            used = self._accounts.items()
            self._accounts = {
                key: each for key, each in used if not (each.share.unused(now_us) and each.guaranteed.unused(now_us))
            }
            self._evict_at = max(_EVICT_AT, 2 * len(self._accounts))
        shares = self._bucket(OF_ADDRESS, now_us), self._bucket(GUARANTEED, now_us)
        account = self._accounts[address] = _Account(*shares)
        return account


@types.coroutine
def _metered(work: Generator[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Run a coroutine and charge the microseconds of each step from one pause to the next."""
    step: Callable[[Any], Any] = work.send
    value: Any = None
    while True:
        began_s = time.perf_counter()
        try:
            awaited = step(value)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            value = None
            charge((time.perf_counter() - began_s) * 1e6)
        try:
            value = yield awaited
            step = work.send
        except BaseException as error:  # such as CancelledError: the work gets it
            step, value = work.throw, error
        awaited = None  # like `value` it may have an error, which refers to this frame: a reference cycle
