"""Arenas in a cluster: one node has each, the others lead to it, and a takeover loses no point."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.arenas.arena_registry import ArenaRegistry
from ratscrew.table.arenas.hourly import HOUR_S, HourlyArena
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.access.community import CommunityOptions
from tests.cluster.conftest import pass_time
from tests.cluster.servers import WITHIN_S, Browser, Server, Servers, browsing, receive
from tests.table.test_arena import short_games

LONG_S = 1000.0
SPEED = 10
PAW = {"hue": 1, "shape": "paw"}
ARENA = {"title": "Friday", "house": "1;classic;turn_ms=1000", "minutes": 120, "starts_in_s": 0}


async def node(servers: Servers, name: str) -> Server:
    """A node with a community, on which games take a second."""
    how: dict[str, Any] = {"community": CommunityOptions(), "laid": short_games(), "clock": SystemClock(SPEED)}
    return await servers.start(name, lease_s=LONG_S, **how)


class Player:
    """A page of an arena: it asks for a table, and goes there."""

    def __init__(self, browser: Browser, arena: str) -> None:
        self.browser, self.arena = browser, arena
        self._at: str | None = None
        self._reading: asyncio.Task[object] | None = None

    async def join(self, name: str) -> None:
        """Join through the own node."""
        await self.browser.post(f"/api/rooms/{self.arena}/arena/players", {"name": name, "appearance": PAW})

    async def ask(self) -> None:
        """Ask for a table, and go to a new one."""
        state = await self.browser.post(f"/api/rooms/{self.arena}/arena/ask", {}, 200)
        if state["room"] and (state["room"] != self._at or (self._reading and self._reading.done())):
            self.browser.sit({"room": state["room"], "player_id": state["seat"]})
            socket, welcome = await self.browser.follow()
            assert welcome["you"] == state["seat"]
            self._at, self._reading = state["room"], asyncio.create_task(receive(socket, "moved", "lost"))

    def stop(self) -> None:
        """Read no more."""
        if self._reading:
            self._reading.cancel()


async def standings(browser: Browser, arena: str) -> dict[str, int]:
    """The points of all players, through a node."""
    async with browser.session.get(f"{browser.home.url}/api/rooms/{arena}/arena") as answer:
        assert answer.status == 200, await answer.text()
        return {each["name"]: each["points"] for each in (await answer.json())["players"]}


async def play_until(players: Sequence[Player], points: int) -> dict[str, int]:
    """All ask and play until so many points were given; returns the standings."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            for player in players:
                await player.ask()
            found = await standings(players[0].browser, players[0].arena)
            if sum(found.values()) >= points:
                return found
            await asyncio.sleep(0.1)


@asynccontextmanager
async def two_players(homes: Sequence[Server]) -> AsyncIterator[list[Player]]:
    """Ana opens an arena at her node; she and Bo have joined, each through a node of their own."""
    async with AsyncExitStack() as stack:
        browsers = [await stack.enter_async_context(browsing(home)) for home in homes]
        arena = (await browsers[0].post("/api/arenas", ARENA))["code"]
        players = [Player(browser, arena) for browser in browsers]
        for player, name in zip(players, ("Ana", "Bo"), strict=True):
            stack.callback(player.stop)
            await player.join(name)
        yield players


async def test_players_of_two_nodes_are_paired_in_one_arena_and_both_nodes_have_its_standings(servers: Servers) -> None:
    a, b = await node(servers, "a"), await node(servers, "b")
    async with two_players([a, b]) as players:
        await play_until(players, 6)
        ana, bo = players
        async with asyncio.timeout(WITHIN_S):
            while await standings(ana.browser, ana.arena) != await standings(bo.browser, bo.arena):
                await asyncio.sleep(0.1)
        assert b.rooms == [], "all tables are where the arena is"


async def test_a_node_that_takes_an_arena_over_loses_no_point_and_a_replaced_one_overwrites_none(
    servers: Servers, address: PostgresAddress
) -> None:
    """Node a loses its leases without knowing it, and still takes a player; the node after b has b's points."""
    a, b, c = [await node(servers, name) for name in "abc"]
    async with two_players([a, b]) as players, browsing(a) as eve:
        ana, _ = players
        before = await play_until(players, 4)
        pass_time(address, LONG_S + 1)
        await b.cluster.node.renew()
        ana.browser.home = b
        taken_over = await play_until(players, sum(before.values()))
        assert all(taken_over[name] >= points for name, points in before.items())
        after = await play_until(players, sum(before.values()) + 4)
        await Player(eve, ana.arena).join("Eve")
        pass_time(address, LONG_S + 1)
        await c.cluster.node.renew()
        async with browsing(c) as elsewhere:
            last = await standings(elsewhere, ana.arena)
        assert all(last[name] >= points for name, points in after.items())
        assert "Eve" not in last, "she had joined what was no arena any more"


async def test_a_player_whose_table_has_gone_on_at_another_node_is_still_led_there(
    servers: Servers, address: PostgresAddress
) -> None:
    """All leases of node a end; node c takes the table over, and node b the arena."""
    a, b, c = [await node(servers, name) for name in "abc"]
    async with two_players([a, a]) as (ana, bo), browsing(c) as eve:
        path = f"/api/rooms/{ana.arena}/arena/ask"
        async with asyncio.timeout(WITHIN_S):
            while not (table := (await ana.browser.post(path, {}, 200))["room"]):
                await bo.browser.post(path, {}, 200)
                await asyncio.sleep(0.05)
        pass_time(address, LONG_S + 1)
        for each in (b, c):
            await each.cluster.node.renew()
        eve.code = table
        await eve.follow()
        assert [room.table.room.partition("-")[0] for room in c.rooms] == [table]
        ana.browser.home = b
        assert (await ana.browser.post(path, {}, 200))["room"] == table


async def test_of_nodes_that_look_at_once_one_opens_the_hourly_arena(servers: Servers) -> None:
    nodes = [await servers.start(name) for name in "abc"]
    arenas = [ArenaRegistry(each.cluster.log, each.registry, lambda: 100 * HOUR_S * 1_000_000) for each in nodes]
    hourly = [HourlyArena(each.cluster.log, found, "1;classic") for each, found in zip(nodes, arenas, strict=True)]
    await asyncio.gather(*(each.look() for each in hourly))
    listed = [await each.listed() for each in arenas]
    assert [len(each) for each in listed] == [1, 1, 1]
    assert len({summary.code for (summary,) in listed}) == 1
    assert sum(not room.closed for each in nodes for room in each.rooms) == 1
    for each in arenas:
        each.close()


async def test_the_hourly_arena_opens_although_its_node_dies_between_the_claim_and_the_first_save(
    servers: Servers, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Node b has looked before that, and found a claim of a living node."""
    nodes = [await servers.start(name, lease_s=LONG_S) for name in "ab"]
    arenas = [ArenaRegistry(each.cluster.log, each.registry, lambda: 100 * HOUR_S * 1_000_000) for each in nodes]
    first, second = (
        HourlyArena(each.cluster.log, found, "1;classic") for each, found in zip(nodes, arenas, strict=True)
    )

    async def fail(*_: object) -> None:
        raise LogError("dead")

    monkeypatch.setattr(arenas[0], "store", fail)
    with pytest.raises(LogError):
        await first.look()
    await second.look()
    assert await arenas[1].listed() == []
    pass_time(address, LONG_S + 1)
    await nodes[1].cluster.node.renew()
    await second.look()
    (summary,) = await arenas[1].listed()
    assert [room.table.room.partition("-")[0] for room in nodes[1].rooms] == [summary.code]
    await second.look()
    assert len(await arenas[1].listed()) == 1
    for each in arenas:
        each.close()
