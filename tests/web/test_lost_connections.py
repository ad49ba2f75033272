"""Slow and lost clients: one that does not read is disconnected, and one that disappears is not an error."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import socket as sockets
import struct
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
import uvloop
from aiohttp import ClientSession
from yarl import URL

from ratscrew.errors import RefusalReason
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.player_connection import ENOUGH_S, PINGS_MOST, SILENT_S
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.session import HELLO_WITHIN_S
from ratscrew.protocol.tcp_info import OwnConnection
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.effects import Send
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import Refused
from ratscrew.table.room.page_pinger import PROBE_EVERY_S
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import app as real
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import listening
from ratscrew.web.socket import channel_handlers, transport_channel
from ratscrew.web.socket.socket_session import SocketSession
from ratscrew.web.socket.websocket import WebSocket
from tests.web.pages import WITHIN_S, ServedRoom, frame, raw_socket, serve, upgrade, wait_gone, wait_here

CLOSE_FRAME = b"\x88\x02\x03\xe8"
"""The last frame of a server that ends a conversation as usual (RFC 6455, 5.5.1 and 7.4.1)."""


# Slow readers and lost ones


def tell(served: ServedRoom, times: int) -> None:
    """Send Ana so many times that she was refused."""
    for _ in range(times):
        served.room._carry_out([Send(Refused("play", RefusalReason.NOT_YOUR_TURN.value), 0)])


async def flood(served: ServedRoom) -> bool:
    """Send Ana again and again, a little at a time; whether she is gone in the end."""
    for _ in range(500):
        tell(served, 10)
        await asyncio.sleep(0.01)
        if not served.room.table.seats[0].here:
            return True
    return False


@on_manual_clock
async def test_who_does_not_read_is_dropped(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the send queue is full the connection ends, and the table shows the player as gone."""
    monkeypatch.setattr(transport_channel, "WAITING_MOST", 4096)
    async with serve(clock) as served, raw_socket(served):
        assert await flood(served)


@on_manual_clock
async def test_a_slow_reader_costs_so_many_bytes_and_no_more(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with what has left our hands and the system has not taken."""
    monkeypatch.setattr(transport_channel, "WAITING_MOST", 96 * 1024)
    held: list[int] = []
    flush = WebSocket.flush

    def measured(self: WebSocket) -> None:
        flush(self)
        if self.transport:
            held.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(WebSocket, "flush", measured)
    async with serve(clock) as served, raw_socket(served):
        assert await flood(served)
    assert 48 * 1024 < max(held) <= 96 * 1024


@on_manual_clock
async def test_who_reads_everything_is_not_dropped_however_much_it_is(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        flooding = asyncio.create_task(flood(served))
        for _ in range(5000):
            await page.receive("refused")
        assert not await flooding


@pytest.mark.parametrize("ends", ["closed", "reset"])
@on_manual_clock
async def test_who_vanishes_without_a_word_is_gone(clock: ManualClock, ends: str) -> None:
    async with serve(clock) as served:
        watcher = await served.enter(player_ids=[])
        await watcher.receive("welcome")
        async with raw_socket(served) as socket:
            assert await watcher.receive("presence") == {"t": "presence", "seat": 0, "here": True}
            if ends == "closed":
                socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 0, 0))
        assert await watcher.receive("presence") == {"t": "presence", "seat": 0, "here": False}


@on_manual_clock
async def test_who_vanishes_while_he_is_told_something_is_no_error(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """People lose their connection all the time: the journal stays empty."""
    async with serve(clock) as served:
        for _ in range(5):
            async with raw_socket(served):
                tell(served, 300)
            await wait_gone(served)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("linger_s", [None, 0], ids=["closed", "reset"])
async def test_who_vanishes_leaves_nothing_that_only_a_collection_would_find(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, linger_s: int | None
) -> None:
    """On a server as in production, where a handler is not cancelled when its connection is lost."""
    made: list[weakref.ref[SocketSession]] = []

    class Remembered(SocketSession):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            made.append(weakref.ref(self))

    monkeypatch.setattr(channel_handlers, "SocketSession", Remembered)
    server, loop = real.make_app(MemoryLog[Entry](), SystemClock(), StaticFiles(tmp_path)), asyncio.get_running_loop()
    async with listening(server, "127.0.0.1", 0) as address, ClientSession(address) as client:
        async with client.post("/api/rooms", json={"name": "Ana", "bots": 2}) as answer:
            code = (await answer.json())["room"]
        gc.disable()
        try:
            for _ in range(5):
                with sockets.create_connection(("127.0.0.1", URL(address).port)) as socket:
                    socket.setblocking(False)
                    if linger_s is not None:
                        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, linger_s))
                    await loop.sock_sendall(socket, upgrade(code, ""))
                    await loop.sock_sendall(socket, frame('{"t":"hello","player_ids":[]}'))
                    heard = b""
                    while b"welcome" not in heard:
                        more = await asyncio.wait_for(loop.sock_recv(socket, 9999), WITHIN_S)
                        assert more, heard
                        heard += more
                await asyncio.sleep(0.05)
            assert len(made) == 5
            assert not [one for one in made if one()]
        finally:
            gc.enable()


@on_manual_clock
async def test_who_vanishes_with_his_first_words_is_no_error(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    hello = frame('{"t":"hello"}')
    async with serve(clock) as served:
        for words in (b"", hello, frame("garbage"), frame('{"t":"again"}'), hello * 50):
            for _ in range(3):
                async with raw_socket(served, hello=words):
                    pass
        await asyncio.sleep(HELLO_WITHIN_S + 1)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@on_manual_clock
async def test_who_does_not_answer_a_goodbye_is_cut_off_soon_and_hears_nothing_after_it(clock: ManualClock) -> None:
    async with serve(clock) as served, raw_socket(served, hello=frame("garbage")) as socket:
        before, loop, heard = clock.now_us(), asyncio.get_running_loop(), b""
        async with asyncio.timeout(WITHIN_S):
            while more := await loop.sock_recv(socket, 9999):
                heard += more
        assert clock.now_us() - before <= 3_000_000
        assert heard.endswith(CLOSE_FRAME)


@on_manual_clock
async def test_who_says_garbage_in_a_game_hears_nothing_after_the_goodbye(clock: ManualClock) -> None:
    async with serve(clock) as served, raw_socket(served) as socket:
        loop, heard = asyncio.get_running_loop(), b""
        await loop.sock_sendall(socket, frame("garbage"))
        async with asyncio.timeout(WITHIN_S):
            while more := await loop.sock_recv(socket, 9999):
                heard += more
        assert heard.endswith(CLOSE_FRAME)


# Pings without an answer


@on_manual_clock
async def test_who_answers_no_ping_for_ten_seconds_is_dropped(clock: ManualClock) -> None:
    """At the next ping, that is: a probe leaves out a page that was pinged at a card just before."""
    async with serve(clock) as served:
        page, before = await served.enter(pong_after_s=None), clock.now_us()
        await page.receive("welcome")
        await page.expect_close()
        assert SILENT_S <= (clock.now_us() - before) / 1e6 < SILENT_S + PROBE_EVERY_S + ENOUGH_S
        await wait_gone(served)


@on_manual_clock
async def test_who_is_nine_seconds_behind_stays(clock: ManualClock) -> None:
    """The page answers each ping nine seconds late, for a minute."""
    async with serve(clock) as served:
        page = await served.enter(pong_after_s=None)
        await page.receive("welcome")
        due: list[tuple[float, int]] = []
        loop = asyncio.get_running_loop()
        end = loop.time() + 60
        while loop.time() < end:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    said = json.loads(await page.receive_text())
                    if said["t"] == "ping":
                        due.append((loop.time() + 9, said["k"]))
            while due and due[0][0] <= loop.time():
                await page.send("pong", k=due.pop(0)[1], c_ms=0)
        assert served.room.table.seats[0].here


@on_manual_clock
async def test_a_page_with_too_many_pings_that_it_has_not_answered_is_dropped(clock: ManualClock) -> None:
    """However soon they came after each other."""
    async with serve(clock) as served:
        await served.enter(pong_after_s=None)
        await wait_here(served)
        (connection,) = served.room._subscribers
        while len(connection.page_state.pings_us) < PINGS_MOST:
            connection.ping()
        assert served.room.table.seats[0].here
        connection.ping()
        await asyncio.sleep(SILENT_S / 10)
        assert not served.room.table.seats[0].here


# What the kernel says of lost packets


class TcpSocket:
    """A socket whose kernel has sent so many packets again."""

    def __init__(self, retransmitted: int | None) -> None:
        self._info = b"" if retransmitted is None else struct.pack("100xI152x", retransmitted)

    def getsockopt(self, level: int, option: int, size: int) -> bytes:
        """See `socket.socket`."""
        return self._info[:size]


@pytest.mark.parametrize(("retransmitted", "may_lose"), [(0, False), (1, True), (None, True)])
def test_a_line_may_lose_packets_if_it_has_or_if_the_kernel_does_not_know(
    retransmitted: int | None, may_lose: bool
) -> None:
    connection = OwnConnection(cast(sockets.socket, TcpSocket(retransmitted)))
    probe = RttProbe(lambda _: None, connection, None, ManualClock(1))
    assert probe.may_lose_packets is may_lose
    assert RttProbe(lambda _: None, None, 20_000, ManualClock(1)).may_lose_packets


# What the kernel says of a line that has ended


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_line_that_has_ended_has_no_round_trip(make_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    """A page may hang up between a sign of life and the look at its packets; the loops say that in two ways."""

    async def ended() -> int | None:
        loop, (ours, theirs) = asyncio.get_running_loop(), sockets.socketpair()
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        pulse = RttProbe(lambda _: None, OwnConnection(transport.get_extra_info("socket")), None, ManualClock(1))
        theirs.close()
        transport.abort()
        while transport.get_extra_info("socket").fileno() >= 0:
            await asyncio.sleep(0)
        return pulse.kernel_us

    with asyncio.Runner(loop_factory=make_loop) as runner:
        assert runner.run(ended()) is None
