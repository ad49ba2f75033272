"""What messengers show beside a link: of a room its code and nothing else, of a finished game who won."""

from __future__ import annotations

import gzip
import io
import json
import re
from html import unescape

import pytest
from aiohttp.test_utils import TestClient, TestServer
from PIL import Image, ImageChops

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import make_app
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.link_picture import CODE_Y, HEIGHT, TILE, WIDTH, room_picture
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client
from tests.web.test_games import GAME, events, keep

META = re.compile(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">')


@pytest.fixture
def log() -> MemoryLog[Entry]:
    """The log of the server."""
    return MemoryLog()


@pytest.fixture
async def client(log: MemoryLog[Entry], tmp_path_factory: pytest.TempPathFactory) -> Client:  # type: ignore[misc]
    """A messenger that asks a server with a page behind a proxy."""
    folder = tmp_path_factory.mktemp("page")
    for name in ("index.html", "start.html", "room.html"):
        (folder / name).write_text(f"<html><head><title>{name}</title></head><body></body></html>")
    policy = ProxyPolicy(proxied=True)
    app = make_app(log, ManualClock(1), StaticFiles(folder), proxy_policy=policy, execute=execute_here)
    async with TestClient(TestServer(app)) as some:
        yield some


async def preview(client: Client, path: str, **headers: str) -> dict[str, str]:
    """The preview in a page's head."""
    outer = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Host": "play.example.org", "X-Forwarded-Proto": "https"}
    answer = await client.get(path, headers={**outer, **headers})
    assert answer.status == 200
    assert answer.content_type == "text/html"
    return {name: unescape(text) for name, text in META.findall(await answer.text())}


async def test_the_link_of_a_room_shows_its_code_and_a_picture_of_it(client: Client) -> None:
    shown = await preview(client, "/room/WOLF4821")
    assert shown["og:title"] == "Join table WOLF 4821 · Ratscrew"
    assert shown["og:image"] == "https://play.example.org/api/pictures/WOLF4821"
    german = await preview(client, "/room/wolf-4821", **{"Accept-Language": "de"})
    assert german["og:title"] == "Komm an Tisch WOLF 4821 · Ratscrew"
    answer = await client.get("/api/pictures/WOLF4821", headers={"X-Forwarded-For": "192.0.2.7"})
    assert (answer.status, answer.content_type) == (200, "image/png")
    assert Image.open(io.BytesIO(await answer.read())).size == (WIDTH, HEIGHT)


async def test_a_room_that_exists_shows_the_same_as_one_that_does_not(client: Client) -> None:
    """A picture or a page that knew would answer guesses without their price."""
    opened = await client.post(
        "/api/rooms", json={"name": "Ana", "bots": 0, "wait": True}, headers={"X-Forwarded-For": "192.0.2.7"}
    )
    assert opened.status == 201, await opened.text()
    code = (await opened.json())["room"]
    other = code[:-1] + str((int(code[-1]) + 1) % 10)
    here, nowhere = await preview(client, f"/room/{code}"), await preview(client, f"/room/{other}")
    assert {name: text.replace(code[4:], "*") for name, text in here.items()} == {
        name: text.replace(other[4:], "*") for name, text in nowhere.items()
    }
    assert "Ana" not in str(here)


@pytest.mark.parametrize("path", ["/room/anything", "/room/%22%3E%3Cscript%3E", "/game/NOPE-1", "/replay/%3Cb%3E"])
async def test_what_is_no_room_or_no_finished_game_has_no_preview(client: Client, path: str) -> None:
    assert await preview(client, path) == {}


async def test_a_recap_says_who_won(client: Client, log: MemoryLog[Entry]) -> None:
    keep(log, *events())
    for path in (f"/game/{GAME}", f"/replay/{GAME}"):
        shown = await preview(client, path)
        assert shown["og:title"] == "Ana wins after 2 cards · Ratscrew"
        assert shown["og:image"] == "https://play.example.org/link.png"


async def test_a_game_that_goes_on_says_nothing(client: Client, log: MemoryLog[Entry]) -> None:
    keep(log, *events()[:-1])
    assert await preview(client, f"/game/{GAME}") == {}


async def test_the_link_of_shared_rules_says_what_they_are_called_and_what_is_special(client: Client) -> None:
    shown = await preview(client, "/rules?shared=1;wiki;turn_ms=9000")
    assert shown["og:title"] == "House rules: Sandwich Shop · Ratscrew"
    assert "9 seconds" in shown["og:description"]
    assert shown["og:image"] == "https://play.example.org/link.png"
    plain = await preview(client, "/rules?shared=1;sprint", **{"Accept-Language": "de"})
    assert plain["og:title"].startswith("Hausregeln: ")
    assert plain["og:description"]


@pytest.mark.parametrize(
    "path", ["/rules", "/rules?shared", "/rules?shared=1;nope", "/rules?shared=%22%3E%3Cscript%3E"]
)
async def test_rules_that_are_not_shared_or_do_not_exist_have_no_preview(client: Client, path: str) -> None:
    assert await preview(client, path) == {}


async def test_many_differences_are_cut_short(client: Client) -> None:
    patterns = ";".join(f"slaps.{name}=true" for name in ("marriage", "divorce", "hoagie", "sixty_nine", "scandal"))
    shown = await preview(client, f"/rules?shared=1;classic;{patterns};turn_ms=9000;max_players=4;collect=manual")
    assert len(shown["og:description"]) == 300
    assert shown["og:description"].endswith("…")


async def test_no_text_of_rules_can_break_out_of_the_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ('A "title" & <b>', 'what is "special" & <b>')
    told = gzip.compress(json.dumps(texts).encode())
    monkeypatch.setattr(rendering, "headline_of_house", lambda text, language: rendering.Rendered(200, told))
    shown = await preview(client, "/rules?shared=1;wiki")
    assert (shown["og:title"], shown["og:description"]) == (f"House rules: {texts[0]} · Ratscrew", texts[1])


async def test_a_host_name_cannot_break_out_of_the_page(client: Client) -> None:
    shown = await preview(client, "/room/WOLF4821", **{"X-Forwarded-Host": 'a"><script>'})
    assert shown["og:image"].startswith('https://a"><script>/')


def test_the_letters_of_a_picture_are_those_of_the_code() -> None:
    """Where codes differ in one sign, the pictures differ there and nowhere else."""

    def drawn(code: str) -> Image.Image:
        return Image.open(io.BytesIO(room_picture(code))).convert("RGB")

    box = ImageChops.difference(drawn("WOLF4821"), drawn("WOLF4827")).getbbox()
    assert box
    left = (WIDTH - 9 * TILE[0]) // 2 + 8 * TILE[0]
    assert left <= box[0] < box[2] <= left + TILE[0]
    assert CODE_Y <= box[1] < box[3] <= CODE_Y + TILE[1]
    assert drawn("WOLF123456789012").getbbox() == (0, 0, WIDTH, HEIGHT)
