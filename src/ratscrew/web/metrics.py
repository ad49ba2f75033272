"""Prometheus metrics of a server. The only module that imports prometheus_client."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from ratscrew.protocol.metrics_sink import NodeFigures
from ratscrew.table.registry.room_registry import RoomRegistry

_MS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """A `MetricsSink` (see `ratscrew.protocol.metrics_sink`) that Prometheus reads."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._responses = self._counter("http_responses", "HTTP responses, by status.", "status")
        self._replies = self._histogram(
            "reply_seconds", "From receiving a play or a slap to sending the next message.", "what"
        )
        self._refused = self._counter("refusals", "Refused requests of players, by code.", "what", "why")
        self._races = self._counter("verdicts", "Judged races, by number of hands.", "hands", "tie")
        self._race_spread = self._histogram("race_spread_seconds", "From the first hand of a race to the last.")
        self._entries = self._counter("log_entries", "Entries appended to the log.")
        self._log_appends = self._histogram("log_append_seconds", "Duration of an append to the log, with its commit.")
        self._loop_lag = self._histogram("event_loop_lag_seconds", "Lag of the event loop.")
        self._gc_pauses = self._histogram("gc_pause_seconds", "Duration of a garbage collection.")

    def http_response(self, status: int) -> None:
        self._responses.labels(status).inc()

    def reply(self, what: str, after_s: float) -> None:
        self._replies.labels(what).observe(after_s)

    def refused(self, what: str, why: str) -> None:
        self._refused.labels(what, why).inc()

    def race(self, hands: int, apart_s: float, tie: bool) -> None:
        self._races.labels(hands, "yes" if tie else "no").inc()
        self._race_spread.observe(apart_s)

    def log_append(self, entries: int, after_s: float) -> None:
        self._entries.inc(entries)
        self._log_appends.observe(after_s)

    def loop_lag(self, by_s: float) -> None:
        self._loop_lag.observe(by_s)

    def gc_pause(self, took_s: float) -> None:
        self._gc_pauses.observe(took_s)

    def register_gauges(self, registry: RoomRegistry, queues: Callable[[], dict[str, int]]) -> None:
        """Register gauges of rooms and queues, which are read at each scrape."""
        self.registry.register(_RoomCollector(registry, queues))

    def register_node(self, figures: Callable[[], NodeFigures]) -> None:
        """Register the figures of a node of a cluster, which are read at each scrape."""
        self.registry.register(_NodeCollector(figures))

    def application(self) -> web.Application:
        """The application that serves `/metrics`."""

        async def handle(_: web.Request) -> web.Response:
            return web.Response(body=generate_latest(self.registry), content_type="text/plain", charset="utf-8")

        app = web.Application()
        app.router.add_get("/metrics", handle)
        return app

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(f"ratscrew_{name}", description, labels, registry=self.registry)

    def _histogram(self, name: str, description: str, *labels: str) -> Histogram:
        return Histogram(f"ratscrew_{name}", description, labels, registry=self.registry, buckets=_MS)


class _NodeCollector(Collector):
    """The figures of a node."""

    def __init__(self, figures: Callable[[], NodeFigures]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        found = self._figures()
        yield GaugeMetricFamily("ratscrew_leases", "Rooms that this node owns, with reserved names.", found.leases)
        for name, description, value in (
            ("rooms_taken_over", "Rooms that this node has claimed and restored.", found.taken_over),
            ("rooms_lost", "Rooms of this node that others have claimed.", found.lost),
            ("rooms_given_away", "Rooms that this node has given to others because it drains.", found.given_away),
            ("connections_passed_on", "Connections passed on to other workers.", found.passed_on),
            ("requests_forwarded", "Requests forwarded to other nodes.", found.forwarded),
            ("log_commits", "Batches that PostgreSQL has committed.", found.commits),
            ("log_lookups", "Batches looked up because the answer was lost.", found.lookups),
        ):
            yield CounterMetricFamily(f"ratscrew_{name}", description, value)


class _RoomCollector(Collector):
    """Gauges of the current state."""

    def __init__(self, registry: RoomRegistry, queues: Callable[[], dict[str, int]]) -> None:
        self._registry, self._queues = registry, queues

    def collect(self) -> Iterator[GaugeMetricFamily]:
        seats = [seat for room in self._registry for seat in room.table.seats if not seat.gone]
        yield GaugeMetricFamily("ratscrew_rooms", "Rooms in memory.", len(self._registry))
        people = GaugeMetricFamily("ratscrew_people", "Players with a seat, connected or not.", labels=["here"])
        persons = [seat for seat in seats if seat.bot_level is None]
        here = sum(seat.here for seat in persons)
        people.add_metric(["yes"], here)
        people.add_metric(["no"], len(persons) - here)
        yield people
        yield GaugeMetricFamily("ratscrew_bots", "Bots with a seat.", len(seats) - len(persons))
        waiting = GaugeMetricFamily("ratscrew_queue_length", "Queue lengths: appends, messages.", labels=["queue"])
        queues = self._queues()
        yield GaugeMetricFamily("ratscrew_connections", "Open WebSockets and event streams.", queues.pop("connections"))
        for name, length in queues.items():
            waiting.add_metric([name], length)
        yield waiting
