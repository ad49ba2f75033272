"""Attacks on rooms: their codes, their number, their logs, and the players in them."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

from benchmarks.attacker import LONG_HOUSE, Attacker, frame, post, random_code

_numbers = itertools.count()

PRIVATE_ROOMS = 100
"""Rooms of honest players, whose codes attackers try to guess."""


async def rooms(attacker: Attacker, number: int) -> None:
    """New rooms as fast as they are opened, each with bots that play."""
    body = b'{"name":"Eve","bots":3,"listed":true}'
    await attacker.hammer(number, lambda: post("/api/rooms", body))


async def long_rooms(attacker: Attacker, number: int) -> None:
    """New rooms with a long house."""
    body = json.dumps({"name": "Eve", "bots": 7, "house": LONG_HOUSE}).encode()
    await attacker.hammer(number, lambda: post("/api/rooms", body))


async def quick(attacker: Attacker, number: int) -> None:
    """Quick play: seats that are taken and never connected."""
    await attacker.hammer(number, lambda: post("/api/quick", b'{"name":"Eve"}'))


async def lessons(attacker: Attacker, number: int) -> None:
    """Lessons that are opened and never connected."""
    await attacker.hammer(number, lambda: post("/api/lessons", b'{"name":"Eve","lesson":"double"}'))


async def guess(attacker: Attacker, number: int) -> None:
    """Requests for seats in private rooms by guessed codes: `joined` counts the successes."""

    async def private() -> int:
        host = Attacker(attacker.port, 1, attacker.row)  # its requests are no attempts
        opened = [await host.room(source=f"127.77.{attacker.row}.1") for _ in range(PRIVATE_ROOMS)]
        return min(len(code) for code, _ in opened) - 4

    digits = await attacker.shared("private", private)
    streams = await attacker.connect(number)
    try:
        while not streams[1].is_closing():
            status, _, _ = await attacker.exchange(
                streams, post(f"/api/rooms/{random_code(digits)}/seats", b'{"name":"Eve"}')
            )
            attacker.counts["joined"] += status == 201
            attacker.counts["wrong"] += status == 404
    finally:
        streams[1].close()


async def grief(attacker: Attacker, number: int) -> None:
    """Strangers fill a room with a known code, are removed, and try again: `returned` counts the successes."""
    host = f"127.77.{attacker.row}.{2 + number % 200}"
    room, cookie = await attacker.room(source=host)
    reader, writer = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}', host)
    left = 0

    async def read_events() -> None:
        nonlocal left
        while data := await reader.read(2**16):
            left += data.count(b'"e":"left"')
            attacker.counts["refused"] += data.count(b'"t":"refused"')

    reading = asyncio.create_task(read_events())
    try:
        for _ in range(10):
            for _ in range(7):
                removed, streams = left > 1, await attacker.connect(number)
                body = json.dumps({"name": f"Eve{next(_numbers)}"}).encode()
                try:
                    status, _, _ = await attacker.exchange(streams, post(f"/api/rooms/{room}/seats", body))
                finally:
                    streams[1].close()
                attacker.counts["joined"] += status == 201
                attacker.counts["returned"] += removed and status == 201
            for seat in range(7, 0, -1):
                writer.write(frame(b'{"t":"remove","seat":%d}' % seat))
            await asyncio.sleep(0.3)
    finally:
        reading.cancel()
        writer.close()


def _long_house() -> str:
    """A host's message that chooses a long house, each time a different one."""
    return json.dumps({"t": "house", "house": f"{LONG_HOUSE};turn_ms={3000 + next(_numbers) % 9999}"})


async def house_requests(attacker: Attacker, number: int) -> None:
    """The hosts of many rooms choose a long house four times a second."""
    await _send_repeatedly(attacker, number, _long_house)


TOGGLES = (
    {"t": "list", "on": True},
    {"t": "lock", "on": True},
    {"t": "bot"},
    {"t": "list", "on": False},
    {"t": "lock", "on": False},
    {"t": "remove", "seat": 1},
    {"t": "readmit"},
    {"t": "react", "reaction": "wow"},
)


async def toggles(attacker: Attacker, number: int) -> None:
    """The hosts of many rooms list and lock them and let bots in and out, a hundred times a second."""
    turn = itertools.cycle(map(json.dumps, TOGGLES))
    await _send_repeatedly(attacker, number, lambda: next(turn), 0.01)


async def starts(attacker: Attacker, number: int) -> None:
    """Endless games: a host starts one game after another, with a long house."""
    turn = itertools.cycle(('{"t":"start"}', '{"t":"again"}', '{"t":"act","do":"undo"}', '{"t":"leave"}'))
    await _send_repeatedly(attacker, number, lambda: next(turn), 0.02, bots=7, house=LONG_HOUSE)


async def watched_bots(attacker: Attacker, number: int) -> None:
    """Tables with the strongest bots, the longest house and one client that only watches."""
    room, cookie = await attacker.room(number, bots=7, wait=False, house=LONG_HOUSE, strength="ra")
    reader, writer = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    try:
        await attacker.drain(reader)
    finally:
        writer.close()


async def fat(attacker: Attacker, number: int) -> None:
    """One room; each new connection of its host chooses forty long houses. Then `hello` by strangers."""
    source = attacker.source(number)
    room, cookie = await attacker.shared(f"room {source}", lambda: attacker.room(number))
    reader, writer = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    draining = asyncio.create_task(attacker.drain(reader))
    try:
        for _ in range(40):
            writer.write(frame(_long_house().encode()))
            attacker.counts["attempts"] += 1
        await asyncio.sleep(0.5)
    finally:
        draining.cancel()
        writer.close()


async def passes(attacker: Attacker, number: int) -> None:
    """Links to another device, created and used."""
    source = attacker.source(number)
    room, cookie = await attacker.shared(f"room {source}", lambda: attacker.room(number))
    streams = await attacker.connect(number)
    try:
        while not streams[1].is_closing():
            request = post(f"/api/rooms/{room}/pass", b'{"player_ids":[0]}', headers=f"Cookie: {cookie}\r\n")
            status, _, body = await attacker.exchange(streams, request)
            if status == 201:
                await attacker.exchange(streams, post(f"/api/rooms/{room}/device", body))
    finally:
        streams[1].close()


async def seats(attacker: Attacker, number: int) -> None:
    """Requests for seats in one room of the attackers."""
    room, _ = await attacker.shared("room", attacker.room)
    await attacker.hammer(number, lambda: post(f"/api/rooms/{room}/seats", b'{"name":"Eve%d"}' % next(_numbers)))


async def erasures(attacker: Attacker, number: int) -> None:
    """Requests to delete names from the data file, one after the other."""
    room, cookie = await attacker.room(number)
    streams = await attacker.connect(number)
    try:
        request = post(f"/api/rooms/{room}/name", b'{"player_ids":[0]}', "DELETE", f"Cookie: {cookie}\r\n")
        await attacker.exchange(streams, request)
        await attacker.exchange(streams, request)
    finally:
        streams[1].close()


async def _send_repeatedly(
    attacker: Attacker, number: int, make_message: Callable[[], str], every_s: float = 0.25, **choices: Any
) -> None:
    """Open a room, and send messages of its host until the connection ends."""
    room, cookie = await attacker.room(number, **choices)
    reader, writer = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    draining = asyncio.create_task(attacker.drain(reader))
    try:
        while not writer.is_closing() and not draining.done():
            writer.write(frame(make_message().encode()))
            attacker.counts["attempts"] += 1
            await writer.drain()
            await asyncio.sleep(every_s)
    finally:
        draining.cancel()
        writer.close()
