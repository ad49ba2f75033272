"""Assembles the server: pages, HTTP API, WebSockets and background tasks. No logic of its own."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.web import Application

from ratscrew.errors import Detached, LogError
from ratscrew.log.protocol import EventLog
from ratscrew.table.clock import Clock, SystemClock
from ratscrew.table.delivery.loop_turns import LoopTurns
from ratscrew.table.records.entries import Entry
from ratscrew.table.rooms.room_registry import RoomRegistry
from ratscrew.table.rooms.tokens import Tokens
from ratscrew.table.shuffle.dealer import Laid
from ratscrew.web.admission import Admission
from ratscrew.web.connections import CONNECTIONS_MOST, ConnectionGate, GuardedHandler
from ratscrew.web.cookies import Cookies
from ratscrew.web.fair_lock import FairLock
from ratscrew.web.games import GameHandlers
from ratscrew.web.health import HealthHandlers, Readiness
from ratscrew.web.idempotency import IdempotentResponses
from ratscrew.web.learning import LearningHandlers
from ratscrew.web.limits import Limits
from ratscrew.web.loop_share import MEASURE_EVERY_S, LoopShare
from ratscrew.web.metrics_sink import MeasuredLog, MetricsSink, NullMetrics
from ratscrew.web.middleware import RequestMiddleware
from ratscrew.web.open_files import connections_most
from ratscrew.web.openapi import serve_description
from ratscrew.web.ping_bursts import PingBursts
from ratscrew.web.prices import check_prices
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.purging import Purger
from ratscrew.web.rendered import Renderer
from ratscrew.web.responses import BODY_MOST, error_middleware
from ratscrew.web.routes import Handlers, add_routes
from ratscrew.web.rule_sets import HouseHandlers
from ratscrew.web.seats import SeatHandlers
from ratscrew.web.socket_session import ServerContext, serve_socket
from ratscrew.web.static_files import StaticFiles, add_headers
from ratscrew.web.supervision import Supervisor
from ratscrew.web.websocket import CLOSE_WITHIN_S, GOING_AWAY
from ratscrew.web.worker import Execute, Worker

if TYPE_CHECKING:
    from ratscrew.web.cluster import Cluster

_logger = logging.getLogger(__name__)
SWEEP_EVERY_S = 60.0
LIVE_EVERY_S = 1.0
"""How often the log notes that the server is alive, while a turn timer runs."""

KEYS_EVERY_S = 3600.0
CLOCK_EVERY_S = 60.0

CLOCK_OFF_S = 60.0
"""A difference between the system's clock and the server's that is worth a warning."""

REGISTRY = web.AppKey("registry", RoomRegistry)
QUEUES = web.AppKey[Callable[[], dict[str, int]]]("queues")
REQUEST_MIDDLEWARE = web.AppKey("request_middleware", RequestMiddleware)
GATE = web.AppKey("gate", ConnectionGate)
WORKER = web.AppKey("worker", Worker)
SUPERVISOR = web.AppKey("supervisor", Supervisor)


def make_app(
    log: EventLog[Entry],
    clock: Clock,
    pages: StaticFiles,
    laid: Laid | None = None,
    proxy_policy: ProxyPolicy | None = None,
    limits: Limits | None = None,
    metrics: MetricsSink | None = None,
    execute: Execute | None = None,
    cluster: Cluster | None = None,
) -> web.Application:
    """The whole server on a log and a clock, as an aiohttp application.

    `proxy_policy` says how clients reach it; `limits` are the rate limits; `metrics` receives measurements. Its room
    registry is at the key `REGISTRY`, the lengths of its queues at `QUEUES`. `execute` runs expensive work, by default
    in another process. With a `cluster` this is one of its nodes.
    """
    metrics, proxy_policy, limits = metrics or NullMetrics(), proxy_policy or ProxyPolicy(), limits or Limits(clock)
    log = MeasuredLog(log, metrics)
    registry = cluster.registry(log, clock, laid) if cluster else RoomRegistry(log, clock, laid)
    tokens = Tokens(log, clock.now_us(), registry.alive_us or None)
    peers = cluster.peers(tokens) if cluster else None
    draining = (lambda: cluster.node.draining) if cluster else (lambda: False)
    proxy_policy = dataclasses.replace(proxy_policy, peers=peers)
    cookies = Cookies(tokens, clock, proxy_policy)
    admission = Admission(registry, cookies, proxy_policy, limits, clock)
    share = LoopShare(limits.times, clock.now_us)
    context = ServerContext(
        registry,
        clock,
        proxy_policy,
        cookies,
        limits,
        share,
        admission,
        LoopTurns(),
        FairLock(),
        set(),
        PingBursts(),
        metrics,
    )
    request_middleware = RequestMiddleware(proxy_policy, limits, share, metrics.http_response)
    worker, supervisor = Worker(limits, execute), Supervisor()
    renderer, once = Renderer(worker, proxy_policy), IdempotentResponses(clock, proxy_policy).once
    app = web.Application(client_max_size=BODY_MOST, middlewares=[error_middleware, request_middleware.middleware])
    if cluster:
        cluster.join(app, proxy_policy)
    purger = Purger(log.purge)

    async def socket(request: web.Request) -> web.StreamResponse:
        handler = request.protocol
        if isinstance(handler, GuardedHandler):
            handler.account = proxy_policy.address(request)
        try:
            return await serve_socket(request, context)
        finally:
            if isinstance(handler, GuardedHandler) and proxy_policy.proxied:  # it may be another client's next
                handler.account = None

    async def count(_: web.Request, response: web.StreamResponse) -> None:
        metrics.http_response(response.status)

    def queues() -> dict[str, int]:
        return {"connections": len(context.sessions), "log": log.waiting, "purge": int(purger.pending)}

    async def background_tasks(_: web.Application) -> AsyncIterator[None]:
        behind_s = 0.0

        async def sweep() -> None:
            registry.sweep()
            await asyncio.to_thread(registry.note_uses)

        async def live() -> None:
            try:
                await asyncio.to_thread(log.check)
            except Detached as error:
                if any(not room.closed for room in registry):
                    _logger.error("every room is closed: %s", error)
                    registry.fail()
                return
            if registry.ticking:
                with suppress(LogError):  # players see it when an action fails, operators by the readiness check
                    await asyncio.to_thread(registry.note_alive)

        async def watch_clock() -> None:
            nonlocal behind_s
            now_s = clock.behind_s() if isinstance(clock, SystemClock) else 0
            if abs(now_s - behind_s) > CLOCK_OFF_S:
                behind_s = now_s
                _logger.warning(
                    "the system's clock was set, or the machine slept: it is %+.0f s from the server's clock, which "
                    "follows it at the next start",
                    now_s,
                )

        async def refresh_keys() -> None:
            await asyncio.to_thread(tokens.refresh, clock.now_us())

        steps = (
            (SWEEP_EVERY_S, sweep),
            (LIVE_EVERY_S, live),
            (KEYS_EVERY_S, refresh_keys),
            (CLOCK_EVERY_S, watch_clock),
            (MEASURE_EVERY_S, share.measure_load),
        )
        tasks = [asyncio.create_task(supervisor.run_every(pause_s, step.__name__, step)) for pause_s, step in steps]
        tasks.append(asyncio.create_task(_purge(purger)))  # what an earlier run left behind
        yield
        await purger.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close(_: web.Application) -> None:
        with suppress(LogError):
            await asyncio.to_thread(registry.note_alive)
        registry.close()
        for session in list(context.sessions):
            session.websocket.close(GOING_AWAY)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                while context.sessions:
                    await asyncio.sleep(CLOSE_WITHIN_S / 100)
        for session in list(context.sessions):
            session.websocket.abort()

    readiness, games = Readiness(log, lambda: supervisor.failing, draining), GameHandlers(log, renderer, purger)
    add_routes(
        app,
        Handlers(
            health=HealthHandlers(registry, readiness, cluster.check if cluster else None),
            seats=SeatHandlers(context, games.delete_names),
            houses=HouseHandlers(renderer),
            learning=LearningHandlers(context, renderer),
            games=games,
            pages=pages,
            socket=socket,
            description=serve_description,
            once=once,
        ),
    )
    app.on_shutdown.append(readiness.stop)
    app.on_response_prepare.extend((partial(add_headers, peers), count))
    check_prices(app)
    app[REGISTRY], app[QUEUES], app[WORKER], app[SUPERVISOR] = registry, queues, worker, supervisor
    app[REQUEST_MIDDLEWARE] = request_middleware
    app[GATE] = ConnectionGate(limits, share, proxy_policy.proxied, connections_most(CONNECTIONS_MOST))
    app.on_shutdown.append(close)

    async def stop_worker(_: web.Application) -> None:
        await worker.close()

    app.on_cleanup.append(stop_worker)
    app.cleanup_ctx.append(background_tasks)
    return app


async def _purge(purger: Purger) -> None:
    await purger.purge()


__all__ = ["Application", "make_app"]
