"""The server, wired together: pages, the HTTP interface, sockets. Nothing in this file decides anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from aiohttp import WSCloseCode, web
from aiohttp.web import Application

from ratscrew.errors import RulesError
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.clock import Clock
from ratscrew.table.lobby import Lobby, code_of
from ratscrew.table.record import Entry
from ratscrew.web import wire
from ratscrew.web.pages import Pages, add_headers
from ratscrew.web.socket import CLOSE_WITHIN_S, converse, new_socket

SWEEP_EVERY_S = 60.0
BODY_MOST = 4096

_NEW_ROOM = Codec[wire.NewRoom](wire.NewRoom)
_ANSWER = Codec[Any](Any)


def make_app(log: EventLog[Entry], clock: Clock, pages: Pages) -> web.Application:
    """The whole server on a log and a clock, as an aiohttp application."""
    app = web.Application(client_max_size=BODY_MOST)
    lobby = Lobby(log, clock)
    sockets: dict[web.WebSocketResponse, asyncio.Transport] = {}

    async def new_room(request: web.Request) -> web.Response:
        try:
            asked = _NEW_ROOM.decode(await request.read())
            room, token = lobby.open(asked.name, asked.bots, asked.strength, asked.preset)
        except RulesError as error:
            return _json(wire.Problem("rules", error.problems), 422)
        except ValueError as error:
            return _json(wire.Problem("request", (str(error),)), 400)
        return _json(wire.Joined(code_of(room.table.room), 0, token), 201)

    async def health(_: web.Request) -> web.Response:
        return web.json_response({"ok": True, "rooms": len(lobby)})

    async def socket(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="A socket is opened from our own pages only.")
        talk = new_socket()
        if request.transport:
            sockets[talk] = request.transport
        try:
            await converse(request, talk, lobby, clock)
        finally:
            sockets.pop(talk, None)
        return talk

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
    app.router.add_get("/api/health", health)
    app.router.add_get("/ws", socket)
    app.router.add_get("/", pages.index)
    app.router.add_get("/room/{code}", pages.index)
    app.router.add_get("/{path:.+}", pages.file)
    app.on_response_prepare.append(add_headers)
    app.on_shutdown.append(close)
    app.cleanup_ctx.append(sweeping)
    return app


__all__ = ["Application", "make_app"]


def _json(value: wire.Joined | wire.Problem, status: int) -> web.Response:
    return web.Response(body=_ANSWER.encode(value), content_type="application/json", status=status)
