"""A client's channel over a connection that aiohttp has accepted: a WebSocket, or an event stream and requests.

Messages sent in one iteration of the event loop leave together: one of them as it is, several as one JSON array, and by
one write. Does not depend on the messages.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from ratscrew.protocol.channel import NORMAL, Endpoint
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.tcp_info import TcpConnection
from ratscrew.table.record.clock import Clock
from ratscrew.web.edge.connections import ConnectionGate, GuardedHandler

WAITING_MOST = 256 * 1024
"""Bytes that may wait for a slow reader, in this process; a whole snapshot has some ten thousand."""

CLOSE_WITHIN_S = 1.0
"""Time for the client to answer the end of a connection, and to read what was sent before it."""


class HandedOver(web.StreamResponse):
    """The response of a connection that a channel takes over: the channel sends it as it is.

    `StreamResponse` would take a tenth of a handshake's time.
    """

    @abstractmethod
    def to_bytes(self) -> bytes:
        """The first line and the headers of the response."""

    def cookie_lines(self) -> bytes:
        """The headers that set the response's cookies."""
        return "".join(f"{cookie.output()}\r\n" for cookie in self.cookies.values()).encode()

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """See `StreamResponse`: it is sent already, and the connection belongs to a channel by now."""
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        """See `prepare`."""


class TransportChannel(asyncio.Protocol):
    """A connection to one client. `endpoint` gets what arrives."""

    __slots__ = ("_closing", "_deadline", "_endpoint", "_gate", "_loop", "_outgoing", "sent", "transport")

    def __init__(self, endpoint: Endpoint) -> None:
        self.transport: asyncio.Transport | None = None
        """The connection; None before the response has been sent and after the end."""
        self.sent = 0
        """How many messages and pongs were sent."""
        self._endpoint: Endpoint | None = endpoint
        self._loop = asyncio.get_running_loop()
        self._outgoing: list[bytes] | None = None  # a list only while something waits: idle clients have none
        self._closing = False
        self._deadline: asyncio.TimerHandle | None = None
        self._gate: ConnectionGate | None = None

    def accept(self, request: web.Request, response: HandedOver) -> None:
        """Send the response, and take the connection over from aiohttp.

        Raises: ConnectionError if the client has gone meanwhile.
        """
        handler, transport = request.protocol, request.transport
        if transport is None or transport.is_closing():
            raise ConnectionResetError("the client has gone")
        transport.write(response.to_bytes())
        early = _Collector()
        handler.set_parser(early)  # type: ignore[arg-type]  # as aiohttp's own WebSocket gets what arrived early
        if isinstance(handler, GuardedHandler):
            self._gate, unparsed = handler.hand_over(self)
            early.data += unparsed
        handler.transport = None  # or the next line would close it
        handler.connection_lost(None)
        transport.set_protocol(self)
        transport.resume_reading()  # aiohttp may have paused it
        self.connection_made(transport)
        if early.data:
            self.data_received(early.data)

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # uvloop's transports are not a subclass
        if self._closing:  # before the response was sent
            self.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_reading()
        endpoint, self._endpoint, self.transport, self._outgoing = self._endpoint, None, None, None
        if self._deadline is not None:
            self._deadline.cancel()
        if self._gate is not None:
            self._gate.leave(self)
        if endpoint is not None:
            endpoint.lost()

    # Receiving

    @abstractmethod
    def hold(self) -> None:
        """Handle nothing more before `resume`."""

    @abstractmethod
    def resume(self) -> None:
        """Go on after `hold`."""

    @abstractmethod
    def _stop_reading(self) -> None:
        """Handle nothing more that arrives."""

    # Sending

    def send(self, message: bytes) -> None:
        """Send a JSON object at the end of this iteration of the event loop. Too slow a reader is disconnected."""
        if self._closing or self.transport is None:
            return
        if self._outgoing is None:
            self._loop.call_soon(self.flush)
            self._outgoing = []
        self._outgoing.append(message)
        self.sent += 1

    def flush(self) -> None:
        """Send the messages so far now, as a frame of their own."""
        messages, self._outgoing = self._outgoing, None
        if messages:
            self._send_text(messages[0] if len(messages) == 1 else b"[" + b",".join(messages) + b"]")

    @abstractmethod
    def send_frame(self, frame: bytes) -> None:
        """Send a WebSocket's frame at once: one that was built for many connections."""

    @abstractmethod
    def pong(self, payload: bytes) -> None:
        """Answer a ping. Also without one: a lost packet is noticed when another one follows it."""

    @abstractmethod
    def rtt_probe(self, connection: TcpConnection | None, reported_us: int | None, clock: Clock) -> RttProbe:
        """What measures the round trip; see `RttProbe`."""

    def close(self, code: int = NORMAL, deaf: bool = False) -> None:
        """Close behind the last message; the client has `CLOSE_WITHIN_S` to read it. Nothing is sent after it.

        With `deaf` nothing more is read either: a client that sends too much would go on meanwhile.
        """
        if deaf:
            self._stop_reading()
        if not self._closing:
            self.flush()
            self._send_close(code)
            self._closing = True
            self._deadline = self._loop.call_later(CLOSE_WITHIN_S, self.abort)

    def abort(self) -> None:
        """End the connection at once, with all that waits."""
        self._closing, self._outgoing = True, None
        self._stop_reading()
        if self.transport is not None:
            self.transport.abort()

    @abstractmethod
    def _send_text(self, text: bytes) -> None:
        """Send JSON at once."""

    @abstractmethod
    def _send_close(self, code: int) -> None:
        """Tell the client that the connection ends behind this."""

    def _write(self, data: bytes) -> None:
        transport = self.transport
        if self._closing or transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() + len(data) > WAITING_MOST:
            self.abort()
        else:
            transport.write(data)


class _Collector:
    """Takes bytes from aiohttp in the place of a parser."""

    def __init__(self) -> None:
        self.data = b""

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """Bytes have arrived behind the request."""
        self.data += data
        return False, b""

    def feed_eof(self) -> None:
        """Nothing more comes."""
