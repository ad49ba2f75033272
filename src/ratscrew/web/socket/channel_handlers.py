"""The requests that open a channel to a room, a WebSocket or an event stream; and those with messages for a stream."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from ratscrew.errors import LimitExceeded, LogError, Overloaded
from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol.channel import Endpoint
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.room.room import Room
from ratscrew.web.http.node_tokens import FORWARDED
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import ElsewhereResponse, status_response
from ratscrew.web.socket.event_stream import CameBy, EventStream, StreamHead, cross_origin
from ratscrew.web.socket.handshake import Upgrade
from ratscrew.web.socket.socket_session import ServerContext, SocketSession
from ratscrew.web.socket.transport_channel import HandedOver, TransportChannel
from ratscrew.web.socket.websocket import WebSocket


async def serve_socket(request: web.Request, context: ServerContext) -> web.StreamResponse:
    """Open a WebSocket: the address names the room, the first message will say which client it is.

    Raises: HTTPBadRequest, LimitExceeded.
    """
    response = Upgrade(request)
    session = await _open(request, context, response, WebSocket)
    return response if session else web.Response(status=400)


async def serve_stream(request: web.Request, context: ServerContext) -> web.StreamResponse:
    """Open an event stream, with the first message as the request's body.

    Raises: LimitExceeded.
    """
    if not (hello := await request.read()):
        return status_response(request, 400)
    response = StreamHead(_other_origin(request, context.proxy_policy))
    session = await _open(request, context, response, EventStream)
    if session is None:
        return web.Response(status=400)
    if isinstance(stream := session.channel, EventStream):
        context.streams[stream.id] = session, stream
        session.receive(hello)
    return response


async def receive_messages(request: web.Request, context: ServerContext) -> web.Response:
    """Pass on messages of a client at an event stream.

    Raises: the errors of `Admission.find`.
    """
    policy = context.proxy_policy
    session, stream = context.streams.get(request.match_info["id"]) or (None, None)
    if session is None or stream is None or not session.belongs_to(request):
        place = await context.admission.find(request)
        return ElsewhereResponse(place) if isinstance(place, Elsewhere) else status_response(request, 404)
    number = request.match_info["n"]
    if not (number.isascii() and number.isdecimal()):
        return status_response(request, 400)
    direct = FORWARDED not in request.headers  # or its connection is that of a server
    came_by = CameBy(
        policy.connection(request, request.transport) if direct else None,
        policy.reported_rtt_us(request) if direct else None,
    )
    stream.receive(int(number), [line for line in (await request.read()).split(b"\n") if line], came_by)
    return web.Response(status=204, headers=cross_origin(_other_origin(request, policy)))


async def _open(
    request: web.Request,
    context: ServerContext,
    response: HandedOver,
    channel: Callable[[Endpoint, LoopShare, str], TransportChannel],
) -> SocketSession | None:
    """Open a channel; None if the client has gone meanwhile. One with too many is told so, and when to come again.

    Raises: Overloaded.
    """
    address, too_much = context.proxy_policy.address(request), None
    try:  # before a cookie is looked at, or a room
        context.limits.take("sockets", address)
        context.limits.connect(address)
    except Overloaded:
        raise
    except LimitExceeded as error:
        too_much = error
    else:
        try:
            await _renew_cookies(request, response, context)
        except BaseException:
            context.limits.disconnect(address)
            raise
    session = SocketSession(request, context, address, not too_much, channel)
    try:
        session.open(request, response)
    except ConnectionError:  # it is no error that a client leaves during the handshake
        session.lost()
        return None
    except BaseException:
        session.lost()
        raise
    context.metrics.http_response(response.status)
    if too_much:
        session.refuse(too_much)
    return session


def _other_origin(request: web.Request, policy: ProxyPolicy) -> str | None:
    """The origin of a page of another server of the cluster, which may read the response; None for any other page."""
    origin = request.headers.get("Origin")
    return origin if origin and policy.peers and policy.peers.has_origin(origin) else None


async def _renew_cookies(request: web.Request, response: HandedOver, context: ServerContext) -> None:
    """A client that holds a seat here holds it for longer, as soon as the socket opens; a banned one is marked."""
    context.admission.mark_banned(request, response)
    if context.cookies.may_renew(request) and context.admission.holds_seat(request):
        with suppress(LogError, LimitExceeded):
            room = await context.admission.find(request)
            name = room.table.room if isinstance(room, Room) else room and room.room
            if name:
                context.cookies.renew(request, response, name)
