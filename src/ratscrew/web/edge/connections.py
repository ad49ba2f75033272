"""Limits of connections, below HTTP: how many there may be, a deadline for each step, and paced reading.

All of it applies before a byte is parsed. A connection over a limit gets a fixed response and is closed, which costs a
few microseconds. Established WebSockets are exempt: the limits end when a request is being handled.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any, cast

from aiohttp import web

from ratscrew.errors import LimitExceeded
from ratscrew.limits.limits import Limits
from ratscrew.limits.loop_share import HTTP_SLICE, KILOBYTE_US, REQUEST_US, LoopShare, QueuedWork
from ratscrew.turns import Turns
from ratscrew.web.edge.fixed_responses import refusal
from ratscrew.web.edge.piecewise_bodies import PIECE, send_piecewise
from ratscrew.web.edge.socket_passing import BYTES_MOST, Reason, duplicate
from ratscrew.web.http.addresses import client_key

CONNECTIONS_MOST = 10_000
"""Open connections of all clients together, if the system allows as many open files."""

OF_ADDRESS_MOST = 600
"""Open connections of one address: each of a class of thirty has six for pages and two WebSockets."""

HEAD_WITHIN_S = 10.0
"""Time from the first byte of a request (or from connecting) to the end of its headers."""

ANSWER_WITHIN_S = 60.0
"""Time for a client to read a response."""

HEAD_MOST = 32 * 1024
"""Bytes of a request's first line and headers together."""

READS, READS_EVERY_S = 8, 0.004
"""How many reads from clients between two requests happen in each period: 2,000 a second. Between them the loop serves
the tables."""

READS_WAITING_MOST = 8000
"""Reads that may wait: the last one waits 4 s. More clients get 503. The pages of 1,000 rooms wait after a restart: a
refusal takes a quarter of a handshake's time, and a page that is refused comes again twice a second."""

WAITING_BYTES_MOST = 16 * 1024
"""Bytes of a read that may wait, some four times as many as a page's request has: all together take 128 MB at most. A
longer one gets 503 if it would have to wait."""

CHUNKED = b"\ntransfer-encoding:"
"""A header that is refused anywhere in a request. The parser takes 0.8 µs for each chunk, so one address with 200
requests a second in chunks of one byte used a whole core. Browsers and proxies send a length."""

TCP_CLOSE, TCP_CLOSE_WAIT = 7, 8
"""States of a TCP connection that its client has ended (Linux, `tcpi_state`)."""

_logger = logging.getLogger(__name__)


TOO_MANY = refusal("429 Too Many Requests", "Too many requests or connections from this address: try again later.")
BUSY = refusal("503 Service Unavailable", "The server is busy: try again in a moment.")
IN_CHUNKS = refusal("411 Length Required", "Send the body of a request with Content-Length, and not in chunks.")
TOO_LONG = refusal("431 Request Header Fields Too Large", f"Delete this host's cookies: over {HEAD_MOST} bytes.")


class ConnectionGate:
    """Admits connections. Behind a proxy all are the proxy's, so only the total is limited."""

    def __init__(self, limits: Limits, share: LoopShare, proxied: bool = False, most: int = CONNECTIONS_MOST) -> None:
        self.limits, self.share, self.proxied, self.most = limits, share, proxied, most
        self.reads = Turns(READS, READS_EVERY_S)
        """Spreads reads from clients over time: a burst waits, unparsed, while WebSockets are served. Addresses take
        turns, so one with many connections delays only itself; behind a proxy all have one address."""
        self.open: dict[object, str] = {}
        """The open connections, HTTP's and WebSockets, with their addresses."""
        self.idle: dict[GuardedHandler, None] = {}
        """Connections between two requests, or before their first one; the longest idle comes first."""
        self._of_address: Counter[str] = Counter()
        self.passes_on = False
        """Whether connections may be passed on to other processes."""

    def enter(self, handler: GuardedHandler) -> bytes | None:
        """Admit a connection, or return the response to refuse it. If all are taken, the longest idle one is closed."""
        if not self.proxied:
            if self._of_address[handler.address] >= OF_ADDRESS_MOST:
                _logger.warning("an address has too many connections", extra={"address": handler.address})
                return TOO_MANY
            try:
                self.limits.take("connections", handler.address)
            except LimitExceeded:
                return TOO_MANY
        if len(self.open) >= self.most:
            _logger.warning("all connections are taken", extra={"connections": len(self.open)})
            if self.idle:
                next(iter(self.idle)).drop()
            elif not self._displace(handler.address):
                return BUSY
        self.open[handler] = handler.address
        self._of_address[handler.address] += 1
        return None

    def _displace(self, address: str) -> bool:
        """Close the newest connection of the address with most, to make space for one of another; whether there is."""
        most, count = self._of_address.most_common(1)[0]
        if self.proxied or count < self._of_address[address] + 10:
            return False
        connection: Any = next(each for each, of in reversed(self.open.items()) if of == most)
        self.leave(connection)
        connection.abort()
        return True

    def replace(self, handler: GuardedHandler, successor: object) -> None:
        """Count `successor` for a connection that it takes over from `handler`."""
        if (address := self.open.pop(handler, None)) is not None:
            self.idle.pop(handler, None)
            self.open[successor] = address

    def leave(self, connection: object) -> None:
        """Remove a connection that has ended or must end. A second call does nothing."""
        if (address := self.open.pop(connection, None)) is not None:
            if isinstance(connection, GuardedHandler):
                self.idle.pop(connection, None)
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]


class GuardedHandler(web.RequestHandler):
    """One HTTP connection: aiohttp's handler with a gate, a deadline for each step, and paced reading."""

    __slots__ = (
        "_busy",
        "_deadline",
        "_gate",
        "_head",
        "_held",
        "_next_slice",
        "_queued",
        "_received",
        "_refused",
        "_tail",
        "_unparsed",
        "account",
        "address",
        "passed",
    )

    def __init__(self, gate: ConnectionGate, server: web.Server, loop: asyncio.AbstractEventLoop, **options: Any):
        super().__init__(server, loop=loop, **options)
        self.address = ""
        """The address of the peer, which may be a proxy."""
        self.account: str | None = None
        """The client's address, to which the loop's time is charged; None while it is unknown."""
        self._gate = gate
        self._busy = self._refused = self._held = False
        self._head = 0
        self._tail = self._unparsed = b""
        self._received: bytes | None = b"" if gate.passes_on else None
        """What has arrived since the last response; None if nobody needs it, or it is too much."""
        self.passed: Reason | None = None
        """Why another process has passed the present request on; None for any other request."""
        self._next_slice: asyncio.Handle | None = None
        self._queued: QueuedWork | None = None
        """The parsing that waits until the address has time left."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`: check the limits before aiohttp gets the connection."""
        peer = transport.get_extra_info("peername")
        self.address = (client_key(peer[0]) if isinstance(peer, tuple) else None) or ""
        if answer := self._gate.enter(self):
            self._refused = True
            refused = cast(asyncio.Transport, transport)  # uvloop's transports are not a subclass
            refused.write(answer)
            refused.close()
            return
        self.account = None if self._gate.proxied else self.address
        cast(asyncio.Transport, transport).set_write_buffer_limits(PIECE)
        super().connection_made(transport)
        self._gate.idle[self] = None
        self._set_deadline(HEAD_WITHIN_S)
        if self.passed is not None:
            data, self._received = self._received, b""
            self.data_received(data or b"")

    def take_over(self, reason: Reason, data: bytes) -> None:
        self.passed, self._received = reason, data

    def suspend(self, method: str) -> tuple[int, bytes] | None:
        """Stop reading for another process: a file descriptor of the connection, to be closed by the caller, and what
        has arrived of the present request and after it. `release` resumes.

        None if the connection cannot be passed on, as when a response is not sent yet or the request is too long.
        """
        received, transport = self._received, self.transport
        if transport is None or transport.get_write_buffer_size() or not received:
            return None
        if not received.startswith(f"{method} ".encode()):
            return None
        self.hold()
        with suppress(OSError, ValueError):
            return duplicate(transport.get_extra_info("socket")), received
        return None

    def connection_lost(self, exc: BaseException | None) -> None:
        self._gate.leave(self)
        self._set_deadline(None)
        self._unparsed = b""
        self._stop_waiting()
        if not self._refused:
            super().connection_lost(exc)

    def eof_received(self) -> None:
        if not self._refused:
            super().eof_received()

    def hand_over(self, successor: object) -> tuple[ConnectionGate, bytes]:
        """Give the connection up to a `successor`, which has to leave the gate at its end.

        Returns: the gate, and what has arrived and is not parsed yet.
        """
        unparsed, self._unparsed = self._unparsed, b""
        self._gate.replace(self, successor)
        return self._gate, unparsed

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`: data between two requests is limited and paced before it is parsed."""
        if self._refused:
            return
        if not data:  # a call of aiohttp itself, which continues with buffered data
            super().data_received(data)
            return
        if self._received is not None:  # a worker that passes the connection on sends along what has come
            self._received += data
            if len(self._received) > BYTES_MOST:
                self._received = None
        if self._payload_parser is None and not self._upgraded and self._has_chunks(data):
            self.refuse(IN_CHUNKS if self._pay() else TOO_MANY)
            return
        if self._busy:  # a request is handled: this is its body, or the next one, and neither is a head to limit
            self.parse(data)
            return
        if self._deadline is None:
            self._set_deadline(HEAD_WITHIN_S)
        self._gate.idle.pop(self, None)
        end = data.find(b"\r\n\r\n")
        self._head += len(data) if end < 0 else end
        if self._head > HEAD_MOST:
            self.refuse(TOO_LONG)
        elif not self._gate.proxied and self._gate.limits.used_up("requests", self.address):
            self.refuse(TOO_MANY)
        elif self._gate.reads.take():  # only so many heads are parsed in one iteration of the loop, or slaps would wait
            self.parse(data)
        elif self._gate.reads.waiting >= READS_WAITING_MOST or len(data) > WAITING_BYTES_MOST:
            self.refuse(BUSY)
        else:
            self.hold()
            self._gate.reads.call(partial(self._parse_later, data), self.address)

    def _parse_later(self, data: bytes) -> None:
        if self.has_left:  # it would be answered in vain, and has perhaps come again: the others come sooner
            self.drop()
        else:
            self.parse(data)

    def _has_chunks(self, data: bytes) -> bool:
        """Whether a request has a chunked body. The header may arrive in several pieces.

        A body with this header on a line of its own is refused too: JSON has no such line.
        """
        received = (self._tail + data).lower()
        self._tail = received[1 - len(CHUNKED) :]
        return CHUNKED in received

    def _pay(self) -> bool:
        """Charge for a request that is refused before it is parsed; False if the address is over its limit."""
        if not self._gate.proxied:
            try:
                self._gate.limits.take("requests", self.address)
            except LimitExceeded:
                return False
        return True

    def parse(self, data: bytes) -> None:
        """Give received data to the parser: one slice per iteration of the loop, while the address has time left.

        Reading pauses until everything is parsed.
        """
        self._unparsed += data
        if self._next_slice is None and self._queued is None:
            self._go_on()

    def _go_on(self) -> None:
        self._next_slice = None
        if self.account is None:
            self._parse_slice()
        elif queued := self._gate.share.run(self.account, self._parse_slice):
            self._queued = queued
            self.hold()

    def _parse_slice(self) -> None:
        self._queued = None
        if self._unparsed and self.transport is not None:
            data, self._unparsed = self._unparsed[:HTTP_SLICE], self._unparsed[HTTP_SLICE:]
            began_s = time.perf_counter()
            super().data_received(data)
            if self.account is not None:
                self._gate.share.charge(self.account, (time.perf_counter() - began_s) * 1e6)
        if self.transport is None:
            self._unparsed = b""
        elif self._unparsed:
            self.hold()
            self._next_slice = self._loop.call_soon(self._go_on)
        else:
            self.release()

    def _stop_waiting(self) -> None:
        if self._queued is not None:
            self._queued.cancel()
            self._queued = None
        if self._next_slice is not None:
            self._next_slice.cancel()
            self._next_slice = None

    @property
    def has_left(self) -> bool:
        """Whether the client has closed the connection, which is not noticed while reading is paused. Only on Linux."""
        if self.transport is None or self.transport.is_closing():
            return True
        with suppress(AttributeError, OSError, ValueError):  # no Linux; it is closed: uvloop raises the last one
            end = self.transport.get_extra_info("socket")
            return end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] in (TCP_CLOSE, TCP_CLOSE_WAIT)
        return False

    def hold(self) -> None:
        """Pause reading from this connection."""
        self._held = True
        self._pause_transport_reading()

    def release(self) -> None:
        """Resume reading, unless aiohttp has paused it."""
        if self._held and not self._reading_paused and not self._buffer_paused:
            self._held = False
            self._resume_transport_reading()

    def _resume_transport_reading(self) -> None:
        """See `BaseProtocol`: not while data waits to be parsed."""
        if not self._unparsed:
            super()._resume_transport_reading()

    def start_request(self) -> None:
        """A request with complete headers is being handled: it has no deadline from now on."""
        self._busy, self._head = True, 0
        if self.account is not None:
            self._gate.share.charge(self.account, REQUEST_US)
        self._gate.idle.pop(self, None)
        self._set_deadline(None)

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """See `RequestHandler`: a client that does not read its response is disconnected.

        Before the next pipelined request the loop serves other clients, and the address needs time left.
        """
        self._set_deadline(ANSWER_WITHIN_S)
        send_piecewise(resp)
        try:
            found = await super().finish_response(request, resp, start_time)
            if self.account is not None:
                self._gate.share.charge(self.account, (resp.content_length or 0) / 1000 * KILOBYTE_US)
                if self._messages:
                    await asyncio.sleep(0)
                    await self._gate.share.wait_turn(self.account)
            return found
        finally:
            self._busy, self._head = False, 0
            self.passed = None
            if self._received:  # no body is in chunks
                end = self._received.find(b"\r\n\r\n") + 4 + (request.content_length or 0)
                self._received = self._received[end:] if end <= len(self._received) else None
            self._set_deadline(None)
            if self.transport is not None and self in self._gate.open:
                self._gate.idle[self] = None

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """See `RequestHandler`: malformed HTTP gets a short response; only errors of the server are logged."""
        if status == 500 and not isinstance(exc, ConnectionError):
            return super().handle_error(request, status, exc, message)
        for error in (exc, exc and exc.__cause__, exc and exc.__context__):
            if error:
                error.__traceback__ = None  # its frames refer to the connection: a reference cycle
        response = web.Response(status=status, text="The server does not understand this request.")
        response.force_close()
        return response

    def refuse(self, answer: bytes) -> None:
        """Send a last response and close."""
        if self.transport is not None:
            self.transport.write(answer)
        self.drop()

    def drop(self) -> None:
        """Close the connection after what is already written."""
        self._gate.leave(self)
        self.force_close()

    def abort(self) -> None:
        """Close the connection at once."""
        if self.transport is not None:
            self.transport.abort()
        self.drop()

    def _set_deadline(self, seconds: float | None) -> None:
        """Set the deadline of the next step, in seconds from now; None for no deadline."""
        if self._deadline:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self._loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._deadline = None
        self.abort()


def was_passed_for_room(request: web.BaseRequest) -> bool:
    """Whether another worker has passed this request on because the room is here."""
    handler = request.protocol
    return isinstance(handler, GuardedHandler) and handler.passed is Reason.ROOM
