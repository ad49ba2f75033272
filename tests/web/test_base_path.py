"""A server below a path of its host, and addresses with a slash too many."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, WSMsgType
from yarl import URL

from ratscrew.errors import RatscrewError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.app import make_app
from ratscrew.web.http.base_path import parse_base_path
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.server_runner import listening
from tests.web.http_requests import Client

PAGE = '<!doctype html><html lang="en"><head><link href="/a.css"><script src="/assets/a.js"></script></head></html>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("index", "start", "room"):
        (tmp_path / f"{name}.html").write_text(PAGE)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.js").write_text("1")
    return tmp_path


@pytest.mark.parametrize("passed_on", [True, False])
async def test_everything_that_leaves_has_the_path_and_what_comes_may_have_it(folder: Path, passed_on: bool) -> None:
    base = "/rat/screw"
    app = make_app(
        MemoryLog(),
        SystemClock(),
        StaticFiles(folder, base),
        proxy_policy=ProxyPolicy(base_path=base),
        execute=execute_here,
    )
    async with listening(app, "127.0.0.1", 0) as address, ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser:
        assert address.endswith(f"{base}/")
        site = address.rstrip("/")
        at = site if passed_on else site.removesuffix(base)  # as the proxy asks
        page = await (await browser.get(f"{at}/")).text()
        assert f'data-base="{base}"' in page
        assert f'href="{base}/a.css"' in page
        assert f'src="{base}/assets/a.js"' in page
        assert await (await browser.get(f"{at}/assets/a.js")).text() == "1"
        opened = await browser.post(f"{at}/api/rooms", json={"name": "Ana", "bots": 1})
        room = (await opened.json())["room"]
        (cookie,) = opened.cookies.values()
        assert cookie["path"] == f"{base}/api/rooms/{room}"
        assert f'content="{site}/api/pictures/' in await (await browser.get(f"{at}/room/{room}")).text()
        moved = await browser.get(f"{at}/rules/?shared=1", allow_redirects=False)
        assert (moved.status, moved.headers["Location"]) == (308, f"{base}/rules?shared=1")
        headers = {"Cookie": f"{cookie.key}={cookie.value}", "Origin": site.removesuffix(base)}
        async with browser.ws_connect(f"{at}/api/rooms/{room}/socket", headers=headers) as socket:
            await socket.send_json({"t": "hello", "player_ids": [0]})
            message = await socket.receive()
            assert message.type is WSMsgType.TEXT
            assert '"welcome"' in message.data


async def test_a_request_for_another_path_is_not_taken_for_one_below_it(folder: Path) -> None:
    policy = ProxyPolicy(base_path="/rat")
    app = make_app(MemoryLog(), SystemClock(), StaticFiles(folder, "/rat"), proxy_policy=policy, execute=execute_here)
    async with listening(app, "127.0.0.1", 0) as address, ClientSession() as browser:
        top = address.removesuffix("/rat/")
        assert (await browser.get(f"{top}/rats/api/health")).status == 404
        assert (await browser.get(f"{top}/rat", allow_redirects=False)).status == 200
        assert (await browser.get(f"{top}/rat/api/health?x=%2F")).status == 200


@pytest.mark.parametrize(
    ("text", "path"),
    [("", ""), ("/", ""), ("/ratscrew", "/ratscrew"), ("ratscrew/", "/ratscrew"), ("/a/b-c/", "/a/b-c")],
)
def test_a_base_path_may_be_written_with_and_without_slashes(text: str, path: str) -> None:
    assert parse_base_path(text) == path


@pytest.mark.parametrize(
    "text", ["/api", "/api/x", "/assets", "/a b", "/ä", "//evil.com//x", "/..", "/a/../b", "/a?b", "https://a"]
)
def test_what_is_no_path_is_refused_in_words(text: str) -> None:
    with pytest.raises(RatscrewError, match=r"--base-path .*: this is no path such as /ratscrew"):
        parse_base_path(text)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("/rules/", "/rules"),
        ("/room/WOLF4821/", "/room/WOLF4821"),
        ("/room/wolf%204821/?a=b&c", "/room/wolf%204821?a=b&c"),
        ("/tv/WOLF4821//", "/tv/WOLF4821"),
        ("/judge/", "/judge"),
        ("/watch/", "/watch"),
        ("/learn/", "/learn"),
        ("/practice/", "/practice"),
        ("/arena/", "/arena"),
        ("/me/", "/me"),
        ("/players/", "/players"),
        ("//evil.example/", "/evil.example"),
        ("/%5Cevil.example/", "/%5Cevil.example"),
    ],
)
async def test_an_address_with_a_slash_at_its_end_leads_to_the_one_without(
    client: Client, asked: str, place: str
) -> None:
    """And never to another host, which a place that begins with two slashes would be."""
    address = URL(f"http://127.0.0.1:{client.port}{asked}", encoded=True)
    moved = await client.session.get(address, allow_redirects=False)
    assert (moved.status, moved.headers["Location"]) == (308, place)
