"""One conversation with one browser: who comes, by which way, and what is heard until it ends."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import suppress
from random import random
from typing import Literal, NamedTuple

from aiohttp import WSMessage, WSMsgType, web

from ratscrew.errors import LogError, TooMuch, WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.link import Link
from ratscrew.table.clock import Clock
from ratscrew.table.lobby import Lobby
from ratscrew.table.room import Room
from ratscrew.web import wire
from ratscrew.web.answers import told_of
from ratscrew.web.backlog import IN_HAND_MOST, Backlog
from ratscrew.web.browser import PING_EVERY_S, TO, Browser
from ratscrew.web.cookies import Cookies
from ratscrew.web.limits import BUSY_S, WATCHERS_MOST, Ear, Limits
from ratscrew.web.meter import Meter, Unmetered
from ratscrew.web.pulse import Pulse
from ratscrew.web.road import Road

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
    cookies: Cookies
    limits: Limits
    meter: Meter = Unmetered()


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
    return web.WebSocketResponse(
        compress=False, max_msg_size=MESSAGE_MOST, timeout=CLOSE_WITHIN_S, autoping=False, writer_limit=IN_HAND_MOST
    )


async def converse(request: web.Request, talk: web.WebSocketResponse, house: House) -> None:
    """One conversation: the address names the room, the first message says who comes, the rest is between them.

    Whoever vanishes in the middle of a word is gone, which is no error.
    """
    address = house.road.address(request)
    _renew(request, talk, house)
    with suppress(ConnectionError):
        await talk.prepare(request)
        try:
            with house.limits.connected(address):
                house.limits.take("sockets", address)
                await _converse(request, talk, house, address)
        except TooMuch as error:
            await _turn_away(talk, "too_much", error.wait_s)


def _renew(request: web.Request, talk: web.WebSocketResponse, house: House) -> None:
    """Who holds a seat here holds it for longer, as soon as the socket opens."""
    if request.cookies:
        with suppress(LogError):
            if room := house.lobby.find(request.match_info["code"]):
                house.cookies.renew(request, talk, room)


async def _converse(request: web.Request, talk: web.WebSocketResponse, house: House, address: str) -> None:
    """Raises: TooMuch if this address knocks at too many doors, or talks too much."""
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
    try:
        room = house.lobby.find(request.match_info["code"])
    except LogError as error:
        await _turn_away(talk, told_of(error))
        return
    whos = house.cookies.held(request, room, hello.who) if room else ()
    seats = room.table.company.seats_of(whos) if room else ()
    if not seats:  # whoever holds a seat guesses nothing
        house.limits.look("codes", address)
    if room is None:
        house.limits.take("codes", address)
        await _turn_away(talk, "no_room")
        return
    if not seats and room.watchers >= WATCHERS_MOST:
        await _turn_away(talk, "crowded", BUSY_S)
        return
    texts = _texts(talk, pulse, house.clock, Ear(house.clock, house.limits.bucket("talk", address)))
    if hello.only:
        await _hear_slaps(talk, texts, pulse, room, whos)
        return
    browser = Browser(Backlog(talk, transport), house.clock, room, seats, pulse, house.meter)
    room.enter(browser, hello.game, hello.version)
    try:
        await _listen(texts, browser)
    finally:
        room.exit(browser)


async def _listen(texts: AsyncIterator[tuple[str, int]], browser: Browser) -> None:
    """Carry messages both ways until the connection ends."""
    async with asyncio.TaskGroup() as tasks:
        writing, watching = tasks.create_task(browser.backlog.write()), tasks.create_task(browser.watch())
        try:
            async for text, arrived_us in texts:
                browser.answer(decode(text), arrived_us)
        except WireError:
            browser.say(wire.Bye("garbage"))
            await writing
        except TooMuch as error:
            browser.say(wire.Bye("too_much", math.ceil(error.wait_s)))
            await writing
        finally:
            writing.cancel()
            watching.cancel()


async def _hear_slaps(
    talk: web.WebSocketResponse,
    texts: AsyncIterator[tuple[str, int]],
    pulse: Pulse,
    room: Room,
    whos: tuple[int, ...],
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
        async for text, arrived_us in texts:
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


async def _texts(talk: web.WebSocketResponse, pulse: Pulse, clock: Clock, ear: Ear) -> AsyncIterator[tuple[str, int]]:
    """What is heard, each with its arrival; who says too much is told so once for a while, and not heard.

    Raises: WireError; TooMuch if there is no end to it.
    """
    told_off_us = 0
    async for message in talk:
        arrived_us = clock.now_us()
        if message.type is WSMsgType.ERROR:
            raise WireError("a message is whole, and not too long")
        if wait_us := ear.wait_us(len(message.data), arrived_us):
            if arrived_us >= told_off_us:
                told_off_us = arrived_us + wait_us + int(clock.speed * 1e6)
                await talk.send_frame(TO.encode(wire.Unheard(math.ceil(wait_us / clock.speed / 1e3))), WSMsgType.TEXT)
        elif message.type is WSMsgType.PONG:
            pulse.answered(message.data, arrived_us)
        elif message.type is WSMsgType.PING:
            await talk.pong(message.data)
        else:
            yield _text(message), arrived_us


def _text(message: WSMessage) -> str:
    if message.type is not WSMsgType.TEXT:
        raise WireError("a message is text")
    return str(message.data)


async def _turn_away(
    talk: web.WebSocketResponse,
    why: Literal["no_room", "garbage", "too_much", "crowded", "unkept", "damaged"],
    wait_s: float = 0,
) -> None:
    if not talk.closed:
        await talk.send_frame(TO.encode(wire.Bye(why, math.ceil(wait_s))), WSMsgType.TEXT)
        await talk.close()
