"""Houses over HTTP: what there is to choose, and what a choice comes to. Nothing in this file knows a rule."""

from __future__ import annotations

from functools import cache

from aiohttp import web

from ratscrew.game.codec import Codec
from ratscrew.rules.describe import described
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link, to_link
from ratscrew.rules.presets import house
from ratscrew.rules.sheet import differences, nearest, sheet
from ratscrew.web import bodies
from ratscrew.web.answers import answer

_CHOICES = Codec[bodies.Choices](bodies.Choices)


def add_houses(app: web.Application) -> None:
    """Everything about houses under `/api`."""
    app.router.add_get("/api/rules", _options)
    app.router.add_get("/api/house", _of_text)
    app.router.add_post("/api/house", _of_choices)


_EVERYTHING = cache(described)


async def _options(_: web.Request) -> web.Response:
    return answer(_EVERYTHING())


async def _of_text(request: web.Request) -> web.Response:
    return answer(_described(from_link(request.query.get("text", ""))))


async def _of_choices(request: web.Request) -> web.Response:
    asked = _CHOICES.decode(await request.read())
    return answer(_described(house(asked.preset, **asked.choices)))


def _described(rules: Rules) -> bodies.Chosen:
    preset = nearest(rules)
    return bodies.Chosen(to_link(rules), rules, sheet(rules), preset, differences(rules, house(preset)))
