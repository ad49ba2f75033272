"""HTTP handlers of houses: their options, and the sheet of one. Does not depend on particular rules."""

from __future__ import annotations

import asyncio
from functools import cache

from aiohttp import web

from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.link import VERSION
from ratscrew.rules.presets import PRESETS
from ratscrew.web.http.responses import language_of
from ratscrew.web.http.static_files import File
from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.rendered import Renderer

NAMED = frozenset(f"{VERSION};{preset}" for preset in PRESETS)
"""The texts of the presets as they are: few, and most visitors ask for one of them."""


class HouseHandlers:
    """Handlers of houses under `/api`."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def options(self, request: web.Request) -> web.Response:
        return _in_its_language(_options_file(language_of(request)), request)

    async def from_text(self, request: web.Request) -> web.Response:
        """A house by its short text; a preset needs no other process."""
        text, language = request.query.get("text", ""), language_of(request)
        if text in NAMED:
            return _in_its_language(await asyncio.to_thread(_preset_file, text, language), request)
        return await self._renderer.respond(request, rendering.house_of_text, text, language)

    async def from_choices(self, request: web.Request) -> web.Response:
        body, language = await request.read(), language_of(request)
        return await self._renderer.respond(request, rendering.house_of_choices, body, language)


def _in_its_language(file: File, request: web.Request) -> web.Response:
    response = file.response(request)
    response.headers["Vary"] = "Accept-Encoding, Accept-Language"
    return response


@cache
def _preset_file(text: str, language: str) -> File:
    return File.of_json(rendering.described_preset(text, language))


@cache
def _options_file(language: str) -> File:
    return File.of_json(rendering.options(language))


def warm() -> None:
    """Prepare the options in each language, which stay the same while the server runs."""
    for language in LANGUAGES:
        _options_file(language)
