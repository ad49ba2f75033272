"""What an address sends is read as fast as its share of the event loop's time allows; figures are worked by hand."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import uvloop
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.table.clock import SystemClock
from ratscrew.table.lobby import Asked, Lobby
from ratscrew.table.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import loop_share, wire
from ratscrew.web.app import GATE, make_app
from ratscrew.web.browser import Browser
from ratscrew.web.door import FULL_S
from ratscrew.web.limits import Bucket, Limit
from ratscrew.web.loop_share import (
    ANSWER_US,
    APART_S,
    BUSY,
    BYTE_US,
    ENSURED,
    FULL,
    HTTP_SLICE,
    LOOK_EVERY_S,
    MESSAGE_US,
    OF_ADDRESS,
    OF_ALL,
    OVER_S,
    PRICE_MOST,
    REQUEST_US,
    SOCKET_SLICE,
    LoopShare,
)
from ratscrew.web.pages import Pages
from ratscrew.web.road import Road
from ratscrew.web.worker import execute_here
from tests.web.asking import socket_of
from tests.web.hostility import count_iterations, framed, outside, request, speak
from tests.web.talking import WITHIN_S, serve, upgrade

ROOM = b'{"name":"Ana","bots":0,"wait":true}'
ADDRESS, OTHERS = "192.0.2.1", [f"198.51.100.{number}" for number in range(20)]
JITTER_S = 0.002
"""Connections that wait do not all come back at the same moment."""


def app_of(clock: ManualClock, road: Road | None = None) -> web.Application:
    """A server without pages."""
    return make_app(MemoryLog(), clock, Pages(Path("nowhere")), road=road, execute=execute_here)


# The share itself


def test_an_address_that_takes_more_than_its_part_waits_until_it_has_paid() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, OF_ADDRESS.most)
    assert share.wait_s(ADDRESS) == 0  # 50 ms at once
    share.charge(ADDRESS, 10_000)
    wait_s = share.wait_s(ADDRESS)
    assert 0.05 <= wait_s <= 0.05 + JITTER_S  # 10 ms too many, at a fifth of the time
    clock.advance(50_000)
    assert share.wait_s(ADDRESS) == 0


def test_while_all_take_too_much_an_address_has_its_ensured_share_at_once() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    for each in OTHERS:
        share.charge(each, OF_ALL.most / 10)  # twice what all may take together, and each the ensured share
    share.charge(ADDRESS, ENSURED.most - 1)
    assert share.wait_s(ADDRESS) == 0
    assert share.wait_s(OTHERS[0]) == 0
    share.charge(OTHERS[0], 100)
    wait_s = share.wait_s(OTHERS[0])
    assert 0.004 <= wait_s <= 0.004 + JITTER_S  # 0.1 ms too much, at a fortieth of the time
    clock.advance(4000)
    assert share.wait_s(OTHERS[0]) == 0


def test_an_address_that_nobody_knows_never_waits() -> None:
    share = LoopShare()
    for each in OTHERS:
        share.charge(each, 10**6)
    assert share.wait_s(ADDRESS) == 0


def test_connections_of_one_address_that_wait_come_back_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_share, "random", lambda: 0.5)
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, OF_ADDRESS.most + 10_000)
    alone_s = share.wait_s(ADDRESS)
    for _ in range(100):
        share.begin_to_wait(ADDRESS)
    assert share.wait_s(ADDRESS) - alone_s == pytest.approx(100 * APART_S)


def test_of_many_addresses_those_with_their_whole_share_are_forgotten_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looking at all of them is done so seldom that it costs each new address the same."""
    asked, unused = 0, Bucket.unused

    def counted(bucket: Bucket, now_us: int) -> bool:
        nonlocal asked
        asked += 1
        return unused(bucket, now_us)

    monkeypatch.setattr(loop_share, "_FORGET_AT", 100)
    monkeypatch.setattr(Bucket, "unused", counted)
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, 2 * OF_ADDRESS.most)
    for number in range(1000):
        share.charge(f"of a crowd: {number}", 1000)
    assert share.wait_s(ADDRESS) > 0
    assert 0 < asked <= 4 * 1000
    clock.advance(10**6)
    share.charge(ADDRESS, 2 * OF_ADDRESS.most)
    for number in range(1000):
        share.charge(f"of another: {number}", 1000)
        clock.advance(100_000)
    assert len(share) < 500


def test_what_was_paid_in_advance_comes_back() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    for _ in range(10_000):
        share.charge(ADDRESS, 1000 * BYTE_US)
        share.charge(ADDRESS, -1000 * BYTE_US)
    assert share.wait_s(ADDRESS) == 0


def test_prices_rise_while_the_loop_is_busy_and_fall_again() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    for _ in range(50):
        share.note_load(0.9)
    share.charge(ADDRESS, OF_ADDRESS.most / PRICE_MOST)
    assert share.wait_s(ADDRESS) == 0
    share.charge(ADDRESS, 1)
    assert share.wait_s(ADDRESS) > 0
    for _ in range(50):
        share.note_load(0.1)
    clock.advance(10**6)
    share.charge(OTHERS[0], OF_ADDRESS.most - 1)
    assert share.wait_s(OTHERS[0]) == 0


def test_a_server_is_full_after_half_a_second_and_not_by_one_busy_moment() -> None:
    share = LoopShare()
    share.note_load(1)
    assert not share.full
    for _ in range(round(0.5 / LOOK_EVERY_S)):
        share.note_load(1)
    assert share.full
    for _ in range(round(0.5 / LOOK_EVERY_S)):
        share.note_load(0.2)
    assert not share.full


def test_the_page_for_operators_has_these_figures() -> None:
    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")

    def row(who: str, limit: Limit) -> str:
        return f"| {who} | {limit.most / 1000:g} ms | {1e-4 / limit.every_s:g} % of the time |"

    rows = row("an address", OF_ADDRESS), row("all addresses together", OF_ALL), row("ensured to each address", ENSURED)
    assert [line for line in rows if line not in text] == []
    words = " ".join(text.split())
    assert f"more than {BUSY:.0%} of the time, everything counts up to four times".replace("%", " %") in words
    assert PRICE_MOST == 4
    assert f"more than {FULL:.0%} over {OVER_S:g} s, the server opens no more rooms".replace("%", " %") in words
    assert f"slices of {HTTP_SLICE // 1024} kB, {SOCKET_SLICE // 1024} kB for a socket" in words


# In a server


@on_manual_clock
async def test_the_next_request_of_an_address_over_its_share_waits_unread(clock: ManualClock) -> None:
    app = app_of(clock)
    async with outside(clock, app) as port:
        began_us = clock.now_us()
        assert b"200 OK" in await speak(port, request("GET", "/api/health"))
        assert clock.now_us() - began_us < 50_000
        app[GATE].share.charge("127.0.0.1", OF_ADDRESS.most + 10_000)
        began_us = clock.now_us()
        assert b"200 OK" in await speak(port, request("GET", "/api/health"))
        assert clock.now_us() - began_us >= 50_000


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_who_has_waited_or_hung_up_is_not_counted_as_waiting_on_either_event_loop(
    make_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """uvloop's handles are no subclass of asyncio's. Each connection that waits makes the others wait longer."""

    async def story() -> list[int]:
        clock = SystemClock()
        app = make_app(MemoryLog(), clock, Pages(Path("nowhere")), execute=execute_here)
        share, found = app[GATE].share, list[int]()
        async with outside(clock, app) as port:
            for hangs_up in (False, True):
                share.charge("127.0.0.1", 2 * OF_ADDRESS.most)
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(request("GET", "/api/health"))
                while not share.waiting:
                    await asyncio.sleep(0.001)
                found.append(share.waiting)
                if hangs_up:
                    writer.transport.abort()
                else:
                    assert b"200 OK" in await reader.read()
                    writer.close()
                while share.waiting:
                    await asyncio.sleep(0.001)
        return found

    with asyncio.Runner(loop_factory=make_loop) as runner:
        assert runner.run(asyncio.wait_for(story(), WITHIN_S)) == [1, 1]


@pytest.mark.parametrize(("proxied", "address"), [(False, "127.0.0.1"), (True, ADDRESS)])
@on_manual_clock
async def test_a_message_pays_by_the_byte_in_advance_and_then_what_it_took(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, proxied: bool, address: str
) -> None:
    app = app_of(clock, Road(proxied))
    async with outside(clock, app) as port:
        opened = await speak(port, request("POST", "/api/rooms", f"Content-Length: {len(ROOM)}", body=ROOM))
        room = json.loads(opened.partition(b"\r\n\r\n")[2])["room"]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(upgrade(room, f"\r\nX-Forwarded-For: {address}"))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(framed(1, b'{"t":"hello"}'))
        await reader.readuntil(b'"welcome"')
        monkeypatch.setattr(time, "perf_counter", lambda: 0.0)  # so it is known how long parsing and handling take
        charged = recorded(app)
        slap = b'{"t":"slap","n":0,"p_ms":0,"t_ms":0,"s":1}'
        writer.write(framed(1, slap))
        await reader.readuntil(b'"refused"')  # who only watches has no hand there
        ping = b"still there?"
        writer.write(framed(9, ping))
        await reader.readuntil(ping)
        writer.close()
    assert charged[:4] == [
        (address, BYTE_US * len(framed(1, slap))),
        (address, MESSAGE_US + ANSWER_US - BYTE_US * len(slap)),
        (address, BYTE_US * len(framed(9, ping))),
        (address, MESSAGE_US + ANSWER_US - BYTE_US * len(ping)),
    ]


@on_manual_clock
async def test_the_second_of_pipelined_requests_waits_for_the_share_that_the_first_has_used(clock: ManualClock) -> None:
    app = app_of(clock)
    charged = recorded(app, times={REQUEST_US: 2 * OF_ADDRESS.most / REQUEST_US})  # a request that takes long
    async with outside(clock, app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request("GET", "/api/health").replace(b"Connection: close", b"X: y") * 2)
        answered_us = []
        for _ in range(2):
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split()[0]))
            answered_us.append(clock.now_us())
        writer.close()
    assert charged
    assert answered_us[1] - answered_us[0] >= 5 * OF_ADDRESS.most  # what is too much, at a fifth of the time


@on_manual_clock
async def test_a_proxys_connection_is_no_clients_after_a_handshake_that_failed(clock: ManualClock) -> None:
    app = app_of(clock, Road(proxied=True))
    async with outside(clock, app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            request("GET", socket_of("QUIZ"), "X-Forwarded-For: 192.0.2.1").replace(b"Connection: close", b"X: y")
        )
        assert b" 400 " in await reader.readline()
        (handler,) = app[GATE].open
        assert handler.account is None
        writer.close()


def recorded(app: web.Application, times: Mapping[float, float] = {}) -> list[tuple[str, float]]:
    """What is charged to whom from now on; some amounts are charged so many `times`."""
    share, charged = app[GATE].share, list[tuple[str, float]]()
    charge = share.charge

    def record(address: str, us: float) -> None:
        charged.append((address, us))
        charge(address, us * times.get(us, 1))

    share.charge = record  # type: ignore[method-assign]
    return charged


@on_manual_clock
async def test_each_request_costs_its_address_time(clock: ManualClock) -> None:
    app = app_of(clock)
    charged = recorded(app)
    async with outside(clock, app) as port:
        await speak(port, request("GET", "/api/health"))
    assert ("127.0.0.1", REQUEST_US) in charged
    assert len(charged) == 3  # what parsing took, the request, and the answer by its length
    assert all(us > 0 for _, us in charged)


@on_manual_clock
async def test_what_comes_at_once_is_parsed_in_slices(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """And all of it is answered, in its order."""
    sizes, receive = list[int](), web.RequestHandler.data_received

    def data_received(self: web.RequestHandler, data: bytes) -> None:
        sizes.append(len(data))
        receive(self, data)

    monkeypatch.setattr(web.RequestHandler, "data_received", data_received)
    padding = "X: " + "y" * 4000
    words = b"".join(
        request("GET", path, padding).replace(b"Connection: close", b"Y: z")
        for path in ("/api/health", "/api/nothing", "/api/health")
    )
    async with outside(clock, app_of(clock)) as port:
        answer = await speak(port, words + request("GET", "/api/rooms"))
    assert [answer[found + 9 : found + 12] for found in places(answer, b"HTTP/1.1 ")] == [
        b"200",
        b"404",
        b"200",
        b"200",
    ]
    assert max(sizes) <= HTTP_SLICE
    assert sum(sizes) == len(words + request("GET", "/api/rooms"))


def places(text: bytes, part: bytes) -> list[int]:
    """Where a part begins in a text, each time."""
    return [at for at in range(len(text)) if text.startswith(part, at)]


async def test_rooms_that_are_asked_for_at_one_moment_are_opened_one_in_each_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    iteration, opened, open_room = count_iterations(), list[int](), Lobby.open

    def recorded_open(lobby: Lobby, asked: Asked) -> Room:
        opened.append(iteration())
        return open_room(lobby, asked)

    monkeypatch.setattr(Lobby, "open", recorded_open)
    async with TestClient(TestServer(app_of(ManualClock(1)))) as client:
        body = json.loads(ROOM)
        answers = await asyncio.gather(*(client.post("/api/rooms", json=body) for _ in range(20)))
    assert [answer.status for answer in answers] == [201] * 20
    assert len(set(opened)) == 20


async def test_what_hosts_ask_for_at_one_moment_is_handled_one_in_each_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    iteration, handled, answer = count_iterations(), list[int](), Browser.answer

    def recorded_answer(browser: Browser, message: wire.ClientMessage, arrived_us: int) -> None:
        if isinstance(message, wire.List):
            handled.append(iteration())
        answer(browser, message, arrived_us)

    monkeypatch.setattr(Browser, "answer", recorded_answer)
    async with serve(ManualClock(1)) as place:
        pages = [await place.enter(), *[await place.enter(who=[]) for _ in range(6)]]
        for page in pages:
            await page.say("list", on=True)
        while len(handled) < len(pages):
            await asyncio.sleep(0)
    assert len(set(handled)) == len(pages)


@on_manual_clock
async def test_the_load_of_the_loop_is_looked_at_as_long_as_the_server_runs(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = list[float]()
    monkeypatch.setattr(LoopShare, "note_load", lambda _, busy: loads.append(busy))
    async with outside(clock, app_of(clock)):
        await asyncio.sleep(10 * LOOK_EVERY_S)
    assert len(loads) >= 8
    assert all(load >= 0 for load in loads)


async def test_a_full_server_opens_no_room_and_lets_people_into_those_it_has() -> None:
    app = app_of(ManualClock(1))
    async with TestClient(TestServer(app)) as client:
        asked = json.loads(ROOM)
        async with client.post("/api/rooms", json=asked) as answer:
            room = (await answer.json())["room"]
        for _ in range(10):
            app[GATE].share.note_load(0.9)
        for path, body in (
            ("/api/rooms", asked),
            ("/api/quick", {"name": "Ana"}),
            ("/api/lessons", {"name": "Ana", "lesson": "double"}),
        ):
            async with client.post(path, json=body) as answer:
                assert answer.status == 503
                assert (await answer.json())["code"] == "busy"
                assert int(answer.headers["Retry-After"]) >= FULL_S
        async with client.post(f"/api/rooms/{room}/seats", json={"name": "Ben"}) as answer:
            assert answer.status == 201
