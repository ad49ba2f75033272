"""One conversation with one browser: who comes, by which way, and what is heard until it ends."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from functools import partial
from random import random
from socket import SO_RCVBUF, SOL_SOCKET
from typing import Literal, NamedTuple, TypeAlias

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from ratscrew.errors import LimitExceeded, LogError, Overloaded, WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.table.clock import Clock
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry
from ratscrew.web import wire
from ratscrew.web.admission import Admission
from ratscrew.web.cookies import Cookies
from ratscrew.web.fair_lock import Turns
from ratscrew.web.limits import BUSY_S, Limits, MessageRateLimiter
from ratscrew.web.loop_share import ANSWER_US, BYTE_US, MESSAGE_US, LoopShare
from ratscrew.web.metrics_sink import MetricsSink, NullMetrics
from ratscrew.web.player_connection import PING_EVERY_S, PROOF_EVERY, REST_EVERY_S, TO, PlayerConnection
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.responses import log_error_code
from ratscrew.web.rtt_probe import RttProbe
from ratscrew.web.send_queue import IN_HAND_MOST, SendQueue

HELLO_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.0

MESSAGE_MOST = 4096
"""Bytes of the longest message from a browser."""

AT_ONCE_US, AT_ONCE_MOST = 1000, 8
"""Messages that come closer together than this have come at once: after so many of them others are heard."""

SLOW = (
    wire.House, wire.Start, wire.Again, wire.Lift, wire.AddBot, wire.Remove, wire.Leave, wire.Mute, wire.List,
    wire.Lock, wire.Readmit,
)  # fmt: skip
"""Messages that take the loop about a millisecond: a house is read, a game dealt, or something is logged and shown to
everybody. One of all sockets is handled in each iteration of the loop: hundreds of hosts may send one at the same
moment, and tables are served in between."""

READ_MOST = 16 * 1024
"""Bytes that the system keeps for us of one connection: what is read at once is taken apart while others wait."""

_ENDS = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)
_FROM = Codec[wire.ClientMessage](wire.ClientMessage)


_Heed: TypeAlias = Callable[[wire.ClientMessage, int], int]
_Hear: TypeAlias = Callable[[_Heed], Awaitable[None]]
"""Has every message heeded, with its arrival in microseconds, until the conversation ends. To heed one returns how many
messages its sender was sent at once."""


class House(NamedTuple):
    """What every conversation needs of its server."""

    lobby: RoomRegistry
    clock: Clock
    road: ProxyPolicy
    cookies: Cookies
    limits: Limits
    share: LoopShare
    admission: Admission
    slow: asyncio.Lock
    """Held while a `SLOW` message is handled."""
    opening: Turns
    """Taken to open or to join a room: it takes some milliseconds, so one is opened in each iteration of the loop."""
    meter: MetricsSink = NullMetrics()


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
    address, transport = house.road.address(request), request.transport
    if transport is None:
        return
    try:
        with ExitStack() as stack:
            too_much: LimitExceeded | None = None
            try:  # before a cookie is looked at, or a room
                house.limits.take("sockets", address)
                stack.enter_context(house.limits.connected(address))
            except Overloaded:
                raise
            except LimitExceeded as error:
                too_much = error
            if not too_much:
                await _renew(request, talk, house)
            with suppress(OSError, ValueError):  # it is closed already; uvloop says the latter
                transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, READ_MOST)
            with suppress(ConnectionError):
                await talk.prepare(request)
                try:
                    if too_much:
                        raise too_much
                    await _converse(request, talk, transport, house, address)
                except LimitExceeded as error:
                    await _show_out(talk, transport, error)
    finally:
        if transport.get_write_buffer_size():  # who has not read until now has been waited for
            transport.abort()
        if talk.prepared and not talk.closed:  # or aiohttp closes it, and nobody lets go of what goes wrong there
            await talk.close()
        _let_go(talk)


def _let_go(talk: web.WebSocketResponse) -> None:
    """What has ended a socket remembers the calls that it came through, and they the socket: a circle, of which nobody
    would be rid without looking at everything.
    """
    error = talk.exception()
    while error:
        error.__traceback__, error = None, error.__context__


async def _renew(request: web.Request, talk: web.WebSocketResponse, house: House) -> None:
    """Who holds a seat here holds it for longer, as soon as the socket opens."""
    if house.cookies.may_renew(request) and house.admission.holds_seat(request):
        with suppress(LogError, LimitExceeded):
            if room := await house.lobby.find(request.match_info["code"]):
                house.cookies.renew(request, talk, room)


async def _converse(
    request: web.Request, talk: web.WebSocketResponse, transport: asyncio.Transport, house: House, address: str
) -> None:
    """Raises: LimitExceeded if this address knocks at too many doors, or talks too much."""
    pulse = RttProbe(talk, request, house.clock, house.road)
    try:
        hello = decode(_text(await asyncio.wait_for(talk.receive(), HELLO_WITHIN_S)))
    except (WireError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        await _turn_away(talk, "garbage")
        return
    try:
        room = await house.admission.find(request)
    except LogError as error:
        await _turn_away(talk, log_error_code(error))
        return
    if room is None:
        await _turn_away(talk, "no_room")
        return
    whos = house.cookies.held(request, room, hello.who)
    seats = room.table.roster.seats_of(whos)
    if not seats and house.admission.is_removed(request, room):
        await _turn_away(talk, "removed")
        return
    house.admission.note_network(request, room, (room.table.seats[seat].who for seat in seats))
    ear = MessageRateLimiter(house.clock, house.limits.bucket("talk", address))
    hear = partial(_hear, talk, pulse, house, ear, address)
    with ExitStack() as stack:
        if not seats and not stack.enter_context(house.limits.watching(room, address)):
            await _turn_away(talk, "crowded", BUSY_S)
            return
        if hello.only:
            await _hear_slaps(talk, hear, pulse, room, whos)
            return
        backlog = SendQueue(talk, transport)
        browser = PlayerConnection(
            backlog, house.clock, room, seats, pulse, house.meter, house.limits, address, hello.page
        )
        room.enter(browser, hello.game, hello.version)
        try:
            await _listen(hear, browser)
        finally:
            room.exit(browser)


async def _listen(hear: _Hear, browser: PlayerConnection) -> None:
    """Carry messages both ways until the connection ends.

    Raises: LimitExceeded if there is no end to it.
    """
    too_much: LimitExceeded | None = None

    def heed(message: wire.ClientMessage, arrived_us: int) -> int:
        sent = browser.backlog.count
        browser.answer(message, arrived_us)
        return browser.backlog.count - sent

    async with asyncio.TaskGroup() as tasks:
        writing, watching = tasks.create_task(browser.backlog.write()), tasks.create_task(browser.watch())
        try:
            await hear(heed)
        except WireError:
            browser.say(wire.Bye("garbage"))
            await writing
        except LimitExceeded as error:
            too_much = error
        finally:
            writing.cancel()
            watching.cancel()
    if too_much:
        raise too_much


async def _hear_slaps(
    talk: web.WebSocketResponse,
    hear: _Hear,
    pulse: RttProbe,
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
                every_s = PING_EVERY_S if room.table.playing else REST_EVERY_S * PROOF_EVERY
                await asyncio.sleep(every_s * (0.5 + random()))

    def heed(slap: wire.ClientMessage, arrived_us: int) -> int:
        if not isinstance(slap, wire.Slap):
            raise WireError("this socket is for slaps")
        seats = room.table.roster.seats_of(whos)
        browser = room.guest_in(seats[0]) if seats else None
        max_rtt_us = RttEstimator().with_rtt_bounds(pulse.control_us, pulse.kernel_us).max_rtt_us
        if isinstance(browser, PlayerConnection) and browser.seats == seats and max_rtt_us is not None:
            browser.slap(slap, arrived_us, max_rtt_us)
        return 0

    watching = asyncio.create_task(watch())
    try:
        await hear(heed)
    except WireError:
        await _turn_away(talk, "garbage")
    finally:
        watching.cancel()


async def _hear(
    talk: web.WebSocketResponse, pulse: RttProbe, house: House, ear: MessageRateLimiter, address: str, heed: _Heed
) -> None:
    """Have every message heeded, with its arrival, until the conversation ends; who says too much is told so once for a
    while, and not heard.

    Raises: WireError; LimitExceeded if there is no end to it.
    """
    told_off_us, before_us, at_once, clock = 0, -AT_ONCE_US, 0, house.clock

    def timed(heard: wire.ClientMessage, arrived_us: int) -> float:
        began_s = time.perf_counter()
        answers = heed(heard, arrived_us)
        return (time.perf_counter() - began_s) * 1e6 + ANSWER_US * answers

    async def hear() -> None:
        nonlocal told_off_us, before_us, at_once
        while (message := await talk.receive()).type not in _ENDS:
            arrived_us, took_us = clock.now_us(), 0.0
            at_once = at_once + 1 if arrived_us - before_us < AT_ONCE_US else 0
            before_us = arrived_us
            if at_once >= AT_ONCE_MOST:
                at_once = 0
                await asyncio.sleep(0)
            if message.type is WSMsgType.ERROR:
                raise WireError("a message is whole, and not too long")
            if wait_us := ear.wait_us(len(message.data), arrived_us):
                if arrived_us >= told_off_us:
                    told_off_us = arrived_us + wait_us + int(clock.speed * 1e6)
                    wait_ms = math.ceil(wait_us / clock.speed / 1e3)
                    await talk.send_frame(TO.encode(wire.Unheard(wait_ms)), WSMsgType.TEXT)
            elif message.type is WSMsgType.PONG:
                pulse.answered(message.data, arrived_us)
            elif message.type is WSMsgType.PING:
                await talk.pong(message.data)
                took_us = ANSWER_US
            else:
                heard = decode(_text(message))
                if isinstance(heard, SLOW):
                    async with house.slow:
                        took_us = timed(heard, arrived_us)
                        await asyncio.sleep(0)
                else:
                    took_us = timed(heard, arrived_us)
            house.share.charge(address, MESSAGE_US + took_us - BYTE_US * len(message.data))

    async def hear_until_gone() -> None:
        with suppress(ConnectionError):  # of a client that has gone before it was answered
            await hear()

    await asyncio.create_task(hear_until_gone())  # whatever wakes a task goes through every call that it waits in


def _text(message: WSMessage) -> str:
    if message.type is not WSMsgType.TEXT:
        raise WireError("a message is text")
    return str(message.data)


async def _turn_away(
    talk: web.WebSocketResponse,
    why: Literal["no_room", "removed", "garbage", "crowded", "unkept", "damaged"],
    wait_s: float = 0,
) -> None:
    if not talk.closed:
        await talk.send_frame(TO.encode(wire.Bye(why, math.ceil(wait_s))), WSMsgType.TEXT)
        await talk.close()


async def _show_out(talk: web.WebSocketResponse, transport: asyncio.Transport, error: LimitExceeded) -> None:
    """A last word without a wait for an answer: whoever is shown out for talking would go on meanwhile."""
    if not talk.closed and not transport.get_write_buffer_size():
        await talk.send_frame(TO.encode(wire.Bye("too_much", math.ceil(error.wait_s))), WSMsgType.TEXT)
        await talk.send_frame(WSCloseCode.TRY_AGAIN_LATER.to_bytes(2, "big"), WSMsgType.CLOSE)
    transport.close()
