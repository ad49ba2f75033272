"""The server, wired together: pages, the HTTP interface, sockets. Nothing in this file decides anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from aiohttp import WSCloseCode, web
from aiohttp.web import Application

from ratscrew.errors import LogError
from ratscrew.log.protocol import EventLog
from ratscrew.table.clock import Clock
from ratscrew.table.dealing import Laid
from ratscrew.table.lobby import Lobby
from ratscrew.table.record import Entry
from ratscrew.table.tokens import Tokens
from ratscrew.web.answers import BODY_MOST, answer_problems
from ratscrew.web.cookies import Cookies
from ratscrew.web.door import SOCKET, door
from ratscrew.web.games import add_games
from ratscrew.web.health import add_health
from ratscrew.web.houses import add_houses
from ratscrew.web.learning import add_learning
from ratscrew.web.limits import Limits
from ratscrew.web.meter import Meter, MeteredLog, Unmetered
from ratscrew.web.openapi import add_openapi
from ratscrew.web.pages import Pages, add_headers
from ratscrew.web.road import Road
from ratscrew.web.seats import add_seats
from ratscrew.web.socket import CLOSE_WITHIN_S, House, converse, new_socket

SWEEP_EVERY_S = 60.0
LIVE_EVERY_S = 1.0
"""How often is noted that the server lives, while somebody's time runs out."""

LOBBY = web.AppKey("lobby", Lobby)
QUEUES = web.AppKey[Callable[[], dict[str, int]]]("queues")


def make_app(
    log: EventLog[Entry],
    clock: Clock,
    pages: Pages,
    laid: Laid | None = None,
    road: Road | None = None,
    limits: Limits | None = None,
    meter: Meter | None = None,
) -> web.Application:
    """The whole server on a log and a clock, as an aiohttp application.

    `road` is how people reach it, `limits` how much they may ask for, `meter` counts what happens. Its lobby is at the
    key `LOBBY`, what waits in it at `QUEUES`.
    """
    meter, road = meter or Unmetered(), road or Road()
    log = MeteredLog(log, meter)
    lobby = Lobby(log, clock, laid)
    house = House(lobby, clock, road, Cookies(Tokens(log.keep), clock, road), limits or Limits(clock), meter)
    app = web.Application(client_max_size=BODY_MOST, middlewares=[answer_problems, door(house.road, house.limits)])
    sockets: dict[web.WebSocketResponse, asyncio.Transport] = {}

    async def socket(request: web.Request) -> web.StreamResponse:
        talk = new_socket()
        if request.transport:
            sockets[talk] = request.transport
        try:
            await converse(request, talk, house)
        finally:
            sockets.pop(talk, None)
        return talk if talk.prepared else web.Response(status=400)  # who vanishes while he shakes hands hears nothing

    async def count(_: web.Request, response: web.StreamResponse) -> None:
        meter.answered(response.status)

    def queues() -> dict[str, int]:
        return {"connections": len(sockets), "log": log.waiting}

    async def keeping_house(_: web.Application) -> AsyncIterator[None]:
        async def sweep() -> None:
            while True:
                await asyncio.sleep(SWEEP_EVERY_S)
                lobby.sweep()

        async def live() -> None:
            while True:
                await asyncio.sleep(LIVE_EVERY_S)
                if lobby.ticking:
                    with suppress(LogError):  # whoever plays is told by what cannot be kept
                        await asyncio.to_thread(lobby.live)

        tasks = [asyncio.create_task(sweep()), asyncio.create_task(live())]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close(_: web.Application) -> None:
        with suppress(LogError):
            await asyncio.to_thread(lobby.live)
        lobby.close()
        closing = [asyncio.create_task(talk.close(code=WSCloseCode.GOING_AWAY)) for talk in sockets]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_WITHIN_S)
        for transport in list(sockets.values()):
            transport.abort()
        await asyncio.gather(*closing, return_exceptions=True)

    add_health(app, lobby, log)
    add_seats(app, house, add_games(app, log))
    add_houses(app)
    add_learning(app, lobby, house.cookies)
    add_openapi(app)
    app.router.add_get(SOCKET, socket)
    app.router.add_get("/", pages.start)
    app.router.add_get("/room/{code}", pages.room)
    app.router.add_get("/game/{game}", pages.index)
    app.router.add_get("/replay/{game}", pages.index)
    app.router.add_get("/tv/{code}", pages.index)
    app.router.add_get("/rules", pages.index)
    app.router.add_get("/judge", pages.index)
    app.router.add_get("/learn", pages.index)
    app.router.add_get("/practice", pages.index)
    app.router.add_get("/together", pages.index)
    app.router.add_get("/{path:(?!api/).+}", pages.file)
    app.on_response_prepare.extend((add_headers, count))
    app[LOBBY], app[QUEUES] = lobby, queues
    app.on_shutdown.append(close)
    app.cleanup_ctx.append(keeping_house)
    return app


__all__ = ["Application", "make_app"]
