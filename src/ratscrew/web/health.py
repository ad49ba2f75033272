"""Whether the server is alive, and whether people may be sent to it. Nothing in this file heals anything."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Any

from aiohttp import web

from ratscrew.errors import LogError
from ratscrew.log.protocol import EventLog
from ratscrew.table.lobby import Lobby
from ratscrew.web import bodies
from ratscrew.web.answers import answer

LOOK_EVERY_S = 1.0
"""However often it is asked for, the log is tried no more often."""

_journal = logging.getLogger(__name__)


class Readiness:
    """Whether people may be sent here: the log can be written, and the server does not stop."""

    def __init__(self, log: EventLog[Any]) -> None:
        self._log = log
        self._stopping = self._failing = False
        self._tried_s = float("-inf")
        self._trying = asyncio.Lock()

    async def stop(self, _: web.Application) -> None:
        """From now on nobody may be sent here."""
        self._stopping = True

    async def why_not(self) -> str | None:
        """Why nobody may be sent here, if so."""
        async with self._trying:
            if not self._stopping and time.monotonic() - self._tried_s >= LOOK_EVERY_S:
                await self._try()
        if self._stopping:
            return "the server is stopping"
        return "the log cannot be written" if self._failing else None

    async def _try(self) -> None:
        try:
            await asyncio.to_thread(self._log.note, "probe", secrets.token_bytes(8))
        except LogError as error:
            if not self._failing:
                _journal.error("the log cannot be written", extra={"error": str(error)})
            self._failing = True
        else:
            self._failing = False
        self._tried_s = time.monotonic()


def add_health(app: web.Application, lobby: Lobby, log: EventLog[Any]) -> None:
    """Answer at `/api/health` (alive) and `/api/ready` (503 and the reason, if nobody may be sent here)."""
    readiness = Readiness(log)

    async def health(_: web.Request) -> web.Response:
        return answer(bodies.Health(True, len(lobby)))

    async def ready(_: web.Request) -> web.Response:
        why_not = await readiness.why_not()
        return answer(bodies.Ready(why_not is None, why_not), 200 if why_not is None else 503)

    app.router.add_get("/api/health", health)
    app.router.add_get("/api/ready", ready)
    app.on_shutdown.append(readiness.stop)
