"""Which worker of this machine handles a request: connections for another worker's room are passed on to it.

Without an answer from here a request is handled, or forwarded, as in any node of a cluster (`forwarding.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from ratscrew.errors import LimitExceeded, LogError
from ratscrew.web.edge.connections import GuardedHandler, was_passed_for_room
from ratscrew.web.edge.socket_passing import Reason, SocketPassing
from ratscrew.web.http.cluster_peers import ClusterPeers
from ratscrew.web.http.idempotency import HEADER as KEY

SOCKET_TRIES_FOR_S = 3.5
"""How long a socket waits for a worker that does not answer: a little longer than a lease, after which its rooms are
free. A page gives up a connection that is silent for 4 s."""

TRY_AGAIN_S = 0.2

UNEVEN = 2
"""How many rooms fewer another worker has to have for a new room to be opened there."""

KEYS_MOST, KEY_MOST = 5000, 64
"""Idempotency keys of requests that others have answered, in memory: how many, and how long each."""

_logger = logging.getLogger(__name__)


class PassedOn(web.Response):
    """Stands for the response to a request that another worker answers. Nothing is sent."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        """See `StreamResponse`."""


class RoomRouter:
    """Passes connections on to the other workers of this machine.

    `owner_of` gives the node that has the room of a request; None if it is this one, or nobody has it.
    """

    def __init__(
        self, passing: SocketPassing, peers: ClusterPeers, owner_of: Callable[[web.Request], Awaitable[str | None]]
    ) -> None:
        self._passing, self._peers, self._owner_of = passing, peers, owner_of
        self._answered_by: dict[str, tuple[str, Reason]] = {}
        self.passed_on = 0
        """How many connections went to other workers."""

    async def route_socket(self, request: web.Request) -> web.StreamResponse | None:
        """Pass on a request that opens a channel, or has messages for one, to the worker that has the room. None if it
        belongs here, or cannot be passed on: then the page gets `moved`, and connects again.
        """
        loop = asyncio.get_running_loop()
        until_s = loop.time() + SOCKET_TRIES_FOR_S
        while not was_passed_for_room(request) and loop.time() < until_s:
            try:
                owner = await self._owner_of(request)
                return await self.pass_on(request, owner)
            except (LogError, LimitExceeded):
                return None
            except OSError:  # the worker has ended: its rooms are free in a moment
                await asyncio.sleep(TRY_AGAIN_S)
        return None

    async def route_opening(self, request: web.Request, draining: bool) -> web.StreamResponse | None:
        """Pass on a request that opens a room: with an idempotency key first to the worker that its retries reach too,
        which chooses the one with the fewest rooms; from a worker that drains to any other. None if it belongs here.
        """
        handler, group = request.protocol, self._passing.group
        names = [name for name in group.names if name not in self._peers.draining]
        key = request.headers.get(KEY)
        if key and (answered := self._answered_by.get(key)):
            with suppress(OSError):
                return await self.pass_on(request, *answered)
        if not names or not isinstance(handler, GuardedHandler) or handler.passed in (Reason.ROOM, Reason.OPENING):
            return None
        with suppress(OSError):  # it has ended, and its responses with it
            if key and handler.passed is None:
                home = names[int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % len(names)]
                if passed := await self.pass_on(request, home, Reason.KEY):
                    return passed
            if key or draining:
                passed = await self.pass_on(request, name := self._choose(names), Reason.OPENING)
                opens = name if passed else group.me
                self._peers.rooms[opens] += 1
                self._remember(key, opens, Reason.OPENING)
                return passed
        return None

    def _choose(self, names: Sequence[str]) -> str:
        """The worker that opens the next room: this one, unless another has `UNEVEN` rooms fewer."""
        rooms, me = self._peers.rooms, self._passing.group.me
        fewest = min(names, key=lambda name: rooms[name])
        return me if me in names and rooms[me] < rooms[fewest] + UNEVEN else fewest

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
        self.passed_on += 1
        if reason is Reason.ROOM:  # strangers wait there, but soon no longer
            self._remember(request.headers.get(KEY), name, reason)
        return PassedOn()

    def _remember(self, key: str | None, name: str, reason: Reason) -> None:
        """Remember which worker has answered a request with an idempotency key: the next time another may be chosen."""
        if key:
            self._answered_by.pop(key, None)
            self._answered_by[key[:KEY_MOST]] = name, reason
            if len(self._answered_by) > KEYS_MOST:
                del self._answered_by[next(iter(self._answered_by))]
