"""Clients of a server: which client a request is, and how it is let into its room."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from socket import SO_RCVBUF, SOL_SOCKET
from typing import NamedTuple

from aiohttp import web

from ratscrew.errors import LimitExceeded, LogError, Overloaded
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import BUSY_S, Limits
from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol import wire
from ratscrew.protocol.channel import TRY_AGAIN_LATER, Endpoint
from ratscrew.protocol.metrics_sink import MetricsSink, NullMetrics
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.player_connection import TO, PlayerConnection
from ratscrew.protocol.session import ClientSession
from ratscrew.protocol.slap_socket import SlapSocket
from ratscrew.protocol.spectators import Spectators, WatcherConnection
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

READ_MOST = 16 * 1024
"""Receive buffer of a connection in bytes: more waits at the client."""

_logger = logging.getLogger(__name__)


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


class SocketSession(ClientSession):
    """One client of a server: its request says which seats it holds. `counted`: the limits count its connection."""

    def __init__(
        self,
        request: web.Request,
        context: ServerContext,
        address: str,
        counted: bool = False,
        channel: Callable[[Endpoint, LoopShare, str], TransportChannel] = WebSocket,
    ) -> None:
        """`channel` makes the channel, for this session."""
        super().__init__(context.clock, context.limits, context.share, context.slow, address)
        self._context, self._counted = context, counted
        self._watched: Room | None = None
        self._request: web.Request | None = request  # until the first message: it holds aiohttp's connection in memory
        self._bound: tuple[str, frozenset[int]] | None = None
        self.channel: TransportChannel = channel(self, context.share, address)
        context.sessions.add(self)

    def open(self, request: web.Request, response: HandedOver) -> None:
        """Send the response, and take the connection over.

        Raises: ConnectionError if the client has gone meanwhile.
        """
        if transport := request.transport:
            with suppress(OSError, ValueError):  # it is closed already; uvloop raises the latter
                transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, READ_MOST)
        self.channel.accept(request, response)

    def belongs_to(self, request: web.Request) -> bool:
        """Whether a request comes from the browser of this client, as far as its cookies prove the seats."""
        if self._bound is None:
            return True
        room, player_ids = self._bound
        return player_ids <= self._context.cookies.all_held(request, room)

    def lost(self) -> None:
        self._context.sessions.discard(self)
        if isinstance(self.channel, EventStream):
            self._context.streams.pop(self.channel.id, None)
        limits, watched = self._context.limits, self._watched
        if self._counted:
            limits.disconnect(self._address)
        if watched:
            limits.unwatch(watched, self._address)
        self._counted, self._watched = False, None
        super().lost()

    async def _enter(self, hello: wire.Hello) -> None:
        request, self._request = self._request, None
        assert request is not None
        bye: wire.Bye | wire.RoomMoved | None
        try:
            if hello.proofs:
                self._context.cookies.accept_proofs(request, hello.proofs)
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
