"""Assembles the server: pages, HTTP API, WebSockets and background tasks. No logic of its own.

`Server` makes each part once, by its name, from those above it.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web import Application as Application

from ratscrew.errors import LogError
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
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.registry.tokens import Tokens
from ratscrew.table.room.room_events import GameOver
from ratscrew.table.state.dealer import Laid
from ratscrew.turns import Turns
from ratscrew.web.access.admission import Admission
from ratscrew.web.access.community import READ_EVERY_S, Community, CommunityOptions
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
from ratscrew.web.upkeep import CLOCK_EVERY_S, KEYS_EVERY_S, LIVE_EVERY_S, SWEEP_EVERY_S, Upkeep

if TYPE_CHECKING:
    from ratscrew.web.cluster.cluster import Cluster

ARENAS_EVERY_S = 3600.0

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
    return Server(
        log, clock, pages, laid, proxy_policy, limits, metrics or NullMetrics(), execute, cluster, community, names
    ).app


class Server:
    """The parts of one server, in the order in which they are made. `app` serves them."""

    def __init__(
        self,
        log: EventLog[Entry],
        clock: Clock,
        pages: StaticFiles,
        laid: Laid | None,
        proxy_policy: ProxyPolicy | None,
        limits: Limits | None,
        metrics: MetricsSink,
        execute: Execute | None,
        cluster: Cluster | None,
        community: CommunityOptions | None,
        names: NameScreen | None,
    ) -> None:
        self.clock, self.pages, self.metrics, self.cluster, self.names = clock, pages, metrics, cluster, names
        self.limits = limits or Limits(clock, shared=cluster.shared_limits() if cluster else None)
        self.log = MeasuredLog(log, metrics)
        self.rooms = RoomRegistry(self.log, clock, laid, cluster.rooms if cluster else None)
        self.tokens = Tokens(self.log, clock.now_us(), self.rooms.alive_us or None)
        self.peers = cluster.peers(self.tokens) if cluster else None
        self.proxy_policy = dataclasses.replace(proxy_policy or ProxyPolicy(), peers=self.peers)
        self.browsers = BrowserCookies(self.log, self.proxy_policy)
        self.cookies = Cookies(self.tokens, clock, self.browsers)
        self.people = self._community(community) if community else None
        self.admission = Admission(self.rooms, self.cookies, self.proxy_policy, self.limits, clock, self.people)
        self.share = LoopShare(self.limits.times, clock.now_us)
        self.context = self._context()
        self.supervisor = Supervisor()
        self.worker = Worker(self.limits, execute)
        self.renderer = Renderer(self.worker, self.proxy_policy)
        self.purger = Purger(self.log.purge, self.supervisor)
        self.stored = StoredGames(self.log, self.rooms, self.renderer)
        self.games = GameHandlers(self.log, self.stored, self.renderer, self.purger)
        self.arenas = ArenaRegistry(self.log, self.rooms, clock.now_us, clock.speed)
        self.accounts = AccountHandlers(self.context, self.people, self.games, self.arenas, self.renderer)
        self.hourly = HourlyArena(self.log, self.arenas, community.hourly) if community and community.hourly else None
        self.readiness = Readiness(
            self.log, lambda: self.supervisor.failing, cluster.why_not_ready if cluster else lambda: None
        )
        self.upkeep = Upkeep(self.log, clock, self.rooms, self.tokens)
        self.request_middleware = RequestMiddleware(self.proxy_policy, self.limits, self.share, metrics.http_response)
        self.app = self._application()

    def _community(self, options: CommunityOptions) -> Community:
        people = Community(self.log, self.clock, self.proxy_policy, self.browsers, options.rated, self.rooms)
        self.rooms.rated_rules = frozenset(people.rated)
        self.rooms.events.subscribe(GameOver, people.note_over)
        return people

    def _context(self) -> ServerContext:
        """What clients at channels need of the server."""
        context = ServerContext(
            registry=self.rooms,
            clock=self.clock,
            proxy_policy=self.proxy_policy,
            cookies=self.cookies,
            limits=self.limits,
            share=self.share,
            admission=self.admission,
            slow=Turns(),
            opening=FairLock(),
            sessions=set(),
            streams={},
            bursts=PingBursts(lambda: self.rooms.restoring),
            spectators=Spectators(self.clock, WIRE, text_frame),
            metrics=self.metrics,
        )
        if self.peers:
            self.peers.on_change = partial(send_nodes, context)
        return context

    def _application(self) -> web.Application:
        """The application: its middleware from the outside inwards, its routes, its start and its end."""
        app = web.Application(client_max_size=BODY_MOST)
        if self.people:
            app.middlewares.append(self.people.moderation.middleware)
            app[MODERATION] = self.people.moderation
        app.middlewares.extend((error_middleware, self.request_middleware.middleware))
        if self.cluster:
            self.cluster.join(app, self.proxy_policy, self.share, self.admission, self.context.streams, self.supervisor)
        app.middlewares.append(self.request_middleware.refuse_rooms)
        add_routes(app, self._handlers(), community=self.people is not None)
        check_prices(app)
        app[REGISTRY], app[QUEUES], app[SUPERVISOR] = self.rooms, self._queues, self.supervisor
        app[REQUEST_MIDDLEWARE], app[COOKIES] = self.request_middleware, self.browsers
        app[BASE_PATH] = self.proxy_policy.base_path
        app[GATE] = ConnectionGate(
            self.limits, self.share, self.proxy_policy.proxied, connections_most(CONNECTIONS_MOST)
        )
        add_head = partial(add_headers, self.peers, self.proxy_policy.discord)
        app.on_response_prepare.extend((add_head, self._put_below_base_path, self._count))
        app.cleanup_ctx.append(self._background_tasks)
        app.on_shutdown.extend((self.readiness.stop, self._close))
        app.on_cleanup.append(self._stop_worker)
        return app

    def _handlers(self) -> Handlers:
        context, people, renderer = self.context, self.people, self.renderer
        seats = SeatHandlers(
            context, self.stored, renderer, self.games.delete_names, self.arenas.delete_names, self.games.erasing
        )
        return Handlers(
            health=HealthHandlers(self.rooms, self.readiness, self.cluster.check if self.cluster else None),
            seats=seats,
            activity=ActivityHandlers(context, seats, self.pages),
            houses=HouseHandlers(renderer),
            learning=LearningHandlers(context, renderer),
            games=self.games,
            arenas=ArenaHandlers(context, self.arenas, people),
            pages=self.pages,
            previews=LinkPreviews(self.pages, self.stored, renderer, self.proxy_policy),
            accounts=self.accounts,
            passkeys=PasskeyHandlers(context, people, self.accounts),
            friends=FriendHandlers(context, people),
            profiles=ProfileHandlers(people, self.rooms.game_names, renderer, self.proxy_policy.address),
            moderation=ModerationHandlers(context, people),
            socket=self._charged(serve_socket),
            stream=self._charged(serve_stream),
            messages=self._charged(receive_messages),
            description=serve_description if people else serve_description_alone,
            once=IdempotentResponses(self.clock, self.proxy_policy).once,
            names=self.names,
        )

    def _charged(self, handle: Callable[[web.Request, ServerContext], Awaitable[web.StreamResponse]]) -> Handler:
        """A handler whose connection counts as its client's while it runs."""

        async def charge_client(request: web.Request) -> web.StreamResponse:
            handler = request.protocol
            if isinstance(handler, GuardedHandler):
                handler.account = self.proxy_policy.address(request)
            try:
                return await handle(request, self.context)
            finally:
                if isinstance(handler, GuardedHandler) and self.proxy_policy.proxied:  # it may be another's next
                    handler.account = None

        return charge_client

    async def _put_below_base_path(self, _: web.Request, response: web.StreamResponse) -> None:
        add_base_path(self.proxy_policy.base_path, response)

    async def _count(self, _: web.Request, response: web.StreamResponse) -> None:
        self.metrics.http_response(response.status)

    def _queues(self) -> dict[str, int]:
        waiting = {"connections": len(self.context.sessions), "log": self.log.waiting}
        return {**waiting, "purge": int(self.purger.pending)}

    # Background tasks

    async def _background_tasks(self, _: web.Application) -> AsyncIterator[None]:
        run, run_every = self.supervisor.run, self.supervisor.run_every
        upkeep, people = self.upkeep, self.people
        works = [
            run("purge", self.purger.purge),  # what an earlier run left behind
            run_every(SWEEP_EVERY_S, "sweep", upkeep.sweep),
            run_every(LIVE_EVERY_S, "live", upkeep.note_alive),
            run_every(KEYS_EVERY_S, "refresh_keys", upkeep.refresh_keys),
            run_every(CLOCK_EVERY_S, "watch_clock", upkeep.watch_clock),
            run_every(MEASURE_EVERY_S, "measure_load", self.share.measure_load),
        ]
        if people:
            works.append(run("settle_games", people.settle_games))
            works.append(run_every(READ_EVERY_S, "read_results", partial(self._read_results, people), at_once=True))
            works.append(run_every(ARENAS_EVERY_S, "tidy_arenas", self.accounts.tidy_arenas))
        if self.hourly:
            works.append(run_every(HOURLY_EVERY_S, "open_hourly", self.hourly.look))
        if self.cluster:
            works.append(run_every(READ_EVERY_S, "forget_rendered", self._forget_rendered))
        if self.cluster and people:
            publish = partial(people.online.publish, self.cluster.node.identity.name)
            works.append(run_every(PUBLISH_EVERY_S, "publish_online", publish))
        async with self.supervisor.running(*works):
            yield
            await self.purger.stop()

    async def _read_results(self, people: Community) -> None:
        await self.accounts.leave_deleted()
        await people.read()
        await people.moderation.read()
        people.moderation.end_seats(self.rooms)

    async def _forget_rendered(self) -> None:
        """Another node may have deleted a name from a game, which only that node notices."""
        self.renderer.clear_cache()

    # The end

    async def _close(self, _: web.Application) -> None:
        with suppress(LogError):
            await asyncio.to_thread(self.rooms.note_alive)
        self.arenas.close()
        self.rooms.close()
        sessions = self.context.sessions
        for session in list(sessions):
            session.channel.close(GOING_AWAY)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                while sessions:
                    await asyncio.sleep(CLOSE_WITHIN_S / 100)
        for session in list(sessions):
            session.channel.abort()

    async def _stop_worker(self, _: web.Application) -> None:
        await self.worker.close()
