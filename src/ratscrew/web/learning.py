"""Learning over HTTP: rooms for lessons, and cards for practice. Nothing in this file knows a card."""

from __future__ import annotations

from aiohttp import web

from ratscrew.game.codec import Codec
from ratscrew.table.rooms.lessons import LEARNER, LESSONS
from ratscrew.table.rooms.room_registry import code_of
from ratscrew.web import http_schema, rendering
from ratscrew.web.idempotency import Once
from ratscrew.web.rendered import Renderer
from ratscrew.web.responses import json_response, language_of
from ratscrew.web.socket import House

_NEW_LESSON = Codec[http_schema.NewLesson](http_schema.NewLesson)


def add_learning(app: web.Application, house: House, once: Once, renderer: Renderer) -> None:
    """Lessons and practice under `/api`."""

    async def new_lesson(request: web.Request) -> web.Response:
        new = _NEW_LESSON.decode(await request.read())
        lesson = LESSONS[new.lesson]
        address = house.admission.check_opener(request)
        async with house.opening.turn(address):
            room = house.lobby.teach(new.name, lesson, new.guise, address)
        await room.kept()
        who = room.table.seats[LEARNER].who
        response = json_response(http_schema.Taught(code_of(room.table.room), LEARNER, who, lesson.tops), 201)
        house.admission.note_network(request, room, [who])
        house.cookies.give(request, response, room, [who])
        return response

    async def practice(request: web.Request) -> web.Response:
        """`?house=TEXT&cards=60&seed=N`: the same seed brings the same cards."""
        house, cards, seed = (request.query.get(name, "") for name in ("house", "cards", "seed"))
        return await renderer.answer(request, rendering.practice_cards, house, cards, seed, language_of(request))

    app.router.add_post("/api/lessons", once(new_lesson))
    app.router.add_get("/api/drill", practice)
