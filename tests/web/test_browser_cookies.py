"""Cookies: two servers on one host leave each other's alone, and in frames all have the same attributes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import COOKIES, make_app
from ratscrew.web.http.browser_cookies import FRAMED
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.test_cookies import seat_of

WEB = Path(__file__).parents[2] / "src" / "ratscrew" / "web"
DISCORD = DiscordApplication("123456789012345678")
ANA = {"name": "Ana"}


@asynccontextmanager
async def server(folder: Path, jar: CookieJar | None = None, **more: Any) -> AsyncIterator[Client]:
    """A browser of a server with accounts; several servers on this machine may share the browser's cookies."""
    log: EventLog[Entry] = more.pop("log") if "log" in more else MemoryLog()
    app = make_app(log, ManualClock(1), StaticFiles(folder), execute=execute_here, community=CommunityOptions(), **more)
    async with TestClient(TestServer(app), cookie_jar=CookieJar(unsafe=True) if jar is None else jar) as client:
        yield client


async def test_a_second_server_on_the_same_host_keeps_its_hands_off_the_accounts_of_the_first(tmp_path: Path) -> None:
    """Cookies ignore ports, as the jar here does."""
    jar = CookieJar(unsafe=True)
    async with server(tmp_path, jar) as first, server(tmp_path, jar) as second:
        _, ana = await ask(first, ANA, "/api/account")
        assert (await get(second, "/api/account"))[1]["account"] is None
        await ask(second, {"name": "Bo"}, "/api/account")
        assert (await get(first, "/api/account"))[1] == ana
        await second.delete("/api/account")
        assert (await get(first, "/api/account"))[1] == ana


async def test_a_room_with_the_same_code_at_both_keeps_its_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = CookieJar(unsafe=True)
    monkeypatch.setattr("ratscrew.table.registry.placement.new_code", lambda *_: "WOLF4821")
    async with server(tmp_path, jar) as first, server(tmp_path, jar) as second:
        for client in (first, second):
            assert (await ask(client, {"name": "Ana", "bots": 1}))[0] == 201
        assert [await seat_of(client, "WOLF4821", 0) for client in (first, second)] == [0, 0]


async def test_a_restarted_server_knows_its_cookies(tmp_path: Path) -> None:
    log, jar = MemoryLog[Entry](), CookieJar(unsafe=True)
    async with server(tmp_path, jar, log=log) as client:
        _, ana = await ask(client, ANA, "/api/account")
    async with server(tmp_path, jar, log=log) as client:
        assert (await get(client, "/api/account"))[1] == ana


# Frames


def attributes(headers: list[str]) -> set[tuple[str, ...]]:
    """Name, path, and what decides whether a browser stores it in a frame."""
    found = set[tuple[str, ...]]()
    for header in headers:
        (morsel,) = SimpleCookie(header.replace("; Partitioned", "")).values()
        partitioned = "Partitioned" in header.split("; ")
        found.add((morsel.key, morsel["path"], morsel["samesite"], str(bool(morsel["secure"])), str(partitioned)))
    return found


async def test_in_a_frame_each_cookie_is_one_that_a_frame_stores(tmp_path: Path) -> None:
    """A GET has no `Origin`. Renewal and deletion have the attributes of what was stored."""
    async with server(tmp_path, proxy_policy=ProxyPolicy(discord=DISCORD)) as client:
        made = await client.post("/api/account", json=ANA, headers={"Origin": DISCORD.origin})
        cookie = made.headers["Set-Cookie"].partition(";")[0]
        client.session.cookie_jar.clear()
        got = await client.get("/api/account", headers={"Cookie": cookie})
        gone = await client.delete("/api/account", headers={"Cookie": cookie})
        name = FRAMED + client.app[COOKIES].name("account")
        for answer in (made, got, gone):
            told = attributes(answer.headers.getall("Set-Cookie"))
            assert told == {(name, "/api", "None", "True", "True")}
        assert (await got.json())["account"]["name"].startswith("Ana#")


async def test_outside_of_frames_cookies_are_strict_also_where_there_is_an_activity(tmp_path: Path) -> None:
    async with server(tmp_path, proxy_policy=ProxyPolicy(discord=DISCORD)) as client:
        answer = await client.post("/api/account", json=ANA)
        name = client.app[COOKIES].name("account")
        assert attributes(answer.headers.getall("Set-Cookie")) == {(name, "/api", "Strict", "False", "False")}


async def test_a_socket_of_a_frame_has_its_seat(tmp_path: Path) -> None:
    async with server(tmp_path, proxy_policy=ProxyPolicy(discord=DISCORD)) as client:
        made = await client.post("/api/rooms", json={"name": "Ana", "bots": 1}, headers={"Origin": DISCORD.origin})
        cookie, room = made.headers["Set-Cookie"].partition(";")[0], (await made.json())["room"]
        client.session.cookie_jar.clear()
        assert cookie.startswith(FRAMED)
        socket = await client.ws_connect(socket_of(room), headers={"Cookie": cookie})
        await socket.send_str('{"t":"hello","player_ids":[0]}')
        told = [await socket.receive_json() for _ in range(3)]
        assert 0 in [each.get("you") for each in told if each["t"] == "welcome"]
        await socket.close()


# The code


def test_one_module_reads_and_sets_cookies() -> None:
    """So that all have the same attributes, and a name of this server's."""
    touching = re.compile(r"(set|del)_cookie|request\.cookies|headers(\.get\(|\[)\"(Set-)?Cookie\"")
    found = [file.name for file in sorted(WEB.rglob("*.py")) if touching.search(file.read_text())]
    assert found == ["browser_cookies.py"]
