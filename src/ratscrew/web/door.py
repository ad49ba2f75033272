"""The door of the server: what is asked comes from our own pages, not too often, and has an end.

Nothing in this file knows what is asked for, but for what it costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ratscrew.web.limits import Limits, What
from ratscrew.web.road import Road

BODY_WITHIN_S = 10.0
"""How long a request may take to tell all of itself."""

SOCKET = "/api/rooms/{code}/socket"

COSTS: Mapping[tuple[str, str], What] = {
    ("POST", "/api/rooms"): "rooms",
    ("POST", "/api/quick"): "rooms",
    ("POST", "/api/lessons"): "rooms",
    ("POST", "/api/rooms/{code}/seats"): "seats",
    ("POST", "/api/rooms/{code}/pass"): "seats",
    ("POST", "/api/rooms/{code}/device"): "seats",
    ("DELETE", "/api/rooms/{code}/name"): "seats",
    ("POST", "/api/house"): "dear",
    ("GET", "/api/house"): "dear",
    ("GET", "/api/drill"): "dear",
    ("GET", "/api/games/{game}"): "dear",
    ("GET", "/api/games/{game}.txt"): "dear",
}
"""What uses up more than a look at a page."""


def door(road: Road, limits: Limits) -> Middleware:
    """The door of a server. What is dear is done one after the other: between two of them everybody else is heard."""
    dear = asyncio.Lock()

    @web.middleware
    async def enter(request: web.Request, handler: Handler) -> web.StreamResponse:
        address, resource = road.address(request), request.match_info.route.resource
        limits.take("requests", address)
        if what := COSTS.get((request.method, resource.canonical)) if resource else None:
            limits.take(what, address)
        is_socket = resource is not None and resource.canonical == SOCKET
        if (request.method not in ("GET", "HEAD") or is_socket) and not road.ours(request):
            raise web.HTTPForbidden(text="This is answered to our own pages only.")
        if request.can_read_body:
            try:
                async with asyncio.timeout(BODY_WITHIN_S):
                    await request.read()
            except TimeoutError as error:
                raise web.HTTPRequestTimeout from error
        if what == "dear":
            async with dear:
                return await handler(request)
        return await handler(request)

    return enter
