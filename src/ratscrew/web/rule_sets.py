"""HTTP handlers of houses: their options, and the sheet of one. Does not depend on particular rules."""

from __future__ import annotations

from functools import cache

from aiohttp import web

from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import rendering
from ratscrew.web.rendered import Renderer
from ratscrew.web.responses import language_of
from ratscrew.web.static_files import File


class HouseHandlers:
    """Handlers of houses under `/api`."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def options(self, request: web.Request) -> web.Response:
        """Every option of a house."""
        response = _options_file(language_of(request)).response(request)
        response.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return response

    async def from_text(self, request: web.Request) -> web.Response:
        """A house by its short text."""
        text, language = request.query.get("text", ""), language_of(request)
        return await self._renderer.respond(request, rendering.house_of_text, text, language)

    async def from_choices(self, request: web.Request) -> web.Response:
        """A house by its choices."""
        body, language = await request.read(), language_of(request)
        return await self._renderer.respond(request, rendering.house_of_choices, body, language)


@cache
def _options_file(language: str) -> File:
    return File.of_json(rendering.options(language))


def warm() -> None:
    """Prepare the options in each language, which stay the same while the server runs."""
    for language in LANGUAGES:
        _options_file(language)
