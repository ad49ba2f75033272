"""Middleware for every request: rate limits first, then checks of its headers, then its body.

The order matters: the server looks up, decodes and decompresses nothing before the request is charged to its address.
The limit of its route is charged when the body is there: a client that sends it slowly takes nothing from others.
Of a route only its price is used here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import ServerFull
from ratscrew.limits.limits import LimitName, Limits
from ratscrew.limits.loop_share import LoopShare
from ratscrew.web.edge.connections import GuardedHandler
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import error_response, misdirected_response, status_response
from ratscrew.web.http.static_files import headers_of
from ratscrew.web.prices import route_of
from ratscrew.web.routes import SOCKET, Route
from ratscrew.web.schema.http_schema import BODY_MOST

BODY_WITHIN_S = 10.0
"""Time for a request's body to arrive."""

FULL_S = 5.0
"""`Retry-After` for a room that a busy server does not open."""

PATH_MOST = 256
"""Bytes of the longest path; the limit of the query depends on the route."""

REFUNDED: tuple[LimitName, ...] = ("rooms", "seats", "reports")
"""Limits of things that a request makes. One that made none is charged to its address and not to all: so invalid ones
take nothing from others."""

CHOICES_MOST = 16
"""The most parameters in a query."""

VARIABLES_MOST: Mapping[str, int] = {"code": 64, "game": 100, "id": 64, "n": 10, "path": PATH_MOST}
"""Characters of each variable in the path of a route."""

HEADERS_READ_WHOLE = (
    "Connection",
    "Content-Encoding",
    "Host",
    "Idempotency-Key",
    "Origin",
    "Sec-WebSocket-Key",
    "Sec-WebSocket-Version",
    "Upgrade",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
)
HEADER_BYTES_MOST = 2000
"""The longest value of one of them. Of lists of what a client accepts only the beginning is read. A `Cookie` may be
longer: other programs on this host can set them too.
"""


class RequestMiddleware:
    """Charges and checks requests. `count` gets the status of each response sent before the application runs."""

    def __init__(
        self, proxy_policy: ProxyPolicy, limits: Limits, share: LoopShare, count: Callable[[int], None]
    ) -> None:
        self._proxy_policy, self._limits, self._share, self._count = proxy_policy, limits, share, count

    def wrap(
        self, handle: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
    ) -> Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]:
        """Charge requests before a whole application handles them, and for the time that it takes: this covers even the
        look-up of the route. An address that has no time left waits.
        """

        async def paid(request: web.BaseRequest) -> web.StreamResponse:
            assert isinstance(request, web.Request)
            if (refusal := self._charge(request)) is None:
                address = self._proxy_policy.address(request)
                await self._share.wait_turn(address)
                return await self._share.metered(address, handle(request))
            refusal.headers.update(headers_of(request.path, refusal.status))
            refusal.headers["Server"] = "ratscrew"  # or aiohttp names itself and its version
            self._count(refusal.status)
            return refusal

        return paid

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Charge the price of the route and read the body; see the module."""
        paid = isinstance(request.protocol, GuardedHandler)  # by `wrap`; without it, as in tests, charge here
        if not paid and (refusal := self._charge(request)) is not None:
            return refusal
        if (error := request.match_info.http_exception) is not None:  # not raised, which would make a reference cycle,
            vars(request.match_info.route).pop("_handler", None)  # as does aiohttp's route for missing pages
            return status_response(request, error.status, error.headers.get("Allow"))
        route, resource = route_of(request), request.match_info.route.resource
        address = self._proxy_policy.address(request)
        if route.limit:
            self._limits.check(route.limit, address)
        if len(request.rel_url.raw_query_string) > route.max_query:
            return status_response(request, 414)
        if _too_long(request, route):
            return status_response(request, 400)
        is_socket = resource is not None and resource.canonical == SOCKET
        if (request.method not in ("GET", "HEAD") or is_socket) and not self._proxy_policy.same_origin(request):
            self._proxy_policy.warn_of_origin(request)
            return status_response(request, 403)
        if request.can_read_body:
            if route.request is None or (request.content_length or 0) > BODY_MOST:
                return status_response(request, 413)
            try:
                async with asyncio.timeout(BODY_WITHIN_S):
                    await request.read()
            except TimeoutError:
                return status_response(request, 408)
        charge, done = (self._limits.take(route.limit, address) if route.limit else None), False
        try:
            response = await handler(request)
            done = response.status < 400
            return response
        finally:
            if charge and not done and route.limit in REFUNDED:
                charge.refund()

    @web.middleware
    async def refuse_rooms(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Open no room while the server is busy. It is the innermost one: another node may open the room instead.

        Raises: ServerFull.
        """
        if self._share.full and route_of(request).limit == "rooms":
            raise ServerFull(FULL_S)
        return await handler(request)

    def _charge(self, request: web.Request) -> web.Response | None:
        """Charge a request and check its headers; the response if it is refused."""
        try:
            self._limits.take("requests", self._proxy_policy.address(request))
        except Exception as error:
            return error_response(request, error)
        headers, url = request.headers, request.rel_url
        hosts = headers.getall("Host", ())
        if len(hosts) > 1 or (not hosts and request.version >= (1, 1)):
            return status_response(request, 400)
        if not self._proxy_policy.is_own_host(request):
            return misdirected_response(request)
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            return status_response(request, 415)
        if any(len(value) > HEADER_BYTES_MOST for name in HEADERS_READ_WHOLE for value in headers.getall(name, ())):
            return status_response(request, 431)
        if len(url.raw_path) > PATH_MOST or url.raw_query_string.count("&") >= CHOICES_MOST:
            return status_response(request, 414)
        return None


def _too_long(request: web.Request, route: Route) -> bool:
    """Whether a variable of the path, or a parameter of the query, is longer than any valid one."""
    return any(len(value) > VARIABLES_MOST[name] for name, value in request.match_info.items()) or any(
        len(request.query.get(name, "")) > most for name, most in route.parameters.items()
    )
