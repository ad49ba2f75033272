"""An account is deleted at one node after it has played at another: its name is in no database, page or export."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cli.storage.texts import export
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.arenas.arena import Arena, Player
from ratscrew.table.arenas.stored import OVER_S, STATE, state_name
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Appearance
from ratscrew.web.access.account_erasure import hash_id
from ratscrew.web.access.community import CommunityOptions
from tests.cluster import test_arenas
from tests.cluster.servers import WITHIN_S, Browser, Server, Servers, browsing
from tests.log.conftest import sql
from tests.table.test_arena import short_games

NAME = "Xanthippe"
PAW = {"hue": 1, "shape": "paw"}


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes read each other's deletions twice a second instead of every ten seconds."""
    monkeypatch.setattr("ratscrew.web.app.READ_EVERY_S", 0.5)


def everything_in(address: PostgresAddress) -> Iterator[bytes]:
    """Every value of every row of every table of the database, as bytes."""
    for (table,) in sql(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'ratscrew'"):
        for row in sql(address, f"SELECT * FROM ratscrew.{table}"):
            for value in row:
                yield bytes(value) if isinstance(value, (bytes, memoryview)) else str(value).encode()


def places_of_the_name(address: PostgresAddress) -> list[bytes]:
    """What in the database has the name."""
    return [value for value in everything_in(address) if NAME.encode() in value]


async def get(browser: Browser, server: Server, path: str) -> str:
    """What a node answers."""
    async with browser.session.get(f"{server.url}{path}") as answer:
        return await answer.text()


async def test_after_a_deletion_at_one_node_the_name_is_gone_from_the_database_and_the_pages_of_both(
    servers: Servers, address: PostgresAddress
) -> None:
    """She plays in a listed room and in an arena, both at node b, and her account is deleted at node a."""
    a, b = [await servers.start(name, community=CommunityOptions()) for name in "ab"]
    async with browsing(a) as here, browsing(b) as there, browsing(b) as bo:
        there.session._cookie_jar = here.session.cookie_jar  # one browser with pages at two nodes
        account = (await here.post("/api/account", {"name": NAME}))["account"]
        code = there.sit(await there.post("/api/rooms", {"name": NAME, "bots": 1, "listed": True}))
        await there.follow()
        title = {"title": "Friday", "minutes": 30, "starts_in_s": 0}
        arena = (await bo.post("/api/arenas", title))["code"]
        await here.post(f"/api/rooms/{arena}/arena/players", {"name": NAME, "appearance": PAW})
        await bo.post(f"/api/rooms/{arena}/arena/players", {"name": "Bo", "appearance": PAW})
        await table_of_arena(arena, here, bo)
        store_ended_arena(b, account["id"])
        (room,) = (room for room in b.rooms if room.table.room.startswith(code))
        paths = ["/api/watch", f"/api/rooms/{arena}/arena", f"/api/players/{account['id']}"]
        async with asyncio.timeout(WITHIN_S):  # it is where it will be looked for
            while not all([NAME in await get(bo, server, path) for server in (a, b) for path in paths[:2]]):
                await asyncio.sleep(0.1)
            while not any(b"listed" not in value and b"host" in value for value in places_of_the_name(address)):
                await asyncio.sleep(0.1)
        assert len(places_of_the_name(address)) >= 5
        async with here.session.delete(f"{a.url}/api/account") as answer:
            assert answer.status == 200, await answer.text()
        async with asyncio.timeout(WITHIN_S):
            while places_of_the_name(address):
                await asyncio.sleep(0.1)
            while NAME in "".join([await get(bo, server, path) for server in (a, b) for path in paths]):
                await asyncio.sleep(0.1)
        assert all(seat.name != NAME for room in b.rooms for seat in room.table.seats)
        assert not room.closed, "she goes on without a name"
        async with asyncio.timeout(WITHIN_S):  # the name goes first, then the id
            while account["id"].encode() in b"".join(everything_in(address)):
                await asyncio.sleep(0.1)
        bo.code, bo.hello = code, {"t": "hello"}
        _, welcome = await bo.follow()
        assert NAME not in str(welcome)


async def test_after_a_deletion_no_export_and_no_text_of_a_game_has_the_name(
    servers: Servers, address: PostgresAddress, tmp_path: Path
) -> None:
    """She has finished a game with a friend at node b; node a has no room of hers, but has shown the game."""
    how: dict[str, Any] = {"community": CommunityOptions(), "laid": short_games(), "clock": SystemClock(10)}
    a, b = [await servers.start(name, **how) for name in "ab"]
    async with browsing(a) as here, browsing(b) as bo:
        account = (await here.post("/api/account", {"name": NAME}))["account"]
        friend = (await bo.post("/api/account", {"name": "Bo"}))["account"]
        await here.post("/api/friends", {"id": friend["id"]}, 200)
        await bo.post("/api/friends", {"id": account["id"]}, 200)
        title = {"title": "Friday", "house": "1;classic;turn_ms=1000", "minutes": 30, "starts_in_s": 0}
        arena = (await bo.post("/api/arenas", title))["code"]
        players = [test_arenas.Player(browser, arena) for browser in (here, bo)]
        for player, name in zip(players, (NAME, "Bo"), strict=True):
            await player.join(name)
        await test_arenas.play_until(players, 2)
        for player in players:
            player.stop()
        before = await exported(address, tmp_path / "before")
        assert before
        assert all(NAME in text for text in before.values())
        game = min(before)
        paths = [f"/api/games/{game}.txt", f"/api/games/{game}", "/api/account/export", "/api/friends"]
        assert all([NAME in await get(bo, server, path) for server in (a, b) for path in paths[:2]])
        assert NAME in await get(bo, b, "/api/friends")
        assert NAME in await get(here, a, "/api/account/export")
        async with here.session.delete(f"{b.url}/api/account") as answer:
            assert answer.status == 200, await answer.text()
        async with asyncio.timeout(WITHIN_S):
            while NAME in "".join([await get(bo, server, path) for server in (a, b) for path in paths]):
                await asyncio.sleep(0.2)
        assert "Bo" in await get(bo, b, paths[0]), "the game itself is still there"
        after = await exported(address, tmp_path / "after")
        assert before.keys() <= after.keys()
        assert all("Bo" in text and NAME not in text for text in after.values())


async def exported(address: PostgresAddress, folder: Path) -> dict[str, str]:
    """All texts that `ratscrew export` writes, by the names of the games."""
    assert await asyncio.to_thread(export, [], folder, address) == 0
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.iterdir()}


async def table_of_arena(arena: str, *browsers: Browser) -> None:
    """The players of an arena ask until they have a table."""
    async with asyncio.timeout(WITHIN_S):
        while not all([(await each.post(f"/api/rooms/{arena}/arena/ask", {}, 200))["room"] for each in browsers]):
            await asyncio.sleep(0.5)


def store_ended_arena(server: Server, account: str) -> None:
    """An arena of yesterday, which no node has in memory."""
    now_s = SystemClock().now_us() / 1e6
    players = {1000: Player(1000, NAME, Appearance(1, "paw"), account=hash_id(account))}
    over = Arena("OLD1-1", "Friday", "1;classic", now_s - 9000, now_s - OVER_S - 60, players)
    server.cluster.log.put(state_name(over.room, 1), STATE.encode(over))
