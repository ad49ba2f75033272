"""Attacks over HTTP: anything that the server parses, decompresses, looks up or computes for a stranger."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import zlib
from contextlib import suppress
from functools import cache
from urllib.parse import quote

from benchmarks.attacker import (
    JUNK_COOKIES,
    LONG_HOUSE,
    TIMEOUT_S,
    Attacker,
    Streams,
    get,
    handshake,
    post,
    random_code,
)

_numbers = itertools.count()

BURST = 250
"""Handshakes sent at the same moment."""


async def burst(attacker: Attacker, number: int) -> None:
    """Handshakes with 8 kB of junk cookies, 250 at the same moment, and again after a pause."""
    if number:  # one worker for all of them
        await asyncio.sleep(3600)
    room, _ = await attacker.shared("room", attacker.room)
    streams: list[Streams] = []
    try:
        for each in range(BURST):
            streams.append(await attacker.connect(each))
        for _, writer in streams:
            attacker.counts["attempts"] += 1
            writer.write(handshake(room, JUNK_COOKIES))
        await asyncio.sleep(2)
    finally:
        for _, writer in streams:
            writer.close()


async def cookies(attacker: Attacker, number: int) -> None:
    """Handshakes with 8 kB of junk cookies, each on a connection of its own."""
    room, _ = await attacker.shared("room", attacker.room)
    _, writer = await attacker.socket(number, room, JUNK_COOKIES, hello=None)
    writer.close()


async def cookies_http(attacker: Attacker, number: int) -> None:
    """Requests for a pass with 8 kB of junk cookies."""
    room, _ = await attacker.shared("room", attacker.room)
    body, headers = b'{"player_ids": [0,1,2,3,4,5,6,7]}', f"Cookie: {JUNK_COOKIES}\r\n"
    await attacker.hammer(number, lambda: post(f"/api/rooms/{room}/pass", body, headers=headers))


@cache
def _gzip_bomb(megabytes: int = 60) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()


async def gzip(attacker: Attacker, number: int) -> None:
    """Gzip bombs: bodies of 58 kB that decompress to 60 MB, to any path, by any method."""
    reader, writer = await attacker.connect(number)
    try:
        method, path = random.choice((("GET", "/"), ("POST", "/nowhere"), ("POST", "/api/rooms")))
        await attacker.exchange((reader, writer), post(path, _gzip_bomb(), method, "Content-Encoding: gzip\r\n"))
    finally:
        writer.close()


async def not_found(attacker: Attacker, number: int) -> None:
    """Paths and methods that do not exist."""

    def request() -> bytes:
        path = f"/{'x/' * random.randrange(100)}{next(_numbers)}"
        return get(path, random.choice(("GET", "HEAD", "PUT", "DELETE", "PROPFIND")))

    await attacker.hammer(number, request)


async def head(attacker: Attacker, number: int) -> None:
    """HEAD requests of the most expensive resource."""

    def request() -> bytes:
        house = quote(f"1;classic;turn_ms={3000 + next(_numbers) % 20000}")
        return get(f"/api/house?text={house}", "HEAD")

    await attacker.hammer(number, request)


async def bad_json(attacker: Attacker, number: int) -> None:
    """Bodies that are not JSON, nested too deeply, or of wrong types."""
    bodies = (b"[" * 4000, b'{"name":' + b"9" * 3000 + b"}", b"\xff" * 4000, b'{"name":"' + b"\\u0000" * 600 + b'"}')
    paths = ("/api/rooms", "/api/quick", "/api/lessons", "/api/house")
    await attacker.hammer(number, lambda: post(random.choice(paths), random.choice(bodies)))


async def houses(attacker: Attacker, number: int) -> None:
    """Rule sheets of ever different houses in which every pattern and every card is special."""
    await attacker.hammer(
        number, lambda: get("/api/house?text=" + quote(f"{LONG_HOUSE};turn_ms={3000 + next(_numbers) % 50000}"))
    )


async def drill(attacker: Attacker, number: int) -> None:
    """Practice cards in such a house."""
    house = quote(LONG_HOUSE)
    await attacker.hammer(number, lambda: get(f"/api/drill?house={house}&cards=200&seed={next(_numbers)}"))


async def house_post(attacker: Attacker, number: int) -> None:
    """Houses made of choices over a preset."""

    def request() -> bytes:
        choices = {"doubles": True, "turn_ms": 3000 + next(_numbers) % 50000}
        return post("/api/house", json.dumps({"choices": choices, "preset": "chaos"}).encode())

    await attacker.hammer(number, request)


async def games(attacker: Attacker, number: int) -> None:
    """Finished games: most do not exist, one does."""
    room, _ = await attacker.shared("room", lambda: attacker.room(bots=3, wait=False))
    await attacker.hammer(number, lambda: get(f"/api/games/{random.choice((room, random_code()))}-1-1"))


async def pages(attacker: Attacker, number: int) -> None:
    """The largest files and lists, one after the other."""
    paths = ("/", "/api/openapi.json", "/api/rules", "/api/rooms", "/api/ready", "/judge")
    await attacker.hammer(number, lambda: get(random.choice(paths), headers="Accept-Encoding: identity\r\n"))


async def unread(attacker: Attacker, number: int) -> None:
    """Many pipelined requests for large responses, which are never read."""
    reader, writer = await attacker.connect(number, limit=2**12)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    try:
        attacker.counts["attempts"] += 500
        writer.write(get("/api/openapi.json") * 500)
        await asyncio.sleep(20)
    finally:
        writer.transport.abort()


NAME = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 1330
"""A name of 4 kB. NFKC makes 18 letters of each of its characters."""


async def names(attacker: Attacker, number: int) -> None:
    """Names of 4 kB, wherever players choose one."""
    room, _ = await attacker.shared("room", attacker.room)
    bodies = {
        "/api/rooms": {"name": NAME, "bots": 1},
        f"/api/rooms/{room}/seats": {"name": NAME},
        "/api/quick": {"name": NAME},
        "/api/lessons": {"name": NAME, "lesson": "turn"},
        "/api/account": {"name": NAME},
        "/api/arenas": {"title": NAME},
    }

    def request() -> bytes:
        path = random.choice(tuple(bodies))
        return post(path, json.dumps(bodies[path], ensure_ascii=False).encode())

    await attacker.hammer(number, request)


async def pipelined(attacker: Attacker, number: int) -> None:
    """Endless pipelined requests; the responses are read and discarded."""
    reader, writer = await attacker.connect(number)

    async def read() -> None:
        while data := await reader.read(2**16):
            attacker.counts["answered"] += data.count(b"HTTP/1.1 200")
            attacker.counts["refused"] += data.count(b"HTTP/1.1 429")

    reading = asyncio.create_task(read())
    try:
        while not writer.is_closing() and not reading.done():
            attacker.counts["attempts"] += 50
            writer.write(get("/api/health") * 50)
            await writer.drain()
            await asyncio.sleep(0.01)
    finally:
        reading.cancel()
        writer.close()


async def big_headers(attacker: Attacker, number: int) -> None:
    """120 headers of 250 bytes in each request."""
    headers = "".join(f"X-{each}: {'y' * 240}\r\n" for each in range(118))
    await attacker.hammer(number, lambda: get("/", headers=headers))


async def slow_headers(attacker: Attacker, number: int) -> None:
    """Half of a request's head, and then one byte per second."""
    await _drip(attacker, number, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"y")


async def slow_bodies(attacker: Attacker, number: int) -> None:
    """A body sent at one byte per second."""
    head = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n"
    await _drip(attacker, number, head, b"{")


async def _drip(attacker: Attacker, number: int, head: bytes, byte: bytes) -> None:
    """Send a head, and then one byte per second until the server closes the connection."""
    _, writer = await attacker.connect(number)
    attacker.counts["attempts"] += 1
    try:
        writer.write(head)
        while True:
            await asyncio.sleep(1)
            if writer.is_closing():
                break
            writer.write(byte)
        attacker.counts["refused"] += 1
    finally:
        writer.close()


async def silent(attacker: Attacker, number: int) -> None:
    """Connections on which nothing is sent."""
    reader, writer = await attacker.connect(number)
    attacker.counts["attempts"] += 1
    try:
        await reader.read()
        attacker.counts["refused"] += 1
    finally:
        writer.close()


async def connects(attacker: Attacker, number: int) -> None:
    """Connections that are closed at once."""
    _, writer = await attacker.connect(number)
    attacker.counts["attempts"] += 1
    writer.transport.abort()


async def chunks(attacker: Attacker, number: int) -> None:
    """Bodies in chunks of one byte."""
    reader, writer = await attacker.connect(number)
    attacker.counts["attempts"] += 1
    try:
        head = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head + b"1\r\na\r\n" * 6000)
        with suppress(TimeoutError):
            async with asyncio.timeout(TIMEOUT_S):
                attacker.counts["refused"] += await reader.read(2**14) == b""
    finally:
        writer.close()
