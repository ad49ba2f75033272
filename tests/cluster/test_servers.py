"""Players reach their room through any node, and go on at another one when its owner is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from ratscrew.errors import ClusterError, NodeReplaced
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.clock import SystemClock
from ratscrew.table.records.entries import Owned
from ratscrew.table.rooms.room import Room
from ratscrew.web import node_tokens
from ratscrew.web.seats import row
from tests.cluster.conftest import pass_time
from tests.cluster.servers import Servers, browsing, receive
from tests.log.conftest import sql

LONG_S = 1000.0

GUESSES = 45
"""More than an address may make at once, see `web/guessing.py`."""


@pytest_asyncio.fixture
async def servers(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[Servers]:
    """A cluster without nodes."""
    async with AsyncExitStack() as stack:
        yield Servers(address, tmp_path, stack)


async def test_a_page_is_sent_to_the_owner_of_its_room_with_a_ticket_for_its_seat(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(b) as browser:
        browser.home = a
        await browser.open()
        browser.home = b  # cookies of this host reach all its ports
        socket = await browser.connect()
        moved = await receive(socket)
        assert (moved["t"], moved["to"]) == ("moved", a.url)
        at_owner = await browser.connect(a.url, ticket=moved["ticket"])
        welcome = await receive(at_owner)
        assert (welcome["t"], welcome["you"], welcome["epoch"]) == ("welcome", 0, 1)
        assert set((await receive(at_owner, "nodes"))["urls"]) == {a.url, b.url}
        again = await receive(await browser.connect(a.url, ticket=moved["ticket"]))
        assert again["you"] is None


async def test_a_ticket_that_is_late_or_for_another_node_or_room_or_forged_holds_no_seat(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as browser:
        await browser.open()
        (room,) = (room.table.room for room in a.rooms)
        sign = b.cluster._tokens
        forged = sign.ticket(a.url, room, [1])[:-1] + "-"
        wrong = [sign.ticket(b.url, room, [0]), sign.ticket(a.url, "OTHER1-1", [0]), forged, "é", ""]
        monkeypatch.setattr(node_tokens, "TICKET_LASTS_S", 0)
        wrong.append(sign.ticket(a.url, room, [0]))
        browser.session.cookie_jar.clear()
        for ticket in wrong:
            assert (await receive(await browser.connect(ticket=ticket)))["you"] is None, ticket


async def test_tickets_hold_although_the_clocks_of_the_nodes_are_minutes_apart(servers: Servers) -> None:
    hour_ns = 3600 * 10**9
    a = await servers.start("a")
    b = await servers.start("b", clock=SystemClock(day_ns=lambda: 10**18 + hour_ns))
    async with browsing(b) as browser:
        browser.home = a
        await browser.open()
        browser.home = b
        _, welcome = await browser.follow()
        assert welcome["you"] == 0


async def test_a_player_takes_a_seat_in_a_room_of_another_node_through_their_own(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana, browsing(b) as bo:
        code = await ana.open(wait=True, bots=0)
        await bo.join(code)
        (room,) = a.rooms
        assert ([seat.name for seat in room.table.seats], b.rooms) == (["Ana", "Bo"], [])
        _, welcome = await bo.follow()
        assert welcome["you"] == 1


async def test_of_three_nodes_that_are_asked_for_a_room_at_once_one_owns_it(
    servers: Servers, address: PostgresAddress
) -> None:
    nodes = [await servers.start(name) for name in "abc"]
    async with servers.serving("first") as first, browsing(first) as ana:
        code = await ana.open()
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(browsing(node)) for node in nodes]
        for page in pages:
            page.code, page.hello = code, ana.hello
        found = await asyncio.gather(*(page.follow() for page in pages))
    assert sorted(len(node.rooms) for node in nodes) == [0, 0, 1]
    assert {welcome["epoch"] for _, welcome in found} == {2}
    bodies = [body for (body,) in sql(address, "SELECT body FROM ratscrew.entry ORDER BY number")]
    assert sum(b'"owned"' in bytes(body) for body in bodies) == 1


async def test_a_node_that_lost_its_room_without_knowing_it_sends_its_clients_away_at_its_first_append(
    servers: Servers, address: PostgresAddress
) -> None:
    a = await servers.start("a", lease_s=LONG_S)
    b = await servers.start("b", lease_s=LONG_S)
    async with browsing(a) as ana, browsing(b) as bo:
        bo.code = await ana.open(wait=True, bots=0)
        at_a, _ = await ana.follow()
        pass_time(address, LONG_S + 1)
        await b.cluster.node.renew()
        _, welcome = await bo.follow()
        assert welcome["epoch"] == 2
        (stale,), (new,) = a.rooms, b.rooms
        before = len(new.table.seats)
        await at_a.send_json({"t": "bot", "strength": "steady", "s": 1})
        assert (await receive(at_a, "moved", "lost", "event"))["t"] == "moved"
        assert (stale.closed, a.rooms) == (True, [])
        _, welcome = await ana.follow()
        assert (welcome["epoch"], len(welcome["seats"])) == (2, before)


async def test_a_renewal_that_finds_a_room_lost_sends_its_clients_away(
    servers: Servers, address: PostgresAddress
) -> None:
    a = await servers.start("a", lease_s=LONG_S)
    b = await servers.start("b", lease_s=LONG_S)
    async with browsing(a) as ana, browsing(b) as bo:
        bo.code = await ana.open()
        at_a, _ = await ana.follow()
        pass_time(address, LONG_S + 1)
        await b.cluster.node.renew()
        await bo.follow()
        await a.cluster.node.renew()
        assert (await receive(at_a, "moved", "lost"))["t"] == "moved"


async def test_a_node_that_drains_returns_a_room_first_and_then_names_the_node_where_it_goes_on(
    servers: Servers, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana:
        await ana.open(wait=True, bots=0)
        at_a, _ = await ana.follow()
        owners, let_go = list[object](), a.cluster.rooms._let_go

        def spy(room: Room, why: str) -> None:
            owners.extend(sql(address, "SELECT owner FROM ratscrew.room WHERE name = %s", room.table.room))
            let_go(room, why)

        monkeypatch.setattr(a.cluster.rooms, "_let_go", spy)
        await a.cluster.drain()
        assert owners == [(None,)]
        moved = await receive(at_a, "moved", "lost")
        assert (moved["t"], moved["to"]) == ("moved", b.url)
        welcome = await receive(await ana.connect(b.url, ticket=moved["ticket"]))
        assert (welcome["t"], welcome["you"], welcome["epoch"]) == ("welcome", 0, 2)


async def test_a_node_that_drains_gives_its_rooms_to_another_and_has_new_ones_opened_there(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana:
        await ana.open(wait=True, bots=0)
        at_a, _ = await ana.follow()
        await a.cluster.drain()
        assert (await receive(at_a, "moved", "lost"))["t"] == "moved"
        _, welcome = await ana.follow()
        assert (welcome["you"], welcome["epoch"], len(b.rooms), a.rooms) == (0, 2, 1, [])
        await ana.open()
        assert (len(b.rooms), a.rooms) == (2, [])
        async with ana.session.get(f"{a.url}/api/ready") as answer:
            assert (answer.status, "gives its rooms" in await answer.text()) == (503, True)
        _, welcome = await ana.follow()
        assert welcome["you"] == 0


async def test_a_second_process_of_one_name_does_not_start(servers: Servers) -> None:
    await servers.start("a", lease_s=LONG_S)
    with pytest.raises(ClusterError, match="a node named a is alive at"):
        await servers.start("a")


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
    await a.cluster.check.check()
    b = await servers.start("b", url=a.url)
    with pytest.raises(ClusterError, match="leads to node a"):
        await b.cluster.check.check()
    c = await servers.start("c", url="http://127.0.0.1:9")
    with pytest.raises(ClusterError, match="cannot be reached"):
        await c.cluster.check.check()


async def test_pages_may_connect_to_the_nodes_of_the_cluster_and_nowhere_else(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    await a.cluster._refresh()
    async with browsing(a) as browser:
        async with browser.session.get(f"{a.url}/api/health") as answer:
            policy = answer.headers["Content-Security-Policy"]
        ours = sorted(node.url.replace("http", "ws") for node in (a, b))
        assert f"connect-src 'self' {' '.join(ours)};" in policy
        for origin, status in ((b.url, 400), (a.url, 400), ("https://elsewhere.example", 403)):
            async with browser.session.post(f"{a.url}/api/rooms", json={"bots": 99}, headers={"Origin": origin}) as got:
                assert got.status == status, origin


async def test_a_room_that_nobody_uses_is_returned_after_its_appends(servers: Servers) -> None:
    a = await servers.start("a")
    async with browsing(a) as ana:
        code = await ana.open()
        (room,) = a.rooms
        a.cluster.rooms._let_go(room)
        while a.cluster.rooms._returns:
            await asyncio.sleep(0.01)
        found = await a.cluster.node.find(code)
        assert found
        assert found.node is None
        _, welcome = await ana.follow()
        assert welcome["epoch"] == 2
        last = [entry.event for entry in a.cluster.log.read(room.table.log.game) if isinstance(entry.event, Owned)]
        assert last == [Owned(2, "a")]


async def test_a_room_that_is_asked_for_while_it_is_returned_is_claimed_anew(servers: Servers) -> None:
    a = await servers.start("a")
    async with browsing(a) as ana:
        await ana.open()
        a.cluster.rooms._let_go(a.rooms[0])
        socket = await ana.connect()
        welcome = await receive(socket)
        assert (welcome["t"], welcome["epoch"]) == ("welcome", 2)


async def test_a_claimed_room_that_is_not_in_memory_is_returned(servers: Servers) -> None:
    a = await servers.start("a")
    await a.cluster.node.create("WOLF1234-1", "WOLF1234")
    await a.cluster.rooms.tidy()
    assert a.cluster.node.epoch_of("WOLF1234-1") == 1
    await a.cluster.rooms.tidy()
    assert a.cluster.node.epoch_of("WOLF1234-1") is None


async def test_strangers_at_two_nodes_meet_at_one_table(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana, browsing(b) as bo:
        ana.sit(await ana.post("/api/quick", {"name": "Ana"}))
        await ana.follow()
        await a.cluster.rooms.publish(row)
        await bo.post("/api/quick", {"name": "ana"})  # the name is taken there, so a table of its own is opened there
        bo.sit(await bo.post("/api/quick", {"name": "Bo"}))
        _, welcome = await bo.follow()
        assert (len(a.rooms), b.rooms, welcome["you"]) == (2, [], 1)
        assert [seat["name"] for seat in welcome["seats"]] == ["Ana", "Bo"]


async def test_every_node_lists_the_open_tables_of_all(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana:
        code = await ana.open(listed=True, wait=True, bots=0)
        await ana.follow()
        await a.cluster.rooms.publish(row)
        async with ana.session.get(f"{b.url}/api/rooms") as answer:
            assert [(open_room["room"], open_room["host"]) for open_room in await answer.json()] == [(code, "Ana")]
        (room,) = a.rooms
        a.cluster.rooms._let_go(room)
        while a.cluster.rooms._returns:
            await asyncio.sleep(0.01)
        b.cluster.rooms._listed_s = 0
        async with ana.session.get(f"{b.url}/api/rooms") as answer:
            assert await answer.json() == []


@pytest.mark.parametrize(("bots", "kept"), [(0, False), (2, True)])
async def test_the_code_of_a_room_is_kept_if_cards_were_turned_there(
    servers: Servers, address: PostgresAddress, bots: int, kept: bool
) -> None:
    a = await servers.start("a", lease_s=LONG_S)
    async with browsing(a) as ana:
        code = await ana.open(wait=not bots, bots=bots)
        socket, _ = await ana.follow()
        (room,) = a.rooms
        if kept:
            await receive(socket, "event")
            while not room.played:
                await asyncio.sleep(0.01)
        await a.cluster.rooms.publish_uses()
        pass_time(address, 2 * 3600)
        await a.cluster.rooms.tidy()
        assert ((await a.cluster.node.find(code)) is not None) is kept


@pytest.mark.parametrize(("bots", "hours"), [(0, 0), (2, 2)])
async def test_a_room_that_was_opened_moments_before_its_node_is_killed_keeps_its_code(
    servers: Servers, address: PostgresAddress, bots: int, hours: float
) -> None:
    """Its name was reserved two hours before. Without a card it is kept for an hour, with one for longer."""
    a, b = await servers.start("a", lease_s=LONG_S), await servers.start("b", lease_s=LONG_S)
    pass_time(address, 2 * 3600)
    for node in (a, b):
        await node.cluster.node.renew()
    await a.cluster.rooms.publish_uses()
    async with browsing(a) as ana:
        code = await ana.open(wait=not bots, bots=bots)
        await ana.follow()
        (room,) = a.rooms
        while bots and not room.played:
            await asyncio.sleep(0.01)
        await a.cluster.rooms.publish(row)
        pass_time(address, hours * 3600 + LONG_S + 1)
        await b.cluster.node.renew()
        await b.cluster.rooms.tidy()
        assert await b.cluster.node.claim(code)


async def test_a_code_that_leads_to_another_node_is_no_guess(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana, browsing(b) as guest:
        guest.code = await ana.open()
        for _ in range(GUESSES):
            socket = await guest.connect()
            assert (await receive(socket))["t"] == "moved"
            await socket.close()
