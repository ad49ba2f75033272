"""Attacks over WebSockets: floods of messages and frames, and sockets that send nothing or read nothing."""

from __future__ import annotations

import asyncio
import itertools
import json

from benchmarks.attacker import TIMEOUT_S, Attacker, Streams, frame, random_code

_numbers = itertools.count()


async def _shared_room(attacker: Attacker) -> tuple[str, str]:
    """A room with bots that play."""
    found: tuple[str, str] = await attacker.shared("room", lambda: attacker.room(bots=3, wait=False))
    return found


async def _send_until_closed(attacker: Attacker, streams: Streams, frames: bytes, count: int) -> None:
    """Send these frames again and again until the socket ends."""
    reader, writer = streams
    draining = asyncio.create_task(attacker.drain(reader))
    try:
        while not writer.is_closing() and not draining.done():
            writer.write(frames)
            attacker.counts["attempts"] += count
            await writer.drain()
            await asyncio.sleep(0.002)
    finally:
        draining.cancel()
        writer.close()


async def junk_slaps(attacker: Attacker, number: int) -> None:
    """Slaps of clients that only watch."""
    room, _ = await _shared_room(attacker)
    streams = await attacker.socket(number, room)
    await _send_until_closed(attacker, streams, frame(b'{"t":"slap","n":0,"p_ms":0,"t_ms":0,"s":1}') * 20, 20)


async def seat_slaps(attacker: Attacker, number: int) -> None:
    """Slaps for ever different seats that do not exist."""
    room, cookie = await attacker.room(number)
    streams = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    reader, writer = streams
    draining = asyncio.create_task(attacker.drain(reader))
    try:
        while not writer.is_closing() and not draining.done():
            for _ in range(10):
                slap = {"t": "slap", "n": 1, "p_ms": 0, "t_ms": 0, "s": 1, "seat": 10**12 + next(_numbers)}
                writer.write(frame(json.dumps(slap).encode()))
            attacker.counts["attempts"] += 10
            await asyncio.sleep(0.1)
    finally:
        draining.cancel()
        writer.close()


async def wrong_slaps(attacker: Attacker, number: int) -> None:
    """Wrong slaps and plays of clients with a seat, as fast as the server reads them."""
    room, cookie = await attacker.room(number, bots=3, wait=False)
    streams = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    messages = b"".join(
        frame(json.dumps({"t": "slap", "n": n, "p_ms": 1, "t_ms": 900, "s": n}).encode())
        + frame(json.dumps({"t": "play", "n": n}).encode())
        for n in range(20)
    )
    await _send_until_closed(attacker, streams, messages, 40)


async def pongs(attacker: Attacker, number: int) -> None:
    """Pongs to pings that were never sent, `beat` and `visibility`."""
    room, cookie = await attacker.room(number, bots=3, wait=False)
    streams = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    messages = (
        b'{"t":"pong","k":1,"c_ms":5}',
        b'{"t":"pong","k":2,"c_ms":5,"n":1,"p_ms":5}',
        b'{"t":"beat","c_ms":7}',
        b'{"t":"visibility","visible":false}',
    )
    await _send_until_closed(attacker, streams, b"".join(map(frame, messages)) * 5, 20)


async def control_frames(attacker: Attacker, number: int) -> None:
    """Endless pings of 125 bytes."""
    room, _ = await _shared_room(attacker)
    streams = await attacker.socket(number, room)
    await _send_until_closed(attacker, streams, frame(b"x" * 125, opcode=9) * 20, 20)


async def fragments(attacker: Attacker, number: int) -> None:
    """A message in endless empty fragments."""
    room, _ = await _shared_room(attacker)
    streams = await attacker.socket(number, room)
    streams[1].write(frame(b"", fin=False))
    await _send_until_closed(attacker, streams, frame(b"", opcode=0, fin=False) * 2000, 2000)


async def garbage(attacker: Attacker, number: int) -> None:
    """The longest and most deeply nested message, each on a new socket."""
    room, _ = await _shared_room(attacker)
    reader, writer = await attacker.socket(number, room)
    try:
        writer.write(frame(b'{"t":"play","n":' + b"[" * 4000))
        async with asyncio.timeout(TIMEOUT_S):
            await attacker.drain(reader)
    finally:
        writer.close()


async def long_messages(attacker: Attacker, number: int) -> None:
    """Messages of 4 kB of padding."""
    room, _ = await _shared_room(attacker)
    streams = await attacker.socket(number, room)
    await _send_until_closed(
        attacker, streams, frame(b'{"t":"visibility","visible":true,"x":"' + b"y" * 4000 + b'"}'), 1
    )


async def handshakes(attacker: Attacker, number: int) -> None:
    """Handshakes as fast as possible; each connection is then closed."""
    room, _ = await _shared_room(attacker)
    _, writer = await attacker.socket(number, room, hello=None)
    writer.close()


async def no_hello(attacker: Attacker, number: int) -> None:
    """Sockets that never send `hello`, kept open as long as the server allows."""
    room, _ = await _shared_room(attacker)
    reader, writer = await attacker.socket(number, room, hello=None)
    try:
        await attacker.drain(reader)
    finally:
        writer.close()


async def watchers(attacker: Attacker, number: int) -> None:
    """Many watchers of one table at which bots play."""
    room, _ = await _shared_room(attacker)
    reader, writer = await attacker.socket(number, room)
    try:
        await attacker.drain(reader)
    finally:
        writer.close()


async def unread_sockets(attacker: Attacker, number: int) -> None:
    """Sockets with a seat at an active table, which are never read."""
    room, cookie = await attacker.room(number, bots=3, wait=False)
    streams = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    streams[0]._transport.pause_reading()  # type: ignore[attr-defined]
    try:
        await asyncio.sleep(20)
    finally:
        streams[1].transport.abort()


async def reconnects(attacker: Attacker, number: int) -> None:
    """A client at a table with a long house reconnects again and again, and gets the whole snapshot each time."""
    room, cookie = await _long_room(attacker, number)
    reader, writer = await attacker.socket(number, room, cookie, '{"t":"hello","player_ids":[0]}')
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await reader.read(2**16)
    finally:
        writer.close()


async def _long_room(attacker: Attacker, number: int) -> tuple[str, str]:
    from benchmarks.attacker import LONG_HOUSE

    source = attacker.source(number)
    found: tuple[str, str] = await attacker.shared(
        f"long {source}", lambda: attacker.room(number, bots=7, wait=False, house=LONG_HOUSE)
    )
    return found


async def guessed_sockets(attacker: Attacker, number: int) -> None:
    """`hello` to rooms that do not exist, each on a new socket."""
    reader, writer = await attacker.socket(number, random_code())
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await attacker.drain(reader)
    finally:
        writer.close()
