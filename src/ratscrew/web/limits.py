"""How much anybody may ask for. `LIMITS` is all of it; honest play stays far below, and who is above has to wait.

Nothing in this file knows what is asked for. Times are the table clock's, so a test needs no waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, NamedTuple, TypeAlias

from ratscrew.errors import TooMuch
from ratscrew.table.clock import Clock


class Limit(NamedTuple):
    """So many at once, and after that one more each `every_s` seconds; `first` if not all of it is there at first."""

    most: int
    every_s: float
    first: int | None = None


What: TypeAlias = Literal[
    "requests", "dear", "rooms", "seats", "codes", "sockets", "talk", "messages", "bytes", "wishes"
]

LIMITS: Mapping[What, Limit] = {
    # of an address: a class of thirty sits behind one, and a page fetches some forty files
    "requests": Limit(3000, 1 / 200),
    "dear": Limit(400, 1 / 20),  # what takes a processor longer than a message does
    "rooms": Limit(200, 2),  # who learns opens one for each lesson
    "seats": Limit(200, 1),
    "codes": Limit(40, 6),  # wrong ones: thirty people mistype now and then, who guesses does nothing else
    "sockets": Limit(400, 1 / 10),  # a page has two, and after a start of the server all come at once
    "talk": Limit(40_000, 1 / 4000),  # messages of all of them together: a page says some thirty in a second
    # of a connection
    "messages": Limit(1200, 1 / 120, first=300),  # eight hands on a tablet say a hundred in a second, and so many come
    "bytes": Limit(200_000, 1 / 40_000),  # at once where a line has stood still for ten
    "wishes": Limit(40, 1 / 4),  # what is neither play nor measure: each is kept, and told to everybody
}

SOCKETS_MOST = 300
"""Connections that one address may have at the same time."""

WATCHERS_MOST = 100
"""People who may watch a room without a seat."""

BUSY_S = 10.0
"""How long who has been shown out for talking too much, or has too many connections, is asked to stay away."""

PATIENCE = 300
"""Messages that are passed over, before who goes on and on is shown out."""

_FORGET_AT = 10_000


class Bucket:
    """One limit as used by one: when it would be wholly unused again. Unit: microseconds."""

    __slots__ = ("_every_us", "_full_us", "_most_us")

    def __init__(self, limit: Limit, now_us: int) -> None:
        self._every_us = max(1, round(limit.every_s * 1e6))
        self._most_us = limit.most * self._every_us
        self._full_us = now_us + (limit.most - (limit.most if limit.first is None else limit.first)) * self._every_us

    def wait_us(self, now_us: int, cost: int = 1) -> int:
        """How long until it can be used; 0 for now."""
        return max(0, self._full_us + cost * self._every_us - self._most_us - now_us)

    def take(self, now_us: int, cost: int = 1) -> int:
        """Use it, if that can be now; how long until it can."""
        full_us = max(self._full_us, now_us) + cost * self._every_us
        if (wait_us := full_us - self._most_us - now_us) > 0:
            return wait_us
        self._full_us = full_us
        return 0

    def half_used(self, now_us: int) -> bool:
        """Whether more than half of it is used up."""
        return self._full_us - now_us > self._most_us / 2

    def unused(self, now_us: int) -> bool:
        """Whether it is as good as new."""
        return self._full_us <= now_us


class Limits:
    """What each address has used of its limits; `times` as much is allowed to each where many share one address."""

    def __init__(self, clock: Clock, times: float = 1) -> None:
        self._clock, self._times = clock, times
        self._buckets: dict[tuple[What, str], Bucket] = {}
        self._forget_at = _FORGET_AT
        self._now: Counter[str] = Counter()

    def bucket(self, what: What, address: str) -> Bucket:
        """An address's use of one limit."""
        if (bucket := self._buckets.get((what, address))) is None:
            self._forget()
            most, every_s, first = LIMITS[what]
            limit = Limit(round(most * self._times), every_s / self._times, first)
            bucket = self._buckets[what, address] = Bucket(limit, self._clock.now_us())
        return bucket

    def take(self, what: What, address: str) -> None:
        """An address uses a limit.

        Raises: TooMuch if it has to wait.
        """
        self._answer(self.bucket(what, address).take(self._clock.now_us()))

    def look(self, what: What, address: str) -> None:
        """See whether an address could use a limit.

        Raises: TooMuch if it has to wait.
        """
        self._answer(self.bucket(what, address).wait_us(self._clock.now_us()))

    @contextmanager
    def connected(self, address: str) -> Iterator[None]:
        """One more connection of an address, as long as the context lasts.

        Raises: TooMuch if it has too many.
        """
        if self._now[address] >= SOCKETS_MOST * self._times:
            raise TooMuch(BUSY_S)
        self._now[address] += 1
        try:
            yield
        finally:
            self._now[address] -= 1
            if not self._now[address]:
                del self._now[address]

    def _answer(self, wait_us: int) -> None:
        if wait_us > 0:
            raise TooMuch(wait_us / self._clock.speed / 1e6)

    def _forget(self) -> None:
        """Let go of the buckets that are as good as new, as soon as there are many."""
        if len(self._buckets) >= self._forget_at:
            now_us = self._clock.now_us()
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.unused(now_us)}
            self._forget_at = max(_FORGET_AT, 2 * len(self._buckets))


class Ear:
    """What one connection may still say. Whoever says too much is passed over for a while, then shown out."""

    def __init__(self, clock: Clock, talk: Bucket) -> None:
        self._clock, self._talk = clock, talk
        self._messages, self._bytes = (Bucket(LIMITS[what], clock.now_us()) for what in ("messages", "bytes"))
        self._passed_over = 0

    def wait_us(self, size: int, now_us: int) -> int:
        """0 if a message of so many bytes is heard; else how long it takes until one is.

        Where all of an address together say too much, those are passed over who say the most.

        Raises: TooMuch if there is no end to it.
        """
        wait_us = self._messages.take(now_us) or self._bytes.take(now_us, size)
        if not wait_us and (talk_us := self._talk.take(now_us)) and self._messages.half_used(now_us):
            wait_us = talk_us
        if not wait_us:
            self._passed_over = 0
            return 0
        self._passed_over += 1
        if self._passed_over > PATIENCE:
            raise TooMuch(BUSY_S)
        return wait_us
