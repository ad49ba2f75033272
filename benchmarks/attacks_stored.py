"""Attacks on what the server stores: long games, accounts with a season of results, and lists that few could fill."""

from __future__ import annotations

import asyncio
import itertools
import json
import string

from benchmarks.attacker import Attacker, cookies_in, get, post
from benchmarks.long_log import LONG_EVENTS, LONG_GAME

_numbers = itertools.count()


def _name() -> str:
    """A name that nobody else has."""
    number, letters = next(_numbers), ""
    for _ in range(5):
        number, letter = divmod(number, 26)
        letters += string.ascii_lowercase[letter]
    return f"Q{letters}"


async def previews(attacker: Attacker, number: int) -> None:
    """The pages and the data of a long game."""
    paths = itertools.cycle((f"/game/{LONG_GAME}", f"/replay/{LONG_GAME}", f"/api/games/{LONG_GAME}.txt"))
    await attacker.hammer(number, lambda: get(next(paths), headers="Accept-Encoding: gzip\r\n"))


async def continued(attacker: Attacker, number: int) -> None:
    """Rooms whose game goes on from a moment of a long one."""
    body = json.dumps({"name": "Eve", "v": LONG_EVENTS + 4, "seat": 0}).encode()
    await attacker.hammer(number, lambda: post(f"/api/games/{LONG_GAME}/continue", body))


async def unpacked(attacker: Attacker, number: int) -> None:
    """A long game for a client without gzip, which does not read it."""
    reader, writer = await attacker.connect(number, limit=2**12)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    try:
        attacker.counts["attempts"] += 1
        writer.write(get(f"/api/games/{LONG_GAME}", headers="Accept-Encoding: identity\r\n"))
        await asyncio.sleep(20)
    finally:
        writer.transport.abort()


async def deletions(attacker: Attacker, number: int) -> None:
    """Accounts that are made and deleted, on a server with a season of results."""
    streams = await attacker.connect(number)
    try:
        while not streams[1].is_closing():
            status, head, _ = await attacker.exchange(streams, post("/api/account", b'{"name":"Eve"}'))
            if status == 201:
                request = get("/api/account", "DELETE", f"Cookie: {cookies_in(head)}\r\n")
                await attacker.exchange(streams, request)
            else:
                await asyncio.sleep(0.2)
    finally:
        streams[1].close()


async def one_byte(attacker: Attacker, number: int) -> None:
    """Openings of rooms whose bodies are one byte, which is no JSON."""
    await attacker.hammer(number, lambda: post("/api/rooms", b"x"))


async def ghosts(attacker: Attacker, number: int) -> None:
    """Seats of quick play, each under another name, to which nobody connects."""
    await attacker.hammer(number, lambda: post("/api/quick", json.dumps({"name": _name()}).encode()))


async def arena(attacker: Attacker, number: int) -> None:
    """Arenas that nobody joins, and players of one of them who never ask for a table."""

    async def opened() -> str:
        streams = await attacker.connect(0)
        try:
            _, _, body = await attacker.exchange(streams, post("/api/arenas", b'{"title":"Friday","minutes":30}'))
        finally:
            streams[1].close()
        return str(json.loads(body).get("code", "NONE"))

    code = await attacker.shared("arena", opened)
    player = {"appearance": {"hue": 0, "shape": "paw"}}
    turns = itertools.cycle((f"/api/rooms/{code}/arena/players", "/api/arenas", f"/api/rooms/{code}/arena/players"))

    def request() -> bytes:
        path = next(turns)
        if path == "/api/arenas":
            return post(path, json.dumps({"title": _name(), "minutes": 120, "starts_in_s": 3600}).encode())
        return post(path, json.dumps({"name": _name(), **player}).encode())

    await attacker.hammer(number, request)
