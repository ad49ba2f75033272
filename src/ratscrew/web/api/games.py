"""HTTP handlers of finished games: as data for pages, as text to download. Games in progress are never sent.

The worker process renders the response (`stored_games.py`). It is cached, because all players of a table request it at
the same moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from aiohttp import web

from ratscrew.limits.fair_lock import FairLock
from ratscrew.log.protocol import EventLog
from ratscrew.rules.words import say
from ratscrew.table.core.erasure import delete_names_in_log, seated_by
from ratscrew.table.record.entries import Entry
from ratscrew.web.http.responses import ProblemResponse
from ratscrew.web.rendering.purging import Purger
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.rendering import Rendered, game_as_data, game_as_text
from ratscrew.web.rendering.stored_games import StoredGames

DeleteNames: TypeAlias = Callable[[str, Collection[int]], Awaitable[bool]]
"""Deletes the names of players from all games of a room, in the log and in the cache of responses.

It returns whether the log's files have no trace of them; a trace that is left is cleared in the background.
"""


class GameHandlers:
    """Handlers of finished games under `/api`, and how to delete names in them."""

    def __init__(self, log: EventLog[Entry], games: StoredGames, renderer: Renderer, purger: Purger) -> None:
        self._log, self._games, self._renderer, self._purger = log, games, renderer, purger
        self.erasing = FairLock()
        """Taken to delete names or an account from games in the log: one at a time."""

    async def _rendered(
        self, request: web.Request, render: Callable[[str, bytes, bytes, str], Rendered], media_type: str
    ) -> web.Response:
        game = request.match_info["game"]
        try:
            return self._renderer.response(request, await self._games.render(request, render, game), media_type)
        except LookupError:
            return ProblemResponse(404, "no_such_game", say("there is no game {game!r} here", game=game))

    async def as_data(self, request: web.Request) -> web.Response:
        """A finished game as JSON."""
        return await self._rendered(request, game_as_data, "application/json")

    async def as_text(self, request: web.Request) -> web.Response:
        """A finished game as a text file."""
        response = await self._rendered(request, game_as_text, "text/plain")
        if response.status == 200:
            response.headers["Content-Disposition"] = (
                f'attachment; filename="ratscrew-{request.match_info["game"]}.txt"'
            )
        return response

    def forget(self, room: str) -> None:
        """Drop what is cached of the games of a room, given by its full name."""
        self._games.forget(room)

    async def purge(self) -> bool:
        """Clear the log's files of deleted data; what is left is cleared in the background."""
        return await self._purger.purge()

    async def delete_names(self, room: str, player_ids: Collection[int]) -> bool:
        try:
            await asyncio.to_thread(delete_names_in_log, self._log, room, seated_by(player_ids))
        finally:  # also if only some of the games could be changed
            self._games.forget(room)
        return await self._purger.purge()
