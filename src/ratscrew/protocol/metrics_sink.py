"""Measurements of a server, and where they are taken. Does not import prometheus_client."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol, cast

from ratscrew.log.protocol import EventLog, SharedLog
from ratscrew.table.record.entries import Entry, Judged
from ratscrew.table.record.messages import Countdown, Done, Message, Presence, Reacted, Refused, Saving

_logger = logging.getLogger(__name__)
LAG_EVERY_S = 0.1


class MetricsSink(Protocol):
    """Receives measurements. No call blocks; `log_append` is called on the log's thread, the others on the loop's."""

    def http_response(self, status: int) -> None:
        """An HTTP response was sent."""

    def reply(self, what: str, after_s: float) -> None:
        """A client that played or slapped got the next message this long after its own arrived."""

    def refused(self, what: str, why: str) -> None:
        """A request of a player was refused; `why` is the code."""

    def race(self, hands: int, apart_s: float, tie: bool) -> None:
        """A race was judged; `apart_s` is the time between its first and its last hand."""

    def log_append(self, entries: int, after_s: float) -> None:
        """An append of so many entries succeeded or failed after this time."""

    def loop_lag(self, by_s: float) -> None:
        """The event loop was this late."""

    def gc_pause(self, took_s: float) -> None:
        """A garbage collection took this long."""


class NodeFigures(NamedTuple):
    """What a node of a cluster has done so far; `leases` are the rooms that it has now, with reserved names."""

    leases: int
    taken_over: int
    lost: int
    given_away: int
    passed_on: int
    forwarded: int
    commits: int
    lookups: int


class NullMetrics:
    """A `MetricsSink` that discards everything."""

    def http_response(self, status: int) -> None:
        """See `MetricsSink`."""

    def reply(self, what: str, after_s: float) -> None:
        """See `MetricsSink`."""

    def refused(self, what: str, why: str) -> None:
        """See `MetricsSink`."""

    def race(self, hands: int, apart_s: float, tie: bool) -> None:
        """See `MetricsSink`."""

    def log_append(self, entries: int, after_s: float) -> None:
        """See `MetricsSink`."""

    def loop_lag(self, by_s: float) -> None:
        """See `MetricsSink`."""

    def gc_pause(self, took_s: float) -> None:
        """See `MetricsSink`."""


class LatencyProbe:
    """Measures how long one client that has played or slapped waits for the next message."""

    __slots__ = ("_metrics", "_since_s", "_what")

    def __init__(self, metrics: MetricsSink) -> None:
        self._metrics, self._what, self._since_s = metrics, "", 0.0

    def received(self, what: str) -> None:
        """The client has played or slapped: start measuring."""
        if not self._what:
            self._what, self._since_s = what, time.perf_counter()

    def sent(self, messages: Sequence[Message]) -> None:
        """Messages were sent to the client. Countdowns, presence, signs and replies to requests do not end the wait."""
        for message in messages:
            if type(message) is Refused:
                self._metrics.refused(message.request, message.reason)
                _logger.debug("refused", extra={"what": message.request, "why": message.reason})
            if self._what and type(message) not in (Countdown, Done, Presence, Reacted, Saving):
                self._metrics.reply(self._what, time.perf_counter() - self._since_s)
                self._what = ""


class MeasuredLog:
    """A log that measures its appends."""

    def __init__(self, log: EventLog[Entry], metrics: MetricsSink) -> None:
        self._log, self._metrics = log, metrics
        self._asked = self._done = 0
        self.read, self.last, self.games = log.read, log.last, log.games
        self.read_packed, self.count = log.read_packed, log.count
        self.get_or_create, self.get = log.get_or_create, log.get
        self.redact, self.delete_prefix = log.redact, log.delete_prefix
        self.purge, self.check = log.purge, log.check
        self.put, self.close = log.put, log.close

    @property
    def waiting(self) -> int:
        """How many appends are pending."""
        return self._asked - self._done

    def append(self, game: str, after: int, events: Sequence[Entry]) -> int:
        return self.append_soon(game, after, events).result()

    def append_soon(
        self, game: str, after: int, events: Sequence[Entry], behind: Future[int] | None = None
    ) -> Future[int]:
        """See `SharedLog`: only such a log is asked with `behind`."""
        asked_s = time.perf_counter()
        self._asked += 1

        def done(_: Future[int]) -> None:
            self._done += 1
            self._metrics.log_append(len(events), time.perf_counter() - asked_s)

        log = self._log
        future = (
            cast(SharedLog[Entry], log).append_soon(game, after, events, behind)
            if behind
            else log.append_soon(game, after, events)
        )
        future.add_done_callback(done)
        for entry in events:
            if type(entry.event) is Judged:
                hands = [hit.us for hit in entry.event.order]
                self._metrics.race(len(hands), (hands[-1] - hands[0]) / 1e6, entry.event.tie)
        return future


async def measure_loop_lag(report: Callable[[float], None]) -> None:
    """Measure the lag of the event loop and report it, forever."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        report(max(0.0, loop.time() - due_s))
