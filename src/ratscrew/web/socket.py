"""A WebSocket from its handshake to its end: which client it is, and how its messages are received."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import random
from socket import SO_RCVBUF, SOL_SOCKET
from typing import Literal, NamedTuple, TypeAlias

from aiohttp import WSCloseCode, WSMsgType, web

from ratscrew.errors import LimitExceeded, LogError, Overloaded, WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.table import requests
from ratscrew.table.clock import Clock
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry
from ratscrew.web import wire
from ratscrew.web.admission import Admission
from ratscrew.web.cookies import Cookies
from ratscrew.web.fair_lock import FairLock
from ratscrew.web.limits import BUSY_S, Limits, MessageRateLimiter
from ratscrew.web.loop_share import ANSWER_US, BYTE_US, MESSAGE_US, LoopShare
from ratscrew.web.metrics_sink import MetricsSink, NullMetrics
from ratscrew.web.player_connection import PING_EVERY_S, PROOF_EVERY, REST_EVERY_S, TO, WIRE, PlayerConnection
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.responses import log_error_code
from ratscrew.web.rtt_probe import RttProbe
from ratscrew.web.send_queue import IN_HAND_MOST, SendQueue

HELLO_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.0

MESSAGE_MOST = 4096
"""Bytes of the longest message from a client."""

AT_ONCE_US, AT_ONCE_MOST = 1000, 8
"""Messages closer together than this count as simultaneous: after so many of them other clients are served."""

SLOW = (
    requests.House, requests.Start, requests.Again, requests.Reopen, requests.AddBot, requests.Remove, requests.Leave,
    requests.Mute, requests.List, requests.Lock, requests.Readmit,
)  # fmt: skip
"""Requests that take the loop about a millisecond: rules are parsed, a game dealt, or something is logged and sent to
everybody. One of all sockets is handled in each iteration of the loop: hundreds of hosts may send one at the same
moment, and tables are served in between."""

READ_MOST = 16 * 1024
"""Receive buffer of a connection in bytes: data read at once is parsed while other clients wait."""

_ENDS = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)
_DECODER = Codec[wire.ClientMessage](wire.ClientMessage)

_Handle: TypeAlias = Callable[[wire.ClientMessage, int], None]
"""Handles a message, with its arrival in microseconds."""


class ServerContext(NamedTuple):
    """What every socket needs of its server."""

    registry: RoomRegistry
    clock: Clock
    proxy_policy: ProxyPolicy
    cookies: Cookies
    limits: Limits
    share: LoopShare
    admission: Admission
    slow: asyncio.Lock
    """TurnCancelled while a `SLOW` request is handled."""
    opening: FairLock
    """Taken to open or to join a room: it takes some milliseconds, so one is opened in each iteration of the loop."""
    metrics: MetricsSink = NullMetrics()


def decode(data: bytes | str) -> wire.ClientMessage:
    """The message that a client has sent.

    Raises: WireError.
    """
    try:
        return _DECODER.decode(data)
    except ValueError as error:
        raise WireError(f"not a valid message: {error}") from error


def new_socket() -> web.WebSocketResponse:
    """A WebSocket with the server's options: no compression (a third more work), short messages, a short close timeout.

    Pings and pongs are handled here, because their arrival times are evidence for the judge.
    """
    return web.WebSocketResponse(
        compress=False, max_msg_size=MESSAGE_MOST, timeout=CLOSE_WITHIN_S, autoping=False, writer_limit=IN_HAND_MOST
    )


async def serve_socket(request: web.Request, socket: web.WebSocketResponse, context: ServerContext) -> None:
    """Serve a socket to its end: the address names the room, the first message says which client it is.

    A client that disappears in the middle of a message is not an error.
    """
    address, transport = context.proxy_policy.address(request), request.transport
    if transport is None:
        return
    try:
        with ExitStack() as stack:
            too_much: LimitExceeded | None = None
            try:  # before a cookie is looked at, or a room
                context.limits.take("sockets", address)
                stack.enter_context(context.limits.connected(address))
            except Overloaded:
                raise
            except LimitExceeded as error:
                too_much = error
            if not too_much:
                await _renew_cookies(request, socket, context)
            with suppress(OSError, ValueError):  # it is closed already; uvloop raises the latter
                transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, READ_MOST)
            with suppress(ConnectionError):
                await socket.prepare(request)
                try:
                    if too_much:
                        raise too_much
                    await _serve_client(request, socket, transport, context, address)
                except LimitExceeded as error:
                    await _disconnect(socket, transport, error)
    finally:
        if transport.get_write_buffer_size():  # a client that has not read until now has been waited for
            transport.abort()
        if socket.prepared and not socket.closed:  # or aiohttp closes it, and keeps the error of that
            await socket.close()
        _release_tracebacks(socket)


def _release_tracebacks(socket: web.WebSocketResponse) -> None:
    """The error that ended a socket refers to the frames that it came through, and they to the socket: a reference
    cycle, which would stay until the next full collection.
    """
    error = socket.exception()
    while error:
        error.__traceback__, error = None, error.__context__


async def _renew_cookies(request: web.Request, socket: web.WebSocketResponse, context: ServerContext) -> None:
    """A client that holds a seat here holds it for longer, as soon as the socket opens."""
    if context.cookies.may_renew(request) and context.admission.holds_seat(request):
        with suppress(LogError, LimitExceeded):
            if room := await context.registry.find(request.match_info["code"]):
                context.cookies.renew(request, socket, room)


async def _serve_client(
    request: web.Request,
    socket: web.WebSocketResponse,
    transport: asyncio.Transport,
    context: ServerContext,
    address: str,
) -> None:
    """Raises: LimitExceeded if this address tries too many rooms, or sends too much."""
    rtt_probe = RttProbe(socket, request, context.clock, context.proxy_policy)
    try:
        first = await asyncio.wait_for(socket.receive(), HELLO_WITHIN_S)
        hello = decode(first.data) if first.type is WSMsgType.TEXT else None
    except (WireError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        await _reject(socket, "garbage")
        return
    try:
        room = await context.admission.find(request)
    except LogError as error:
        await _reject(socket, log_error_code(error))
        return
    if room is None:
        await _reject(socket, "no_room")
        return
    player_ids = context.cookies.held(request, room, hello.player_ids)
    seats = room.table.roster.seats_of(player_ids)
    if not seats and context.admission.is_removed(request, room):
        await _reject(socket, "removed")
        return
    context.admission.record_network(request, room, (room.table.seats[seat].player_id for seat in seats))
    receiver = Receiver(socket, rtt_probe, context, address)
    with ExitStack() as stack:
        if not seats and not stack.enter_context(context.limits.watching(room, address)):
            await _reject(socket, "crowded", BUSY_S)
            return
        if hello.only:
            await _serve_slaps(socket, receiver, rtt_probe, room, player_ids)
            return
        queue = SendQueue(socket, transport)
        connection = PlayerConnection(
            queue, context.clock, room, seats, rtt_probe, context.metrics, context.limits, address, hello.page
        )
        # Only a `welcome` tells a page of another version to reload.
        room.enter(connection, hello.game if hello.wire == WIRE else None, hello.version)
        try:
            await _serve_connection(receiver, connection)
        finally:
            room.exit(connection)


async def _serve_connection(receiver: Receiver, connection: PlayerConnection) -> None:
    """Carry messages both ways until the connection ends.

    Raises: LimitExceeded if the client does not stop sending too much.
    """
    too_much: LimitExceeded | None = None
    async with asyncio.TaskGroup() as tasks:
        writing, probing = tasks.create_task(connection.send_queue.write()), tasks.create_task(connection.probe())
        try:
            await receiver.run(connection.receive, connection.send_queue)
        except WireError:
            connection.say_goodbye(wire.Bye("garbage"))
            await writing
        except LimitExceeded as error:
            too_much = error
        finally:
            writing.cancel()
            probing.cancel()
    if too_much:
        raise too_much


async def _serve_slaps(
    socket: web.WebSocketResponse, receiver: Receiver, rtt_probe: RttProbe, room: Room, player_ids: tuple[int, ...]
) -> None:
    """The second socket of a page: its slaps count as if they had come by the first, as soon as one of both has them.

    Slaps by a socket whose round trip only the page itself tells do not count.
    """

    async def probe() -> None:
        with suppress(ConnectionError):
            while True:
                await rtt_probe.ping()
                every_s = PING_EVERY_S if room.table.playing else REST_EVERY_S * PROOF_EVERY
                await asyncio.sleep(every_s * (0.5 + random()))

    def handle(slap: wire.ClientMessage, arrived_us: int) -> None:
        if not isinstance(slap, wire.Slap):
            raise WireError("this socket is for slaps")
        seats = room.table.roster.seats_of(player_ids)
        connection = room.subscriber_at(seats[0]) if seats else None
        max_rtt_us = RttEstimator().with_rtt_bounds(rtt_probe.control_us, rtt_probe.kernel_us).max_rtt_us
        if isinstance(connection, PlayerConnection) and connection.seats == seats and max_rtt_us is not None:
            connection.slap(slap, arrived_us, max_rtt_us)

    probing = asyncio.create_task(probe())
    try:
        await receiver.run(handle)
    except WireError:
        await _reject(socket, "garbage")
    finally:
        probing.cancel()


class Receiver:
    """Receives the messages of one socket, as fast as its client may send."""

    def __init__(
        self, socket: web.WebSocketResponse, rtt_probe: RttProbe, context: ServerContext, address: str
    ) -> None:
        self._socket, self._rtt_probe, self._context, self._address = socket, rtt_probe, context, address
        self._limiter = MessageRateLimiter(context.clock, context.limits.bucket("address_messages", address))
        self._before_us, self._at_once, self._warned_us = -AT_ONCE_US, 0, 0

    async def run(self, handle: _Handle, replies: SendQueue | None = None) -> None:
        """Have every message handled until the connection ends; `replies` is where the client's answers are counted.

        Raises: WireError; LimitExceeded if the client does not stop sending too much.
        """
        # In a task of its own: whatever wakes a task runs through every call that it waits in.
        await asyncio.create_task(self._run(handle, replies))

    async def _run(self, handle: _Handle, replies: SendQueue | None) -> None:
        with suppress(ConnectionError):  # of a client that has gone before it was answered
            while (message := await self._socket.receive()).type not in _ENDS:
                arrived_us = self._context.clock.now_us()
                self._at_once = self._at_once + 1 if arrived_us - self._before_us < AT_ONCE_US else 0
                self._before_us = arrived_us
                if self._at_once >= AT_ONCE_MOST:
                    self._at_once = 0
                    await asyncio.sleep(0)
                if message.type is WSMsgType.ERROR:
                    raise WireError("a message must be complete, and not too long")
                took_us = 0.0
                if wait_us := self._limiter.wait_us(len(message.data), arrived_us):
                    await self._warn(wait_us, arrived_us)
                elif message.type is WSMsgType.TEXT:
                    decoded, began_s = decode(message.data), time.perf_counter()
                    sent = replies.count if replies else 0
                    if isinstance(decoded, SLOW):
                        async with self._context.slow:
                            began_s = time.perf_counter()
                            handle(decoded, arrived_us)
                            took_us = (time.perf_counter() - began_s) * 1e6
                            await asyncio.sleep(0)
                    else:
                        handle(decoded, arrived_us)
                        took_us = (time.perf_counter() - began_s) * 1e6
                    if replies:
                        took_us += ANSWER_US * (replies.count - sent)
                elif message.type is WSMsgType.PONG:
                    self._rtt_probe.receive(message.data, arrived_us)
                elif message.type is WSMsgType.PING:
                    await self._socket.pong(message.data)
                    took_us = ANSWER_US
                else:
                    raise WireError("a message must be text")
                self._context.share.charge(self._address, MESSAGE_US + took_us - BYTE_US * len(message.data))

    async def _warn(self, wait_us: int, now_us: int) -> None:
        """The client sends too much: its message is ignored, and it gets a warning, at most once a second."""
        if now_us >= self._warned_us:
            speed = self._context.clock.speed
            self._warned_us = now_us + wait_us + int(speed * 1e6)
            unheard = wire.RateLimited(math.ceil(wait_us / speed / 1e3))
            await self._socket.send_frame(TO.encode(unheard), WSMsgType.TEXT)


async def _reject(
    socket: web.WebSocketResponse,
    why: Literal["no_room", "removed", "garbage", "crowded", "unkept", "damaged"],
    wait_s: float = 0,
) -> None:
    if not socket.closed:
        await socket.send_frame(TO.encode(wire.Bye(why, math.ceil(wait_s))), WSMsgType.TEXT)
        await socket.close()


async def _disconnect(socket: web.WebSocketResponse, transport: asyncio.Transport, error: LimitExceeded) -> None:
    """A last message without a wait for an answer: a client that sends too much would go on meanwhile."""
    if not socket.closed and not transport.get_write_buffer_size():
        await socket.send_frame(TO.encode(wire.Bye("too_much", math.ceil(error.wait_s))), WSMsgType.TEXT)
        await socket.send_frame(WSCloseCode.TRY_AGAIN_LATER.to_bytes(2, "big"), WSMsgType.CLOSE)
    transport.close()
