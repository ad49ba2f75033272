"""The server's end of a WebSocket (RFC 6455): its frames and its end. Does not depend on the messages.

Frames are handled in the callback in which their bytes arrive: no task is woken, and the time of arrival is as exact as
this process can know it. There are no extensions: compressing them takes a third more time.
"""

from __future__ import annotations

import time

from ratscrew.errors import WireError
from ratscrew.limits.loop_share import ANSWER_US, MESSAGE_US, LoopShare, QueuedWork
from ratscrew.protocol.channel import MESSAGE_MOST, NORMAL, Endpoint
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.tcp_info import TcpConnection
from ratscrew.table.record.clock import Clock
from ratscrew.web.socket.transport_channel import TransportChannel

HELD_MOST = 4096
"""Bytes that are read from a client whose last message is still being handled; more wait in the system's buffers."""

PARTS_MOST = 64
"""Frames of one message: a proxy may have cut it."""

FRAMES_AT_ONCE = 8
"""Frames of one connection that are handled before other clients are served."""

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
PROTOCOL_ERROR, NOT_TEXT, NOT_UTF_8, TOO_LONG = 1002, 1003, 1007, 1009


class FrameError(WireError):
    """A client has sent bytes that are no frame, or none that this server accepts. `code` is the closing code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"not a valid frame ({code})")
        self.code = code


class WebSocket(TransportChannel):
    """One WebSocket. `endpoint` gets what arrives; the loop's time that this takes is charged to `address`."""

    __slots__ = ("_address", "_deaf", "_held", "_parts", "_queued", "_reading_paused", "_share", "_unparsed")

    def __init__(self, endpoint: Endpoint, share: LoopShare, address: str) -> None:
        super().__init__(endpoint)
        self._share, self._address = share, address
        self._unparsed = b""
        self._parts: list[bytes] = []
        self._held = self._reading_paused = self._deaf = False
        self._queued: QueuedWork | None = None

    def data_received(self, data: bytes) -> None:
        self._unparsed = self._unparsed + data if self._unparsed else data
        if not self._held:
            self._go_on()
        if self._held and len(self._unparsed) > HELD_MOST:
            self._pause_reading()

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

    def ping(self, payload: bytes) -> None:
        """Send a ping, which the browser's network code answers, not its page."""
        if not self._closing:
            self._write(build_frame(PING, payload))

    def pong(self, payload: bytes) -> None:
        if not self._closing:
            self._write(build_frame(PONG, payload))
            self.sent += 1

    def rtt_probe(self, connection: TcpConnection | None, reported_us: int | None, clock: Clock) -> RttProbe:
        return RttProbe(self.ping, connection, reported_us, clock)

    def send_frame(self, frame: bytes) -> None:
        self._write(frame)

    def _send_text(self, text: bytes) -> None:
        self._write(build_frame(TEXT, text))

    def _send_close(self, code: int) -> None:
        self._write(build_frame(CLOSE, code.to_bytes(2, "big")))


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


def text_frame(text: bytes) -> bytes:
    """A frame of JSON, for any number of clients."""
    return build_frame(TEXT, text)


def frame_body(frame: bytes) -> bytes:
    """The body of a frame that `build_frame` has made."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]


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
