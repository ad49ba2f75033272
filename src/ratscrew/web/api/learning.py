"""HTTP handlers of lessons and practice. Does not depend on the cards."""

from __future__ import annotations

from aiohttp import web

from ratscrew.table.registry.lessons import LEARNER, LESSONS
from ratscrew.table.registry.room_registry import code_of
from ratscrew.web.http.responses import json_response, language_of
from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.schema import http_schema
from ratscrew.web.socket.socket_session import ServerContext


class LearningHandlers:
    """Handlers of lessons and practice under `/api`."""

    def __init__(self, context: ServerContext, renderer: Renderer) -> None:
        self._context, self._renderer = context, renderer

    async def open_lesson(self, request: web.Request, body: http_schema.NewLesson) -> web.Response:
        """Open a room for one player and the teacher."""
        lesson = LESSONS[body.lesson]
        address = self._context.admission.charge_new_room(request)
        async with self._context.opening.hold(address):
            room = self._context.registry.open_lesson(body.name, lesson, body.appearance, address)
        await room.stored()
        player_id = room.table.seats[LEARNER].player_id
        response = json_response(http_schema.Taught(code_of(room.table.room), LEARNER, player_id, lesson.tops), 201)
        self._context.admission.record_network(request, room, [player_id])
        self._context.cookies.issue(request, response, room.table.room, [player_id])
        return response

    async def practice_cards(self, request: web.Request) -> web.Response:
        """`?house=TEXT&cards=60&seed=N`: cards to practise with. The same seed gives the same cards."""
        house, cards, seed = (request.query.get(name, "") for name in ("house", "cards", "seed"))
        return await self._renderer.respond(request, rendering.practice_cards, house, cards, seed, language_of(request))
