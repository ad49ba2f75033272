"""Event streams in a cluster: their requests find the server that has the room."""

from __future__ import annotations

import json

from aiohttp import ClientSession

from ratscrew.protocol.player_connection import PlayerConnection
from tests.cluster.servers import Browser, Server, Servers, browsing
from tests.cluster.test_workers import open_at, taken
from tests.web.pages import Page, stream_page
from tests.web.streams import StreamSocket, stream_of


async def stream_at(
    browser: Browser, server: Server, session: ClientSession, **hello: object
) -> tuple[StreamSocket, Page]:
    """An event stream of a page of the browser's own server at this one, after `hello`."""
    stream = StreamSocket(session, f"{server.url}{stream_of(browser.code)}", {"Origin": browser.home.url})
    await stream.send_json({**browser.hello, **hello})
    return stream, stream_page(stream)


async def test_a_stream_is_sent_to_the_owner_of_its_room_and_its_page_may_read_it_there(servers: Servers) -> None:
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(b) as browser:
        browser.home = a
        await browser.open()
        browser.home = b
        _, page = await stream_at(browser, b, browser.session)
        moved = await page.receive()
        assert (moved["t"], moved["to"]) == ("moved", a.url)
        await page.expect_close()
        stream, page = await stream_at(browser, a, browser._others, ticket=moved["ticket"])
        welcome = await page.receive("welcome")
        assert (welcome["you"], welcome["epoch"]) == (0, 1)
        assert stream._answer
        assert stream._answer.headers["Access-Control-Allow-Origin"] == b.url
        await page.send("play", n=99)
        assert (await page.receive("refused"))["request"] == "play"
        assert set(stream.statuses) == {204}
        (room,) = a.rooms
        connection = room.subscriber_at(0)
        assert isinstance(connection, PlayerConnection)
        assert connection._rtt_probe.kernel_us is not None


async def test_requests_that_reach_another_node_are_forwarded_and_no_round_trip_is_made_up_for(
    servers: Servers,
) -> None:
    """As behind a balancer that sends each request anywhere: the connection of the request is that of the node."""
    a, b = await servers.start("a"), await servers.start("b")
    async with browsing(a) as browser:
        await browser.open()
        stream, page = await stream_at(browser, a, browser.session)
        await page.receive("welcome")
        body = json.dumps({"t": "play", "n": 99})
        answer = await browser.session.post(f"{b.url}{stream_of(browser.code)}/{stream.id}/1", data=body)
        assert answer.status == 204
        assert (await page.receive("refused"))["request"] == "play"
        (room,) = a.rooms
        connection = room.subscriber_at(0)
        assert isinstance(connection, PlayerConnection)
        assert connection._rtt_probe.kernel_us is None
        assert connection._rtt_probe.slap_most_us == 0
        unknown = await browser.session.post(f"{b.url}{stream_of(browser.code)}/{'A' * 32}/1", data=body)
        assert unknown.status == 404
        foreign = await browser._others.post(f"{b.url}{stream_of(browser.code)}/{stream.id}/2", data=body)
        assert foreign.status == 404


async def test_a_stream_and_its_requests_are_passed_to_the_worker_that_has_the_room(
    workers: tuple[Server, Server],
) -> None:
    for owner, other in (workers, workers[::-1]):
        async with browsing(other) as browser:
            await open_at(browser, owner, wait=True, bots=0)
            before = taken(owner)
            stream, page = await stream_at(browser, other, browser.session)
            assert (await page.receive("welcome"))["you"] == 0
            assert taken(owner) == before + 1
            for _ in range(3):
                await page.send("play", n=99)
                assert (await page.receive("refused"))["request"] == "play"
            assert set(stream.statuses) == {204}
            room = owner.rooms[-1]
            connection = room.subscriber_at(0)
            assert isinstance(connection, PlayerConnection)
            assert connection._rtt_probe.kernel_us is not None
