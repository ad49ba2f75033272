"""Houses over HTTP: what there is to choose, and what a choice comes to. Does not know a rule."""

from __future__ import annotations

from functools import cache

from aiohttp import web

from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import rendering
from ratscrew.web.rendered import Renderer
from ratscrew.web.responses import language_of
from ratscrew.web.static_files import File


def add_houses(app: web.Application, renderer: Renderer) -> None:
    """Everything about houses under `/api`."""

    async def of_text(request: web.Request) -> web.Response:
        return await renderer.answer(
            request, rendering.house_of_text, request.query.get("text", ""), language_of(request)
        )

    async def of_choices(request: web.Request) -> web.Response:
        return await renderer.answer(request, rendering.house_of_choices, await request.read(), language_of(request))

    app.router.add_get("/api/rules", _options)
    app.router.add_get("/api/house", of_text)
    app.router.add_post("/api/house", of_choices)


async def _options(request: web.Request) -> web.Response:
    response = _everything(language_of(request)).answer(request)
    response.headers["Vary"] = "Accept-Encoding, Accept-Language"
    return response


@cache
def _everything(language: str) -> File:
    return File.of_json(rendering.options(language))


def warm() -> None:
    """Make what every client asks for: it stays the same as long as the server runs."""
    for language in LANGUAGES:
        _everything(language)
