"""A page proves its seats to another node by a ticket of its own node."""

from __future__ import annotations

import pytest

from ratscrew.table.record.clock import SystemClock
from ratscrew.web.http import node_tokens
from tests.cluster.servers import Servers, browsing, receive


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
        assert (again["t"], again["to"]) == ("moved", None)


async def test_a_page_with_a_ticket_that_is_late_or_for_another_node_or_room_or_forged_has_to_get_another(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as browser:
        await browser.open()
        (room,) = (room.table.room for room in a.rooms)
        sign = b.cluster._tokens
        signed, _, signature = sign.ticket(a.url, room, [1]).rpartition(".")
        forged = f"{signed}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
        wrong = [sign.ticket(b.url, room, [0]), sign.ticket(a.url, "OTHER1-1", [0]), forged, "é", ""]
        monkeypatch.setattr(node_tokens, "TICKET_LASTS_S", 0)
        wrong.append(sign.ticket(a.url, room, [0]))
        browser.session.cookie_jar.clear()
        for ticket in wrong:
            answer = await receive(await browser.connect(ticket=ticket))
            assert (answer["t"], answer["to"], answer["ticket"]) == ("moved", None, None), ticket


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
