"""Which worker of this machine handles a request: connections for another worker's room are passed on to it.

Without an answer from here a request is handled, or forwarded, as in any node of a cluster (`forwarding.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from ratscrew.errors import LogError, Overloaded
from ratscrew.web.cluster_peers import ClusterPeers
from ratscrew.web.connections import GuardedHandler
from ratscrew.web.idempotency import HEADER as KEY
from ratscrew.web.socket_passing import Reason, SocketPassing

SOCKET_TRIES_FOR_S = 3.5
"""How long a socket waits for a worker that does not answer: a little longer than a lease, after which its rooms are
free. A page gives up a connection that is silent for 4 s."""

TRY_AGAIN_S = 0.2

KEYS_MOST, KEY_MOST = 5000, 64
"""Idempotency keys of requests that others have answered, in memory: how many, and how long each."""

_logger = logging.getLogger(__name__)


class PassedOn(web.Response):
    """Stands for the response to a request that another worker answers. Nothing is sent."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """See `StreamResponse`."""
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        """See `StreamResponse`."""


class RoomRouter:
    """Passes connections on to the other workers of this machine.

    `owner_of` gives the node that has the room of a code; None if it is this one, or nobody has it.
    """

    def __init__(
        self, passing: SocketPassing, peers: ClusterPeers, owner_of: Callable[[str], Awaitable[str | None]]
    ) -> None:
        self._passing, self._peers, self._owner_of = passing, peers, owner_of
        self._answered_by: dict[str, str] = {}

    async def route_socket(self, request: web.Request, code: str) -> web.StreamResponse | None:
        """Pass on the handshake of a WebSocket whose room another worker has. None if it belongs here, or cannot be
        passed on: then the page gets `moved`, and connects again.
        """
        loop = asyncio.get_running_loop()
        until_s = loop.time() + SOCKET_TRIES_FOR_S
        while not was_passed_for_room(request) and loop.time() < until_s:
            try:
                owner = await self._owner_of(code)
                return await self.pass_on(request, owner)
            except (LogError, Overloaded):
                return None
            except OSError:  # the worker has ended: its rooms are free in a moment
                await asyncio.sleep(TRY_AGAIN_S)
        return None

    async def route_opening(self, request: web.Request, draining: bool) -> web.StreamResponse | None:
        """Pass on a request that opens a room: with an idempotency key to the worker that its retries reach too, and
        from a worker that drains to any other. None if it belongs here.
        """
        handler = request.protocol
        names = [name for name in self._passing.group.names if name not in self._peers.draining]
        key = request.headers.get(KEY)
        if key and (name := self._answered_by.get(key)):
            with suppress(OSError):
                return await self.pass_on(request, name)
        if not names or not isinstance(handler, GuardedHandler) or handler.passed is not None:
            return None
        if key:
            name = names[int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % len(names)]
        elif draining:
            name = random.choice(names)
        else:
            return None
        with suppress(OSError):  # it has ended, and its responses with it
            return await self.pass_on(request, name, Reason.KEY)
        return None

    async def pass_on(
        self, request: web.Request, name: str | None, reason: Reason = Reason.ROOM
    ) -> web.StreamResponse | None:
        """Pass the connection of a request on to another worker; None if that is not possible, or no worker has this
        name.

        Raises: OSError if the worker has ended, or takes nothing.
        """
        handler, group = request.protocol, self._passing.group
        if name not in group.names or name == group.me or not isinstance(handler, GuardedHandler):
            return None
        if was_passed_for_room(request) or (found := handler.suspend(request.method)) is None:
            return None
        file, data = found
        try:
            await self._passing.send(name, file, reason, data)
        except OSError:
            handler.release()
            raise
        finally:
            os.close(file)
        _logger.debug("a connection is passed on", extra={"to": name, "path": request.path})
        handler.drop()
        if reason is Reason.ROOM and (key := request.headers.get(KEY)):  # strangers wait there, but soon no longer
            self._answered_by.pop(key, None)
            self._answered_by[key[:KEY_MOST]] = name
            if len(self._answered_by) > KEYS_MOST:
                del self._answered_by[next(iter(self._answered_by))]
        return PassedOn()


def was_passed_for_room(request: web.BaseRequest) -> bool:
    """Whether another worker has passed this request on because the room is here."""
    handler = request.protocol
    return isinstance(handler, GuardedHandler) and handler.passed is Reason.ROOM
