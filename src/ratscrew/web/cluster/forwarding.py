"""HTTP requests for a room at another node: this node asks that one, so a seat's cookie is for the page's address.

Only sockets and event streams go to the owner directly: their round trip counts.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Container
from contextlib import suppress

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import LogError, Overloaded, ServerFull
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.web.cluster.room_router import RoomRouter
from ratscrew.web.edge.connections import was_passed_for_room
from ratscrew.web.http.cluster_peers import ClusterPeers
from ratscrew.web.http.node_tokens import FORWARDED, Forwarded
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import ElsewhereResponse
from ratscrew.web.routes import MESSAGES, SOCKET, STREAM

ANSWER_WITHIN_S = 5.0
"""How long a node may take for an answer."""

TRY_FOR_S = 6.0
"""How long a request is tried again while its room's owner does not answer: longer than a lease."""

TRY_AGAIN_S = 0.3

FULL_TRIES = 3
"""How many other nodes are asked for a room that this one has no space for."""

ANSWER_MOST = 512 * 1024
"""Bytes of an answer: the standings of a full arena with the longest names have 270 kB."""

OPENING = ("/api/rooms", "/api/quick", "/api/lessons", "/api/arenas")
"""The paths that open rooms."""

FULL = 503
"""The status of the response of a node that opens no room now."""

_PASSED_ON = ("Accept-Language", "Content-Type", "Cookie", "Idempotency-Key")
_RETURNED = ("Cache-Control", "Retry-After", "Set-Cookie")


class Forwarder:
    """Forwards requests to other nodes of the cluster."""

    def __init__(
        self,
        peers: ClusterPeers,
        proxy_policy: ProxyPolicy,
        draining: Callable[[], bool],
        streams: Container[str],
        router: RoomRouter | None = None,
    ) -> None:
        """While this node is `draining`, others open the rooms of its pages. `streams` are the ids of the event streams
        here. With a `router` connections for other workers of this machine are passed on to them.
        """
        self._peers, self._proxy_policy, self._draining, self._router = peers, proxy_policy, draining, router
        self._streams = streams
        self._session: aiohttp.ClientSession | None = None
        self.forwarded = 0
        """How many requests other nodes were asked to answer."""

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Cleanup context of an application: the connections to other nodes."""
        timeout = aiohttp.ClientTimeout(total=ANSWER_WITHIN_S)
        async with aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as self._session:
            yield
        self._session = None

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Handle a request here, or have the owner of its room handle it.

        Raises: LogError if the owner does not answer, and no other node may take the room over; Overloaded if the room
        is on its way between nodes; ServerFull if no node has space for a new one.
        """
        loop = asyncio.get_running_loop()
        until_s = loop.time() + TRY_FOR_S
        if self._router and (passed := await self._route(request, self._router)):
            return passed
        while True:
            try:
                if self._draining() and request.method == "POST" and request.path in OPENING and self._peers.others:
                    place = Elsewhere(random.choice(self._peers.others))
                elif isinstance(response := await handler(request), ElsewhereResponse):
                    place = response.place
                else:
                    return response
            except ServerFull as full:
                if FORWARDED in request.headers or request.path not in OPENING:
                    raise
                return await self._open_elsewhere(request, full)
            try:
                if self._router and (passed := await self._router.pass_on(request, place.node)):
                    return passed
                if FORWARDED in request.headers or was_passed_for_room(request):
                    raise Overloaded(TRY_AGAIN_S)
                return await self.send(request, place.url, request.rel_url.raw_path, await request.read())
            except (aiohttp.ClientError, OSError) as error:
                if loop.time() > until_s:
                    raise LogError(f"the node at {place.url} does not answer: {error!r}") from error
            await asyncio.sleep(TRY_AGAIN_S)

    async def _route(self, request: web.Request, router: RoomRouter) -> web.StreamResponse | None:
        """Pass a request on before it is handled here, if another worker is to handle it."""
        resource = request.match_info.route.resource
        path = resource.canonical if resource else ""
        if path in (SOCKET, STREAM) or (path == MESSAGES and request.match_info["id"] not in self._streams):
            return await router.route_socket(request)
        if request.method == "POST" and request.path in OPENING:
            return await router.route_opening(request, self._draining())
        return None

    async def _open_elsewhere(self, request: web.Request, full: ServerFull) -> web.StreamResponse:
        """Have another node open the room that a client asks for. Raises: `full` if none does."""
        for node in self._peers.with_space()[:FULL_TRIES]:
            with suppress(aiohttp.ClientError, OSError):
                response = await self.send(request, node.url, request.rel_url.raw_path, await request.read())
                if response.status != FULL:
                    self._peers.rooms[node.name] += 1
                    return response
        raise full

    async def send(self, request: web.Request, url: str, path: str, body: bytes) -> web.Response:
        """The answer of another node to a request, perhaps at another path.

        Raises: aiohttp.ClientError, TimeoutError.
        """
        if self._session is None:
            raise aiohttp.ClientConnectionError("the server stops")
        self.forwarded += 1
        client = Forwarded(self._proxy_policy.address(request), self._proxy_policy.is_encrypted(request))
        headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
        if self._proxy_policy.through_discord(request):
            headers["Origin"] = request.headers["Origin"]
        headers[FORWARDED] = self._peers.tokens.forward(url, path, client)
        async with self._session.request(
            request.method, f"{url}{path}", data=body, headers=headers, allow_redirects=False
        ) as answer:
            response = web.Response(
                body=await answer.content.read(ANSWER_MOST), status=answer.status, content_type=answer.content_type
            )
            for name in _RETURNED:
                for value in answer.headers.getall(name, ()):
                    response.headers.add(name, value)
            return response
