"""Learning over HTTP: rooms for lessons, and cards for practice. Nothing in this file knows a card."""

from __future__ import annotations

import asyncio
from random import Random

from aiohttp import web

from ratscrew.errors import RulesError
from ratscrew.game.codec import Codec
from ratscrew.game.drill import drill
from ratscrew.rules.link import from_link, to_link
from ratscrew.rules.words import say
from ratscrew.table.lessons import LEARNER, LESSONS
from ratscrew.table.lobby import Lobby, code_of
from ratscrew.web import bodies
from ratscrew.web.answers import answer
from ratscrew.web.cookies import Cookies

CARDS_MOST = 200
SEED_MOST = 2**32 - 1

_NEW_LESSON = Codec[bodies.NewLesson](bodies.NewLesson)


def add_learning(app: web.Application, lobby: Lobby, cookies: Cookies) -> None:
    """Lessons and practice under `/api`."""

    async def new_lesson(request: web.Request) -> web.Response:
        new = _NEW_LESSON.decode(await request.read())
        lesson = LESSONS[new.lesson]
        room = lobby.teach(new.name, lesson, new.guise)
        await room.kept()
        who = room.table.seats[LEARNER].who
        response = answer(bodies.Taught(code_of(room.table.room), LEARNER, who, lesson.tops), 201)
        cookies.give(request, response, room, [who])
        return response

    app.router.add_post("/api/lessons", new_lesson)
    app.router.add_get("/api/drill", _drill)


async def _drill(request: web.Request) -> web.Response:
    """`?house=TEXT&cards=60&seed=N`: the same seed brings the same cards."""
    rules = from_link(request.query.get("house", ""))
    cards, seed = _number(request, "cards", 1, CARDS_MOST), _number(request, "seed", 0, SEED_MOST)
    drilled = await asyncio.to_thread(drill, rules, cards, Random(seed).randrange)  # it takes longer than a slap
    return answer(bodies.Drill(to_link(rules), drilled))


def _number(request: web.Request, name: str, least: int, most: int) -> int:
    text = request.query.get(name, "")
    if not text.isascii() or not text.isdecimal() or not least <= int(text) <= most:
        raise RulesError(
            [say("{name} = {value!r}: it can be {least} to {most}", name=name, value=text, least=least, most=most)]
        )
    return int(text)
