"""One conversation with one browser: who comes, by which way, and what is heard until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from random import random
from typing import Literal, NamedTuple

from aiohttp import WSMessage, WSMsgType, web

from ratscrew.errors import WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.link import Link
from ratscrew.table.clock import Clock
from ratscrew.table.lobby import Lobby
from ratscrew.table.room import Room
from ratscrew.web import wire
from ratscrew.web.browser import PING_EVERY_S, TO, Browser
from ratscrew.web.door import Door
from ratscrew.web.pulse import Pulse, Road

HELLO_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.0

MESSAGE_MOST = 4096
"""Bytes of the longest message from a browser."""

_FROM = Codec[wire.ClientMessage](wire.ClientMessage)


class House(NamedTuple):
    """What every conversation needs of its server."""

    lobby: Lobby
    clock: Clock
    road: Road
    door: Door


def decode(data: bytes | str) -> wire.ClientMessage:
    """The message that a browser has sent.

    Raises: WireError.
    """
    try:
        return _FROM.decode(data)
    except ValueError as error:
        raise WireError(f"this is no message of ours: {error}") from error


def new_socket() -> web.WebSocketResponse:
    """A socket as ours are: no compression (a third more work), short messages, no waiting for a last word.

    Signs of life are answered here, because when they came is evidence.
    """
    return web.WebSocketResponse(compress=False, max_msg_size=MESSAGE_MOST, timeout=CLOSE_WITHIN_S, autoping=False)


async def converse(request: web.Request, talk: web.WebSocketResponse, house: House) -> None:
    """One conversation: the address names the room, the first message says who comes, the rest is between them.

    Whoever vanishes in the middle of a word is gone, which is no error.
    """
    if room := house.lobby.find(request.match_info["code"]):
        house.door.renew(request, talk, room)
    with suppress(ConnectionError):
        await talk.prepare(request)
        await _converse(request, talk, house)


async def _converse(request: web.Request, talk: web.WebSocketResponse, house: House) -> None:
    transport = request.transport
    if transport is None:
        return
    pulse = Pulse(talk, request, house.clock, house.road)
    try:
        hello = decode(_text(await asyncio.wait_for(talk.receive(), HELLO_WITHIN_S)))
    except (WireError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        await _turn_away(talk, "garbage")
        return
    room = house.lobby.find(request.match_info["code"])
    if room is None:
        await _turn_away(talk, "no_room")
        return
    whos = house.door.held(request, room, hello.who)
    if hello.only:
        await _hear_slaps(talk, pulse, house, room, whos)
        return
    seats = room.table.company.seats_of(whos)
    browser = Browser(talk, transport.abort, house.clock, room, seats, pulse)
    room.enter(browser, hello.game, hello.version)
    try:
        await _listen(talk, pulse, house, browser)
    finally:
        room.exit(browser)


async def _listen(talk: web.WebSocketResponse, pulse: Pulse, house: House, browser: Browser) -> None:
    """Carry messages both ways until the connection ends."""
    async with asyncio.TaskGroup() as tasks:
        writing, watching = tasks.create_task(browser.write()), tasks.create_task(browser.watch())
        try:
            async for text, arrived_us in _texts(talk, pulse, house.clock):
                browser.answer(decode(text), arrived_us)
        except WireError:
            browser.say_bye("garbage")
            await writing
        finally:
            writing.cancel()
            watching.cancel()


async def _hear_slaps(
    talk: web.WebSocketResponse, pulse: Pulse, house: House, room: Room, whos: tuple[int, ...]
) -> None:
    """The second socket of a page: its slaps count as if they had come by the first, as soon as one of both has them.

    By a way of which nothing is known but what the page says, none counts.
    """

    async def watch() -> None:
        with suppress(ConnectionError):
            while True:
                await pulse.ask()
                await asyncio.sleep(PING_EVERY_S * (0.5 + random()))

    watching = asyncio.create_task(watch())
    try:
        async for text, arrived_us in _texts(talk, pulse, house.clock):
            slap = decode(text)
            if not isinstance(slap, wire.Slap):
                raise WireError("this socket is for slaps")
            seats = room.table.company.seats_of(whos)
            browser = room.guest_in(seats[0]) if seats else None
            most_us = Link().borne_out(pulse.control_us, pulse.kernel_us).most_us
            if isinstance(browser, Browser) and browser.seats == seats and most_us is not None:
                browser.slap(slap, arrived_us, most_us)
    except WireError:
        await _turn_away(talk, "garbage")
    finally:
        watching.cancel()


async def _texts(talk: web.WebSocketResponse, pulse: Pulse, clock: Clock) -> AsyncIterator[tuple[str, int]]:
    """What is heard, each with its arrival.

    Raises: WireError.
    """
    async for message in talk:
        arrived_us = clock.now_us()
        if message.type is WSMsgType.PONG:
            pulse.answered(message.data, arrived_us)
        elif message.type is WSMsgType.PING:
            await talk.pong(message.data)
        else:
            yield _text(message), arrived_us


def _text(message: WSMessage) -> str:
    if message.type is not WSMsgType.TEXT:
        raise WireError("a message is text")
    return str(message.data)


async def _turn_away(talk: web.WebSocketResponse, why: Literal["no_room", "garbage"]) -> None:
    if not talk.closed:
        await talk.send_frame(TO.encode(wire.Bye(why)), WSMsgType.TEXT)
        await talk.close()
