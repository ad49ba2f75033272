"""The server's end of a WebSocket (RFC 6455): its frames and its end. Does not depend on the messages.

Frames are handled in the callback in which their bytes arrive: no task is woken, and the time of arrival is as exact as
this process can know it. Messages sent in one iteration of the event loop leave together: one of them as it is, several
as one JSON array, in one frame and by one write. There are no extensions: compressing them takes a third more time.
"""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from aiohttp import web

from ratscrew.errors import WireError
from ratscrew.web.connections import ConnectionGate, GuardedHandler
from ratscrew.web.handshake import Upgrade
from ratscrew.web.loop_share import ANSWER_US, MESSAGE_US, LoopShare, QueuedWork

MESSAGE_MOST = 4096
"""Bytes of the longest message from a client."""

HELD_MOST = 4096
"""Bytes that are read from a client whose last message is still being handled; more wait in the system's buffers."""

PARTS_MOST = 64
"""Frames of one message: a proxy may have cut it."""

FRAMES_AT_ONCE = 8
"""Frames of one connection that are handled before other clients are served."""

WAITING_MOST = 256 * 1024
"""Bytes that may wait for a slow reader, in this process; a whole snapshot has some ten thousand."""

CLOSE_WITHIN_S = 1.0
"""Time for the client to answer a closing frame, and to read what was sent before it."""

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NORMAL, GOING_AWAY, PROTOCOL_ERROR, NOT_TEXT, NOT_UTF_8, TOO_LONG, TRY_AGAIN_LATER = (
    1000,
    1001,
    1002,
    1003,
    1007,
    1009,
    1013,
)


class FrameError(WireError):
    """A client has sent bytes that are no frame, or none that this server accepts. `code` is the closing code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"not a valid frame ({code})")
        self.code = code


class Endpoint(Protocol):
    """Handles what a WebSocket receives."""

    def receive(self, message: bytes) -> None:
        """A text message has arrived, whole and in UTF-8."""

    def receive_ping(self, payload: bytes) -> None:
        """A ping has arrived."""

    def receive_pong(self, payload: bytes) -> None:
        """A pong has arrived."""

    def receive_invalid(self, code: int) -> None:
        """Something else has arrived. Nothing after it is read, and the connection closes with this code."""

    def lost(self) -> None:
        """The connection has ended. The last call."""


class WebSocket(asyncio.Protocol):
    """One WebSocket. `endpoint` gets what arrives; the loop's time that this takes is charged to `address`."""

    __slots__ = (
        "_address",
        "_closing",
        "_deadline",
        "_deaf",
        "_endpoint",
        "_gate",
        "_held",
        "_loop",
        "_outgoing",
        "_parts",
        "_queued",
        "_reading_paused",
        "_share",
        "_unparsed",
        "sent",
        "transport",
    )

    def __init__(self, endpoint: Endpoint, share: LoopShare, address: str) -> None:
        self.transport: asyncio.Transport | None = None
        """The connection; None before the handshake is complete and after the end."""
        self.sent = 0
        """How many messages and pongs were sent."""
        self._endpoint: Endpoint | None = endpoint
        self._share, self._address, self._loop = share, address, asyncio.get_running_loop()
        self._unparsed = b""
        self._parts: list[bytes] = []
        self._outgoing: list[bytes] | None = None  # a list only while something waits: idle clients have none
        self._held = self._reading_paused = self._closing = self._deaf = False
        self._queued: QueuedWork | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._gate: ConnectionGate | None = None

    def accept(self, request: web.Request, response: Upgrade) -> None:
        """Complete the handshake, and take the connection over from aiohttp.

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
        """See `asyncio.Protocol`."""
        self.transport = transport  # type: ignore[assignment]  # uvloop's transports are not a subclass
        if self._closing:  # during the handshake
            self.abort()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._unparsed = self._unparsed + data if self._unparsed else data
        if not self._held:
            self._go_on()
        if self._held and len(self._unparsed) > HELD_MOST:
            self._pause_reading()

    def connection_lost(self, exc: BaseException | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_reading()
        endpoint, self._endpoint, self.transport, self._outgoing = self._endpoint, None, None, None
        if self._deadline is not None:
            self._deadline.cancel()
        if self._gate is not None:
            self._gate.leave(self)
        if endpoint is not None:
            endpoint.lost()

    # Receiving

    def hold(self) -> None:
        """Handle nothing more before `resume`. Only a little is read meanwhile, so that the end is noticed."""
        self._held = True

    def resume(self) -> None:
        """Go on after `hold`."""
        if not self._deaf:
            self._go_on()

    def _stop_reading(self) -> None:
        self._deaf, self._unparsed, self._parts = True, b"", []
        if self._queued is not None:
            self._queued.cancel()
        self.hold()
        self._pause_reading()

    def _pause_reading(self) -> None:
        if not self._reading_paused and self.transport is not None:
            self._reading_paused = True
            self.transport.pause_reading()

    def _go_on(self) -> None:
        if queued := self._share.run(self._address, self._handle_frames):
            self._queued = queued
            self.hold()

    def _handle_frames(self) -> None:
        """Handle the frames that have arrived, until one of them has to wait or others have their turn."""
        self._held, self._queued = False, None
        began_s, sent, count, at, data = time.perf_counter(), self.sent, 0, 0, self._unparsed
        try:
            while not self._held and (frame := parse_frame(data, at)):
                final, opcode, body, at = frame
                count += 1
                self._unparsed = data[at:]
                self._handle(final, opcode, body)
                if count == FRAMES_AT_ONCE and self._unparsed and not self._held:
                    self.hold()
                    self._loop.call_soon(self.resume)
        except FrameError as error:
            self._fail(error)
        except Exception:  # of this server: what the client wanted is half done
            self.abort()
            raise
        if count:
            took_us = (time.perf_counter() - began_s) * 1e6
            self._share.charge(self._address, took_us + MESSAGE_US * count + ANSWER_US * (self.sent - sent))
        if self._reading_paused and not self._held and self.transport is not None:
            self._reading_paused = False
            self.transport.resume_reading()

    def _handle(self, final: bool, opcode: int, body: bytes) -> None:
        endpoint = self._endpoint
        if opcode == CLOSE:
            self._receive_close(body)
        elif self._closing or endpoint is None:
            return
        elif opcode == PING:
            endpoint.receive_ping(body)
        elif opcode == PONG:
            endpoint.receive_pong(body)
        elif (opcode == TEXT) is bool(self._parts):
            raise FrameError(PROTOCOL_ERROR)
        elif final and not self._parts:
            endpoint.receive(_text(body))
        else:
            self._parts.append(body)
            if len(self._parts) > PARTS_MOST or sum(map(len, self._parts)) > MESSAGE_MOST:
                raise FrameError(TOO_LONG)
            if final:
                message, self._parts = b"".join(self._parts), []
                endpoint.receive(_text(message))

    def _receive_close(self, body: bytes) -> None:
        code = int.from_bytes(body[:2], "big") if body else NORMAL
        if len(body) == 1 or not (1000 <= code < 1015 or 3000 <= code < 5000) or code in (1004, 1005, 1006):
            raise FrameError(PROTOCOL_ERROR)
        self.close(code)
        if self.transport is not None:
            self.transport.close()

    def _fail(self, error: FrameError) -> None:
        """Read nothing more, but leave the client time to read why."""
        if self._endpoint is not None and not self._closing:
            self._endpoint.receive_invalid(error.code)
        self.close(error.code, deaf=True)

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

    def ping(self, payload: bytes) -> None:
        """Send a ping, which the browser's network code answers, not its page."""
        if not self._closing:
            self._write(PING, payload)

    def pong(self, payload: bytes) -> None:
        """Answer a ping."""
        if not self._closing:
            self._write(PONG, payload)
            self.sent += 1

    def close(self, code: int = NORMAL, deaf: bool = False) -> None:
        """Close behind the last message; the client has `CLOSE_WITHIN_S` to read it. Nothing is sent after it.

        With `deaf` nothing more is read either: a client that sends too much would go on meanwhile.
        """
        if deaf:
            self._stop_reading()
        if not self._closing:
            self.flush()
            self._write(CLOSE, code.to_bytes(2, "big"))
            self._closing = True
            self._deadline = self._loop.call_later(CLOSE_WITHIN_S, self.abort)

    def abort(self) -> None:
        """End the connection at once, with all that waits."""
        self._closing, self._outgoing = True, None
        self._stop_reading()
        if self.transport is not None:
            self.transport.abort()

    def flush(self) -> None:
        """Send the messages so far now, as a frame of their own."""
        messages, self._outgoing = self._outgoing, None
        if messages:
            self._write(TEXT, messages[0] if len(messages) == 1 else b"[" + b",".join(messages) + b"]")

    def send_frame(self, frame: bytes) -> None:
        """Send an encoded frame at once: one that was built for many connections."""
        transport = self.transport
        if self._closing or transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() + len(frame) > WAITING_MOST:
            self.abort()
        else:
            transport.write(frame)

    def _write(self, opcode: int, body: bytes) -> None:
        self.send_frame(build_frame(opcode, body))


def parse_frame(data: bytes, at: int) -> tuple[bool, int, bytes, int] | None:
    """The frame at a position: whether it is its message's last one, its opcode, its unmasked body, and where it ends.

    None if it has not arrived completely.

    Raises: FrameError.
    """
    there = len(data) - at
    if there < 2:
        return None
    head, size = data[at], data[at + 1]
    final, opcode = head >= 0x80, head & 15
    if head & 0x70 or size < 0x80:  # an extension, or no mask
        raise FrameError(PROTOCOL_ERROR)
    size &= 127
    if opcode >= CLOSE:
        if not final or size > 125 or opcode > PONG:
            raise FrameError(PROTOCOL_ERROR)
    elif opcode > TEXT:
        raise FrameError(NOT_TEXT)
    begin = at + 6
    if size >= 126:
        if size == 127:
            raise FrameError(TOO_LONG)
        if there < 4:
            return None
        size, begin = int.from_bytes(data[at + 2 : at + 4], "big"), begin + 2
        if size > MESSAGE_MOST:
            raise FrameError(TOO_LONG)
    end = begin + size
    if len(data) < end:
        return None
    return final, opcode, _unmasked(data[begin - 4 : begin], data[begin:end]), end


def build_frame(opcode: int, body: bytes) -> bytes:
    """A frame as a server sends it: complete and not masked."""
    size = len(body)
    if size < 126:
        return bytes((0x80 | opcode, size)) + body
    if size < 65536:
        return bytes((0x80 | opcode, 126)) + size.to_bytes(2, "big") + body
    return bytes((0x80 | opcode, 127)) + size.to_bytes(8, "big") + body


def _unmasked(mask: bytes, body: bytes) -> bytes:
    size = len(body)
    masks = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(body, "little") ^ int.from_bytes(masks, "little")).to_bytes(size, "little")


def _text(body: bytes) -> bytes:
    """Raises: FrameError if this is not UTF-8."""
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError:
            raise FrameError(NOT_UTF_8) from None
    return body


class _Collector:
    """Takes bytes from aiohttp in the place of a parser."""

    def __init__(self) -> None:
        self.data = b""

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """Bytes have arrived behind the handshake."""
        self.data += data
        return False, b""

    def feed_eof(self) -> None:
        """Nothing more comes."""
