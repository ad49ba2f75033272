"""Arenas over HTTP: who joins, who is refused, and what players are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.bans import Ban, put_ban
from ratscrew.limits.limits import LIMITS
from ratscrew.log.memory import MemoryLog
from ratscrew.table.arenas.arena import PLAYERS_MOST, Arena, Player
from ratscrew.table.arenas.arena_registry import ARENAS_MOST
from ratscrew.table.names import names
from ratscrew.table.record.entries import Appearance, Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.api.arenas import standings_of
from ratscrew.web.app import MODERATION, REGISTRY, make_app
from ratscrew.web.cluster.forwarding import ANSWER_MOST
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get
from tests.web.test_rated_games import two_people

PAW = {"hue": 1, "shape": "paw"}
FRIDAY = {"title": "Friday", "minutes": 5, "starts_in_s": 0}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """A browser of a server with a community."""
    app = make_app(
        MemoryLog(), ManualClock(1), StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions()
    )
    async with TestClient(TestServer(app)) as some:
        yield some


async def opened(client: Client, **more: Any) -> str:
    """The code of a new arena."""
    status, arena = await ask(client, {**FRIDAY, **more}, "/api/arenas")
    assert status == 201
    return str(arena["code"])


async def join(client: Client, code: str, name: str) -> tuple[int, Any]:
    """Join as a browser without cookies; those that it gets are forgotten."""
    found = await ask(client, {"name": name, "appearance": PAW}, f"/api/rooms/{code}/arena/players")
    client.session.cookie_jar.clear()
    return found


async def test_an_arena_is_listed_and_has_standings(client: Client) -> None:
    code = await opened(client)
    for name in ("Ana", "Ben"):
        assert (await join(client, code, name))[0] == 201
    _, (line,) = await get(client, "/api/arenas")
    assert (line["code"], line["title"], line["players"]) == (code, "Friday", 2)
    _, standings = await get(client, f"/api/rooms/{code}/arena")
    assert [(each["name"], each["points"]) for each in standings["players"]] == [("Ana", 0), ("Ben", 0)]


async def test_nobody_joins_twice(client: Client) -> None:
    code = await opened(client)
    path = f"/api/rooms/{code}/arena/players"
    assert (await ask(client, {"name": "Ana", "appearance": PAW}, path))[0] == 201
    status, problem = await ask(client, {"name": "Ben", "appearance": PAW}, path)
    assert (status, problem["code"]) == (409, "twice")
    client.session.cookie_jar.clear()
    status, problem = await ask(client, {"name": "ana", "appearance": PAW}, path)
    assert (status, problem["code"]) == (409, "name_taken")


async def test_an_account_joins_once_and_another_device_gets_its_player(client: Client) -> None:
    code = await opened(client)
    path = f"/api/rooms/{code}/arena/players"
    await ask(client, {"name": "Ana"}, "/api/account")
    passing = await (await client.post("/api/account/pass")).json()
    _, first = await ask(client, {"name": "Ana", "appearance": PAW}, path)
    client.session.cookie_jar.clear()
    assert (await ask(client, passing, "/api/account/device"))[0] == 200
    assert await ask(client, {"name": "Ben", "appearance": PAW}, path) == (201, first)
    assert (await ask(client, {}, f"/api/rooms/{code}/arena/ask"))[0] == 200
    _, standings = await get(client, f"/api/rooms/{code}/arena")
    assert [each["name"] for each in standings["players"]] == ["Ana"]


@on_manual_clock
async def test_two_browsers_that_joined_before_they_had_one_account_are_one_player_from_then_on(
    clock: ManualClock, tmp_path: Path
) -> None:
    """Both go on as the one that asked first; the other is at no table any more, whoever waits for one."""
    log = MemoryLog[Entry]()
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    server = TestServer(app)
    async with TestClient(server) as laptop, TestClient(server) as phone:
        code = await opened(laptop)
        path = f"/api/rooms/{code}/arena"
        players = []
        for browser, name in ((laptop, "Ana"), (phone, "Ben")):
            found = await ask(browser, {"name": name, "appearance": PAW}, f"{path}/players")
            players.append(found[1]["player"])
        await ask(laptop, {"name": "Ana"}, "/api/account")
        passing = await (await laptop.post("/api/account/pass")).json()
        for browser, player in zip((laptop, phone), players, strict=True):
            assert (await ask(browser, {}, f"{path}/ask"))[1]["player"] == player
        assert (await ask(phone, passing, "/api/account/device"))[0] == 200
        for _ in range(12):
            for browser in (laptop, phone):
                state = (await ask(browser, {}, f"{path}/ask"))[1]
                assert (state["player"], state["room"]) == (players[0], None)
            await asyncio.sleep(1)


@on_manual_clock
async def test_two_devices_in_one_network_get_different_tables_if_others_are_there(
    clock: ManualClock, tmp_path: Path
) -> None:
    log = MemoryLog[Entry]()
    app = make_app(
        log,
        clock,
        StaticFiles(tmp_path),
        execute=execute_here,
        community=CommunityOptions(),
        proxy_policy=ProxyPolicy(True),
    )
    async with TestClient(TestServer(app)) as client:
        path = f"/api/rooms/{await opened(client)}/arena"
        browsers = []
        for number in range(8):
            headers = {"X-Forwarded-For": f"192.0.2.{max(number, 1)}"}  # numbers 0 and 1 share an address
            body = {"name": f"Player {number}", "appearance": PAW}
            answer = await client.post(f"{path}/players", json=body, headers=headers)
            browsers.append(
                headers | {"Cookie": "; ".join(f"{each.key}={each.value}" for each in answer.cookies.values())}
            )
            client.session.cookie_jar.clear()
        rooms: list[str | None] = [None]
        while None in rooms:
            rooms = []
            for headers in browsers:
                answer = await client.post(f"{path}/ask", json={}, headers=headers)
                client.session.cookie_jar.clear()
                rooms.append((await answer.json())["room"])
            await asyncio.sleep(1)
        assert len(set(rooms)) == 2
        assert rooms[0] != rooms[1]


async def test_the_arenas_of_all_nodes_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers share a log, as two nodes do; one of them has as many arenas as all may have."""
    for most in ("ARENAS_OF_ADDRESS", "ARENAS_OF_NETWORK"):
        monkeypatch.setattr(f"ratscrew.table.arenas.arena_registry.{most}", ARENAS_MOST)
    monkeypatch.setattr("ratscrew.table.arenas.arena_registry.ARENAS_KEPT", 0)
    log = MemoryLog[Entry]()
    apps = [
        make_app(log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
        for _ in range(2)
    ]
    async with TestClient(TestServer(apps[0])) as here, TestClient(TestServer(apps[1])) as elsewhere:
        for _ in range(ARENAS_MOST):  # with a player each: an empty one makes space
            assert (await join(here, await opened(here), "Ana"))[0] == 201
        assert [(await ask(node, FRIDAY, "/api/arenas"))[1]["code"] for node in (here, elsewhere)] == [
            "too_many_rooms"
        ] * 2


async def test_one_address_joins_an_arena_so_often_and_no_more(client: Client) -> None:
    """A person without an account can join with a second browser; a class of thirty has one address."""
    code, most = await opened(client), LIMITS["room_seats"].most
    answers = [(await join(client, code, f"Player {number}"))[0] for number in range(most + 2)]
    assert answers == [201] * most + [429] * 2


def test_the_standings_of_a_full_arena_pass_from_node_to_node() -> None:
    name = "\N{WOMAN}\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\N{MAN}\U0001f3fd" * names.LONGEST
    assert names.faults(name) == []
    arena = Arena("WOLF48211234-18a9c3f2b7d1e0", "W" * 24, "1;classic", 0, 1e10)
    for number in range(1000, 1000 + PLAYERS_MOST):
        arena.players[number] = Player(number, name, Appearance(7, "glove"), 10**5, 10**4, 10**4, 5)
        arena.tables[f"WOLF4821{number}-18a9c3f2b7d1e0"] = (number,)
    assert len(msgspec.json.encode(standings_of(arena, 0.123456789))) < ANSWER_MOST


async def test_only_a_player_gets_a_table(client: Client) -> None:
    code = await opened(client)
    status, problem = await ask(client, {}, f"/api/rooms/{code}/arena/ask")
    assert (status, problem["code"]) == (403, "not_held")


async def test_an_ordinary_room_is_no_arena(client: Client) -> None:
    _, room = await ask(client, {"name": "Ana", "bots": 1})
    for path, body in ((f"/api/rooms/{room['room']}/arena/players", {"name": "Bo", "appearance": PAW}),):
        assert (await ask(client, body, path))[0] == 404
    assert (await get(client, f"/api/rooms/{room['room']}/arena"))[0] == 404


@pytest.mark.parametrize(
    "wrong",
    [{"minutes": 4}, {"minutes": 121}, {"starts_in_s": -1}, {"title": ""}, {"house": "1;classic;max_players=3"}],
)
async def test_what_is_out_of_bounds_is_refused(client: Client, wrong: dict[str, Any]) -> None:
    assert (await ask(client, {**FRIDAY, **wrong}, "/api/arenas"))[0] in (400, 422)


async def test_the_room_of_an_arena_takes_no_players(client: Client) -> None:
    code = await opened(client)
    status, problem = await ask(client, {"name": "Bo"}, f"/api/rooms/{code}/seats")
    assert (status, problem["code"]) == (409, "locked")


@on_manual_clock
async def test_two_players_are_led_to_one_table_and_hold_its_seats(clock: ManualClock, tmp_path: Path) -> None:
    log = MemoryLog[Entry]()
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    async with TestClient(TestServer(app)) as client:
        code = await opened(client)
        browsers = []
        for name in ("Ana", "Ben"):
            answer = await client.post(f"/api/rooms/{code}/arena/players", json={"name": name, "appearance": PAW})
            browsers.append({"Cookie": "; ".join(f"{each.key}={each.value}" for each in answer.cookies.values())})
            client.session.cookie_jar.clear()
        rooms = set()
        for _ in range(12):
            for headers in browsers:
                answer = await client.post(f"/api/rooms/{code}/arena/ask", json={}, headers=headers)
                client.session.cookie_jar.clear()
                state = await answer.json()
                if state["room"]:
                    (cookie,) = answer.cookies.values()
                    assert cookie["path"] == f"/api/rooms/{state['room']}"
                    rooms.add((state["room"], state["seat"]))
            await asyncio.sleep(1)
        assert {seat for _, seat in rooms} == {0, 1}
        assert len({room for room, _ in rooms}) == 1


@on_manual_clock
async def test_a_deleted_name_does_not_stay_at_a_table_whose_page_has_not_come(
    clock: ManualClock, tmp_path: Path
) -> None:
    """The arena opened the table after her page had asked for the last time: the seat is not linked to her account."""
    log = MemoryLog[Entry]()
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    async with TestClient(TestServer(app)) as client:
        code = await opened(client)
        await join(client, code, "Ben")
        ben = await client.post(f"/api/rooms/{code}/arena/players", json={"name": "Bo", "appearance": PAW})
        held = {"Cookie": "; ".join(f"{each.key}={each.value}" for each in ben.cookies.values())}
        client.session.cookie_jar.clear()
        await ask(client, {"name": "Xanthippe"}, "/api/account")
        await ask(client, {"name": "Xanthippe", "appearance": PAW}, f"/api/rooms/{code}/arena/players")
        kept = list(client.session.cookie_jar)
        await ask(client, {}, f"/api/rooms/{code}/arena/ask")
        client.session.cookie_jar.clear()
        await client.post(f"/api/rooms/{code}/arena/ask", json={}, headers=held)
        registry = app[REGISTRY]
        while len(registry) < 2:
            await asyncio.sleep(0.5)
        (table,) = (room for room in registry if room.table.state.locked and len(room.table.seats) == 2)
        await table.stored()
        assert "Xanthippe" in repr([log.read(game) for game in log.games()])
        assert [seat.account for seat in table.table.seats] == [None, None]
        for cookie in kept:
            client.session.cookie_jar.update_cookies({cookie.key: cookie}, client.make_url("/api/account"))
        assert (await client.delete("/api/account")).status == 200
        assert "Xanthippe" not in repr([log.read(game) for game in log.games()]) + repr(log.get())
        assert "Xanthippe" not in [seat.name for seat in table.table.seats]


@pytest.mark.parametrize("what", ["account", "address"])
@on_manual_clock
async def test_a_banned_player_is_not_paired_and_reads_why(clock: ManualClock, tmp_path: Path, what: str) -> None:
    log = MemoryLog[Entry]()
    async with two_people(clock, log, tmp_path) as browsers:
        ana, bo = browsers
        app = bo.server.app  # type: ignore[attr-defined]
        code = await opened(ana)
        for browser, name in ((ana, "Ana"), (bo, "Bo")):
            path = f"/api/rooms/{code}/arena/players"
            assert (await ask(browser, {"name": name, "appearance": PAW}, path))[0] == 201
        path = f"/api/rooms/{code}/arena/ask"
        table = None
        while table is None:
            for browser in browsers:
                table = (await ask(browser, {}, path))[1]["room"]
            await asyncio.sleep(1)
        (room,) = (room for room in app[REGISTRY] if room.table.room.startswith(table))
        account = (await get(bo, "/api/account"))[1]["account"]["id"]
        seat = next(seat for seat in room.table.seats if seat.account == account)
        whom = {"account": account, "address": app[MODERATION].address_of(room, seat.player_id).hash}
        put_ban(log, Ban("0a0b0c0d", clock.now_us(), None, "insults", **{what: whom[what]}))
        async with asyncio.timeout(60):
            while (await ask(bo, {}, path))[0] == 200:
                await asyncio.sleep(1)
            while what == "account" and not seat.gone:  # a ban of a network ends no seat: others may be behind it
                await asyncio.sleep(1)
        assert await ask(bo, {}, path) == (
            403,
            {"code": "banned", "problems": ["You can't play here any more. The reason: insults"]},
        )
        tables = len(log.games())
        for _ in range(30):
            assert (await ask(ana, {}, path))[0] == 200
            assert (await ask(bo, {}, path))[0] == 403
            await asyncio.sleep(1)
        assert len(log.games()) == tables, "nobody is left to play with Ana"


async def test_without_a_community_there_are_no_arenas_and_no_pages_of_them(tmp_path: Path) -> None:
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(tmp_path), execute=execute_here)
    async with TestClient(TestServer(app)) as alone:
        for path in ("/api/arenas", "/arena", "/arena/WOLF4821"):
            assert (await alone.get(path)).status == 404
        assert (await alone.post("/api/arenas", json=FRIDAY)).status == 404
