"""Houses over HTTP: what there is to choose, and what a choice comes to. Nothing in this file knows a rule."""

from __future__ import annotations

from functools import cache

from aiohttp import web

from ratscrew.game.codec import Codec
from ratscrew.rules.describe import Described, described
from ratscrew.rules.house import Rules
from ratscrew.rules.languages import LANGUAGES, Language
from ratscrew.rules.link import from_link, to_link
from ratscrew.rules.presets import house
from ratscrew.rules.sheet import differences, nearest, sheet
from ratscrew.web import bodies
from ratscrew.web.answers import answer, language_of

_CHOICES = Codec[bodies.Choices](bodies.Choices)


def add_houses(app: web.Application) -> None:
    """Everything about houses under `/api`."""
    app.router.add_get("/api/rules", _options)
    app.router.add_get("/api/house", _of_text)
    app.router.add_post("/api/house", _of_choices)


@cache
def _everything(language: str) -> Described:
    return described(LANGUAGES[language])


async def _options(request: web.Request) -> web.Response:
    return answer(_everything(language_of(request)))


async def _of_text(request: web.Request) -> web.Response:
    return answer(_described(from_link(request.query.get("text", "")), LANGUAGES[language_of(request)]))


async def _of_choices(request: web.Request) -> web.Response:
    asked = _CHOICES.decode(await request.read())
    return answer(_described(house(asked.preset, **asked.choices), LANGUAGES[language_of(request)]))


def _described(rules: Rules, language: Language) -> bodies.Chosen:
    preset = nearest(rules)
    title, changes = language.words[f"preset.{preset}"].title, differences(rules, house(preset), language)
    return bodies.Chosen(to_link(rules), rules, sheet(rules, language), preset, title, changes)
