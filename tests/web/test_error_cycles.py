"""An HTTP error leaves no reference cycle: its objects are freed at once, without a collection."""

from __future__ import annotations

import asyncio
import gc
import socket as sockets
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from ratscrew.limits.limits import Limits
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import socket_of
from tests.web.pages import upgrade
from tests.web.raw_connections import framed, raw_server, request

TIMES = 100
MAY_STAY = 40
"""Objects that may be left of a hundred requests: less than one each."""

HANDSHAKE = upgrade("QUIZ", "")

ERRORS = {
    "nothing there": request("GET", "/api/nowhere"),
    "no page": request("GET", "/nowhere"),
    "another method": request("DELETE", "/api/rooms"),
    "no json": request("POST", "/api/rooms", "Content-Length: 1", body=b"{"),
    "against the rules": request("POST", "/api/rooms", "Content-Length: 22", body=b'{"name":"A","bots":99}'),
    "no room": request("POST", "/api/rooms/QUIZ/seats", "Content-Length: 13", body=b'{"name":"Ana"'),
    "no house": request("GET", "/api/house?text=2"),
    "no game": request("GET", "/api/games/x"),
    "foreign page": request("POST", "/api/rooms", "Origin: http://evil.example", "Content-Length: 0"),
    "foreign host": b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    "too large": request("POST", "/api/rooms", "Content-Length: 5000", body=b"x" * 5000),
    "compressed": request("POST", "/api/rooms", "Content-Encoding: gzip", "Content-Length: 8", body=b"x" * 8),
    "no http": b"\x16\x03\x01\x00garbage\r\n\r\n",
    "half a body": b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
    "no handshake": request("GET", socket_of("QUIZ")),
    "a socket without a word": HANDSHAKE,
    "a socket with garbage": HANDSHAKE + framed(1, b"x"),
    "a socket of no room": HANDSHAKE + framed(1, b'{"t":"hello"}'),
    "a socket too long": HANDSHAKE + framed(1, b"x" * 8000),
}


@pytest.fixture(autouse=True)
def nothing_is_searched_for() -> Iterator[None]:
    """Python does not look for garbage by itself meanwhile, and never among the objects of other tests."""
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


async def send(port: int, words: bytes) -> None:
    """Say something, hear the beginning of the answer if there is one, and hang up."""
    loop = asyncio.get_running_loop()
    with sockets.socket() as socket:  # a stream of asyncio is a cycle itself
        socket.setblocking(False)
        await loop.sock_connect(socket, ("127.0.0.1", port))
        await loop.sock_sendall(socket, words)
        if words.endswith(b"abc"):
            await asyncio.sleep(0.005)
        else:
            await loop.sock_recv(socket, 100)


@pytest.mark.parametrize("words", ERRORS.values(), ids=ERRORS)
def test_an_error_leaves_nothing_behind(words: bytes) -> None:
    """On the loop that servers run on; a connection of asyncio's own is a cycle itself."""
    with asyncio.Runner(loop_factory=uvloop.Loop) as runner:
        assert runner.run(left_by(words)) <= MAY_STAY


async def left_by(words: bytes) -> int:
    """How many objects in cycles are left when this was sent many times."""
    clock = SystemClock()
    app = make_app(
        MemoryLog(), clock, StaticFiles(Path("nowhere")), limits=Limits(clock, times=100), execute=execute_here
    )
    async with raw_server(clock, app) as port:
        for _ in range(10):
            await send(port, words)
        await settled()
        gc.collect()
        for _ in range(TIMES):
            await send(port, words)
        await settled()
        return gc.collect()


async def settled() -> None:
    """Let the server see that everybody has hung up."""
    for _ in range(50):
        await asyncio.sleep(0.002)
