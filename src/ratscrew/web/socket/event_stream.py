"""A client's channel where WebSockets do not get through: server-sent events, and requests for what the client says.

The response that a client opens stays open, and has the messages of the server as events (WHATWG HTML, 9.2). Each of
the client's requests has some of its messages, one a line, and a number: they are handled in the order of the numbers,
each once. So a request may be repeated when its answer was lost. Nothing is sent again if the stream is lost: the
client comes back with the version that it has, as with a WebSocket. Does not depend on the messages.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from aiohttp import web

from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol.channel import NORMAL, Endpoint
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.tcp_info import TcpConnection
from ratscrew.table.record.clock import Clock
from ratscrew.web.http.static_files import DATA_HEADERS
from ratscrew.web.socket.stream_rtt import StreamRttProbe
from ratscrew.web.socket.transport_channel import HandedOver, TransportChannel
from ratscrew.web.socket.websocket import TOO_LONG, frame_body

AHEAD_MOST = 8
"""How many requests may arrive before an earlier one: a page sends three at the same time."""

HELD_MOST = 16 * 1024
"""Bytes that may wait while a message is being handled, or for an earlier request. A page sends less in ten seconds."""

_HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx and others pass each event on at once
    "Connection": "close",
} | DATA_HEADERS
_COMMENT = b":\n\n"


class StreamHead(HandedOver):
    """The head of an event stream, which ends with its connection: HTTP/1.0 knows that too."""

    def __init__(self, origin: str | None = None) -> None:
        """`origin` is that of a page of another server of the cluster."""
        super().__init__(status=200)
        self._headers_sent = _HEADERS | cross_origin(origin)

    def to_bytes(self) -> bytes:
        lines = "".join(f"{name}: {value}\r\n" for name, value in self._headers_sent.items())
        return b"HTTP/1.1 200 OK\r\n%b%b\r\n" % (lines.encode(), self.cookie_lines())


def cross_origin(origin: str | None) -> dict[str, str]:
    """The headers that let a page with this origin read a response; the caller has checked the origin."""
    return {} if origin is None else {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}


class CameBy(NamedTuple):
    """The connection of a request, None if no kernel that can be asked has it; and what a proxy reported of it."""

    connection: TcpConnection | None
    reported_us: int | None


class EventStream(TransportChannel):
    """One event stream, by its secret `id`. The loop's time that waiting messages take is charged to `address`."""

    __slots__ = ("_address", "_deaf", "_early", "_held", "_next", "_probe", "_share", "_todo", "_waiting", "id")

    def __init__(self, endpoint: Endpoint, share: LoopShare, address: str) -> None:
        super().__init__(endpoint)
        self.id = secrets.token_urlsafe(24)
        """By this the client's requests name the stream: nobody can guess it."""
        self._share, self._address = share, address
        self._held = self._deaf = False
        self._next, self._waiting = 1, 0
        self._early: dict[int, list[Callable[[], None]]] = {}
        self._todo = deque[Callable[[], None]]()
        self._probe: StreamRttProbe | None = None

    def accept(self, request: web.Request, response: HandedOver) -> None:
        """See `Channel`. The client gets the id first."""
        super().accept(request, response)
        self._write(b"id: %b\n\n" % self.id.encode())

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`: nothing more comes by this connection."""
        self.abort()

    # Receiving

    def receive(self, number: int, messages: Sequence[bytes], came_by: CameBy) -> None:
        """Handle the messages of a request, now or when those of all earlier ones have been handled. Numbers begin with
        1; a repeated one has no effect.

        A message counts as arrived when it can be handled: a client cannot send a slap first, and decide later whether
        it was one.
        """
        endpoint = self._endpoint
        if self._deaf or self._closing or endpoint is None or number < self._next or number in self._early:
            return
        self._waiting += sum(map(len, messages))
        if number >= self._next + AHEAD_MOST or self._waiting > HELD_MOST:
            endpoint.receive_invalid(TOO_LONG)
            return
        self._early[number] = [partial(self._note_way, came_by), *(partial(self._handle, each) for each in messages)]
        while jobs := self._early.pop(self._next, None):
            self._next += 1
            self._todo.extend(jobs)
        if not self._held:
            self._go_on()

    def _note_way(self, came_by: CameBy) -> None:
        if self._probe is not None:
            self._probe.note_request(*came_by)

    def _handle(self, message: bytes) -> None:
        self._waiting -= len(message)
        if self._endpoint is not None:
            self._endpoint.receive(message)

    def hold(self) -> None:
        self._held = True

    def resume(self) -> None:
        if not self._deaf:
            began_s = time.perf_counter()
            self._go_on()
            self._share.charge(self._address, (time.perf_counter() - began_s) * 1e6)

    def _go_on(self) -> None:
        self._held = False
        while self._todo and not self._held:
            self._todo.popleft()()

    def _stop_reading(self) -> None:
        self._deaf = self._held = True
        self._todo.clear()
        self._early.clear()

    # Sending

    def pong(self, payload: bytes) -> None:
        """See `Channel`: a comment, which no client has to read."""
        self._write(_COMMENT)

    def rtt_probe(self, connection: TcpConnection | None, reported_us: int | None, clock: Clock) -> RttProbe:
        self._probe = StreamRttProbe(connection, reported_us, clock)
        return self._probe

    def send_frame(self, frame: bytes) -> None:
        self._send_text(frame_body(frame))

    def close(self, code: int = NORMAL, deaf: bool = False) -> None:
        """See `Channel`. The client reads why in the last message, if there is a reason."""
        super().close(code, deaf)
        if self.transport is not None:
            self.transport.close()

    def _send_text(self, text: bytes) -> None:
        self._write(b"data: %b\n\n" % text)

    def _send_close(self, code: int) -> None:
        pass
