"""Players reach their room through any node, and go on at another one when its owner is gone."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.table.record.entries import Owned
from ratscrew.table.registry.cluster_rooms import NAMES_READY
from ratscrew.table.room.room import Room
from ratscrew.web.api.seats import row
from ratscrew.web.metrics import Metrics
from tests.cluster.conftest import pass_time
from tests.cluster.servers import Servers, browsing, receive
from tests.log.conftest import sql

LONG_S = 1000.0

GUESSES = 45
"""More than an address may make at once, see `limits/guessing.py`."""


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


async def test_a_node_that_lost_its_room_learns_it_from_a_page_with_a_newer_seat(
    servers: Servers, address: PostgresAddress
) -> None:
    """As a watcher the page would forget its seat."""
    a = await servers.start("a", lease_s=LONG_S)
    b = await servers.start("b", lease_s=LONG_S)
    async with browsing(a) as ana, browsing(b) as bo:
        code = await ana.open(wait=True, bots=0)
        pass_time(address, LONG_S + 1)
        await b.cluster.node.renew()
        await bo.join(code)
        (stale,), (new,) = a.rooms, b.rooms
        assert [len(room.table.seats) for room in (stale, new)] == [1, 2]
        bo.home = a
        _, welcome = await bo.follow()
        assert (welcome["epoch"], welcome["you"], a.rooms) == (2, 1, [])


async def test_a_request_whose_answer_was_lost_with_its_node_is_not_done_again_at_the_next_one(
    servers: Servers, address: PostgresAddress
) -> None:
    """The table was locked and unlocked. The page has no answer for either, and repeats both."""
    a = await servers.start("a", lease_s=LONG_S)
    b = await servers.start("b", lease_s=LONG_S)
    async with browsing(a) as ana:
        await ana.open(wait=True, bots=0)
        ana.hello["page"] = "ana's page of this room"
        at_a, _ = await ana.follow()
        wishes = [{"t": "lock", "on": True, "s": 1}, {"t": "lock", "on": False, "s": 2}]
        for wish in wishes:
            await at_a.send_json(wish)
            await receive(at_a, "done")
        pass_time(address, LONG_S + 1)
        await b.cluster.node.renew()
        ana.home = b
        at_b, welcome = await ana.follow()
        assert welcome["epoch"] == 2
        for wish in wishes:
            await at_b.send_json(wish)
            assert (await receive(at_b, "done", "event", "refused"))["t"] == "done"
        (room,) = b.rooms
        assert not room.table.state.locked


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
        owners, let_go = list[object](), a.registry._let_go

        def spy(room: Room, why: str) -> None:
            owners.extend(sql(address, "SELECT owner FROM ratscrew.room WHERE name = %s", room.table.room))
            let_go(room, why)

        monkeypatch.setattr(a.cluster.rooms, "_here", replace(a.cluster.rooms._here, let_go=spy))
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


async def test_a_node_counts_what_it_claims_forwards_and_gives_away(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana, browsing(b) as bo:
        code = await ana.open(wait=True, bots=0)
        await bo.join(code)
        await ana.follow()
        metrics = Metrics()
        metrics.register_node(a.cluster.figures)
        await a.cluster.drain()
        await ana.follow()
        first, second = a.cluster.figures(), b.cluster.figures()
        assert (first.leases, first.given_away, first.taken_over, first.forwarded) == (0, 1, 0, 0)
        assert (second.leases, second.given_away, second.taken_over, second.forwarded) == (NAMES_READY + 1, 0, 1, 1)
        assert (first.commits > 0, first.lookups, first.lost) == (True, 0, 0)
        assert metrics.registry.get_sample_value("ratscrew_rooms_given_away_total") == 1


async def test_a_room_that_nobody_uses_is_returned_after_its_appends(servers: Servers) -> None:
    a = await servers.start("a")
    async with browsing(a) as ana:
        code = await ana.open()
        (room,) = a.rooms
        a.registry._let_go(room)
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
        a.registry._let_go(a.rooms[0])
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
        assert [seat["name"] for seat in welcome["seats"]] in (["Ana", "Bo"], ["ana", "Bo"])  # both suit him


async def test_every_node_lists_the_open_tables_of_all(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana:
        code = await ana.open(listed=True, wait=True, bots=0)
        await ana.follow()
        await a.cluster.rooms.publish(row)
        async with ana.session.get(f"{b.url}/api/rooms") as answer:
            assert [(open_room["room"], open_room["host"]) for open_room in await answer.json()] == [(code, "Ana")]
        (room,) = a.rooms
        a.registry._let_go(room)
        while a.cluster.rooms._returns:
            await asyncio.sleep(0.01)
        b.cluster.rooms._listed_rows.clear()
        async with ana.session.get(f"{b.url}/api/rooms") as answer:
            assert await answer.json() == []


async def test_every_node_lists_the_games_to_watch_of_all(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as ana, browsing(b) as bo:
        code = await ana.open(listed=True, bots=1, house="1;classic;max_players=2")
        await ana.follow()
        await bo.open(bots=1)
        await bo.follow()
        for server in (a, b):
            await server.cluster.rooms.publish(row)
        for server in (a, b):
            async with ana.session.get(f"{server.url}/api/watch") as answer:
                assert [(game["room"], game["host"]) for game in await answer.json()] == [(code, "Ana")]


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


async def test_wrong_codes_at_one_node_count_at_the_others_too(servers: Servers) -> None:
    """Half of 40 at the first; a second later the other one lets through the other half."""
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as guest:
        for _ in range(20):
            await guest.post("/api/rooms/WOLF9999/seats", {"name": "Bo"}, status=404)
        while not (b.cluster._shared and b.cluster._shared._seen):
            await asyncio.sleep(0.01)
        for node in (a, b):  # what was charged since
            await node.cluster._exchange_charges()
        guest.home = b
        for _ in range(20):
            await guest.post("/api/rooms/WOLF9999/seats", {"name": "Bo"}, status=404)
        await guest.post("/api/rooms/WOLF9999/seats", {"name": "Bo"}, status=429)
