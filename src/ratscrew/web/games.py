"""Games that are over, over HTTP: as data for pages, and as text to keep. Of a game that goes on nothing is sent.

The log is read beside the loop and the answer rendered in the worker process, then kept for the others who ask:
everybody at a table does so at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from aiohttp import web

from ratscrew.log.protocol import EventLog
from ratscrew.table.records.entries import Entry
from ratscrew.table.records.erasure import by_number, forget
from ratscrew.web import http_schema
from ratscrew.web.purging import Purger
from ratscrew.web.rendered import Renderer
from ratscrew.web.rendering import ENTRIES, Rendered, game_as_data, game_as_text
from ratscrew.web.responses import json_response
from ratscrew.web.worker import Execute

Forget: TypeAlias = Callable[[str, Collection[int]], Awaitable[bool]]
"""Deletes the names of these from all games of a room, in the log and in what is at hand.

It returns whether nothing of them is left in the log's files; if something is, that is cleared in the background.
"""


def add_games(app: web.Application, log: EventLog[Entry], renderer: Renderer, purger: Purger) -> Forget:
    """Everything about finished games under `/api`, and how to delete names there."""

    async def told(request: web.Request, render: Callable[[str, bytes], Rendered], kind: str) -> web.Response:
        game = request.match_info["game"]

        async def job(execute: Execute) -> Rendered:
            return await execute(render, game, await asyncio.to_thread(_read, log, game))

        try:
            return await renderer.answer_by(request, (render.__name__, game), job, kind, "no-store")
        except LookupError:
            return json_response(http_schema.Problem("no_such_game", (f"there is no game {game!r} here",)), 404)

    async def as_data(request: web.Request) -> web.Response:
        return await told(request, game_as_data, "application/json")

    async def as_text(request: web.Request) -> web.Response:
        response = await told(request, game_as_text, "text/plain")
        if response.status == 200:
            response.headers["Content-Disposition"] = (
                f'attachment; filename="ratscrew-{request.match_info["game"]}.txt"'
            )
        return response

    app.router.add_get("/api/games/{game}.txt", as_text)
    app.router.add_get("/api/games/{game}", as_data)

    async def forget_names(room: str, whos: Collection[int]) -> bool:
        try:
            await asyncio.to_thread(forget, log, room, by_number(whos))
        finally:  # also if only some of the games could be changed
            renderer.forget()
        return await purger.purge()

    return forget_names


def _read(log: EventLog[Entry], game: str) -> bytes:
    """A game's entries as the worker process reads them.

    Raises: LookupError if there is none; LogError.
    """
    if not (entries := log.read(game)):
        raise LookupError(game)
    return ENTRIES.encode(entries)
