"""A client's channel from its request to its end: which client it is, and how its messages are received.

There is no task for a connection: each message is handled in the callback in which it arrives. Only the first message,
for which a room may have to be read from the log, is handled by a task of its own.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from socket import SO_RCVBUF, SOL_SOCKET
from typing import NamedTuple, TypeAlias, get_args

from aiohttp import web

from ratscrew.errors import LimitExceeded, LogError, Overloaded, WireError
from ratscrew.game.bounds import InputCodec
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import BUSY_S, Limits, MessageRateLimiter
from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol import wire
from ratscrew.protocol.channel import MESSAGE_MOST, NORMAL, TRY_AGAIN_LATER, Endpoint
from ratscrew.protocol.metrics_sink import MetricsSink, NullMetrics
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.player_connection import TO, PlayerConnection
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.slap_socket import SlapSocket
from ratscrew.protocol.spectators import Spectators, WatcherConnection
from ratscrew.table.record import requests
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.room.room import Room
from ratscrew.turns import Turns
from ratscrew.web.access.admission import Admission
from ratscrew.web.http.cookies import Cookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import log_error_code
from ratscrew.web.socket.event_stream import EventStream
from ratscrew.web.socket.transport_channel import HandedOver, TransportChannel
from ratscrew.web.socket.websocket import WebSocket
from ratscrew.web.typescript import WIRE

HELLO_WITHIN_S = 10.0

WAITING_EVERY_S = 2.0
"""How often a client gets `waiting` until its table is ready: a page gives up a connection that is silent for 4 s."""

SLOW = tuple(kind for kind in get_args(requests.Request) if kind.FACTS.slow)
"""Requests of which one of all sockets is handled in each iteration of the event loop: hundreds of hosts may send one
at the same moment, and tables are served in between."""

READ_MOST = 16 * 1024
"""Receive buffer of a connection in bytes: more waits at the client."""

_WAITING = TO.encode(wire.Waiting())
_DECODER = InputCodec[wire.ClientMessage](wire.ClientMessage, MESSAGE_MOST)
_logger = logging.getLogger(__name__)

_Handle: TypeAlias = Callable[[wire.ClientMessage, int], None]
"""Handles a message, with its arrival in microseconds. Raises: WireError."""


class ServerContext(NamedTuple):
    """What every socket needs of its server."""

    registry: RoomRegistry
    clock: Clock
    proxy_policy: ProxyPolicy
    cookies: Cookies
    limits: Limits
    share: LoopShare
    admission: Admission
    slow: Turns
    """Spreads `SLOW` requests."""
    opening: FairLock
    """Taken to open or to join a room: it takes some milliseconds, so one is opened in each iteration of the loop."""
    sessions: set[SocketSession]
    """The clients at open channels."""
    streams: dict[str, tuple[SocketSession, EventStream]]
    """Those of them at event streams, by the stream's id."""
    bursts: PingBursts
    spectators: Spectators
    metrics: MetricsSink = NullMetrics()


def send_nodes(context: ServerContext) -> None:
    """Send all clients which servers there are, one in each iteration of the loop."""
    turns = Turns()
    for session in context.sessions:
        turns.call(session.send_nodes)


def decode(data: bytes | str) -> wire.ClientMessage:
    """The message that a client has sent.

    Raises: WireError.
    """
    try:
        return _DECODER.decode(data)
    except ValueError as error:
        raise WireError(f"not a valid message: {error}") from error


class SocketSession:
    """One client at a channel: an `Endpoint`. `counted` says that the limits have counted its connection."""

    def __init__(
        self,
        request: web.Request,
        context: ServerContext,
        address: str,
        counted: bool = False,
        channel: Callable[[Endpoint, LoopShare, str], TransportChannel] = WebSocket,
    ) -> None:
        """`channel` makes the channel, for this session."""
        self._context, self._address, self._counted = context, address, counted
        self._client: PlayerConnection | SlapSocket | WatcherConnection | None = None
        self._watched: Room | None = None
        self._request: web.Request | None = request  # until the first message: it holds aiohttp's connection in memory
        self.channel = channel(self, context.share, address)
        self._limiter = MessageRateLimiter(context.clock, context.limits.bucket("address_messages", address))
        self._warned_us = 0
        self._rtt_probe: RttProbe | None = None
        self._entering: asyncio.Task[None] | None = None
        self._bound: tuple[str, frozenset[int]] | None = None
        self._handle: _Handle = self._receive_hello
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            HELLO_WITHIN_S, self._end, wire.Bye("garbage")
        )
        context.sessions.add(self)

    def open(self, request: web.Request, response: HandedOver) -> None:
        """Send the response, and take the connection over.

        Raises: ConnectionError if the client has gone meanwhile.
        """
        if transport := request.transport:
            with suppress(OSError, ValueError):  # it is closed already; uvloop raises the latter
                transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, READ_MOST)
        self.channel.accept(request, response)

    def refuse(self, error: LimitExceeded) -> None:
        """End the connection of a client that sends too much, or comes too often."""
        self._end(wire.Bye("too_much", math.ceil(error.wait_s)), TRY_AGAIN_LATER)

    def belongs_to(self, request: web.Request) -> bool:
        """Whether a request comes from the browser of this client, as far as its cookies prove the seats."""
        if self._bound is None:
            return True
        room, player_ids = self._bound
        return player_ids <= self._context.cookies.all_held(request, room)

    # What the channel calls

    def receive(self, message: bytes) -> None:
        arrived_us = self._context.clock.now_us()
        if not self._accepts(len(message), arrived_us):
            return
        try:
            decoded = decode(message)
            if isinstance(decoded, SLOW):
                self.channel.hold()
                self._context.slow.call(lambda: self._handle_slow(decoded, arrived_us))
            else:
                self._handle(decoded, arrived_us)
        except WireError:
            self._end(wire.Bye("garbage"))

    def receive_ping(self, payload: bytes) -> None:
        if self._accepts(len(payload), self._context.clock.now_us()):
            self.channel.pong(payload)

    def receive_pong(self, payload: bytes) -> None:
        arrived_us = self._context.clock.now_us()
        if self._accepts(len(payload), arrived_us) and self._rtt_probe:
            self._rtt_probe.receive(payload, arrived_us)

    def receive_invalid(self, code: int) -> None:
        self._end(wire.Bye("garbage"), code)

    def lost(self) -> None:
        self._context.sessions.discard(self)
        if isinstance(self.channel, EventStream):
            self._context.streams.pop(self.channel.id, None)
        self._end_timer()
        if self._entering:
            self._entering.cancel()
        self._handle = _ignore
        limits, watched, client = self._context.limits, self._watched, self._client
        if self._counted:
            limits.disconnect(self._address)
        if watched:
            limits.unwatch(watched, self._address)
        self._counted, self._watched, self._client = False, None, None
        if client:
            client.close()

    # Inside

    def _accepts(self, size: int, arrived_us: int) -> bool:
        """Whether the client may send a message of so many bytes; otherwise it is warned, at most once a second."""
        try:
            wait_us = self._limiter.wait_us(size, arrived_us)
        except LimitExceeded as error:
            self.refuse(error)
            return False
        if wait_us and arrived_us >= self._warned_us:
            speed = self._context.clock.speed
            self._warned_us = arrived_us + wait_us + int(speed * 1e6)
            self.channel.send(TO.encode(wire.RateLimited(math.ceil(wait_us / speed / 1e3))))
        return not wait_us

    def _handle_slow(self, message: wire.ClientMessage, arrived_us: int) -> None:
        began_s = time.perf_counter()
        try:
            self._handle(message, arrived_us)
        except WireError:
            self._end(wire.Bye("garbage"))
        finally:
            self._context.share.charge(self._address, (time.perf_counter() - began_s) * 1e6)
            asyncio.get_running_loop().call_soon(self.channel.resume)

    def _end(self, bye: wire.Bye | wire.RoomMoved, code: int = NORMAL) -> None:
        self._handle = _ignore
        self.channel.send(TO.encode(bye))
        self.channel.close(code, deaf=True)

    def _end_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # The first message

    def _receive_hello(self, hello: wire.ClientMessage, _: int) -> None:
        if not isinstance(hello, wire.Hello) or self._request is None:
            raise WireError("the first message is `hello`")
        self._set_waiting_timer()
        self.channel.hold()
        request, self._request = self._request, None
        if hello.proofs:
            self._context.cookies.accept_proofs(request, hello.proofs)
        self._entering = asyncio.create_task(self._context.share.metered(self._address, self._enter(hello, request)))

    def _set_waiting_timer(self) -> None:
        self._end_timer()
        self._timer = asyncio.get_running_loop().call_later(WAITING_EVERY_S, self._send_waiting)

    def _send_waiting(self) -> None:
        self.channel.send(_WAITING)
        self._set_waiting_timer()

    async def _enter(self, hello: wire.Hello, request: web.Request) -> None:
        bye: wire.Bye | wire.RoomMoved | None
        try:
            room = await self._context.admission.find(request, lambda: self.channel.transport is not None)
            if isinstance(room, Elsewhere):
                bye = self._moved(hello, request, room)
            else:
                bye = self._admit(hello, request, room) if room else wire.Bye("no_room")
        except LogError as error:
            bye = wire.Bye(log_error_code(error))
        except Overloaded as error:
            self._end(wire.Bye("busy", math.ceil(error.wait_s)), TRY_AGAIN_LATER)
            return
        except LimitExceeded as error:
            self.refuse(error)
            return
        except Exception:
            _logger.exception("a client could not be let in")
            self.channel.abort()
            return
        finally:
            self._entering = None
            self._end_timer()
        if bye:
            self._end(bye)
        else:
            self.channel.resume()

    def _admit(self, hello: wire.Hello, request: web.Request, room: Room) -> wire.Bye | wire.RoomMoved | None:
        """Let the client in, as a player or to watch; or return why it may not.

        Raises: LimitExceeded.
        """
        context = self._context
        transport = self.channel.transport
        if transport is None:
            return None
        if not self._use_ticket(hello, request, room.table.room):
            return wire.RoomMoved()
        player_ids = context.cookies.held(request, room, hello.player_ids)
        if hello.ticket is None:  # a server that gets a ticket gets no cookies
            self._bound = room.table.room, frozenset(player_ids)
        seats = room.table.state.seats_of(player_ids)
        if not seats and context.admission.is_removed(request, room):
            return wire.Bye("removed")
        context.admission.record_network(request, room, (room.table.seats[seat].player_id for seat in seats))
        peers = context.proxy_policy.peers
        leave = partial(peers.leave, room.table.room, player_ids) if peers else wire.RoomMoved
        if not seats:
            if not context.limits.watch(room, self._address):
                return wire.Bye("crowded", math.ceil(BUSY_S))
            self._watched = room
            if not hello.only and not context.admission.is_beside_player(request, room):
                watcher = self._client = context.spectators.watch(room, self.channel, leave)
                self._handle = watcher.receive
                self.send_nodes()
                return None
        self._rtt_probe = self.channel.rtt_probe(
            context.proxy_policy.connection(request, transport),
            context.proxy_policy.reported_rtt_us(request),
            context.clock,
        )
        if hello.only:
            slaps = self._client = SlapSocket(room, player_ids, self._rtt_probe)
            self._handle = slaps.receive
            return None
        connection = self._client = PlayerConnection(
            self.channel,
            context.clock,
            room,
            seats,
            self._rtt_probe,
            context.metrics,
            context.limits,
            self._address,
            context.bursts,
            WIRE,
            hello.page,
            leave,
        )
        self._handle = connection.receive
        # Only a `welcome` tells a page of another version to reload.
        room.enter(connection, hello.game if hello.wire == WIRE else None, hello.version)
        connection.start()
        self.send_nodes()
        return None

    def send_nodes(self) -> None:
        """Send a client that is in its room which servers there are, if this one is a node of a cluster."""
        if (peers := self._context.proxy_policy.peers) and isinstance(
            self._client, PlayerConnection | WatcherConnection
        ):
            self.channel.send(TO.encode(wire.Nodes(peers.urls)))

    def _moved(self, hello: wire.Hello, request: web.Request, elsewhere: Elsewhere) -> wire.RoomMoved:
        """Where the client finds its room, with a ticket if it holds a seat there."""
        context, room = self._context, elsewhere.room
        if (peers := context.proxy_policy.peers) is None or room is None:
            return wire.RoomMoved(elsewhere.url)
        self._use_ticket(hello, request, room)
        held = context.cookies.all_held(request, room).intersection(hello.player_ids)
        return wire.RoomMoved(elsewhere.url, peers.tokens.ticket(elsewhere.url, room, held) if held else None)

    def _use_ticket(self, hello: wire.Hello, request: web.Request, room: str) -> bool:
        """Let the client hold the seats of its ticket, if it has one; False if that is not valid: it needs another."""
        if hello.ticket is None or (peers := self._context.proxy_policy.peers) is None:
            return True
        held = peers.tokens.use_ticket(room, hello.ticket)
        self._context.cookies.accept(request, room, held)
        return bool(held)


def _ignore(_: wire.ClientMessage, __: int) -> None:
    """The connection is about to end."""
