"""The server, wired together: pages, the HTTP interface, sockets. Nothing in this file decides anything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from aiohttp import WSCloseCode, web
from aiohttp.web import Application

from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.rules.link import to_link
from ratscrew.table.clock import Clock
from ratscrew.table.core import Table
from ratscrew.table.dealing import Laid
from ratscrew.table.lobby import Asked, Lobby, code_of
from ratscrew.table.record import Entry
from ratscrew.table.room import Room
from ratscrew.web import bodies
from ratscrew.web.answers import BODY_MOST, answer, answer_problems
from ratscrew.web.door import SOCKET, door
from ratscrew.web.games import add_games
from ratscrew.web.health import add_health
from ratscrew.web.houses import add_houses
from ratscrew.web.learning import add_learning
from ratscrew.web.limits import Limits
from ratscrew.web.meter import Meter, MeteredLog, Unmetered
from ratscrew.web.pages import Pages, add_headers
from ratscrew.web.road import Road
from ratscrew.web.socket import CLOSE_WITHIN_S, House, converse, new_socket

_journal = logging.getLogger(__name__)
SWEEP_EVERY_S = 60.0

LOBBY = web.AppKey("lobby", Lobby)
QUEUES = web.AppKey[Callable[[], dict[str, int]]]("queues")
_NEW_ROOM = Codec[bodies.NewRoom](bodies.NewRoom)
_QUICK = Codec[bodies.Quick](bodies.Quick)
_NEW_SEAT = Codec[bodies.NewSeat](bodies.NewSeat)


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
    meter = meter or Unmetered()
    log = MeteredLog(log, meter)
    lobby = Lobby(log, clock, laid)
    house = House(lobby, clock, road or Road(), limits or Limits(clock), meter)
    app = web.Application(client_max_size=BODY_MOST, middlewares=[answer_problems, door(house.road, house.limits)])
    sockets: dict[web.WebSocketResponse, asyncio.Transport] = {}

    async def joined(room: Room, seat: int, token: str) -> web.Response:
        """Nobody is told of a seat that the log does not have."""
        await room.kept()
        _journal.info("a seat is taken", extra={"room": code_of(room.table.room), "seats": len(room.table.seats)})
        return answer(bodies.Joined(code_of(room.table.room), seat, token), 201)

    async def new_room(request: web.Request) -> web.Response:
        new = _NEW_ROOM.decode(await request.read())
        asked = Asked(new.name, new.bots, new.strength, new.house, new.wait, new.listed, new.guise, nonce=new.nonce)
        room, token = lobby.open(asked)
        return await joined(room, room.table.company.host, token)

    async def open_rooms(_: web.Request) -> web.Response:
        return answer([_row(room.table) for room in lobby.listed()])

    async def quick(request: web.Request) -> web.Response:
        new = _QUICK.decode(await request.read())
        return await joined(*lobby.quick(new.name, new.guise))

    async def new_seat(request: web.Request) -> web.Response:
        new = _NEW_SEAT.decode(await request.read())
        address = house.road.address(request)
        house.limits.look("codes", address)
        if (room := lobby.find(request.match_info["code"])) is None:
            house.limits.take("codes", address)
            return answer(bodies.Problem("no_room", ("there is no room with this code",)), 404)
        return await joined(room, *lobby.join(room, new.name, new.guise))

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

    async def sweeping(_: web.Application) -> AsyncIterator[None]:
        async def sweep() -> None:
            while True:
                await asyncio.sleep(SWEEP_EVERY_S)
                lobby.sweep()

        task = asyncio.create_task(sweep())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def close(_: web.Application) -> None:
        lobby.close()
        closing = [asyncio.create_task(talk.close(code=WSCloseCode.GOING_AWAY)) for talk in sockets]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_WITHIN_S)
        for transport in list(sockets.values()):
            transport.abort()
        await asyncio.gather(*closing, return_exceptions=True)

    app.router.add_post("/api/rooms", new_room)
    app.router.add_get("/api/rooms", open_rooms)
    app.router.add_post("/api/quick", quick)
    app.router.add_post("/api/rooms/{code}/seats", new_seat)
    add_health(app, lobby, log)
    add_houses(app)
    add_learning(app, lobby)
    add_games(app, log)
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
    app.router.add_get("/{path:.+}", pages.file)
    app.on_response_prepare.extend((add_headers, count))
    app[LOBBY], app[QUEUES] = lobby, queues
    app.on_shutdown.append(close)
    app.cleanup_ctx.append(sweeping)
    return app


def _row(table: Table) -> bodies.OpenRoom:
    """A room as strangers find it."""
    staying = table.company.staying
    bots = sum(seat.bot is not None for seat in staying)
    host = table.seats[table.company.host].name
    room, house = code_of(table.room), to_link(table.rules)
    return bodies.OpenRoom(room, host, house, len(staying) - bots, bots, table.most, table.playing)


__all__ = ["Application", "make_app"]
