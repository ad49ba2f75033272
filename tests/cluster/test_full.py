"""A full node: another one opens the rooms, and takes those that have no owner; players learn it if all are full."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from ratscrew.limits.loop_share import LoopShare
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.registry import room_directory
from tests.cluster.servers import Browser, Server, Servers, browsing, receive

LONG_S = 1000.0
SPACE = 2
WAITING = {"wait": True, "bots": 0}


@pytest_asyncio.fixture
async def nodes(
    address: PostgresAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Server, Server]]:
    """Two nodes with space for two rooms each, which are never busy. Only `look_around` publishes their load."""
    monkeypatch.setattr(room_directory, "OPEN_MOST", SPACE)
    monkeypatch.setattr(LoopShare, "record_load", lambda share, busy: None)
    async with AsyncExitStack() as stack:
        servers = Servers(address, tmp_path, stack)
        yield await servers.start("a", lease_s=LONG_S), await servers.start("b", lease_s=LONG_S)


async def fill(browser: Browser, node: Server) -> None:
    """Open rooms until a node has no space, with a player in each."""
    while len(node.rooms) < SPACE:
        await browser.open(**WAITING)
        await browser.follow()


async def look_around(*nodes: Server) -> None:
    """Have each node publish its load, and learn that of the others."""
    for node in nodes:
        await node.cluster.node.renew(node.cluster._load())
    for node in nodes:
        await node.cluster._refresh()


@pytest.mark.parametrize(
    ("path", "body"), [("/api/rooms", WAITING), ("/api/quick", {}), ("/api/lessons", {"lesson": "turn"})]
)
async def test_a_room_that_a_full_node_is_asked_for_is_opened_at_one_with_space(
    nodes: tuple[Server, Server], path: str, body: dict[str, Any]
) -> None:
    a, b = nodes
    async with browsing(a) as ana, browsing(a) as bo:
        await fill(ana, a)
        bo.sit(await bo.post(path, {"name": "Bo", **body}))
        assert (len(a.rooms), len(b.rooms)) == (SPACE, 1)
        _, welcome = await bo.follow()
        assert welcome["you"] == 0


async def test_an_empty_room_makes_space_before_another_node_is_asked(nodes: tuple[Server, Server]) -> None:
    a, b = nodes
    async with browsing(a) as ana:
        for _ in range(SPACE + 1):
            await ana.open(**WAITING)
        assert (len(a.rooms), b.rooms) == (SPACE, [])


@pytest.mark.parametrize("known", [False, True])
async def test_a_player_whom_no_node_has_space_for_reads_so_and_the_others_play_on(
    nodes: tuple[Server, Server], known: bool
) -> None:
    """Whether or not the nodes know yet that the others are full."""
    a, b = nodes
    async with browsing(a) as ana, browsing(b) as bo, browsing(a) as eve:
        await fill(ana, a)
        await fill(bo, b)
        if known:
            await look_around(a, b)
        problem = await eve.post("/api/rooms", {"name": "Eve", **WAITING}, 503)
        said = "the server has no space for another table now: try again in 30 s"
        assert problem == {"code": "busy", "problems": [said], "wait_s": 30}
        assert (len(a.rooms), len(b.rooms)) == (SPACE, SPACE)
        assert a.cluster.figures().forwarded == (0 if known else 1)
        await eve.join(ana.code, "Eve")
        _, welcome = await eve.follow()
        assert [seat["name"] for seat in welcome["seats"]] == ["Ana", "Eve"]


async def test_a_room_without_an_owner_goes_to_a_node_with_space_and_waits_while_there_is_none(
    nodes: tuple[Server, Server], address: PostgresAddress, tmp_path: Path
) -> None:
    a, b = nodes
    async with browsing(a) as ana, browsing(a) as bo, browsing(b) as cy:
        async with AsyncExitStack() as stack, Servers(address, tmp_path, stack).serving("c") as c:
            ana.home = c
            await ana.open(**WAITING)
        ana.home = a
        await fill(bo, a)
        await fill(cy, b)
        await look_around(a, b)
        said = await receive(await ana.connect())
        assert said == {"t": "bye", "reason": "busy", "wait_s": 30}
        await cy.close()
        while not b.rooms[0].empty:
            await asyncio.sleep(0.01)
        await look_around(a, b)
        _, welcome = await ana.follow()
        assert (welcome["you"], welcome["epoch"]) == (0, 2)
        assert ana.code in [room.table.room.partition("-")[0] for room in b.rooms]


async def test_a_busy_node_has_its_rooms_opened_by_another(nodes: tuple[Server, Server]) -> None:
    a, b = nodes
    assert a.cluster._loop_share
    a.cluster._loop_share.busy = 0.9
    async with browsing(a) as ana:
        await ana.open(**WAITING)
        assert (a.rooms, len(b.rooms)) == ([], 1)
        await ana.follow()
        await look_around(a, b)
        assert [round(node.load, 2) for node in await a.cluster.node.nodes()] == [0.9, 0]


async def test_a_full_node_says_so_to_the_others_and_to_the_operator(nodes: tuple[Server, Server]) -> None:
    a, b = nodes
    async with browsing(a) as ana:
        await fill(ana, a)
        await look_around(a, b)
        assert [(node.load, node.takes_rooms) for node in await b.cluster.node.nodes()] == [(1, False), (0, True)]
