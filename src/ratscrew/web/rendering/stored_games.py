"""What is rendered of a game in the log: decoded by the worker process, and cached. The only way of routes to a game.

A long game takes a second of processor time to decode, so neither the event loop nor a thread of this process does it.
The server reads the number of its last entry, and if the worker's cache has nothing of these entries, their bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

from aiohttp import web

from ratscrew.errors import Corrupt
from ratscrew.log.protocol import EventLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.web.http.responses import language_of
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.rendering import DAMAGED, Rendered, not_over
from ratscrew.web.rendering.worker import Execute


class StoredGames:
    """The games in a server's log, as the worker renders them."""

    def __init__(self, log: EventLog[Entry], registry: RoomRegistry, renderer: Renderer) -> None:
        self._log, self._registry, self._renderer = log, registry, renderer

    async def render(self, request: web.Request, render: Callable[..., Rendered], game: str, *args: str) -> Rendered:
        """What a function of `rendering.py` makes of a game, given by its public name; the last `args` is the language.

        A game that is being played here gets the response for games that are not over, and nothing is read.

        Raises: LookupError if there is no such game; Corrupt; LogError; the errors of `Worker.render`.
        """
        names = self._registry.game_names
        if (stored := names.in_log(game)) is None:
            raise LookupError(game)
        if self._registry.is_playing(stored):
            return not_over(language_of(request))
        if not (count := await asyncio.to_thread(self._log.count, stored)):
            raise LookupError(game)

        async def job(execute: Execute) -> Rendered:
            packed = await asyncio.to_thread(self._log.read_packed, stored)
            public = names.public(stored)
            return await execute(render, public, packed.bodies, packed.checksums, *args, language_of(request))

        rendered = await self._renderer.render(request, (render.__name__, stored, count, *args), job)
        if rendered.status == DAMAGED:
            await asyncio.to_thread(self._log.read, stored)  # this says which entry is damaged
            raise Corrupt(f"game {game} cannot be read")
        return rendered

    def forget(self, room: str) -> None:
        """Drop what is cached of the games of a room, given by its full name."""

        def concerns(key: Hashable) -> bool:
            return isinstance(key, tuple) and len(key) > 1 and str(key[1]).startswith(f"{room}-")

        self._renderer.clear_cache(concerns)
