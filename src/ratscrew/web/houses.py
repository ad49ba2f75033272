"""Houses over HTTP: what there is to choose, and what a choice comes to. Nothing in this file knows a rule."""

from __future__ import annotations

from functools import cache, lru_cache

from aiohttp import web

from ratscrew.game.codec import Codec
from ratscrew.rules.describe import Described, described
from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.link import from_link, to_link
from ratscrew.rules.presets import house
from ratscrew.rules.sheet import differences, nearest, sheet
from ratscrew.web import bodies
from ratscrew.web.answers import answer, language_of

REMEMBERED = 256
"""How many houses are at hand: to tell one takes longer than most else, and most people ask for the same."""

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
    return answer(_described(to_link(from_link(request.query.get("text", ""))), language_of(request)))


async def _of_choices(request: web.Request) -> web.Response:
    asked = _CHOICES.decode(await request.read())
    return answer(_described(to_link(house(asked.preset, **asked.choices)), language_of(request)))


@lru_cache(REMEMBERED)
def _described(link: str, code: str) -> bodies.Chosen:
    rules, language = from_link(link), LANGUAGES[code]
    preset = nearest(rules)
    title, changes = language.words[f"preset.{preset}"].title, differences(rules, house(preset), language)
    return bodies.Chosen(link, rules, sheet(rules, language), preset, title, changes)
