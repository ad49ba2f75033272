"""Pages with a preview for messengers: a title and a picture in their head, as Open Graph names them.

The preview of a room is made of the code in the link alone. Whether there is such a room is not looked up, so a
wrong code gets the same answer. A finished game's preview says who won; its link is the key to all of the game. A link
to house rules contains them, and its preview says what is special about them.
"""

from __future__ import annotations

import gzip
import html

from aiohttp import web

from ratscrew.errors import LogError, Overloaded, TooCostly
from ratscrew.game.codec import Codec
from ratscrew.table.registry.codes import LETTERS, read_code
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import language_of
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.stored_games import StoredGames
from ratscrew.web.rendering.worker import Execute

SPECIAL_MOST = 300
"""Characters of what is special about rules; messengers show fewer."""

_HEADLINE = Codec[tuple[str, str]](tuple[str, str])

PICTURE = "/link.png"
"""The picture of all links but those of rooms."""

TEXTS = {
    "en": {
        "room": "Join table {code} · Ratscrew",
        "rules": "House rules: {title} · Ratscrew",
        "won": "{name} wins after {cards} cards · Ratscrew",
        "none": "No one wins after {cards} cards · Ratscrew",
    },
    "de": {
        "room": "Komm an Tisch {code} · Ratscrew",
        "rules": "Hausregeln: {title} · Ratscrew",
        "won": "{name} gewinnt nach {cards} Karten · Ratscrew",
        "none": "Niemand gewinnt nach {cards} Karten · Ratscrew",
    },
}


class LinkPreviews:
    """The pages of rooms and finished games, and the pictures of rooms."""

    def __init__(self, pages: StaticFiles, games: StoredGames, renderer: Renderer, proxy_policy: ProxyPolicy) -> None:
        self._pages, self._games, self._renderer, self._proxy_policy = pages, games, renderer, proxy_policy

    async def room(self, request: web.Request) -> web.Response:
        """The page of a room."""
        code = read_code(request.match_info["code"])
        if code is None:
            return self._pages.page("room", request)
        spoken = f"{code[:LETTERS]} {code[LETTERS:]}".strip()
        title = TEXTS[language_of(request)]["room"].format(code=spoken)
        return self._page(request, "room", title, f"/api/pictures/{code}")

    async def game(self, request: web.Request) -> web.Response:
        """The page of a finished game; without a preview if there is none, or if it is not over."""
        texts = TEXTS[language_of(request)]
        try:
            rendered = await self._games.render(request, rendering.headline_of_game, request.match_info["game"])
        except (LookupError, LogError, TooCostly, Overloaded):
            return self._pages.page("index", request)  # the page itself says what is wrong
        if rendered.status >= 400:
            return self._pages.page("index", request)
        name, cards = rendering.HEADLINE.decode(gzip.decompress(rendered.packed))
        title = texts["none"].format(cards=cards) if name is None else texts["won"].format(name=name, cards=cards)
        return self._page(request, "index", title, PICTURE)

    async def rules(self, request: web.Request) -> web.Response:
        """The page of house rules; with a preview if they are shared by this link, and valid."""
        if not (text := request.query.get("shared", "")):
            return self._pages.page("index", request)
        language = language_of(request)

        async def job(execute: Execute) -> rendering.Rendered:
            return await execute(rendering.headline_of_house, text, language)

        try:
            status, packed = await self._renderer.render(request, ("headline", text, language), job)
        except (TooCostly, Overloaded):
            return self._pages.page("index", request)  # the page itself says what is wrong
        if status >= 400:
            return self._pages.page("index", request)
        title, special = _HEADLINE.decode(gzip.decompress(packed))
        special = special if len(special) <= SPECIAL_MOST else f"{special[: SPECIAL_MOST - 1]}…"
        return self._page(request, "index", TEXTS[language]["rules"].format(title=title), PICTURE, special)

    async def picture(self, request: web.Request) -> web.Response:
        """The picture of a room's code, whether or not there is such a room.

        Each address has its own in the cache, or the time would tell whether others have asked for a code.
        """
        code = read_code(request.match_info["code"]) or ""

        async def job(execute: Execute) -> rendering.Rendered:
            return await execute(rendering.room_picture, code)

        key = ("picture", code, self._proxy_policy.address(request))
        return await self._renderer.respond_with(request, key, job, "image/png", "no-cache")

    def _page(self, request: web.Request, name: str, title: str, picture: str, text: str = "") -> web.Response:
        tags = [f'<meta property="og:title" content="{html.escape(title)}">']
        if text:
            tags.append(f'<meta property="og:description" content="{html.escape(text)}">')
        if site := self._proxy_policy.site(request):
            tags.append(f'<meta property="og:image" content="{html.escape(site + picture)}">')
            tags.append('<meta name="twitter:card" content="summary_large_image">')
        return self._pages.page(name, request, "".join(tags))
