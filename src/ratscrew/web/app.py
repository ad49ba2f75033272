"""Assembles the server: pages, HTTP API, WebSockets and background tasks. No logic of its own."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web import Application

from ratscrew.errors import Detached, LogError
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import Limits
from ratscrew.limits.loop_share import MEASURE_EVERY_S, LoopShare
from ratscrew.log.protocol import EventLog
from ratscrew.protocol.channel import GOING_AWAY
from ratscrew.protocol.metrics_sink import MeasuredLog, MetricsSink, NullMetrics
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.spectators import Spectators
from ratscrew.supervision import Supervisor
from ratscrew.table.arenas.arena_registry import ArenaRegistry
from ratscrew.table.arenas.hourly import LOOK_EVERY_S as HOURLY_EVERY_S
from ratscrew.table.arenas.hourly import HourlyArena
from ratscrew.table.record.clock import Clock, SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.registry.tokens import Tokens
from ratscrew.table.room.log_wait import CHECK_EVERY_S
from ratscrew.table.state.dealer import Laid
from ratscrew.turns import Turns
from ratscrew.web.access.admission import Admission
from ratscrew.web.access.community import LOOK_EVERY_S, READ_EVERY_S, Community, CommunityOptions
from ratscrew.web.access.moderation import Moderation
from ratscrew.web.access.name_screen import NameScreen
from ratscrew.web.access.presence import PUBLISH_EVERY_S
from ratscrew.web.api.activity import ActivityHandlers
from ratscrew.web.api.arenas import ArenaHandlers
from ratscrew.web.api.community_accounts import AccountHandlers
from ratscrew.web.api.community_friends import FriendHandlers
from ratscrew.web.api.community_passkeys import PasskeyHandlers
from ratscrew.web.api.community_profiles import ProfileHandlers
from ratscrew.web.api.games import GameHandlers
from ratscrew.web.api.health import HealthHandlers, Readiness
from ratscrew.web.api.learning import LearningHandlers
from ratscrew.web.api.link_previews import LinkPreviews
from ratscrew.web.api.moderation_handlers import ModerationHandlers
from ratscrew.web.api.rule_sets import HouseHandlers
from ratscrew.web.api.seats import SeatHandlers
from ratscrew.web.edge.connections import CONNECTIONS_MOST, ConnectionGate, GuardedHandler
from ratscrew.web.edge.open_files import connections_most
from ratscrew.web.http.base_path import BASE_PATH, add_base_path
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.cookies import Cookies
from ratscrew.web.http.idempotency import IdempotentResponses
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import error_middleware
from ratscrew.web.http.static_files import StaticFiles, add_headers
from ratscrew.web.middleware import RequestMiddleware
from ratscrew.web.openapi import serve_description, serve_description_alone
from ratscrew.web.prices import check_prices
from ratscrew.web.rendering.purging import Purger
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.stored_games import StoredGames
from ratscrew.web.rendering.worker import Execute, Worker
from ratscrew.web.routes import Handlers, add_routes
from ratscrew.web.schema.http_schema import BODY_MOST
from ratscrew.web.socket.channel_handlers import receive_messages, serve_socket, serve_stream
from ratscrew.web.socket.socket_session import ServerContext, send_nodes
from ratscrew.web.socket.transport_channel import CLOSE_WITHIN_S
from ratscrew.web.socket.websocket import text_frame
from ratscrew.web.typescript import WIRE

if TYPE_CHECKING:
    from ratscrew.web.cluster.cluster import Cluster

_logger = logging.getLogger(__name__)
SWEEP_EVERY_S = 60.0
LIVE_EVERY_S = 1.0
"""How often the log notes that the server is alive, while a turn timer runs."""

CHECKED_AT_ONCE = 100
"""How many rooms are checked in one iteration of the loop."""

KEYS_EVERY_S = ARENAS_EVERY_S = 3600.0
CLOCK_EVERY_S = 60.0

CLOCK_OFF_S = 60.0
"""A difference between the system's clock and the server's that is worth a warning."""

REGISTRY = web.AppKey("registry", RoomRegistry)
QUEUES = web.AppKey[Callable[[], dict[str, int]]]("queues")
REQUEST_MIDDLEWARE = web.AppKey("request_middleware", RequestMiddleware)
GATE = web.AppKey("gate", ConnectionGate)
MODERATION = web.AppKey("moderation", Moderation)
COOKIES = web.AppKey("cookies", BrowserCookies)
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
    community: CommunityOptions | None = None,
    names: NameScreen | None = None,
) -> web.Application:
    """The whole server on a log and a clock, as an aiohttp application.

    `proxy_policy` says how clients reach it; `limits` are the rate limits; `metrics` receives measurements. Its room
    registry is at the key `REGISTRY`, the lengths of its queues at `QUEUES`. `execute` runs expensive work, by default
    in another process. With a `cluster` this is one of its nodes. Without `community` options there are no accounts,
    without `names` they are not screened.
    """
    metrics, proxy_policy = metrics or NullMetrics(), proxy_policy or ProxyPolicy()
    limits = limits or Limits(clock, shared=cluster.shared_limits() if cluster else None)
    log = MeasuredLog(log, metrics)
    registry = cluster.registry(log, clock, laid) if cluster else RoomRegistry(log, clock, laid)
    tokens = Tokens(log, clock.now_us(), registry.alive_us or None)
    peers = cluster.peers(tokens) if cluster else None
    why_not: Callable[[], str | None] = cluster.why_not_ready if cluster else lambda: None
    proxy_policy = dataclasses.replace(proxy_policy, peers=peers)
    browsers = BrowserCookies(log, proxy_policy)
    cookies = Cookies(tokens, clock, browsers)
    people = Community(log, clock, proxy_policy, browsers, community.rated, registry) if community else None
    registry.rated_rules = frozenset(people.rated if people else ())
    admission = Admission(registry, cookies, proxy_policy, limits, clock, people)
    share = LoopShare(limits.times, clock.now_us)
    context = ServerContext(
        registry,
        clock,
        proxy_policy,
        cookies,
        limits,
        share,
        admission,
        Turns(),
        FairLock(),
        set(),
        {},
        PingBursts(lambda: registry.restoring),
        Spectators(clock, WIRE, text_frame),
        metrics,
    )
    arenas = ArenaRegistry(log, registry, clock.now_us, clock.speed)
    hourly = HourlyArena(log, arenas, community.hourly) if community and community.hourly else None
    if peers:
        peers.on_change = partial(send_nodes, context)
    request_middleware = RequestMiddleware(proxy_policy, limits, share, metrics.http_response)
    worker, supervisor = Worker(limits, execute), Supervisor()
    renderer, once = Renderer(worker, proxy_policy), IdempotentResponses(clock, proxy_policy).once
    app = web.Application(client_max_size=BODY_MOST, middlewares=[error_middleware, request_middleware.middleware])
    if people:
        app.middlewares.insert(0, people.moderation.middleware)
    if cluster:
        cluster.join(app, proxy_policy, share, admission, context.streams, supervisor)
    app.middlewares.append(request_middleware.refuse_rooms)
    purger = Purger(log.purge, supervisor)

    def charged(handle: Callable[[web.Request, ServerContext], Awaitable[web.StreamResponse]]) -> Handler:
        async def charge_client(request: web.Request) -> web.StreamResponse:
            handler = request.protocol
            if isinstance(handler, GuardedHandler):
                handler.account = proxy_policy.address(request)
            try:
                return await handle(request, context)
            finally:
                if isinstance(handler, GuardedHandler) and proxy_policy.proxied:  # it may be another client's next
                    handler.account = None

        return charge_client

    async def below_base_path(_: web.Request, response: web.StreamResponse) -> None:
        add_base_path(proxy_policy.base_path, response)

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

        async def watch_log() -> None:
            for number, room in enumerate(list(registry), 1):
                room.log_wait.check()
                if not number % CHECKED_AT_ONCE:
                    await asyncio.sleep(0)

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

        async def note_results() -> None:
            if people:
                people.look(registry)
                await people.step()

        async def read_results() -> None:
            if people:
                await accounts.leave_deleted()
                await people.read()
                await people.moderation.read()
                people.moderation.end_seats(registry)

        async def tidy_arenas() -> None:
            if people:
                await accounts.tidy_arenas()

        async def open_hourly() -> None:
            if hourly:
                await hourly.look()

        async def forget_rendered() -> None:
            if cluster:  # another node may have deleted a name from a game, which only that node notices
                renderer.clear_cache()

        async def publish_online() -> None:
            if people and cluster:
                await people.online.publish(cluster.node.identity.name)

        steps = (
            (LOOK_EVERY_S, note_results),
            (READ_EVERY_S, forget_rendered),
            (PUBLISH_EVERY_S, publish_online),
            (HOURLY_EVERY_S, open_hourly),
            (SWEEP_EVERY_S, sweep),
            (LIVE_EVERY_S, live),
            (CHECK_EVERY_S, watch_log),
            (KEYS_EVERY_S, refresh_keys),
            (ARENAS_EVERY_S, tidy_arenas),
            (CLOCK_EVERY_S, watch_clock),
            (MEASURE_EVERY_S, share.measure_load),
        )
        async with supervisor.running(
            supervisor.run("purge", purger.purge),  # what an earlier run left behind
            supervisor.run_every(READ_EVERY_S, "read_results", read_results, at_once=True),
            *(supervisor.run_every(pause_s, step.__name__, step) for pause_s, step in steps),
        ):
            yield
            await purger.stop()

    async def close(_: web.Application) -> None:
        with suppress(LogError):
            await asyncio.to_thread(registry.note_alive)
        arenas.close()
        registry.close()
        for session in list(context.sessions):
            session.channel.close(GOING_AWAY)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                while context.sessions:
                    await asyncio.sleep(CLOSE_WITHIN_S / 100)
        for session in list(context.sessions):
            session.channel.abort()

    readiness, stored = Readiness(log, lambda: supervisor.failing, why_not), StoredGames(log, registry, renderer)
    games = GameHandlers(log, stored, renderer, purger)
    seats = SeatHandlers(context, stored, renderer, games.delete_names, arenas.delete_names, games.erasing)
    accounts = AccountHandlers(context, people, games, arenas, renderer)
    add_routes(
        app,
        Handlers(
            health=HealthHandlers(registry, readiness, cluster.check if cluster else None),
            seats=seats,
            activity=ActivityHandlers(context, seats, pages),
            houses=HouseHandlers(renderer),
            learning=LearningHandlers(context, renderer),
            games=games,
            arenas=ArenaHandlers(context, arenas, people),
            pages=pages,
            previews=LinkPreviews(pages, stored, renderer, proxy_policy),
            accounts=accounts,
            passkeys=PasskeyHandlers(context, people, accounts),
            friends=FriendHandlers(context, people),
            profiles=ProfileHandlers(people, registry.game_names, renderer, proxy_policy.address),
            moderation=ModerationHandlers(context, people),
            socket=charged(serve_socket),
            stream=charged(serve_stream),
            messages=charged(receive_messages),
            description=serve_description if people else serve_description_alone,
            once=once,
            names=names,
        ),
        community=people is not None,
    )
    app.on_shutdown.append(readiness.stop)
    app.on_response_prepare.extend((partial(add_headers, peers, proxy_policy.discord), below_base_path, count))
    check_prices(app)
    app[REGISTRY], app[QUEUES], app[SUPERVISOR] = registry, queues, supervisor
    app[REQUEST_MIDDLEWARE], app[COOKIES] = request_middleware, browsers
    app[BASE_PATH] = proxy_policy.base_path
    if people:
        app[MODERATION] = people.moderation
    app[GATE] = ConnectionGate(limits, share, proxy_policy.proxied, connections_most(CONNECTIONS_MOST))
    app.on_shutdown.append(close)

    async def stop_worker(_: web.Application) -> None:
        await worker.close()

    app.on_cleanup.append(stop_worker)
    app.cleanup_ctx.append(background_tasks)
    return app


__all__ = ["Application", "make_app"]
