"""Time and charge of an answer do not depend on whether a code exists: a client that may not guess learns nothing.

Times are counted as work: signatures verified, look-ups, charges. Every route with a code is tried.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ratscrew.limits.guessing import ADDRESS, GuessLimiter
from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.registry.tokens import Tokens
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import COOKIES
from ratscrew.web.http.cookies import COOKIE
from ratscrew.web.rendering.worker import Worker
from ratscrew.web.routes import ROUTES, SOCKET, STREAM
from tests.web.http_requests import Client, ask, socket_of
from tests.web.pages import Page, full_server, stream_page
from tests.web.streams import StreamSocket

WRONG = "ZOOM9999"
FORGED = 20
WITH_CODE = [route for route in ROUTES if "{code}" in route.path]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts what a request makes the server do."""
    done = Counter[str]()

    def count(owner: type, method: str) -> None:
        original = getattr(owner, method)

        def counted(*args: Any, **more: Any) -> Any:
            done[f"{owner.__name__}.{method}"] += 1
            return original(*args, **more)

        monkeypatch.setattr(owner, method, counted)

    for owner, method in ((Tokens, "read"), (RoomRegistry, "find"), (GuessLimiter, "charge"), (Worker, "render")):
        count(owner, method)
    return done


def forged(client: Client) -> dict[str, str]:
    """The header of a client with cookies of seats that it has made up, some old enough to be renewed."""
    name = client.app[COOKIES].name
    made = [(number, 1_000_000 if number % 2 else 1900000000) for number in range(FORGED)]
    return {"Cookie": "; ".join(f"{name(COOKIE, n)}={n}.{until_s}.{'x' * 43}" for n, until_s in made)}


def exhaust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may guess any more."""
    monkeypatch.setattr(GuessLimiter, "_wait_us", lambda *_: 1_000_000)


@pytest.mark.parametrize("route", WITH_CODE, ids=lambda route: f"{route.method} {route.path}")
@on_manual_clock
async def test_a_client_that_may_not_guess_learns_nothing(
    clock: ManualClock, route: Any, work: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with full_server(clock, MemoryLog[Entry](), tmp_path) as client:
        _, joined = await ask(client, {"name": "Ana", "bots": 1})
        client.session.cookie_jar.clear()
        headers = forged(client)
        exhaust(monkeypatch)
        seen = list[Any]()
        for code in (joined["room"], WRONG):
            work.clear()
            path = route.path.replace("{code}", code).replace("{id}", "0a1b2c3d4e5f6071").replace("{n}", "1")
            if route.path in (SOCKET, STREAM):
                if route.path == STREAM:
                    page = stream_page(StreamSocket(client, path, headers))
                else:
                    page = Page(await client.ws_connect(path, headers=headers, autoping=False))
                handshake = dict(work)
                await page.send("hello", player_ids=list(range(8)))
                seen.append((handshake, await page.expect_close(after="too_much"), dict(work)))
                continue
            answer = await client.request(route.method, path, json=route.example, headers=headers)
            said = (await answer.read()).decode(errors="replace")
            if answer.content_type == "image/png":
                said = ""  # it shows the code
            said = said.replace(code, "CODE").replace(f"{code[:4]} {code[4:]}", "CODE")
            seen.append((answer.status, said, dict(work)))
        assert seen[0] == seen[1]


@on_manual_clock
async def test_a_socket_that_never_says_hello_learns_nothing(
    clock: ManualClock, work: Counter[str], tmp_path: Path
) -> None:
    async with full_server(clock, MemoryLog[Entry](), tmp_path) as client:
        _, joined = await ask(client, {"name": "Ana", "bots": 1})
        client.session.cookie_jar.clear()
        done = []
        for code in (joined["room"], WRONG):
            work.clear()
            socket = await client.ws_connect(socket_of(code), headers=forged(client), autoping=False)
            await socket.close()
            done.append(dict(work))
        assert done[0] == done[1]
        assert "RoomRegistry.find" not in done[0]


@on_manual_clock
async def test_a_wrong_code_is_charged_and_a_right_one_is_not(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right code answers by itself; so it costs nothing, and a wrong one does, whatever cookies come with it."""
    for limit in ("seats", "requests"):
        monkeypatch.setitem(LIMITS, limit, Limit(1000, 1))
    async with full_server(clock, MemoryLog[Entry](), tmp_path) as client:
        _, joined = await ask(client, {"name": "Ana", "bots": 1})
        client.session.cookie_jar.clear()
        headers = forged(client)

        async def status(code: str) -> int:
            answer = await client.post(f"/api/rooms/{code}/pass", json={"player_ids": [0]}, headers=headers)
            return answer.status

        assert [await status(joined["room"]) for _ in range(ADDRESS.most + 2)] == [403] * (ADDRESS.most + 2)
        assert [await status(WRONG) for _ in range(ADDRESS.most + 2)] == [404] * ADDRESS.most + [429] * 2
        assert await status(joined["room"]) == 429


def test_every_route_with_a_code_is_known() -> None:
    """A new one is tried by itself; this list says where codes are taken."""
    assert sorted({route.path for route in WITH_CODE}) == sorted(
        {
            "/api/pictures/{code}",
            "/api/rooms/{code}/account",
            "/arena/{code}",
            "/api/rooms/{code}/arena",
            "/api/rooms/{code}/arena/ask",
            "/api/rooms/{code}/arena/players",
            "/api/rooms/{code}/blocks",
            "/api/rooms/{code}/device",
            "/api/rooms/{code}/stream",
            "/api/rooms/{code}/stream/{id}/{n}",
            "/api/rooms/{code}/invitations",
            "/api/rooms/{code}/name",
            "/api/rooms/{code}/pass",
            "/api/rooms/{code}/reports",
            "/api/rooms/{code}/seats",
            "/api/rooms/{code}/socket",
            "/room/{code}",
            "/tv/{code}",
        }
    )
