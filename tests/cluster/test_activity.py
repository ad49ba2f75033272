"""The activity of Discord at several nodes: each instance has one room, at a node that has space for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.registry.codes import code_of_name
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.cluster.servers import Server, Servers, browsing

POLICY = ProxyPolicy(discord=DiscordApplication("123456789012345678"))


@pytest_asyncio.fixture
async def servers(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[Servers]:
    """A cluster without nodes."""
    async with AsyncExitStack() as stack:
        yield Servers(address, tmp_path, stack)


async def enter(server: Server, instance: str) -> tuple[int, str]:
    """The status and the room of an instance that begins at a node."""
    body = {"instance": instance, "name": server.name}
    async with browsing(server) as page, page.session.post(f"{server.url}/api/activity", json=body) as answer:
        return answer.status, (await answer.json())["room"]


async def test_an_activity_that_begins_at_three_nodes_at_once_has_one_room(servers: Servers) -> None:
    nodes = [await servers.start(name, policy=POLICY) for name in "abc"]
    for instance in range(10):
        found = await asyncio.gather(*(enter(node, str(instance)) for node in nodes))
        assert sorted(status for status, _ in found) == [200, 200, 201]
        assert len({room for _, room in found}) == 1
    assert sum(len(node.rooms) for node in nodes) == 10


@pytest.mark.parametrize("why", ["full", "draining"])
async def test_another_node_opens_the_room_if_the_own_one_cannot(
    servers: Servers, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = [await servers.start(name, policy=POLICY) for name in "ab"]
    if why == "full":
        monkeypatch.setattr(type(a.cluster.rooms), "full", property(lambda rooms: rooms is a.cluster.rooms))
    else:
        await a.cluster.node.drain()
    assert (await enter(a, "1"))[0] == 201
    assert (len(a.rooms), len(b.rooms)) == (0, 1)
    assert (await enter(a, "1"))[0] == 200


async def test_a_code_that_was_taken_for_a_room_that_never_began_is_used_again(servers: Servers) -> None:
    a, b = [await servers.start(name, policy=POLICY) for name in "ab"]
    code = code_of_name("discord 1")
    await a.cluster.node.create(f"{code}-1", code)
    found = await asyncio.gather(*(enter(node, "1") for node in (b, a, b, a)))
    assert sorted(status for status, _ in found) == [200, 200, 200, 201]
    assert ([room.table.room for room in a.rooms], b.rooms) == ([f"{code}-1"], [])
