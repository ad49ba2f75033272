"""A room over an event stream and requests, as pages play where WebSockets do not get through."""

from __future__ import annotations

import asyncio
import json
import logging
import socket as sockets
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from ratscrew.limits.limits import IGNORED_MOST, LIMITS
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.player_connection import SILENT_S
from ratscrew.table.room.audience import DELAY_S
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.schema.http_schema import BODY_MOST
from ratscrew.web.socket.event_stream import AHEAD_MOST, EventStream, StreamHead
from ratscrew.web.socket.websocket import TEXT, build_frame, frame_body
from tests.web.http_requests import ask
from tests.web.pages import WITHIN_S, Page, ServedRoom, full_server, serve, stream_page, wait_gone, wait_here
from tests.web.streams import StreamSocket, stream_of
from tests.web.test_lost_connections import flood
from tests.web.test_waiting_room import gather, refused

NOBODY: dict[str, Any] = {"t": "play", "n": 99}
"""A request that is refused each time it is handled."""


def text(**message: Any) -> str:
    return json.dumps(message)


async def ana_at(served: ServedRoom) -> tuple[StreamSocket, Page]:
    """Ana's page at an event stream, after its welcome."""
    stream = StreamSocket(served.client, stream_of(served.code), served.headers)
    page = stream_page(stream)
    await page.send("hello", player_ids=[0])
    await page.receive("welcome")
    return stream, page


# At a table


@on_manual_clock
async def test_people_wait_talk_play_and_play_again_over_streams(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, welcome = await room.enter(by_stream=True)
        assert (welcome["you"], welcome["host"]) == (0, 0)
        bo, _ = await room.enter(await room.sit("Bo"), by_stream=True)
        assert (await ana.receive("event"))["e"]["e"] == "sat"
        await bo.send("start")
        assert await bo.receive("refused") == refused("start", "not_host")
        await ana.send("start")
        for page in (ana, bo):
            assert (await page.receive("welcome"))["view"]["standing"]["phase"] == "play"
        await bo.send("react", reaction="wow")
        assert (await ana.receive("reacted"))["seat"] == 1
        await ana.send("leave")
        assert (await bo.receive("event"))["e"]["e"] in ("left", "won", "played", "dealt", "nonce_given")


@on_manual_clock
async def test_a_page_that_lost_its_stream_gets_what_it_missed(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        version, game = served.room.table.state.version, (await _welcome_of(served)).get("game")
        await stream.close()
        await wait_gone(served)
        again = await served.enter(by_stream=True, game=game, version=version - 1)
        assert (await again.receive("reconnected", "welcome"))["t"] == "reconnected"
        assert (await again.receive("event"))["v"] == version
        assert page


async def _welcome_of(served: ServedRoom) -> dict[str, Any]:
    """What a page gets that watches the room: the same game."""
    page = await served.enter(player_ids=[])
    welcome = await page.receive("welcome")
    await page.socket.close()
    return welcome


@on_manual_clock
async def test_of_two_tabs_with_one_seat_the_newest_plays(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, first = await ana_at(served)
        _, second = await ana_at(served)
        await first.expect_close(after="elsewhere")
        assert await stream.post(1, text(**NOBODY)) == 404
        await second.send(**NOBODY)
        assert (await second.receive("refused"))["request"] == "play"


@on_manual_clock
async def test_a_watcher_sees_the_table_over_a_stream(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        async with ClientSession() as elsewhere:
            stream = StreamSocket(elsewhere, str(client.make_url(stream_of(room.code))))
            watcher = stream_page(stream)
            await watcher.send("hello", player_ids=[])
            assert (await watcher.receive("welcome"))["yours"] == []
            await watcher.send("react", reaction="wow")
            assert await watcher.receive("refused") == refused("react", "not_playing")
            await room.sit("Bo")
            assert (await watcher.receive("event"))["e"]["name"] == "Bo"
            await asyncio.sleep(DELAY_S)
            await stream.close()


@pytest.mark.parametrize("size", [5, 125, 126, 65535, 65536])
def test_the_frame_of_many_watchers_is_read_back_for_a_stream(size: int) -> None:
    assert frame_body(build_frame(TEXT, b"x" * size)) == b"x" * size


# Requests that are lost, repeated, or overtaken


@on_manual_clock
async def test_a_request_that_is_repeated_has_its_effect_once(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        for number in (1, 1, 2, 1, 2):
            assert await stream.post(number, text(**NOBODY)) == 204
        await page.send("slap", n=99, p_ms=0, t_ms=0, s=1)  # its number is 1 again: it was handled
        assert await stream.post(3, text(t="slap", n=99, p_ms=0, t_ms=0, s=1)) == 204
        assert [(await page.receive("refused"))["request"] for _ in range(3)] == ["play", "play", "slap"]


@on_manual_clock
async def test_requests_are_handled_in_the_order_of_their_numbers(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        await stream.post(3, text(t="react", reaction="wow"))
        await stream.post(2, text(t="slap", n=99, p_ms=0, t_ms=0, s=1))
        await asyncio.sleep(1)
        await stream.post(1, f"{text(**NOBODY)}\n{text(t='start')}\n")
        said = [await page.receive("refused", "reacted") for _ in range(4)]
        assert [each.get("request", each["t"]) for each in said] == ["play", "start", "slap", "reacted"]


@on_manual_clock
async def test_a_request_too_far_ahead_ends_the_stream(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        assert await stream.post(AHEAD_MOST, text(**NOBODY)) == 204
        assert await stream.post(AHEAD_MOST + 1, text(**NOBODY)) == 204
        await page.expect_close(after="garbage")


@on_manual_clock
async def test_what_waits_for_an_earlier_request_is_bounded(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        for number in range(2, 2 + 5):
            await stream.post(number, text(t="beat", c_ms=1, x="x" * 3900))
        await page.expect_close(after="garbage")


@on_manual_clock
async def test_messages_that_come_while_the_room_is_looked_up_wait_for_it(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream = StreamSocket(served.client, stream_of(served.code), served.headers)
        page = stream_page(stream)
        await page.send("hello", player_ids=[0])
        await page.send(**NOBODY)
        assert (await page.receive("welcome", "refused"))["t"] == "welcome"
        assert (await page.receive("refused"))["request"] == "play"


# Ends


@on_manual_clock
async def test_a_stream_whose_page_answers_no_ping_ends(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter(pong_after_s=None, by_stream=True)
        async with asyncio.timeout(SILENT_S + WITHIN_S):
            await page.expect_close()
        await wait_gone(served)


@on_manual_clock
async def test_a_client_that_leaves_is_gone_at_once(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, _ = await ana_at(served)
        await stream.close()
        await wait_gone(served)
        assert await StreamSocket.post(stream, 1, text(**NOBODY)) == 404


@on_manual_clock
async def test_a_server_that_stops_ends_its_streams(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        page, _ = await (await gather(client)).enter(by_stream=True)
        ending = asyncio.create_task(page.expect_close())
        assert client.server
        await client.server.close()
        await ending


# Strangers and floods


@pytest.mark.parametrize("body", ["", "{}", "[]", "\xff", text(t="play", n=1), "x" * (BODY_MOST - 1)])
@on_manual_clock
async def test_whoever_does_not_begin_with_hello_is_told_so(clock: ManualClock, body: str) -> None:
    async with serve(clock) as served:
        if not body:
            assert (await served.client.post(stream_of(served.code))).status == 400
            return
        page = stream_page(StreamSocket(served.client, stream_of(served.code)))
        await page.socket.send_str(body)
        await page.expect_close(after="garbage")


@on_manual_clock
async def test_another_browser_cannot_speak_for_a_stream_even_if_it_knows_its_id(clock: ManualClock) -> None:
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        other = served.tokens.sign("seat", served.room.table.room, [1], clock.now_us())
        for cookie in ("", f"{served.name_of(1)}={other}", f"{served.name_of(0)}={other}"):
            assert await stream.post(1, text(**NOBODY), Cookie=cookie) == 404
        assert await stream.post(1, text(**NOBODY)) == 204
        assert (await page.receive("refused"))["request"] == "play"


@on_manual_clock
async def test_an_id_cannot_be_guessed(clock: ManualClock) -> None:
    async with serve(clock) as served:
        first, _ = await ana_at(served)
        second, _ = await ana_at(served)
        await second._read_event()
        assert len({first.id, second.id}) == 2
        assert len(first.id) == 32  # 24 random bytes
        second.id = first.id[:-1] + ("A" if first.id[-1] != "A" else "B")
        assert await second.post(1, text(**NOBODY)) == 404


@on_manual_clock
async def test_the_limits_of_requests_hold_for_streams(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        stream = StreamSocket(client, stream_of(room.code))
        page = stream_page(stream)
        await page.send("hello", player_ids=[0])
        await page.receive("welcome")
        foreign = {"Origin": "https://elsewhere.example"}
        assert (await client.post(stream_of(room.code), data=b"{}", headers=foreign)).status == 403
        assert await stream.post(1, text(**NOBODY), **foreign) == 403
        assert await stream.post(1, " " * (BODY_MOST + 1)) == 413
        for number in ("x", "-1", "1.5", "²", "1" * 11):
            assert await stream.post(number, text(**NOBODY)) == 400
        assert (await client.get(stream_of(room.code))).status == 405
        assert (await ask(client, b"{}", f"{stream_of(room.code)}/{'x' * 65}/1"))[0] == 400
        await page.send(**NOBODY)
        assert (await page.receive("refused"))["request"] == "play"


@on_manual_clock
async def test_who_sends_too_much_is_ignored_then_disconnected(clock: ManualClock) -> None:
    """As over a WebSocket: the same limits count the same messages, however they come together."""
    async with serve(clock) as served:
        stream, page = await ana_at(served)
        beats = "\n".join([text(t="beat", c_ms=1)] * 50)
        for number in range(1, 2 + (LIMITS["messages"].most + IGNORED_MOST) // 50):
            status = await stream.post(number, beats)
            assert status in (204, 404)
        warned = await page.receive("rate_limited", "bye")
        assert warned["t"] == "rate_limited"
        await page.expect_close(after="too_much")


@on_manual_clock
async def test_streams_count_among_the_sockets_of_an_address(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ratscrew.limits.limits.SOCKETS_MOST", 1)
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        await room.enter(by_stream=True)
        page = stream_page(StreamSocket(client, stream_of(room.code)))
        await page.send("hello", player_ids=[0])
        await page.expect_close(after="too_much")


@on_manual_clock
async def test_a_client_that_sends_behind_its_request_is_disconnected(clock: ManualClock) -> None:
    """Nothing more comes by the connection of a stream: what would, is not even stored."""
    async with serve(clock) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.client.port)
        body = b'{"t":"hello","player_ids":[]}'
        head = f"POST {stream_of(served.code)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        assert (await reader.readuntil(b"\n\n")).count(b"id: ") == 1
        writer.write(b"x")
        with suppress(ConnectionError):
            while await reader.read(9999):
                pass
        writer.close()


@on_manual_clock
async def test_who_does_not_read_is_dropped(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratscrew.web.socket.transport_channel.WAITING_MOST", 4096)
    async with serve(clock) as served:
        loop, body = asyncio.get_running_loop(), text(t="hello", player_ids=[0])
        with sockets.socket() as socket:
            socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            socket.setblocking(False)
            await loop.sock_connect(socket, ("127.0.0.1", served.client.port))
            cookie = f"Cookie: {served.headers['Cookie']}\r\n"
            head = f"POST {stream_of(served.code)} HTTP/1.1\r\nHost: a\r\n{cookie}Content-Length: {len(body)}\r\n\r\n"
            await loop.sock_sendall(socket, (head + body).encode())
            await wait_here(served)
            assert await flood(served)


@on_manual_clock
async def test_a_browser_that_leaves_before_the_answer_is_no_error(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: object) -> None:
        raise ConnectionResetError

    async with serve(clock) as served:
        monkeypatch.setattr(EventStream, "accept", gone)
        with caplog.at_level(logging.WARNING):
            answer = await served.client.post(stream_of(served.code), data=text(t="hello", player_ids=[0]))
            assert answer.status == 400
        assert not caplog.records


def test_a_page_of_this_server_needs_no_permission_to_read_a_stream() -> None:
    assert b"Access-Control" not in StreamHead().to_bytes()
    assert b"Access-Control-Allow-Origin: https://b.example\r\n" in StreamHead("https://b.example").to_bytes()
