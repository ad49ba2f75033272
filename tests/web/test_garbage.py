"""A client either sends valid messages or is disconnected, and nothing worse happens."""

from __future__ import annotations

import json
from typing import get_args

import aiohttp
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratscrew.errors import WireError
from ratscrew.game.codec import Codec
from ratscrew.protocol import wire
from ratscrew.protocol.channel import MESSAGE_MOST
from ratscrew.protocol.session import decode
from ratscrew.table.record import requests
from ratscrew.table.record.table_action import ActionName, Half
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import serve, wait_gone

# Garbage

GARBAGE = [
    "",
    "nonsense",
    "{}",
    "[]",
    "null",
    '{"t":"welcome"}',
    '{"t":"play"}',
    '{"t":"play","n":"1"}',
    '{"t":"play","n":1.5}',
    '{"t":"slap","n":1,"p_ms":NaN,"t_ms":0,"s":1}',
    '{"t":"slap","n":1,"p_ms":1e999,"t_ms":0,"s":1}',
    '{"t":"play","n":1}{"t":"play","n":2}',
    '{"t":"slap","n":1,"p_ms":0,"t_ms":0,"s":1,"contact":0}',
    '{"t":"slap","n":1,"p_ms":0,"t_ms":0,"s":1,"contact":6}',
    '{"t":"slap","n":1,"p_ms":0,"t_ms":0,"s":1,"after":"Bo"}',
    '{"t":"pong","k":1}',
    '{"t":"pong","k":1,"c_ms":0,"n":1,"p_ms":1e13}',
    '{"t":"beat"}',
    '{"t":"beat","c_ms":"now"}',
    '{"t":"visibility","visible":1}',
    '{"t":"act"}',
    '{"t":"act","do":"dance"}',
    '{"t":"act","do":"choose","half":"left"}',
    '{"t":"act","do":"award","target":"Bo"}',
    '{"t":"house"}',
    '{"t":"house","house":7}',
    '{"t":"play","n":' + "[" * 4000,
    '{"t":"play","n":' + "9" * 4000,
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: garbage[:40])
@on_manual_clock
async def test_who_talks_garbage_is_shown_out(clock: ManualClock, garbage: str) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        await page.socket.send_str(garbage)
        await page.expect_close(after="garbage")
        await wait_gone(served)


@pytest.mark.parametrize("garbage", [*GARBAGE, '{"t":"play","n":1}'], ids=lambda garbage: garbage[:40])
@on_manual_clock
async def test_who_begins_with_garbage_is_shown_out(clock: ManualClock, garbage: str) -> None:
    async with serve(clock) as served:
        page = await served.connect()
        await page.socket.send_str(garbage)
        await page.expect_close(after="garbage")


@on_manual_clock
async def test_numbers_that_no_clock_shows_are_garbage(clock: ManualClock, caplog: pytest.LogCaptureFixture) -> None:
    """Each is a number in JSON, but a thousand times as much is none any more."""
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        await page.send("slap", n=0, p_ms=1e308, t_ms=1e308, s=1)
        await page.expect_close(after="garbage")
    assert caplog.records == []


@pytest.mark.parametrize("begins", [True, False])
@on_manual_clock
async def test_a_binary_message_is_garbage(clock: ManualClock, begins: bool) -> None:
    async with serve(clock) as served:
        page = await served.connect() if begins else await served.enter()
        if not begins:
            await page.receive("welcome")
        await page.socket.send_bytes(b'{"t":"hello"}')
        await page.expect_close(after="garbage")


@pytest.mark.parametrize("begins", [True, False])
@on_manual_clock
async def test_a_message_too_large_ends_the_conversation(clock: ManualClock, begins: bool) -> None:
    async with serve(clock) as served:
        page = await served.connect() if begins else await served.enter()
        if not begins:
            await page.receive("welcome")
        await page.send("hello", game="x" * MESSAGE_MOST)
        assert await page.expect_close(after="garbage") == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
        await wait_gone(served)


@on_manual_clock
async def test_a_message_just_small_enough_is_heard(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.connect()
        hello = json.dumps({"t": "hello", "more": ""})
        await page.socket.send_str(hello.replace('""', '"' + "x" * (MESSAGE_MOST - 1 - len(hello)) + '"'))
        assert (await page.receive())["t"] == "welcome"


# Decoding, whatever comes

CODEC = Codec[wire.ClientMessage](wire.ClientMessage)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
NEWER = ["contact", "after", "do", "target", "half", "house", "seat", "visible", "only"]
fields = st.sampled_from(["t", "player_ids", "game", "version", "n", "p_ms", "t_ms", "s", "k", "c_ms", "more", *NEWER])
objects = st.builds(
    lambda tag, rest: {**rest, "t": tag},
    st.sampled_from(
        [
            *[
                "hello",
                "play",
                "slap",
                "act",
                "beat",
                "visibility",
                "pong",
                "start",
                "house",
                "reopen",
                "again",
                "welcome",
            ],
            7,
        ]
    ),
    st.dictionaries(fields, values, max_size=6),
)


@given(st.one_of(st.binary(), st.text(st.characters()), objects.map(json.dumps), values.map(json.dumps)))
@example("\ud800")
@example('{"t":"hello","game":"\\ud800"}')
@example('{"t":"hello","game":"\\udc00\\ud800"}')
@example('{"t":"play","n":' + "9" * 5000 + "}")
@example('{"t":"play","n":-0}')
@example('{"t":"play","n":1e400}')
@example('{"t":"again","x":' + "[" * 200_000)
@example('{"t":"again","x":' + '{"a":' * 200_000)
@example("[" * 200_000)
@example(b"\x00")
@example(b"\xef\xbb\xbf{}")
def test_what_comes_in_is_a_message_or_a_wire_error_and_nothing_else(data: bytes | str) -> None:
    try:
        message = decode(data)
    except WireError as error:
        words = str(error)
        assert words.startswith("not a valid message: ")
    else:
        assert isinstance(message, wire.ClientMessage)
        CODEC.encode(message)


INTEGERS = st.integers(-(2**53), 2**53)
seats = st.none() | INTEGERS


@given(
    st.one_of(
        st.builds(
            wire.Hello,
            st.lists(INTEGERS, max_size=3).map(tuple),
            st.sampled_from([None, "slaps"]),
            st.none() | st.text(max_size=100),
            INTEGERS,
        ),
        st.builds(wire.PlayMessage, INTEGERS, seats),
        st.builds(wire.Pong, st.integers(0, 2**53), st.floats(0, 1e12), st.integers(0, 2**53), st.floats(0, 1e12)),
        st.builds(wire.Beat, st.floats(0, 1e12)),
        st.builds(wire.Visibility, st.booleans()),
        st.builds(
            wire.SlapMessage,
            st.integers(0, 2**53),
            *[st.floats(0, 1e12)] * 2,
            st.integers(0, 2**53),
            st.integers(1, 5),
            seats,
            seats,
        ),
        st.builds(
            requests.Act, st.sampled_from(get_args(ActionName)), seats, st.none() | st.sampled_from(get_args(Half))
        ),
        st.builds(requests.House, st.text()),
        st.builds(wire.Pong, st.integers(0, 2**53), st.floats(0, 1e12)),
        st.sampled_from([requests.Start(), requests.Reopen(), requests.DealAgain()]),
    )
)
def test_every_message_is_read_as_it_was_sent(message: wire.ClientMessage) -> None:
    assert decode(CODEC.encode(message)) == message


# What is a message, and can be nothing here


@pytest.mark.parametrize(
    "house", ["", "garbage", "2;classic", "1;nowhere", "1;wiki;colour=1", "1;wiki;turn_ms=0", "1;wiki;" + ";" * 3000]
)
@on_manual_clock
async def test_a_house_that_is_none_is_refused_and_the_talk_goes_on(clock: ManualClock, house: str) -> None:
    async with serve(clock, asked=RoomRequest("Ana", 0, wait=True)) as served:
        page = await served.enter()
        await page.receive("welcome")
        await page.send("house", house=house)
        assert await page.receive() == {"t": "refused", "request": "house", "reason": "no_house", "seat": None}
        await page.send("house", house="1;wiki")
        assert (await page.receive("event"))["e"]["link"] == "1;wiki"


@pytest.mark.parametrize("target", [-1, -3, 3, 99, 2**53, None])
@pytest.mark.parametrize("house", ["chaos", "everything2", "oxymoron"])
@on_manual_clock
async def test_whatever_is_done_to_a_seat_that_there_is_not_has_no_effect(
    clock: ManualClock, house: str, target: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Each action, and a slap that would like to sit behind that seat: refused, or of no consequence to others."""
    async with serve(clock, asked=RoomRequest("Ana", 2, "sharp", f"1;{house}")) as served:
        page = await served.enter()
        await page.receive("welcome")
        for do in get_args(ActionName):
            await page.send("act", action=do, target=target)
        await page.send("slap", n=0, p_ms=0, t_ms=0, s=1, after=target)
        await page.send("play", n=10**6)
        while (await page.receive("refused"))["request"] != "play":
            pass
        await page.receive("event")
    assert caplog.records == []
