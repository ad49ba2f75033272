"""Strangers who flood a server, in a process of their own: as much of one kind as they get through.

    python -m benchmarks.floods KIND PORT SECONDS

They come from addresses of this machine that nobody else has. Each kind is a coroutine that goes on until it is ended.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import uvloop

ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5")
AT_ONCE = 200
"""How many connections flood at the same time."""

PATIENCE_S = 1.0
"""How long they wait for an answer, before they begin anew."""

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

Lines = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Flood:
    """What all strangers of one flood share: where they go, and what came of it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.counts: Counter[str] = Counter()

    async def connect(self, number: int) -> Lines:
        """A connection from one of the addresses."""
        self.counts["connections"] += 1
        address = (ADDRESSES[number % len(ADDRESSES)], 0)
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=address)

    async def room(self) -> str:
        """The code of a room of theirs."""
        reader, writer = await self.connect(0)
        writer.write(_post("/api/rooms", b'{"name":"Eve","bots":3}'))
        answer = await reader.read()
        writer.close()
        return str(json.loads(answer.partition(b"\r\n\r\n")[2])["room"])

    async def upgraded(self, number: int, room: str) -> Lines:
        """A socket on which somebody has said hello to a room, to watch it."""
        reader, writer = await self.connect(number)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_frame(b'{"t":"hello","room":"%s"}' % room.encode()))
        return reader, writer


async def messages(flood: Flood, number: int) -> None:
    """Messages that mean nothing here, without end, on sockets that watch a room."""
    _, writer = await flood.upgraded(number, await _own_room(flood))
    try:
        while True:
            writer.write(_frame(b'{"t":"slap","n":0,"p_ms":0,"t_ms":0,"s":1}') * 20)
            flood.counts["messages"] += 20
            await writer.drain()
            if writer.is_closing():
                return
            await asyncio.sleep(0)
    finally:
        writer.close()


async def codes(flood: Flood, number: int) -> None:
    """Hello to rooms that there are not, each on a socket of its own."""
    reader, writer = await flood.upgraded(number, f"Q{number % 10000:03}")
    try:
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
    finally:
        writer.close()


async def requests(flood: Flood, number: int) -> None:
    """What costs a server most over HTTP, one after the other on one connection."""
    reader, writer = await flood.connect(number)
    body = b'{"choices":{"doubles":true},"preset":"chaos"}'
    asked = _post("/api/house", body, close=False)
    try:
        while True:
            writer.write(asked)
            flood.counts["requests"] += 1
            head = await reader.readuntil(b"\r\n\r\n")
            flood.counts["refused" if b" 429 " in head[:20] else "answered"] += 1
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
    finally:
        writer.close()


async def silent(flood: Flood, number: int) -> None:
    """Half of a request, or a socket that reads nothing, held as long as it goes."""
    if number % 2:
        _, writer = await flood.connect(number)
        writer.write(b"GET / HTTP/1.1\r\nX: ")
    else:
        reader, writer = await flood.upgraded(number, await _own_room(flood))
        reader._transport.pause_reading()  # type: ignore[attr-defined]
    try:
        await asyncio.sleep(3600)
    finally:
        writer.close()


async def garbage(flood: Flood, number: int) -> None:
    """The longest and deepest message that is let in, each on a socket of its own."""
    reader, writer = await flood.upgraded(number, await _own_room(flood))
    try:
        writer.write(_frame(b'{"t":"play","n":' + b"[" * 4000))
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
    finally:
        writer.close()


KINDS: Mapping[str, Callable[[Flood, int], Awaitable[None]]] = {
    each.__name__: each for each in (messages, codes, requests, silent, garbage)
}

_rooms: dict[Flood, asyncio.Task[str]] = {}


async def _own_room(flood: Flood) -> str:
    if flood not in _rooms:
        _rooms[flood] = asyncio.create_task(flood.room())
    return await _rooms[flood]


async def run(kind: str, port: int, seconds: float) -> Counter[str]:
    """Flood for so long."""
    flood = Flood(port)

    async def again(number: int) -> None:
        while True:
            with suppress(OSError, EOFError, TimeoutError, asyncio.IncompleteReadError):
                await KINDS[kind](flood, number)
            number += AT_ONCE
            await asyncio.sleep(0.01)

    strangers = [asyncio.create_task(again(number)) for number in range(AT_ONCE)]
    await asyncio.sleep(seconds)
    for stranger in strangers:
        stranger.cancel()
    await asyncio.gather(*strangers, return_exceptions=True)
    return flood.counts


def _post(path: str, body: bytes, close: bool = True) -> bytes:
    ends = "close" if close else "keep-alive"
    return (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: {ends}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    )


def _frame(body: bytes) -> bytes:
    """A text frame, masked with zeros."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + body


def main() -> None:
    """Flood, and print how much of it there was."""
    parser = argparse.ArgumentParser(description="Strangers who flood a server.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    asked = parser.parse_args()
    os.nice(5)  # who measures on the same core goes first
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(run(asked.kind, asked.port, asked.seconds))))


if __name__ == "__main__":
    main()
