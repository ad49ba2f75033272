"""Games that are over, over HTTP: as data for pages, and as text to keep. A game that goes on is told to nobody.

A long log takes a while to read and to tell, so that is done beside the loop, one game after the other, and kept for
the others who ask: everybody at a table does so at once.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache
from typing import TypeAlias

from aiohttp import web

from ratscrew.errors import Refusal, Why
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.forgetting import by_number, forget
from ratscrew.table.history import Finished, History, history
from ratscrew.table.record import Entry
from ratscrew.web import bodies
from ratscrew.web.answers import answer
from ratscrew.web.pages import takes

REMEMBERED = 64
"""How many answers are at hand: a long game's is some 30 kB."""

_FINISHED = Codec[Finished](Finished)


Forget: TypeAlias = Callable[[str, Collection[int]], Awaitable[None]]
"""Deletes the names of these from all games of a room, in the log and in what is at hand."""


def add_games(app: web.Application, log: EventLog[Entry]) -> Forget:
    """Everything about finished games under `/api`, and how to delete names there."""
    one_by_one = asyncio.Lock()

    @lru_cache(REMEMBERED)
    def packed(game: str, tell: Callable[[str, History], bytes]) -> bytes:
        return gzip.compress(tell(game, _read(log, game)), 6)

    async def tell_it(request: web.Request, tell: Callable[[str, History], bytes], kind: str) -> web.Response:
        game = request.match_info["game"]
        try:
            async with one_by_one:
                body = await asyncio.to_thread(packed, game, tell)
        except LookupError:
            return answer(bodies.Problem("no_such_game", (f"there is no game {game!r} here",)), 404)
        headers = {"Vary": "Accept-Encoding"}
        if takes("gzip", request.headers.get("Accept-Encoding", "")):
            headers["Content-Encoding"] = "gzip"
        else:
            body = gzip.decompress(body)
        return web.Response(body=body, headers=headers, content_type=kind, charset="utf-8")

    async def as_data(request: web.Request) -> web.Response:
        return await tell_it(request, _data, "application/json")

    async def as_text(request: web.Request) -> web.Response:
        response = await tell_it(request, _text, "text/plain")
        if response.status == 200:
            response.headers["Content-Disposition"] = (
                f'attachment; filename="ratscrew-{request.match_info["game"]}.txt"'
            )
        return response

    app.router.add_get("/api/games/{game}.txt", as_text)
    app.router.add_get("/api/games/{game}", as_data)

    async def forget_names(room: str, whos: Collection[int]) -> None:
        async with one_by_one:
            packed.cache_clear()
            await asyncio.to_thread(forget, log, room, by_number(whos))

    return forget_names


def _read(log: EventLog[Entry], game: str) -> History:
    """A game from the log, if it is over.

    Raises: LookupError if there is none; Refusal (not_over).
    """
    entries = log.read(game)
    if not entries:
        raise LookupError(game)
    read = history(entries)
    if read.game is None or not read.game.over:
        raise Refusal(Why.NOT_OVER, "this game is not over yet")
    return read


def _data(game: str, read: History) -> bytes:
    return _FINISHED.encode(read.finished(game))


def _text(_: str, read: History) -> bytes:
    return read.text().encode()
