"""A whole server, and clients that send raw bytes without a library."""

from __future__ import annotations

import asyncio
import json
import logging
import socket as sockets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import Clock
from ratscrew.web.app import Application, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.server_runner import listening
from tests.web.pages import WITHIN_S

HOUR_S = 3600


@asynccontextmanager
async def raw_server(clock: Clock, app: Application | None = None) -> AsyncIterator[int]:
    """A server as `ratscrew serve` starts it, without pages; the value is its port."""
    app = app or make_app(MemoryLog(), clock, StaticFiles(Path("nowhere")), execute=execute_here)
    async with listening(app, "127.0.0.1", 0) as address:
        yield int(address.rstrip("/").rpartition(":")[2])


async def exchange(port: int, *words: bytes, every_s: float = 0) -> bytes:
    """Send these bytes; return all data until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for word in words:
            writer.write(word)
            await writer.drain()
            await asyncio.sleep(every_s)
        async with asyncio.timeout(HOUR_S):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def request(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    """A request with `Connection: close`."""
    return (
        "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]).encode()
        + body
    )


def parse_response(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of a response."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in rest), body


def parse_json(body: bytes) -> dict[str, Any]:
    """The value of a JSON body."""
    value: dict[str, Any] = json.loads(body)
    return value


def warnings_in(records: list[logging.LogRecord]) -> list[str]:
    """The messages of logged warnings and errors."""
    return [record.getMessage() for record in records if record.levelno >= logging.WARNING]


async def wait_for_tasks(before: int) -> None:
    """Wait until there are no more tasks than before."""
    async with asyncio.timeout(WITHIN_S):
        while len(asyncio.all_tasks()) > before:
            await asyncio.sleep(0.01)


def count_iterations() -> Callable[[], int]:
    """A function that returns the number of the loop's iterations so far."""
    loop, count = asyncio.get_running_loop(), 0

    def more() -> None:
        nonlocal count
        count += 1
        loop.call_soon(more)

    more()
    return lambda: count


def framed(kind: int, data: bytes = b"", size: int | None = None, first: int = 0x80) -> bytes:
    """A frame of a browser, masked with zeros; `first` has its flags, and `size` is the claimed length."""
    size = len(data) if size is None else size
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65536:
        length = b"\xfe" + size.to_bytes(2, "big")
    else:
        length = b"\xff" + size.to_bytes(8, "big")
    return bytes([first | kind]) + length + bytes(4) + data


async def read_to_end(socket: sockets.socket) -> bytes:
    """All data until the server closes the connection."""
    loop, heard = asyncio.get_running_loop(), b""
    with suppress(ConnectionError):
        async with asyncio.timeout(HOUR_S):
            while data := await loop.sock_recv(socket, 99_999):
                heard += data
    return heard
