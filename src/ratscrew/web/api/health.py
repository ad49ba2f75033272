"""Health and readiness checks for load balancers and orchestrators."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Any

from aiohttp import web

from ratscrew.errors import Detached, LogError
from ratscrew.log.protocol import EventLog
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.web.http.node_check import NodeCheck
from ratscrew.web.http.responses import json_response
from ratscrew.web.schema import http_schema

LOOK_EVERY_S = 1.0
"""The shortest time between two trial writes to the log, however often readiness is requested."""

ANSWER_WITHIN_S = 2.0
"""How long a request waits for the trial write; after that the log counts as not answering."""

_logger = logging.getLogger(__name__)


class Readiness:
    """Whether clients may be sent here: the log can be written, no task fails, the server is not stopping."""

    def __init__(
        self,
        log: EventLog[Any],
        failing: Callable[[], tuple[str, ...]] = tuple,
        cluster_why_not: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`failing` names the background tasks that fail; `cluster_why_not` is why other nodes should be asked."""
        self._log, self._tasks_failing, self._cluster_why_not = log, failing, cluster_why_not
        self._stopping = False
        self._failing: str | None = None
        self._tried_s = float("-inf")
        self._trying: asyncio.Task[None] | None = None

    async def stop(self, _: web.Application) -> None:
        """The server stops: it is not ready from now on."""
        self._stopping = True

    async def why_not(self) -> str | None:
        """Why no client may be sent here; None if the server is ready. Concurrent calls share one trial write."""
        if not self._stopping and self._trying is None and time.monotonic() - self._tried_s >= LOOK_EVERY_S:
            self._trying = asyncio.create_task(self._try())
        if self._trying and not (await asyncio.wait({self._trying}, timeout=ANSWER_WITHIN_S))[0]:
            return "the log does not answer"
        if self._stopping:
            return "the server is stopping"
        if why_not := self._cluster_why_not():
            return why_not
        if failing := self._tasks_failing():
            return f"a background task fails: {', '.join(failing)}"
        return self._failing

    async def _try(self) -> None:
        try:
            await asyncio.to_thread(self._log.put, "probe", secrets.token_bytes(8))
        except Exception as error:  # a bug, too, means that clients should not come
            gone, bug = isinstance(error, Detached), None if isinstance(error, LogError) else error
            why = "the data file was deleted or replaced" if gone else "the log cannot be written"
            if self._failing != why:
                _logger.error("%s", why, exc_info=bug, extra={"error": str(error)})
            self._failing = why
        else:
            self._failing = None
        finally:
            self._tried_s, self._trying = time.monotonic(), None


class HealthHandlers:
    """Handlers of `/api/health` (alive) and `/api/ready` (503 with the reason while no client should come)."""

    def __init__(self, registry: RoomRegistry, readiness: Readiness, check: NodeCheck | None = None) -> None:
        """`check` answers the self-checks of nodes; without it this is no node of a cluster."""
        self._registry, self._readiness, self._check = registry, readiness, check

    async def health(self, _: web.Request) -> web.Response:
        """The server is alive, with so many rooms in memory."""
        return json_response(http_schema.Health(True, len(self._registry)))

    async def ready(self, _: web.Request) -> web.Response:
        """Whether clients may be sent here; if not, why."""
        why_not = await self._readiness.why_not()
        return json_response(http_schema.ReadyState(why_not is None, why_not), 200 if why_not is None else 503)

    async def node(self, request: web.Request) -> web.Response:
        """`?question=TEXT`: which node of the cluster this is, as only nodes can sign it; empty if it is none."""
        return web.Response(
            text=self._check.answer(request.query.get("question", "")) if self._check else "",
            headers={"Cache-Control": "no-store"},
        )
