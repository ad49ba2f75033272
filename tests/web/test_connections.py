"""Connections below HTTP: their number, a deadline for each step, and pacing of bursts."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop
from aiohttp import web

from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import Clock, SystemClock
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.turns import Turns
from ratscrew.web.app import GATE, make_app
from ratscrew.web.edge import connections
from ratscrew.web.edge.connections import (
    ANSWER_WITHIN_S,
    HEAD_MOST,
    HEAD_WITHIN_S,
    READS_EVERY_S,
    WAITING_BYTES_MOST,
    GuardedHandler,
)
from ratscrew.web.edge.open_files import FILES_RESERVED, connections_most
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import KEEP_ALIVE_S
from tests.web.pages import WITHIN_S, upgrade
from tests.web.raw_connections import exchange, framed, raw_server, request, warnings_in

HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
WELL = b'{"ok":true'


def app_of(clock: Clock, proxy_policy: ProxyPolicy | None = None, folder: Path = Path("nowhere")) -> web.Application:
    """A server."""
    return make_app(MemoryLog(), clock, StaticFiles(folder), proxy_policy=proxy_policy)


class Line:
    """One connection of a client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, words: bytes = HEALTH) -> bytes:
        """Send, and return the next data."""
        self.writer.write(words)
        return await self.receive()

    async def receive(self) -> bytes:
        """The next data; nothing if the server has closed the connection."""
        try:
            async with asyncio.timeout(3600):
                return await self.reader.read(9999)
        except ConnectionError:
            return b""


@asynccontextmanager
async def connected(port: int, count: int = 1) -> AsyncIterator[list[Line]]:
    """So many connections."""
    lines = [Line(*await asyncio.open_connection("127.0.0.1", port)) for _ in range(count)]
    await asyncio.sleep(0.001)
    try:
        yield lines
    finally:
        for line in lines:
            line.writer.transport.abort()
        await asyncio.sleep(0.001)


# How many


@on_manual_clock
async def test_an_address_has_so_many_connections_and_no_more(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "OF_ADDRESS_MOST", 3)
    async with raw_server(clock, app_of(clock)) as port, connected(port, 3) as lines:
        for _ in range(5):
            async with connected(port) as (more,):
                assert (await more.receive()).startswith(b"HTTP/1.1 429 ")
                assert await more.receive() == b""
        assert all([WELL in await line.ask() for line in lines])
        lines[0].writer.transport.abort()
        await asyncio.sleep(0.01)
        async with connected(port) as (more,):
            assert WELL in await more.ask()
    assert set(warnings_in(caplog.records)) == {"an address has too many connections"}


@on_manual_clock
async def test_an_address_connects_only_so_often(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are no HTTP cost a connection each, and so are paid for, too."""
    monkeypatch.setitem(LIMITS, "connections", Limit(3, 3600))
    async with raw_server(clock, app_of(clock)) as port:
        found = [(await exchange(port, b"nonsense\r\n\r\n"))[9:12] for _ in range(5)]
    assert found == [b"400"] * 3 + [b"429"] * 2


CHUNKED = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n"

BODIES_IN_CHUNKS = {
    "in one piece": [CHUNKED],
    "in other letters": [CHUNKED.replace(b"Transfer-Encoding", b"tRANSFER-eNCODING")],
    "the header in pieces": [CHUNKED[:60], CHUNKED[60:64], CHUNKED[64:]],
    "behind another request": [HEALTH + CHUNKED],
    "while another request is answered": [
        b"POST /api/house HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
        CHUNKED,
    ],
}


@pytest.mark.parametrize("words", BODIES_IN_CHUNKS.values(), ids=BODIES_IN_CHUNKS)
@on_manual_clock
async def test_a_body_in_chunks_is_refused_before_it_is_parsed(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, words: list[bytes]
) -> None:
    """6,000 chunks of one byte cost the parser 5 ms, and their address one request."""
    parsed, feed = list[bytes](), GuardedHandler.parse

    def parse(handler: GuardedHandler, data: bytes) -> None:
        parsed.append(data)
        feed(handler, data)

    monkeypatch.setattr(GuardedHandler, "parse", parse)
    async with raw_server(clock, app_of(clock)) as port:
        assert b"HTTP/1.1 411 " in await exchange(port, *words, every_s=0.01)
    assert not any(b"chunked" in data for data in parsed)


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_connection_over_the_limit_is_answered_and_closed_on_either_event_loop(
    make_loop: Callable[[], asyncio.AbstractEventLoop],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """uvloop's transports are no subclass of `asyncio.Transport`."""
    monkeypatch.setitem(LIMITS, "connections", Limit(2, 3600))

    async def refused() -> list[bytes]:
        async with asyncio.timeout(WITHIN_S), raw_server(SystemClock()) as port:
            return [await exchange(port, request("GET", "/api/health")) for _ in range(3)]

    with asyncio.Runner(loop_factory=make_loop) as runner:
        assert [answer[9:12] for answer in runner.run(refused())] == [b"200", b"200", b"429"]
    assert warnings_in(caplog.records) == []


@on_manual_clock
async def test_behind_a_proxy_only_the_total_counts(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OF_ADDRESS_MOST", 3)
    monkeypatch.setitem(LIMITS, "connections", Limit(3, 3600))
    async with raw_server(clock, app_of(clock, ProxyPolicy(proxied=True))) as port, connected(port, 20) as lines:
        assert all([WELL in await line.ask() for line in lines])


@on_manual_clock
async def test_where_all_connections_are_taken_the_one_that_is_idle_longest_makes_room(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Sockets, and requests that are being answered, keep theirs; with nothing but those a client gets 503."""
    app = app_of(clock)
    app[GATE].most = 3
    async with raw_server(clock, app) as port, connected(port, 3) as (socket, silent, asking):
        assert b" 101 " in await socket.ask(upgrade("BEAR", "").replace(b"BEAR", b"QUIZ"))
        assert WELL in await asking.ask()
        async with connected(port) as (newcomer,):
            assert WELL in await newcomer.ask()
            assert await silent.receive() == b""
            async with connected(port, 2) as others:  # `asking` and `newcomer` are idle by now
                assert [WELL in await other.ask() for other in others] == [True, True]
                for other in others:
                    other.writer.write(b"POST /api/house HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
                await asyncio.sleep(0.01)
                async with connected(port) as (late,):
                    assert (await late.receive()).startswith(b"HTTP/1.1 503 ")
        socket.writer.write(framed(1, b'{"t":"hello"}'))
        assert b'"bye"' in await socket.receive()
    assert warnings_in(caplog.records)[:1] == ["all connections are taken"]


def test_there_are_as_many_connections_as_the_system_has_files_for() -> None:
    """In a process of its own, which begins with few."""
    program = (
        "import resource; hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))\n"
        "from ratscrew.web.edge.open_files import connections_most, raise_file_limit\n"
        "print(connections_most(10_000)); raise_file_limit()\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 65536) if hard > 0 else True)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split() == [str(300 - FILES_RESERVED), "True"]
    assert connections_most(7) == 7


# How long


@pytest.mark.parametrize("words", [b"", b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
@on_manual_clock
async def test_a_request_has_ten_seconds_for_its_headers_however_it_drips(clock: ManualClock, words: bytes) -> None:
    async with raw_server(clock, app_of(clock)) as port, connected(port) as (line,):
        before = clock.now_us()
        line.writer.write(words)
        dripping = asyncio.create_task(drip(line)) if words else None
        assert await line.receive() == b""
        assert HEAD_WITHIN_S - 1 <= (clock.now_us() - before) / 1e6 <= HEAD_WITHIN_S + 1
        if dripping:
            dripping.cancel()


async def drip(line: Line) -> None:
    """A byte every half second."""
    while True:
        line.writer.write(b"y")
        await asyncio.sleep(0.5)


@on_manual_clock
async def test_the_next_request_of_a_connection_has_ten_seconds_too(clock: ManualClock) -> None:
    async with raw_server(clock, app_of(clock)) as port, connected(port) as (line,):
        assert WELL in await line.ask()
        await asyncio.sleep(30)
        assert WELL in await line.ask()
        before = clock.now_us()
        assert await line.ask(b"GET / HT") == b""
        assert (clock.now_us() - before) / 1e6 <= HEAD_WITHIN_S + 1


@on_manual_clock
async def test_between_two_requests_a_connection_is_kept_for_a_proxy(clock: ManualClock) -> None:
    async with raw_server(clock, app_of(clock)) as port, connected(port) as (line,):
        assert WELL in await line.ask()
        before = clock.now_us()
        assert await line.receive() == b""
        assert KEEP_ALIVE_S - 1 <= (clock.now_us() - before) / 1e6 <= KEEP_ALIVE_S + 1


@on_manual_clock
async def test_a_client_that_does_not_read_its_answer_is_disconnected(clock: ManualClock, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "big.png").write_bytes(bytes(20_000_000))
    app = app_of(clock, folder=tmp_path)
    async with raw_server(clock, app) as port, connected(port) as (line,):
        assert isinstance(line.writer.transport, asyncio.Transport)
        line.writer.transport.pause_reading()
        line.writer.write(b"GET /assets/big.png HTTP/1.1\r\nHost: localhost\r\n\r\n")
        before = clock.now_us()
        await asyncio.sleep(1)
        assert len(app[GATE].open) == 1
        while app[GATE].open:
            await asyncio.sleep(1)
        assert (clock.now_us() - before) / 1e6 <= ANSWER_WITHIN_S + 3


@on_manual_clock
async def test_headers_have_a_length_altogether(clock: ManualClock) -> None:
    lines = b"".join(b"X-%d: %s\r\n" % (number, b"y" * 1000) for number in range(HEAD_MOST // 1000 + 1))
    async with raw_server(clock, app_of(clock)) as port:
        assert (await exchange(port, b"GET / HTTP/1.1\r\n" + lines + b"\r\n")).startswith(b"HTTP/1.1 431 ")


# How fast


@on_manual_clock
async def test_a_burst_is_spread_over_time(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven ask at one moment, and two are read in each stretch: the last is read five stretches later."""
    monkeypatch.setattr(connections, "READS", 2)
    async with raw_server(clock, app_of(clock)) as port, connected(port, 11) as lines:
        await asyncio.sleep(1)
        before = clock.now_us()
        answers = await asyncio.gather(*(line.ask() for line in lines))
        took_s = (clock.now_us() - before) / 1e6
    assert all(WELL in answer for answer in answers)
    assert took_s >= 5 * READS_EVERY_S


@on_manual_clock
async def test_only_so_many_wait_for_their_turn(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READS", 1)
    monkeypatch.setattr(connections, "READS_WAITING_MOST", 3)
    async with raw_server(clock, app_of(clock)) as port, connected(port, 10) as lines:
        await asyncio.sleep(1)
        answers = await asyncio.gather(*(line.ask() for line in lines))
    busy = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    assert all(b"\r\nRetry-After: 2\r\n" in answer for answer in busy)
    assert 1 <= len(busy) <= 6
    assert sum(WELL in answer for answer in answers) == 10 - len(busy)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the state of a connection")
@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_request_whose_client_has_left_while_it_waited_is_not_parsed(
    make_loop: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "READS", 1)
    monkeypatch.setattr(connections, "READS_EVERY_S", 0.2)
    parsed, parse = list[bytes](), GuardedHandler.parse

    def note(handler: GuardedHandler, data: bytes) -> None:
        parsed.append(data)
        parse(handler, data)

    monkeypatch.setattr(GuardedHandler, "parse", note)

    async def story() -> None:
        app = app_of(SystemClock())
        async with asyncio.timeout(WITHIN_S), raw_server(SystemClock(), app) as port, connected(port, 3) as lines:
            asking = [asyncio.create_task(line.ask()) for line in lines]
            while app[GATE].reads.waiting < 2:
                await asyncio.sleep(0.01)
            lines[1].writer.transport.abort()
            await asyncio.gather(*asking, return_exceptions=True)
            while app[GATE].reads.waiting:
                await asyncio.sleep(0.01)

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(story())
    assert len(parsed) == 2


@on_manual_clock
async def test_a_long_read_that_would_have_to_wait_is_refused(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of them would take gigabytes. One that need not wait is parsed."""
    for reads, status in ((8, b"HTTP/1.1 200 "), (0, b"HTTP/1.1 503 ")):
        monkeypatch.setattr(connections, "READS", reads)
        async with raw_server(clock, app_of(clock)) as port:
            long = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            long += b"".join(
                b"X-%d: %s\r\n" % (number, b"y" * 1000) for number in range(2 + WAITING_BYTES_MOST // 1000)
            )
            assert len(long) > WAITING_BYTES_MOST
            assert (await exchange(port, long + b"\r\n")).startswith(status)


@on_manual_clock
async def test_a_socket_does_not_wait_behind_a_burst(clock: ManualClock) -> None:
    """The server reads its messages at once, while requests wait for minutes."""
    app = app_of(clock)
    async with raw_server(clock, app) as port, connected(port, 1) as (socket,), connected(port, 20) as lines:
        assert b" 101 " in await socket.ask(upgrade("QUIZ", ""))
        await asyncio.sleep(1)
        app[GATE].reads = Turns(1, 8.0)
        asking = [asyncio.create_task(line.ask()) for line in lines]
        await asyncio.sleep(1)
        before = clock.now_us()
        assert b'"bye"' in await socket.ask(framed(1, b'{"t":"hello"}'))
        assert (clock.now_us() - before) / 1e6 < 1
        for task in asking:
            task.cancel()


@on_manual_clock
async def test_what_is_reset_in_the_middle_of_a_body_is_no_fault(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with raw_server(clock, app_of(clock)) as port:
        for _ in range(20):
            async with connected(port) as (line,):
                line.writer.write(b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
                await asyncio.sleep(0.01)
        assert WELL in await exchange(port, request("GET", "/api/health"))
    assert warnings_in(caplog.records) == []
