"""Conversations over real sockets, on a manual clock: from hello to bye, with slow, rude and vanishing browsers."""

from __future__ import annotations

import asyncio
import json
import logging
import socket as sockets
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import aiohttp
import pytest
from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import example, given
from hypothesis import strategies as st

from ratscrew.cards import Card, Laid
from ratscrew.errors import LogError, WireError
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.presets import house
from ratscrew.table.clock import Clock, SystemClock
from ratscrew.table.lobby import Lobby, code_of
from ratscrew.table.record import Entry, Judged
from ratscrew.table.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import socket as socket_module
from ratscrew.web import wire
from ratscrew.web.app import make_app
from ratscrew.web.listening import STOP_WITHIN_S
from ratscrew.web.pages import Pages
from ratscrew.web.socket import HELLO_WITHIN_S, MESSAGE_MOST, RTT_KEPT, converse, decode, new_socket
from ratscrew.web.typescript import wire_hash
from tests.table.test_room import Person

Client: TypeAlias = TestClient[web.Request, web.Application]
WITHIN_S = 30
"""How long a browser of these tests waits for a message, on the clock of its test."""


class Page:
    """The browser's end of a socket; it answers pings at once, unless it is told to wait."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, pong_after_s: float | None = 0) -> None:
        self.socket, self.pong_after_s = socket, pong_after_s
        self.pings = 0

    async def say(self, t: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send_str(json.dumps({"t": t, **fields}))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message that is no ping, or the next of these kinds."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                message = await self.socket.receive()
                assert message.type is WSMsgType.TEXT, message
                said: dict[str, Any] = json.loads(message.data)
                if said["t"] == "ping":
                    self.pings += 1
                    if self.pong_after_s is not None:
                        await asyncio.sleep(self.pong_after_s)
                        await self.say("pong", k=said["k"], c_ms=1.5)
                elif not kinds or said["t"] in kinds:
                    return said

    async def ends(self, *, after: str | None = None) -> int | None:
        """Wait for the end of the conversation, with a `bye` before it or without; the code of the close."""
        byes = []
        async with asyncio.timeout(WITHIN_S):
            while (message := await self.socket.receive()).type is WSMsgType.TEXT:
                said = json.loads(message.data)
                byes += [said["why"]] if said["t"] == "bye" else []
        assert message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)
        assert byes == ([after] if after else [])
        return self.socket.close_code


class Place:
    """A server with one room in it: Ana and two bots."""

    def __init__(self, client: Client, lobby: Lobby, room: Room, token: str) -> None:
        self.client, self.lobby, self.room, self.token = client, lobby, room, token
        self.code = code_of(room.table.room)

    async def connect(self, pong_after_s: float | None = 0) -> Page:
        """A socket, before anything is said."""
        return Page(await self.client.ws_connect("/ws"), pong_after_s)

    async def enter(self, pong_after_s: float | None = 0, **hello: Any) -> Page:
        """A socket on which Ana has said hello, or somebody else."""
        page = await self.connect(pong_after_s)
        await page.say("hello", **({"room": self.code, "token": self.token} | hello))
        return page


@asynccontextmanager
async def serve(clock: Clock, log: EventLog[Entry] | None = None) -> AsyncIterator[Place]:
    """A server on this machine with one room, whose lobby we hold in hand."""
    lobby = Lobby(MemoryLog() if log is None else log, clock)

    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = new_socket()
        await converse(request, socket, lobby, clock)
        return socket

    app = web.Application()
    app.router.add_get("/ws", handle)
    room, token = lobby.open("Ana", 2, "sharp")
    async with TestClient(TestServer(app, socket_factory=narrow)) as client:
        yield Place(client, lobby, room, token)


def narrow(host: str, port: int, family: sockets.AddressFamily) -> sockets.socket:
    """A listening socket whose connections hold little that is not read."""
    socket = sockets.socket(family)
    socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
    socket.bind((host, port))
    return socket


# Hello


@on_manual_clock
async def test_hello_is_answered_with_the_whole_table(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        welcome = await page.hear()
        assert (welcome["t"], welcome["wire"], welcome["you"]) == ("welcome", wire_hash(), 0)
        assert (welcome["room"], welcome["game"]) == (place.code, place.room.table.id)
        assert welcome["version"] == 4  # three who sat down, and the deal
        assert [seat["name"] for seat in welcome["seats"]] == [seat.name for seat in place.room.table.seats]
        assert [seat["bot"] for seat in welcome["seats"]] == [None, "sharp", "sharp"]
        assert [seat["here"] for seat in welcome["seats"]] == [True, True, True]
        assert sorted(welcome["view"]["held"]) == [17, 17, 18]
        assert welcome["view"]["pile"] == []


@on_manual_clock
async def test_after_the_welcome_every_event_is_told_with_its_number(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        version = (await page.hear("welcome"))["version"]
        told = [await page.hear("told") for _ in range(8)]
        assert [message["v"] for message in told] == list(range(version + 1, version + 9))
        assert told[0]["e"]["e"] == "played"


@pytest.mark.parametrize("token", [None, "", "0.0", "0." + "0" * 32])
@on_manual_clock
async def test_without_the_token_one_may_only_watch(clock: ManualClock, token: str | None) -> None:
    async with serve(clock) as place:
        page = await place.enter(token=token)
        welcome = await page.hear()
        assert (welcome["you"], welcome["seats"][0]["here"]) == (None, False)
        await page.say("play", n=0)
        assert await page.hear("refused") == {"t": "refused", "what": "play", "why": "not_playing"}


@on_manual_clock
async def test_the_code_may_be_typed_in_small_letters(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter(room=place.code.lower())
        assert (await page.hear())["room"] == place.code


@pytest.mark.parametrize("room", ["QQQQ", "", "x" * 3000, "🂡🂡🂡🂡"])
@on_manual_clock
async def test_there_is_no_such_room(clock: ManualClock, room: str) -> None:
    async with serve(clock) as place:
        page = await place.enter(room=room)
        await page.ends(after="no_room")


@on_manual_clock
async def test_hello_is_said_once(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        await page.hear("welcome")
        await page.say("hello", room=place.code)
        await page.ends(after="garbage")


@on_manual_clock
async def test_who_says_nothing_is_shown_out(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page, before = await place.connect(), clock.now_us()
        await page.ends(after="garbage")
        assert HELLO_WITHIN_S <= (clock.now_us() - before) / 1e6 < HELLO_WITHIN_S + 1


@on_manual_clock
async def test_a_second_page_of_a_seat_sends_the_first_away(clock: ManualClock) -> None:
    async with serve(clock) as place:
        first = await place.enter()
        await first.hear("welcome")
        second = await place.enter()
        await second.hear("welcome")
        await first.ends(after="elsewhere")
        await second.hear("told")
        assert place.room.table.seats[0].here


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
    '{"t":"play","n":' + "[" * 4000,
    '{"t":"play","n":' + "9" * 4000,
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: garbage[:40])
@on_manual_clock
async def test_who_talks_garbage_is_shown_out(clock: ManualClock, garbage: str) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        await page.hear("welcome")
        await page.socket.send_str(garbage)
        if garbage.endswith("9999"):  # a number as large as that is a number, and a card that has not come
            assert (await page.hear("refused", "bye"))["t"] in ("refused", "bye")
        else:
            await page.ends(after="garbage")
            await gone(place)


@pytest.mark.parametrize("garbage", [*GARBAGE, '{"t":"play","n":1}', '{"t":"hello"}'], ids=lambda garbage: garbage[:40])
@on_manual_clock
async def test_who_begins_with_garbage_is_shown_out(clock: ManualClock, garbage: str) -> None:
    async with serve(clock) as place:
        page = await place.connect()
        await page.socket.send_str(garbage)
        await page.ends(after="garbage")


@on_manual_clock
async def test_numbers_that_no_clock_shows_are_garbage(clock: ManualClock, caplog: pytest.LogCaptureFixture) -> None:
    """Each is a number in JSON, but a thousand times as much is none any more."""
    async with serve(clock) as place:
        page = await place.enter()
        await page.hear("welcome")
        await page.say("slap", n=0, p_ms=1e308, t_ms=1e308, s=1)
        await page.ends(after="garbage")
    assert caplog.records == []


async def gone(place: Place) -> None:
    """Wait until Ana is not here any more."""
    async with asyncio.timeout(WITHIN_S):
        while place.room.table.seats[0].here:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("begins", [True, False])
@on_manual_clock
async def test_a_binary_message_is_garbage(clock: ManualClock, begins: bool) -> None:
    async with serve(clock) as place:
        page = await place.connect() if begins else await place.enter()
        if not begins:
            await page.hear("welcome")
        await page.socket.send_bytes(json.dumps({"t": "hello", "room": place.code}).encode())
        await page.ends(after="garbage")


@pytest.mark.parametrize("begins", [True, False])
@on_manual_clock
async def test_a_message_too_large_ends_the_conversation(clock: ManualClock, begins: bool) -> None:
    async with serve(clock) as place:
        page = await place.connect() if begins else await place.enter()
        if not begins:
            await page.hear("welcome")
        await page.say("hello", room=place.code, game="x" * MESSAGE_MOST)
        assert await page.ends() == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
        await gone(place)


@on_manual_clock
async def test_a_message_just_small_enough_is_heard(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.connect()
        hello = json.dumps({"t": "hello", "room": place.code, "game": ""})
        await page.socket.send_str(hello.replace('""', '"' + "x" * (MESSAGE_MOST - 1 - len(hello)) + '"'))
        assert (await page.hear())["t"] == "welcome"


# Decoding, whatever comes

CODEC = Codec[wire.ClientMessage](wire.ClientMessage)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
fields = st.sampled_from(["t", "room", "token", "game", "version", "n", "p_ms", "t_ms", "s", "k", "c_ms", "more"])
objects = st.builds(
    lambda tag, rest: {**rest, "t": tag},
    st.sampled_from(["hello", "play", "slap", "pong", "again", "welcome", 7]),
    st.dictionaries(fields, values, max_size=6),
)


@given(st.one_of(st.binary(), st.text(st.characters()), objects.map(json.dumps), values.map(json.dumps)))
@example("\ud800")
@example('{"t":"hello","room":"\\ud800"}')
@example('{"t":"hello","room":"\\udc00\\ud800"}')
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
        assert words.startswith("this is no message of ours: ")
    else:
        assert isinstance(message, wire.ClientMessage)
        CODEC.encode(message)


@given(
    st.one_of(
        st.builds(wire.Hello, st.text(), st.none() | st.text(), st.none() | st.text(), st.integers(-(2**63), 2**63)),
        st.builds(wire.Play, st.integers(-(2**63), 2**63)),
        st.builds(wire.Slap, st.integers(0, 2**53), *[st.floats(0, 1e12)] * 2, st.integers(0, 2**53)),
        st.builds(wire.Pong, st.integers(0, 2**53), st.floats(0, 1e12)),
        st.just(wire.Again()),
    )
)
def test_every_message_is_read_as_it_was_sent(message: wire.ClientMessage) -> None:
    assert decode(CODEC.encode(message)) == message


# Time


@on_manual_clock
async def test_pings_come_once_a_second(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter(token=None)
        await page.hear("welcome")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10.5):
                await page.hear("bye")
        assert page.pings == 11


async def round_trip_us(place: Place, page: Page) -> int:
    """The round trip that the table knows of once Ana has done something."""
    await page.hear("told", "clock")
    await page.say("slap", n=10**6, p_ms=0, t_ms=0, s=1)
    await page.hear("refused")
    return place.room.table.seats[0].rtt_us


@pytest.mark.parametrize("delay_ms", [0, 50, 300])
@on_manual_clock
async def test_the_round_trip_is_what_a_ping_takes_there_and_back(clock: ManualClock, delay_ms: int) -> None:
    async with serve(clock) as place:
        page = await place.enter(pong_after_s=delay_ms / 1000)
        await page.hear("welcome")
        await page.hear("told")
        assert delay_ms * 1000 <= await round_trip_us(place, page) < delay_ms * 1000 + 40_000


@on_manual_clock
async def test_the_shortest_of_the_last_round_trips_counts(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter(pong_after_s=0.02)
        await page.hear("welcome")
        await page.hear("told")
        page.pong_after_s = 0.3
        for _ in range(3):
            await page.hear("told")
        assert await round_trip_us(place, page) < 60_000


@on_manual_clock
async def test_who_never_answers_a_ping_is_given_nothing(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter(pong_after_s=None)
        await page.hear("welcome")
        for k in (-1, 0, 999, 10**12):
            await page.say("pong", k=k, c_ms=0)  # answers to pings that were never sent
        assert await round_trip_us(place, page) == 0


@on_manual_clock
async def test_an_answer_counts_once(clock: ManualClock) -> None:
    """Pongs said again and again do not make a round trip look slow: that would be worth something in a race."""
    async with serve(clock) as place:
        page = await place.enter(pong_after_s=0.1)
        await page.hear("welcome")
        await page.hear("told")
        for _ in range(RTT_KEPT + 5):
            await page.say("pong", k=1, c_ms=0)
        assert 100_000 <= await round_trip_us(place, page) < 140_000


# Slow readers and lost ones


async def flood(place: Place) -> bool:
    """Tell Ana again and again, a little at a time, that she was refused; whether she is gone in the end."""
    for _ in range(500):
        for _ in range(10):
            place.room.play(Person(0), 10**9)
        await asyncio.sleep(0.01)
        if not place.room.table.seats[0].here:
            return True
    return False


@on_manual_clock
async def test_who_does_not_read_is_dropped(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once his backlog is full his connection ends, and the table knows that he is gone."""
    monkeypatch.setattr(socket_module, "BACKLOG_MOST", 50)
    async with serve(clock) as place, raw(place):
        assert await flood(place)


@on_manual_clock
async def test_who_reads_everything_is_not_dropped_however_much_it_is(clock: ManualClock) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        await page.hear("welcome")
        flooding = asyncio.create_task(flood(place))
        for _ in range(5000):
            await page.hear("refused")
        assert not await flooding


@asynccontextmanager
async def raw(place: Place, hello: bytes | None = None) -> AsyncIterator[sockets.socket]:
    """Ana's socket without a library, with a small buffer that nobody reads; in the end it is reset."""
    loop, ours = asyncio.get_running_loop(), {"t": "hello", "room": place.code, "token": place.token}
    with sockets.socket() as socket:
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        socket.setblocking(False)
        await loop.sock_connect(socket, ("127.0.0.1", place.client.port))
        await loop.sock_sendall(socket, UPGRADE)
        assert (await loop.sock_recv(socket, 9999)).startswith(b"HTTP/1.1 101 ")
        await loop.sock_sendall(socket, frame(json.dumps(ours)) if hello is None else hello)
        if hello is None:
            await here(place)
        yield socket


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def frame(text: str) -> bytes:
    """A text frame of a browser, masked with zeros."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


async def here(place: Place) -> None:
    """Wait until Ana is here."""
    async with asyncio.timeout(WITHIN_S):
        while not place.room.table.seats[0].here:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("ends", ["closed", "reset"])
@on_manual_clock
async def test_who_vanishes_without_a_word_is_gone(clock: ManualClock, ends: str) -> None:
    async with serve(clock) as place:
        watcher = await place.enter(token=None)
        await watcher.hear("welcome")
        async with raw(place) as socket:
            assert await watcher.hear("presence") == {"t": "presence", "seat": 0, "here": True}
            if ends == "closed":
                socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 0, 0))
        assert await watcher.hear("presence") == {"t": "presence", "seat": 0, "here": False}


@on_manual_clock
async def test_who_vanishes_while_he_is_told_something_is_no_error(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """People lose their connection all the time: the journal stays empty."""
    async with serve(clock) as place:
        for _ in range(5):
            async with raw(place):
                for _ in range(300):
                    place.room.play(Person(0), 10**9)
            await gone(place)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@on_manual_clock
async def test_who_vanishes_with_his_first_words_is_no_error(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    hello = frame(json.dumps({"t": "hello", "room": "QQQQ"}))
    async with serve(clock) as place:
        for words in (b"", hello, frame("garbage"), frame('{"t":"again"}'), hello * 50):
            for _ in range(3):
                async with raw(place, hello=words):
                    pass
        await asyncio.sleep(HELLO_WITHIN_S + 1)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@on_manual_clock
async def test_who_does_not_answer_a_goodbye_is_cut_off_soon(clock: ManualClock) -> None:
    async with serve(clock) as place, raw(place, hello=frame("garbage")) as socket:
        before, loop = clock.now_us(), asyncio.get_running_loop()
        async with asyncio.timeout(WITHIN_S):
            while await loop.sock_recv(socket, 9999):
                pass
        assert clock.now_us() - before <= 3_000_000


# Who may come


@asynccontextmanager
async def whole(clock: Clock, log: EventLog[Entry], folder: Path) -> AsyncIterator[Client]:
    """The whole server."""
    async with TestClient(TestServer(make_app(log, clock, Pages(folder)))) as client:
        yield client


async def open_room(client: Client, bots: int = 2) -> dict[str, Any]:
    """A room with sharp bots, and Ana's token."""
    answer = await client.post("/api/rooms", json={"name": "Ana", "bots": bots, "strength": "sharp"})
    joined: dict[str, Any] = await answer.json()
    return joined


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://{host}", True),
        ("http://elsewhere.example", False),
        ("http://{host}.elsewhere.example", False),
        ("http://elsewhere.example/{host}", False),
        ("http://localhost", False),
        ("null", False),
        ("", False),
        ("{host}", False),
    ],
)
@on_manual_clock
async def test_a_socket_is_opened_from_our_own_pages_only(
    clock: ManualClock, origin: str | None, allowed: bool, tmp_path: Path
) -> None:
    async with whole(clock, MemoryLog(), tmp_path) as client:
        headers = {} if origin is None else {"Origin": origin.format(host=f"127.0.0.1:{client.port}")}
        if allowed:
            await (await client.ws_connect("/ws", headers=headers)).close()
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await client.ws_connect("/ws", headers=headers)


@on_manual_clock
async def test_the_upgrade_carries_the_headers_and_nothing_is_deflated(clock: ManualClock, tmp_path: Path) -> None:
    async with whole(clock, MemoryLog(), tmp_path) as client:
        socket = await client.ws_connect("/ws", compress=15)
        assert socket.compress == 0
        await socket.close()


# Coming back


@pytest.mark.parametrize("lost", [0, 1, 4])
@on_manual_clock
async def test_who_comes_back_is_told_what_he_has_missed(clock: ManualClock, lost: int) -> None:
    async with serve(clock) as place:
        page = await place.enter()
        await page.hear("welcome")
        told = [await page.hear("told") for _ in range(6)]
        await page.socket.close()
        await gone(place)
        version = place.room.table.version
        back = await place.enter(game=place.room.table.id, version=version - lost)
        first = await back.hear()
        assert (first["t"], set(first)) == ("back", {"t", "version", "seats", "clock"})
        assert (first["version"], first["seats"][0]) == (version, {"name": "Ana", "bot": None, "here": True})
        missed = [await back.hear("told") for _ in range(lost)]
        assert [message["v"] for message in missed] == list(range(version - lost + 1, version + 1))
        assert all(message in missed for message in told if message["v"] > version - lost)
        assert (await back.hear("told"))["v"] == version + 1


async def test_a_game_goes_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    """In real time, over a file: half a game here, the server stops, another takes up the file and goes on."""
    codec, clock = Codec[Entry](Entry), SystemClock(20)
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    async with whole(clock, log, tmp_path) as client:
        joined = await open_room(client)
        page = Page(await client.ws_connect("/ws"))
        await page.say("hello", room=joined["room"], token=joined["token"])
        welcome = await page.hear("welcome")
        told = [await page.hear("told") for _ in range(6)]
        await client.server.close()
        await page.ends()  # without a bye: come back
    log.close()
    version = told[-1]["v"]
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    assert len(log.read(welcome["game"])) >= version
    async with whole(clock, log, tmp_path) as client:
        page = Page(await client.ws_connect("/ws"))
        await page.say("hello", room=joined["room"], token=joined["token"], game=welcome["game"], version=version)
        again = await page.hear()
        assert again["t"] in ("back", "welcome")
        assert again["version"] >= version
        assert again.get("game", welcome["game"]) == welcome["game"]
        assert again.get("you", 0) == 0
        more = [await page.hear("told") for _ in range(3)]
        assert [message["v"] for message in more] == list(range(again["version"] + 1, again["version"] + 4))
        await page.socket.close()
    log.close()


@on_manual_clock
async def test_a_server_that_stops_ends_every_conversation_without_a_bye(clock: ManualClock, tmp_path: Path) -> None:
    async with whole(clock, MemoryLog(), tmp_path) as client:
        joined = await open_room(client)
        pages = []
        for token in (joined["token"], None):
            pages.append(Page(await client.ws_connect("/ws")))
            await pages[-1].say("hello", room=joined["room"], token=token)
            await pages[-1].hear("welcome")
        stopping = asyncio.create_task(client.server.close())
        for page in pages:
            await page.ends()
        await stopping


@on_manual_clock
async def test_a_server_stops_in_three_seconds_though_somebody_does_not_read(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told to him waits in the server: too little to drop him, and too much to be sent."""
    monkeypatch.setattr(socket_module, "BACKLOG_MOST", 10**6)
    app, loop = make_app(MemoryLog(), clock, Pages(Path("nowhere"))), asyncio.get_running_loop()
    server = TestServer(app, socket_factory=narrow)
    await server.start_server(shutdown_timeout=STOP_WITHIN_S)
    async with TestClient(server) as client:
        hello = frame(json.dumps({"t": "hello", "room": (await open_room(client))["room"]}))
        with sockets.socket() as socket:
            socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            socket.setblocking(False)
            await loop.sock_connect(socket, ("127.0.0.1", server.port))
            await loop.sock_sendall(socket, UPGRADE + hello)
            for _ in range(300):
                await loop.sock_sendall(socket, frame(json.dumps({"t": "play", "n": 10**9})) * 10)
                await asyncio.sleep(0.01)
            before = clock.now_us()
            await server.close()
            assert clock.now_us() - before <= 3_000_000


class FailingLog(MemoryLog[Entry]):
    """A log that fails after the deal."""

    def append(self, game: str, after: int, events: Any) -> int:
        """See `EventLog`."""
        if after:
            raise LogError("the disk is full")
        return super().append(game, after, events)


@on_manual_clock
async def test_a_log_that_fails_is_told_as_the_end_of_the_room(clock: ManualClock) -> None:
    async with serve(clock, FailingLog()) as place:
        page = await place.enter()
        await page.hear("welcome")
        await page.ends(after="closed")


# A whole game


@on_manual_clock
async def test_a_whole_game_is_played_through_the_socket(clock: ManualClock) -> None:
    """Ana against two sharp bots: she turns her cards when it is her turn, and slaps what she sees after 280 ms."""
    log = MemoryLog[Entry]()
    async with serve(clock, log) as place:
        page = await place.enter()
        welcome = await page.hear("welcome")
        follow = Follow(welcome)
        while follow.to["phase"] != "over":
            if follow.to == {**follow.to, "phase": "play", "turn": 0} and not follow.asked:
                follow.asked = True
                await page.say("play", n=follow.n)
            if follow.slappable and not follow.slapped:
                follow.slapped = True
                await asyncio.sleep(0.28)
                await page.say("slap", n=follow.n, p_ms=1.0, t_ms=281.0, s=follow.n)
            follow.see(await page.hear("told", "held", "refused"))
        entries = log.read(welcome["game"])
        assert follow.version == len(entries)
        assert follow.wins > 0
        races = [entry.event.order for entry in entries if isinstance(entry.event, Judged)]
        assert all(270_000 < hit.us < 400_000 for order in races for hit in order if hit.seat == 0)
        await page.say("again")
        assert (await page.hear("welcome"))["game"] == f"{place.room.table.room}-2"


class Follow:
    """What Ana's page knows, from the events alone."""

    def __init__(self, welcome: dict[str, Any]) -> None:
        self.to, self.n, self.version = welcome["view"]["to"], welcome["view"]["n"], welcome["version"]
        self.pile: list[Laid] = [Laid(Card.parse(card), live) for card, live in welcome["view"]["pile"]]
        self.asked = self.slapped = False
        self.wins = 0

    @property
    def slappable(self) -> bool:
        return house().slap_on(tuple(self.pile)) is not None

    def see(self, message: dict[str, Any]) -> None:
        """Follow one message."""
        if message["t"] == "held":
            self.asked = False
        if message["t"] != "told":
            return
        assert message["v"] == self.version + 1
        self.version, event = message["v"], message["e"]
        self.to = event.get("to", self.to)
        match event["e"]:
            case "played":
                self.pile.append(Laid(Card.parse(event["card"])))
                self.n, self.asked, self.slapped = event["n"], False, False
            case "burned":
                self.pile[:0] = [Laid(Card.parse(card), False) for card in reversed(event["cards"])]
            case "taken":
                assert sorted(event["cards"]) == sorted(str(laid.card) for laid in self.pile)
                self.pile.clear()
                self.asked = False
                self.wins += event["seat"] == 0
