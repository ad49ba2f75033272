"""Hostile clients on a WebSocket: they are disconnected, and leave nothing behind."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import pytest

from ratscrew.limits import guessing, limits
from ratscrew.limits.limits import BUSY_S, IGNORED_MOST, LIMITS, OF_SEAT, Limit
from ratscrew.protocol import wire
from ratscrew.protocol.channel import MESSAGE_MOST
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.table.core import room_commands
from ratscrew.table.record.log_budget import PRICES
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.socket.websocket import WebSocket
from tests.web.pages import WITHIN_S, Page, ServedRoom, raw_socket, serve, wait_gone
from tests.web.raw_connections import framed, read_to_end, wait_for_tasks, warnings_in

MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

PLAY = b'{"t":"play","n":0}'

FRAMES = {
    "binary": framed(BINARY, PLAY),
    "compressed": framed(TEXT, zlib.compress(PLAY)[2:-4], first=0xC0),
    "a bomb": framed(TEXT, zlib.compress(b"x" * 10**6), first=0xC0),
    "flags that mean nothing": framed(TEXT, PLAY, first=0xB0),
    "a kind that there is not": framed(3, PLAY),
    "more of nothing": framed(MORE, PLAY),
    "begun twice": framed(TEXT, b"{", first=0) + framed(TEXT, b"}"),
    "never whole": framed(TEXT, b"[" * 500, first=0) + framed(MORE, b"[" * 500, first=0) * 20,
    "too long": framed(TEXT, b"[" * (MESSAGE_MOST + 1)),
    "a length beyond all memory": framed(TEXT, b"[", size=2**62),
    "deep": framed(TEXT, b'{"t":"play","n":' + b"[" * 4000),
    "wide": framed(TEXT, b"[" + b"{}," * 1300 + b"{}]"),
    "no text": framed(TEXT, b'{"t":"\xff\xfe"}'),
    "half a sign": framed(TEXT, b'{"t":"play","x":"\\ud800","n":"'),
    "a long ping": framed(PING, b"x" * 200),
    "a ping in parts": framed(PING, b"x", first=0),
    "a goodbye that is none": framed(CLOSE, b"x"),
    "a goodbye of a code that is none": framed(CLOSE, b"\x00\x07"),
    "not a number": framed(TEXT, b'{"t":"beat","c_ms":NaN}'),
    "more than any number": framed(TEXT, b'{"t":"beat","c_ms":1e999}'),
}


@pytest.mark.parametrize("words", FRAMES.values(), ids=FRAMES)
@on_manual_clock
async def test_what_is_no_message_ends_the_talk_and_leaves_nothing(
    clock: ManualClock, words: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve(clock) as served:
        before = len(asyncio.all_tasks())
        async with raw_socket(served) as socket:
            await asyncio.get_running_loop().sock_sendall(socket, words)
            await read_to_end(socket)
        await wait_gone(served)
        await wait_for_tasks(before)
        assert served.room.empty
    assert warnings_in(caplog.records) == []


@on_manual_clock
async def test_half_a_message_is_waited_for_no_longer_than_a_sign_of_life(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve(clock) as served, raw_socket(served) as socket:
        await asyncio.get_running_loop().sock_sendall(socket, framed(TEXT, PLAY)[:-5])
        await read_to_end(socket)
        await wait_gone(served)
    assert warnings_in(caplog.records) == []


@on_manual_clock
async def test_a_message_in_parts_is_a_message(clock: ManualClock) -> None:
    """A proxy may have cut it."""
    hello = b'{"t":"hello","version":0}'
    parts = framed(TEXT, hello[:5], first=0) + framed(MORE, hello[5:9], first=0)
    async with serve(clock) as served, raw_socket(served, hello=parts + framed(MORE, hello[9:])) as socket:
        heard = await read_to_end(socket)
    assert b'"welcome"' in heard


# Floods


async def flood(page: Page, text: str, times: int) -> None:
    """Send the same message repeatedly, as fast as possible."""
    for _ in range(times):
        await page.socket.send_str(text)


FLOODS = ['{"t":"play","n":-1}', '{"t":"slap","n":0,"p_ms":0,"t_ms":0,"s":1}', '{"t":"pong","k":1,"c_ms":0}', "x"]


@pytest.mark.parametrize("text", FLOODS[:3], ids=lambda text: text[6:10])
@on_manual_clock
async def test_who_talks_on_and_on_is_told_how_long_to_be_silent_and_then_to_stay_away(
    clock: ManualClock, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        flooding = asyncio.create_task(flood(page, text, 300 + IGNORED_MOST + 100))
        unheard = await page.receive("rate_limited")
        assert 0 < unheard["wait_ms"] <= 1000
        bye = await page.receive("bye")
        assert (bye["reason"], bye["wait_s"]) == ("too_much", BUSY_S)
        flooding.cancel()
        await wait_gone(served)
    assert warnings_in(caplog.records) == []


@on_manual_clock
async def test_a_flood_of_pings_is_one_too(clock: ManualClock) -> None:
    async with serve(clock) as served, raw_socket(served) as socket:
        await asyncio.get_running_loop().sock_sendall(socket, framed(PING) * 1000)
        assert b'"too_much"' in await read_to_end(socket)


@on_manual_clock
async def test_a_page_that_pings_and_is_gone_before_the_answer_is_no_fault(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each would be a traceback in the journal, as many as a stranger likes."""

    def pong(websocket: WebSocket, payload: bytes) -> None:
        """The connection ends between the arrival of the ping and the answer."""
        assert websocket.transport
        websocket.transport.abort()
        answer(websocket, payload)

    answer = WebSocket.pong
    monkeypatch.setattr(WebSocket, "pong", pong)
    async with serve(clock) as served:
        async with raw_socket(served) as socket:
            await asyncio.get_running_loop().sock_sendall(socket, framed(PING))
            await read_to_end(socket)
        await wait_gone(served)
    assert warnings_in(caplog.records) == []


@on_manual_clock
async def test_of_many_rule_sets_chosen_at_one_moment_each_is_handled_in_an_iteration_of_its_own(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host's takes a millisecond: many in one iteration would hold up every table. Other players' are not parsed."""
    iterations, handled, read = 0, list[int](), list[str]()

    def count() -> None:
        nonlocal iterations
        iterations += 1
        asyncio.get_running_loop().call_soon(count)

    receive = PlayerConnection.receive

    def recorded(connection: PlayerConnection, message: wire.ClientMessage, arrived_us: int) -> None:
        handled.append(iterations)
        receive(connection, message, arrived_us)

    monkeypatch.setattr(room_commands, "from_link", read.append)
    monkeypatch.setattr(PlayerConnection, "receive", recorded)
    async with serve(clock, asked=RoomRequest("Ana", 0, "sharp", wait=True)) as served:
        pages = list[Page]()
        for who in range(1, 8):
            served.registry.join(served.room, f"P{who}")
            served.use_cookies(served.tokens.sign("seat", served.room.table.room, [who], clock.now_us()))
            pages.append(await served.enter(player_ids=[who]))
            await pages[-1].receive("welcome")
        asyncio.get_running_loop().call_soon(count)
        for page in pages:
            await page.send("house", house="1;classic")
        async with asyncio.timeout(WITHIN_S):
            while len(handled) < len(pages):
                await asyncio.sleep(0)
    assert len(set(handled)) == len(pages)
    assert read == []  # none of them is the host


@on_manual_clock
async def test_requests_are_refused_where_there_is_no_end_to_them(clock: ManualClock) -> None:
    """Each would be stored, and sent to all clients."""
    async with serve(clock, asked=RoomRequest("Ana", 2, "sharp", wait=True)) as served:
        page = await served.enter()
        await page.receive("welcome")
        version = served.room.table.state.version
        for number in range(OF_SEAT.most // PRICES["list"] + 5):
            if number % 100 == 99:
                clock.advance(1_000_000)  # so that the connection is not over its own limit
            await page.send("list", on=number % 2 == 0)
        while (await page.receive("refused"))["reason"] != "slow_down":
            pass
        assert served.room.table.state.version < version + OF_SEAT.most // PRICES["list"] + 60


@pytest.mark.usefixtures("tireless")
@on_manual_clock
async def test_while_one_floods_another_at_the_same_table_is_told_everything_in_its_moment(clock: ManualClock) -> None:
    """On a clock that advances only when all tasks wait, a late task has waited for another one."""
    async with serve(clock) as served:
        ana = await served.enter()
        version = (await ana.receive("welcome"))["version"]
        loud = await served.enter(player_ids=[])
        flooding = asyncio.create_task(flood(loud, FLOODS[0], 2000))
        for number in range(version + 1, version + 12):
            assert (await ana.receive("event"))["v"] == number
            if number == version + 1:
                assert clock.now_us() / 1000 <= ana.painted[1]
        flooding.cancel()


# Too many


@on_manual_clock
async def test_an_address_has_only_so_many_connections(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SOCKETS_MOST", 3)
    async with serve(clock) as served:
        pages = [await served.enter(player_ids=[]) for _ in range(3)]
        for page in pages:
            await page.receive("welcome")
        await shown_out(await served.connect())
        await pages[0].socket.close()
        await (await served.enter(player_ids=[])).receive("welcome")


@on_manual_clock
async def test_who_comes_again_and_again_has_to_wait(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "sockets", Limit(2, 4))
    async with serve(clock) as served:
        for _ in range(2):
            await (await served.connect()).socket.close()
        await shown_out(await served.connect(), wait_s=4)
        clock.advance(4_000_000)
        await (await served.enter()).receive("welcome")


@on_manual_clock
async def test_a_room_has_only_so_many_who_watch_but_always_its_players(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCHERS_MOST", 2)
    async with serve(clock) as served:
        for _ in range(2):
            await (await served.enter(player_ids=[])).receive("welcome")
        bye = await (await served.enter(player_ids=[])).receive("bye")
        assert (bye["reason"], bye["wait_s"]) == ("crowded", BUSY_S)
        assert (await (await served.enter()).receive("welcome"))["you"] == 0


async def shown_out(page: Page, wait_s: float = BUSY_S) -> None:
    """The client learns when it may come back."""
    bye = await page.receive("bye")
    assert (bye["reason"], bye["wait_s"]) == ("too_much", wait_s)
    await page.expect_close()


# Guesses


@on_manual_clock
async def test_a_thousand_wrong_codes_find_nothing_but_who_holds_a_seat_comes_in(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "ADDRESS", Limit(3, 60))
    async with serve(clock) as served:
        served.use_cookies()
        found = [await said_to(served, code=room, player_ids=[]) for room in ["QQQQ"] * 5 + [served.code]]
        assert found == ["no_room"] * 3 + ["too_much"] * 3
        served.use_cookies(served.token)
        assert (await (await served.enter()).receive("welcome"))["you"] == 0


async def said_to(served: ServedRoom, **hello: Any) -> str:
    """The reply to a `hello`: the reason of a `bye`, or a `welcome`."""
    said = await (await served.enter(**hello)).receive("bye", "welcome")
    return str(said.get("reason", "welcome"))
