"""HTTP handlers of a Discord activity: its start, and the room that everyone in an instance of it shares."""

from __future__ import annotations

from urllib.parse import urlencode

from aiohttp import web

from ratscrew.errors import Overloaded
from ratscrew.table.registry.codes import code_of_name
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRequest, code_of
from ratscrew.web.api.seats import SeatHandlers
from ratscrew.web.http.responses import ElsewhereResponse, json_response
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.schema import http_schema
from ratscrew.web.socket.socket_session import ServerContext

PAGE = "/activity"

FRAME = "frame_id"
"""A parameter that Discord's client adds to the address of each activity."""

TRIES = 3
"""How often the room is looked for; between two attempts another node has opened it."""

TRY_AGAIN_S = 1.0


class ActivityHandlers:
    """Handlers of the activity; without an application they are not found."""

    def __init__(self, context: ServerContext, seats: SeatHandlers, pages: StaticFiles) -> None:
        self._context, self._seats, self._pages = context, seats, pages
        self._application = context.proxy_policy.discord

    async def start(self, request: web.Request) -> web.Response:
        """The start page; in a frame of Discord the page of the activity, which has Discord's parameters."""
        if self._application and FRAME in request.query:
            query = urlencode([*request.query.items(), ("application", self._application.id)])
            raise web.HTTPFound(f"{PAGE}?{query}")
        return await self._pages.start(request)

    async def page(self, request: web.Request) -> web.Response:
        if not self._application:
            raise web.HTTPNotFound
        return await self._pages.index(request)

    async def enter(self, request: web.Request, body: http_schema.ActivityEntry) -> web.Response:
        """Say which room an instance has. The first player to ask opens it, and is its host.

        Raises: Overloaded if other nodes open and close it all the time.
        """
        if not self._application:
            raise web.HTTPNotFound
        context, code = self._context, code_of_name(f"discord {body.instance}")
        for _ in range(TRIES):
            room = await context.registry.find(code, context.proxy_policy.address(request))
            if isinstance(room, Elsewhere):
                return ElsewhereResponse(room)
            if room:
                return json_response(http_schema.ActivityRoom(code_of(room.table.room)))
            address = context.admission.charge_new_room(request)
            asked = RoomRequest(body.name, 0, wait=True, appearance=body.appearance, address=address)
            name = await context.registry.claim(code)  # not within the lock: nodes of a cluster look it up
            if isinstance(name, Elsewhere):
                return ElsewhereResponse(name)
            if name:
                async with context.opening.hold(address):
                    room = context.registry.open_as(name, asked)
            if room:
                return await self._seats.joined(request, room, room.table.state.host)
        raise Overloaded(TRY_AGAIN_S)
