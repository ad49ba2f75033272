"""A node joins the cluster, under a name of its own and at an address that leads to it; pages learn of it."""

from __future__ import annotations

import asyncio

import pytest

from ratscrew.errors import ClusterError, NodeReplaced
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.ports import free_port
from ratscrew.web.http.node_check import NodeCheck
from tests.cluster.conftest import pass_time
from tests.cluster.servers import Servers, browsing, receive

LONG_S = 1000.0


async def test_a_second_process_of_one_name_does_not_start(servers: Servers) -> None:
    await servers.start("a", lease_s=LONG_S)
    with pytest.raises(ClusterError, match="a node named a is alive at"):
        await servers.start("a")


async def test_a_page_gets_the_addresses_of_nodes_that_join_and_drain_while_it_is_open(servers: Servers) -> None:
    a = await servers.start("a")
    async with browsing(a) as ana:
        await ana.open()
        socket, _ = await ana.follow()
        assert (await receive(socket, "nodes"))["urls"] == [a.url]
        b = await servers.start("b")
        assert (await receive(socket, "nodes"))["urls"] == [a.url, b.url]
        await b.cluster.drain()
        await a.cluster._refresh()
        assert (await receive(socket, "nodes"))["urls"] == [a.url]


async def test_a_process_that_was_replaced_says_so_and_has_no_room_any_more(
    servers: Servers, address: PostgresAddress
) -> None:
    old = await servers.start("a", lease_s=LONG_S)
    async with browsing(old) as ana:
        await ana.open()
        at_old, _ = await ana.follow()
        pass_time(address, LONG_S + 1)
        await servers.start("a")
        with pytest.raises(NodeReplaced):
            await old.cluster.node.renew()
        assert (await receive(at_old, "moved", "lost"))["t"] == "moved"
        assert old.rooms == []


async def test_a_public_address_that_leads_elsewhere_is_found(servers: Servers) -> None:
    a = await servers.start("a")
    with pytest.raises(ClusterError, match="leads to node a"):
        await servers.start("b", url=a.url)
    with pytest.raises(ClusterError, match="cannot be reached"):
        await servers.start("c", url="http://127.0.0.1:9")


async def test_a_node_with_a_wrong_address_is_never_among_the_nodes(servers: Servers) -> None:
    """Nor does it take a room, or answer a page; one that had a right address before keeps that one."""
    a, wrong = await servers.start("a"), "http://127.0.0.1:9"
    async with servers.serving("b") as b:
        right = b.url
    for name, stays in (("b", [right]), ("c", [])):
        with pytest.raises(ClusterError, match="cannot be reached"):
            await servers.start(name, url=wrong)
        await a.cluster._refresh()
        assert a.cluster._peers.urls == (a.url,)
        found = [node.url for node in await a.cluster.node.nodes() if node.name == name]
        assert (found, wrong in a.cluster._peers.connect_src) == (stays, False)


async def test_requests_wait_until_the_address_of_a_node_was_checked(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, port, check = await servers.start("a"), free_port(), NodeCheck.check
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(self: NodeCheck) -> None:
        begun.set()
        await go_on.wait()
        await check(self)

    monkeypatch.setattr(NodeCheck, "check", slow)
    starting = asyncio.create_task(servers.start("b", port=port))
    await begun.wait()
    home = a._replace(url=f"http://127.0.0.1:{port}")
    async with browsing(home) as bo:
        opening = asyncio.create_task(bo.open())
        async with bo.session.get(f"{home.url}/api/ready") as answer:
            assert (answer.status, "has not checked its public address" in await answer.text()) == (503, True)
        await a.cluster._refresh()
        assert (a.cluster._peers.urls, opening.done()) == ((a.url,), False)
        go_on.set()
        await opening
        b = await starting
        assert (set(a.cluster._peers.urls), len(b.rooms)) == ({a.url, b.url}, 1)


async def test_pages_may_connect_to_the_nodes_of_the_cluster_and_nowhere_else(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    await a.cluster._refresh()
    async with browsing(a) as browser:
        async with browser.session.get(f"{a.url}/") as answer:
            policy = answer.headers["Content-Security-Policy"]
        ours = sorted(node.url.replace("http", scheme) for node in (a, b) for scheme in ("http", "ws"))
        assert f"connect-src 'self' {' '.join(ours)};" in policy
        for origin, status in ((b.url, 400), (a.url, 400), ("https://elsewhere.example", 403)):
            async with browser.session.post(f"{a.url}/api/rooms", json={"bots": 99}, headers={"Origin": origin}) as got:
                assert got.status == status, origin
