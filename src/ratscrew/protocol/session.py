"""A client's session: its first message, its limits and what handles its messages, over any transport.

There is no task for a connection: each message is handled in the callback in which it arrives. Only the first message,
for which a room may have to be read from the log, is handled by a task of its own.
"""

from __future__ import annotations

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias, get_args

from ratscrew.errors import LimitExceeded, WireError
from ratscrew.game.bounds import InputCodec
from ratscrew.limits.limits import Limits, MessageRateLimiter
from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol import wire
from ratscrew.protocol.channel import MESSAGE_MOST, NORMAL, TRY_AGAIN_LATER, Channel
from ratscrew.protocol.player_connection import TO, PlayerConnection
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.slap_socket import SlapSocket
from ratscrew.protocol.spectators import WatcherConnection
from ratscrew.table.record import requests
from ratscrew.table.record.clock import Clock
from ratscrew.turns import Turns

HELLO_WITHIN_S = 10.0

WAITING_EVERY_S = 2.0
"""How often a client gets `waiting` until its table is ready: a page gives up a connection that is silent for 4 s."""

SLOW = tuple(kind for kind in get_args(requests.Request) if kind.FACTS.slow)
"""Requests of which one of all sockets is handled in each iteration of the event loop: hundreds of hosts may send one
at the same moment, and tables are served in between."""

_WAITING = TO.encode(wire.Waiting())
_DECODER = InputCodec[wire.ClientMessage](wire.ClientMessage, MESSAGE_MOST)

_Handle: TypeAlias = Callable[[wire.ClientMessage, int], None]
"""Handles a message, with its arrival in microseconds. Raises: WireError."""


def decode(data: bytes | str) -> wire.ClientMessage:
    """The message that a client has sent.

    Raises: WireError.
    """
    try:
        return _DECODER.decode(data)
    except ValueError as error:
        raise WireError(f"not a valid message: {error}") from error


class ClientSession(ABC):
    """One client at a channel: an `Endpoint`. A subclass knows how a client is let into its room."""

    channel: Channel
    """The client's channel, which a subclass makes."""

    def __init__(self, clock: Clock, limits: Limits, share: LoopShare, slow: Turns, address: str) -> None:
        """`slow` spreads `SLOW` requests; `share` measures what the client's address costs."""
        self._clock, self._share, self._slow, self._address = clock, share, slow, address
        self._client: PlayerConnection | SlapSocket | WatcherConnection | None = None
        self._limiter = MessageRateLimiter(clock, limits.bucket("address_messages", address))
        self._warned_us = 0
        self._rtt_probe: RttProbe | None = None
        self._entering: asyncio.Task[None] | None = None
        self._handle: _Handle = self._receive_hello
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            HELLO_WITHIN_S, self._end, wire.Bye("garbage")
        )

    @abstractmethod
    async def _enter(self, hello: wire.Hello) -> None:
        """Let the client in after its first message, or send why not: set `_client` and `_handle`, and resume."""

    def refuse(self, error: LimitExceeded) -> None:
        """End the connection of a client that sends too much, or comes too often."""
        self._end(wire.Bye("too_much", math.ceil(error.wait_s)), TRY_AGAIN_LATER)

    # What the channel calls

    def receive(self, message: bytes) -> None:
        arrived_us = self._clock.now_us()
        if not self._accepts(len(message), arrived_us):
            return
        try:
            decoded = decode(message)
            if isinstance(decoded, SLOW):
                self.channel.hold()
                self._slow.call(lambda: self._handle_slow(decoded, arrived_us))
            else:
                self._handle(decoded, arrived_us)
        except WireError:
            self._end(wire.Bye("garbage"))

    def receive_ping(self, payload: bytes) -> None:
        if self._accepts(len(payload), self._clock.now_us()):
            self.channel.pong(payload)

    def receive_pong(self, payload: bytes) -> None:
        arrived_us = self._clock.now_us()
        if self._accepts(len(payload), arrived_us) and self._rtt_probe:
            self._rtt_probe.receive(payload, arrived_us)

    def receive_invalid(self, code: int) -> None:
        self._end(wire.Bye("garbage"), code)

    def lost(self) -> None:
        self._end_timer()
        if self._entering:
            self._entering.cancel()
        self._handle = _ignore
        client, self._client = self._client, None
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
            speed = self._clock.speed
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
            self._share.charge(self._address, (time.perf_counter() - began_s) * 1e6)
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
        if not isinstance(hello, wire.Hello) or self._entering:
            raise WireError("the first message is `hello`")
        self._set_waiting_timer()
        self.channel.hold()
        self._entering = asyncio.create_task(self._share.metered(self._address, self._enter(hello)))

    def _set_waiting_timer(self) -> None:
        self._end_timer()
        self._timer = asyncio.get_running_loop().call_later(WAITING_EVERY_S, self._send_waiting)

    def _send_waiting(self) -> None:
        self.channel.send(_WAITING)
        self._set_waiting_timer()


def _ignore(_: wire.ClientMessage, __: int) -> None:
    """The connection is about to end."""
