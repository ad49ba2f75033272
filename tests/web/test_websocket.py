"""Frames of a WebSocket, by the examples and rules of RFC 6455; the connection is a transport that records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.limits.loop_share import LoopShare
from ratscrew.protocol.channel import MESSAGE_MOST
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.socket import transport_channel
from ratscrew.web.socket.transport_channel import CLOSE_WITHIN_S
from ratscrew.web.socket.websocket import FRAMES_AT_ONCE, HELD_MOST, PARTS_MOST, WebSocket

HELLO = bytes.fromhex("81 85 37 fa 21 3d 7f 9f 4d 51 58")
"""`Hello`, masked (RFC 6455, 5.7)."""

PING = bytes.fromhex("89 85 37 fa 21 3d 7f 9f 4d 51 58")


class Wire(asyncio.Transport):
    """A transport that records what is written, and holds as much of it back as a slow reader does."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.waiting = 0
        self.reading = True
        self.ended = ""

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def is_closing(self) -> bool:
        return bool(self.ended)

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def abort(self) -> None:
        self.ended = self.ended or "aborted"

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


class Heard:
    """An endpoint that records; `on_message` is called with each message."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, object]] = []
        self.on_message: Callable[[bytes], None] = lambda _: None

    def receive(self, message: bytes) -> None:
        self.calls.append(("message", message))
        self.on_message(message)

    def receive_ping(self, payload: bytes) -> None:
        self.calls.append(("ping", payload))

    def receive_pong(self, payload: bytes) -> None:
        self.calls.append(("pong", payload))

    def receive_invalid(self, code: int) -> None:
        self.calls.append(("invalid", code))

    def lost(self) -> None:
        self.calls.append(("lost", None))


def connected() -> tuple[WebSocket, Wire, Heard]:
    """An open WebSocket."""
    heard, wire = Heard(), Wire()
    made = WebSocket(heard, LoopShare(times=1000), "192.0.2.1")
    made.connection_made(wire)
    return made, wire, heard


def masked(head: int, body: bytes, mask: bytes = b"\x01\x02\x03\x04") -> bytes:
    """A client's frame, byte by byte as RFC 6455 (5.2 and 5.3) has it."""
    size = len(body)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([head]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))


async def settle() -> None:
    """Let what waits for the next iterations of the loop happen."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_the_masked_hello_of_the_rfc() -> None:
    made, _, heard = connected()
    made.data_received(HELLO)
    assert heard.calls == [("message", b"Hello")]


@given(st.data())
def test_frames_arrive_whole_however_the_network_cuts_them(data: st.DataObject) -> None:
    """Also the longest message, and the lengths at which the header changes."""

    async def check() -> None:
        sizes = st.one_of(st.integers(0, 300), st.sampled_from([125, 126, 127, MESSAGE_MOST]))
        bodies = [b"x" * size for size in data.draw(st.lists(sizes, max_size=20))]
        sent = b"".join(masked(0x81, body, data.draw(st.binary(min_size=4, max_size=4))) for body in bodies)
        cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=10)))
        made, wire, heard = connected()
        for begin, end in zip([0, *cuts], [*cuts, len(sent)], strict=True):
            made.data_received(sent[begin:end])
            await settle()
        assert heard.calls == [("message", body) for body in bodies]
        assert wire.reading

    asyncio.run(check())


@pytest.mark.parametrize("cuts", [(), (2,), (0, 5), (1, 1, 1)])
async def test_a_message_in_several_frames_is_one_and_a_ping_may_come_between(cuts: tuple[int, ...]) -> None:
    made, _, heard = connected()
    parts = [b"Hello"[begin:end] for begin, end in zip((0, *cuts), (*cuts, 5), strict=True)]
    for number, part in enumerate(parts):
        final = 0x80 if number == len(parts) - 1 else 0
        made.data_received(masked(final | (0 if number else 1), part))
        if not final:
            made.data_received(PING)
    assert heard.calls == [("ping", b"Hello")] * (len(parts) - 1) + [("message", b"Hello")]


INVALID = {
    "not masked": (bytes.fromhex("81 05 48 65 6c 6c 6f"), 1002),  # the unmasked example of RFC 6455, 5.7
    "a reserved bit": (masked(0xC1, b"x"), 1002),
    "binary": (masked(0x82, b"x"), 1003),
    "an unknown opcode": (masked(0x83, b"x"), 1003),
    "an unknown control frame": (masked(0x8B, b"x"), 1002),
    "a ping in parts": (masked(0x09, b"x"), 1002),
    "a long ping": (masked(0x89, b"x" * 126), 1002),
    "a continuation of nothing": (masked(0x80, b"x"), 1002),
    "begun twice": (masked(0x01, b"x") + masked(0x81, b"x"), 1002),
    "too long": (masked(0x81, b"x" * (MESSAGE_MOST + 1)), 1009),
    "too long by its header alone": (b"\x81\xfe\xff\xff", 1009),
    "a length of 64 bits": (b"\x81\xff" + bytes(8), 1009),
    "too long in parts": (masked(0x01, b"x" * MESSAGE_MOST) + masked(0x80, b"x"), 1009),
    "too many parts": (masked(0x01, b"") + masked(0x00, b"") * PARTS_MOST, 1009),
    "not UTF-8": (masked(0x81, b"\xff"), 1007),
    "a closing frame of one byte": (masked(0x88, b"\x03"), 1002),
    "a closing code that may not be sent": (masked(0x88, (1006).to_bytes(2, "big")), 1002),
}


@pytest.mark.parametrize(("data", "code"), INVALID.values(), ids=INVALID)
async def test_what_is_no_frame_ends_the_connection_with_the_code_for_it(data: bytes, code: int) -> None:
    made, wire, heard = connected()
    made.data_received(data)
    await settle()
    assert heard.calls == [("invalid", code)]
    assert wire.written == [b"\x88\x02" + code.to_bytes(2, "big")]
    assert not wire.reading
    made.data_received(HELLO)
    await settle()
    assert len(heard.calls) == 1


@pytest.mark.parametrize(
    ("size", "header"),
    [
        (0, "81 00"),
        (125, "81 7d"),
        (126, "81 7e 00 7e"),
        (65535, "81 7e ff ff"),
        (65536, "81 7f 00 00 00 00 00 01 00 00"),
    ],
)
async def test_a_frame_of_ours_has_the_shortest_header(size: int, header: str) -> None:
    made, wire, _ = connected()
    made.send(b"x" * size)
    await settle()
    assert wire.written == [bytes.fromhex(header) + b"x" * size]


async def test_what_is_sent_at_one_moment_is_one_frame_and_what_comes_later_another() -> None:
    made, wire, _ = connected()
    made.send(b'{"t":1}')
    made.send(b'{"t":2}')
    await settle()
    made.send(b'{"t":3}')
    await settle()
    assert wire.written == [b'\x81\x11[{"t":1},{"t":2}]', b'\x81\x07{"t":3}']
    assert made.sent == 3


@on_manual_clock
async def test_it_closes_behind_the_last_message_and_hangs_up_if_the_client_does_not_answer(clock: ManualClock) -> None:
    made, wire, heard = connected()
    made.send(b"{}")
    made.close()
    made.send(b"{}")
    made.ping(b"")
    assert wire.written == [b"\x81\x02{}", b"\x88\x02\x03\xe8"]
    made.data_received(HELLO)
    assert heard.calls == []
    await asyncio.sleep(CLOSE_WITHIN_S * 0.9)
    assert wire.ended == ""
    await asyncio.sleep(CLOSE_WITHIN_S * 0.2)
    assert wire.ended == "aborted"


@pytest.mark.parametrize("body", [b"", b"\x03\xe8", b"\x03\xe9bye", (3000).to_bytes(2, "big")])
async def test_a_clients_closing_frame_is_answered_with_its_code(body: bytes) -> None:
    made, wire, heard = connected()
    made.data_received(masked(0x88, body) + HELLO)
    assert wire.written == [b"\x88\x02" + (body[:2] or b"\x03\xe8")]
    assert wire.ended == "closed"
    made.connection_lost(None)
    assert heard.calls == [("lost", None)]


async def test_a_reader_that_is_too_slow_is_disconnected() -> None:
    made, wire, _ = connected()
    wire.waiting = transport_channel.WAITING_MOST - 10
    made.send(b"x" * 8)  # and two bytes before them
    await settle()
    assert wire.ended == ""
    made.send(b"x" * 9)
    await settle()
    assert (wire.ended, len(wire.written)) == ("aborted", 1)


async def test_after_some_frames_others_have_their_turn() -> None:
    made, _, heard = connected()
    made.data_received(HELLO * (2 * FRAMES_AT_ONCE + 1))
    assert len(heard.calls) == FRAMES_AT_ONCE
    await asyncio.sleep(0)
    assert len(heard.calls) == 2 * FRAMES_AT_ONCE
    await settle()
    assert len(heard.calls) == 2 * FRAMES_AT_ONCE + 1


async def test_while_it_is_held_nothing_is_handled_and_then_everything_in_its_order() -> None:
    made, wire, heard = connected()
    heard.on_message = lambda message: made.hold() if message == b"Hello" else None
    made.data_received(HELLO + masked(0x81, b"second"))
    made.data_received(masked(0x81, b"third"))
    await settle()
    assert (heard.calls, wire.reading) == ([("message", b"Hello")], True)  # so that the end would be noticed
    made.data_received(masked(0x81, b"x" * HELD_MOST))
    assert not wire.reading
    made.resume()
    assert [body for _, body in heard.calls] == [b"Hello", b"second", b"third", b"x" * HELD_MOST]
    assert wire.reading


async def test_an_address_over_its_share_of_the_loop_waits() -> None:
    now_us = 0
    share = LoopShare(now_us=lambda: now_us)
    heard, wire = Heard(), Wire()
    made = WebSocket(heard, share, "192.0.2.1")
    made.connection_made(wire)
    share.charge("192.0.2.1", 10**6)
    made.data_received(HELLO * 1000)
    await asyncio.sleep(0.005)
    assert (heard.calls, wire.reading) == ([], False)
    async with asyncio.timeout(10):
        while not wire.reading:
            now_us += 10**6  # on a busy machine the messages take more than the share of one moment
            await asyncio.sleep(0.005)
    assert len(heard.calls) == 1000


async def test_an_error_of_the_server_ends_the_connection() -> None:
    made, wire, heard = connected()

    def fail(_: bytes) -> None:
        raise ZeroDivisionError

    heard.on_message = fail
    with pytest.raises(ZeroDivisionError):
        made.data_received(HELLO)
    assert wire.ended == "aborted"


async def test_a_connection_that_was_closed_during_its_handshake_ends_with_it() -> None:
    heard, wire = Heard(), Wire()
    made = WebSocket(heard, LoopShare(times=1000), "192.0.2.1")
    made.close()
    made.connection_made(wire)
    assert wire.ended == "aborted"
