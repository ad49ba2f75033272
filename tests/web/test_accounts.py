"""Accounts: keeping one's games without a password, on several devices, until one deletes them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import AccountLinked, Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get


@pytest.fixture
def clock() -> ManualClock:
    """The clock of the server."""
    return ManualClock(1)


@pytest.fixture
async def server(log: MemoryLog[Entry], clock: ManualClock, tmp_path: Path) -> AsyncIterator[TestServer]:
    """A server with a community."""
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    some = TestServer(app)
    await some.start_server()
    yield some
    await some.close()


@pytest.fixture
async def client(server: TestServer) -> AsyncIterator[Client]:
    """A browser."""
    async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as some:
        yield some


@pytest.fixture
async def other(server: TestServer) -> AsyncIterator[Client]:
    """A browser at another device."""
    async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as some:
        yield some


async def test_without_a_community_there_is_no_trace_of_it(log: MemoryLog[Entry], tmp_path: Path) -> None:
    app = make_app(log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here)
    async with TestClient(TestServer(app)) as client:
        assert await get(client, "/api/account") == (200, {"community": False, "account": None})
        assert (await ask(client, {"name": "Ana"}, "/api/account"))[0] == 405
        assert (await client.get("/api/account/export")).status == 404
        assert (await client.get("/me")).status == 404
        await ask(client, {"name": "Ana", "bots": 1})
    assert log.get("community/") == {}


async def test_a_player_without_an_account_meets_none(client: Client, log: MemoryLog[Entry]) -> None:
    status, room = await ask(client, {"name": "Ana", "bots": 1})
    assert status == 201
    assert not [name for name in log.get("community/") if not name.endswith("-key")]
    events = [entry.event for entry in log.read(log.games()[0])]
    assert not [event for event in events if isinstance(event, AccountLinked)]
    assert "account" not in json.dumps(room)


async def test_an_address_makes_only_so_many_accounts(client: Client) -> None:
    codes = []
    for _ in range(LIMITS["accounts"].most + 2):
        codes.append((await ask(client, {"name": "Ana"}, "/api/account"))[0])
        client.session.cookie_jar.clear()
    assert codes == [201] * LIMITS["accounts"].most + [429] * 2


async def test_an_address_asks_for_its_account_and_friends_only_so_often(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "community", Limit(2, 7.5))
    assert [(await get(client, "/api/account"))[0] for _ in range(3)] == [200, 200, 429]
    assert (await get(client, "/api/friends"))[0] == 429


async def test_keeping_games_gives_a_public_name_and_a_key_that_no_script_can_read(client: Client) -> None:
    answer = await client.post("/api/account", json={"name": " Ana "})
    state = await answer.json()
    name, _, number = state["account"]["name"].partition("#")
    assert (answer.status, name, len(number)) == (201, "Ana", 4)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/api" in cookie
    assert (await get(client, "/api/account"))[1] == state


async def test_a_forged_key_holds_no_account(client: Client, other: Client) -> None:
    answer = await client.post("/api/account", json={"name": "Ana"})
    (cookie,) = answer.cookies.values()
    key = cookie.value
    forged = key[:16] + "." + "0" * 16 + key[33:]
    got = await other.get("/api/account", headers={"Cookie": f"{cookie.key}={forged}"})
    assert (await got.json())["account"] is None
    got = await other.get("/api/account", headers={"Cookie": f"{cookie.key}={key}"})
    assert (await got.json())["account"] is not None


async def test_the_log_says_whose_seat_it_is(client: Client, log: MemoryLog[Entry]) -> None:
    _, state = await ask(client, {"name": "Ana"}, "/api/account")
    await ask(client, {"name": "Ana", "bots": 1})
    linked = [entry.event for entry in log.read(log.games()[0]) if isinstance(entry.event, AccountLinked)]
    assert [(event.seat, event.account) for event in linked] == [(0, state["account"]["id"])]


async def test_a_seat_that_was_taken_before_is_linked_too(client: Client, log: MemoryLog[Entry]) -> None:
    _, room = await ask(client, {"name": "Ana", "bots": 1})
    _, state = await ask(client, {"name": "Ana"}, "/api/account")
    status, _ = await ask(client, {"player_ids": [0, 5]}, f"/api/rooms/{room['room']}/account")
    assert status == 200
    linked = [entry.event for entry in log.read(log.games()[0]) if isinstance(entry.event, AccountLinked)]
    assert [(event.seat, event.account) for event in linked] == [(0, state["account"]["id"])]


async def test_two_accounts_of_one_name_have_different_numbers(client: Client, other: Client) -> None:
    names = [(await ask(each, {"name": "Ana"}, "/api/account"))[1]["account"]["name"] for each in (client, other)]
    assert len(set(names)) == 2


async def test_an_account_moves_to_another_device_by_a_pass_once(client: Client, other: Client) -> None:
    _, state = await ask(client, {"name": "Ana"}, "/api/account")
    made = await (await client.post("/api/account/pass")).json()
    status, moved = await ask(other, made, "/api/account/device")
    assert (status, moved["account"]["id"], moved["account"]["devices"]) == (200, state["account"]["id"], 2)
    assert (await ask(other, made, "/api/account/device"))[0] == 403


async def test_signing_out_elsewhere_leaves_this_device(client: Client, other: Client) -> None:
    await ask(client, {"name": "Ana"}, "/api/account")
    await ask(other, await (await client.post("/api/account/pass")).json(), "/api/account/device")
    assert (await get(other, "/api/account"))[1]["account"]["devices"] == 2
    assert (await client.post("/api/account/sign-out")).status == 200
    assert (await get(client, "/api/account"))[1]["account"]["devices"] == 1
    assert (await get(other, "/api/account"))[1]["account"] is None


async def test_everything_can_be_exported(client: Client) -> None:
    _, state = await ask(client, {"name": "Ana"}, "/api/account")
    body = await (await client.get("/api/account/export")).json()
    assert body["account"]["id"] == state["account"]["id"]
    assert body["name"] == state["account"]["name"]
    assert len(body["device"]) == 1


async def test_after_deletion_no_byte_of_the_name_is_left(client: Client, log: MemoryLog[Entry]) -> None:
    _, state = await ask(client, {"name": "Xanthippe"}, "/api/account")
    await ask(client, {"name": "Xanthippe", "bots": 1})
    answer = await client.delete("/api/account")
    assert (answer.status, (await answer.json())["games"]) == (200, 1)
    stored = [*map(repr, log.get().items()), *(repr(log.read(game)) for game in log.games())]
    assert not [text for text in stored if "anthippe" in text or state["account"]["id"] in text]
    assert (await get(client, "/api/account"))[1] == {"community": True, "account": None}


async def test_a_name_that_may_not_be_chosen_is_refused_with_the_reason(client: Client) -> None:
    status, problem = await ask(client, {"name": "A\u202eb"}, "/api/account")
    assert (status, problem["code"]) == (422, "rules")
