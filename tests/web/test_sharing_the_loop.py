"""Data of clients is parsed, handled and charged within their share of the event loop's time."""

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

from ratscrew.limits.loop_share import (
    ANSWER_US,
    HTTP_SLICE,
    MEASURE_EVERY_S,
    MESSAGE_US,
    OF_ADDRESS,
    REQUEST_US,
    LoopShare,
)
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol import wire
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.table.record import requests
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import GATE, make_app
from ratscrew.web.edge.connections import GuardedHandler
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.middleware import FULL_S
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import socket_of
from tests.web.pages import WITHIN_S, serve, upgrade
from tests.web.raw_connections import count_iterations, exchange, framed, raw_server, request

ROOM = b'{"name":"Ana","bots":0,"wait":true}'
ADDRESS = "192.0.2.1"


def app_of(clock: ManualClock, proxy_policy: ProxyPolicy | None = None) -> web.Application:
    """A server without pages."""
    return make_app(MemoryLog(), clock, StaticFiles(Path("nowhere")), proxy_policy=proxy_policy, execute=execute_here)


@on_manual_clock
async def test_the_next_request_of_an_address_over_its_share_waits_unread(clock: ManualClock) -> None:
    app = app_of(clock)
    async with raw_server(clock, app) as port:
        began_us = clock.now_us()
        assert b"200 OK" in await exchange(port, request("GET", "/api/health"))
        assert clock.now_us() - began_us < 50_000
        app[GATE].share.charge("127.0.0.1", OF_ADDRESS.most + 10_000)
        began_us = clock.now_us()
        assert b"200 OK" in await exchange(port, request("GET", "/api/health"))
        assert clock.now_us() - began_us >= 50_000


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_who_has_waited_or_hung_up_is_not_counted_as_waiting_on_either_event_loop(
    make_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """uvloop's handles are no subclass of asyncio's. Each connection that waits makes the others wait longer."""

    async def story() -> list[int]:
        clock = SystemClock()
        app = make_app(MemoryLog(), clock, StaticFiles(Path("nowhere")), execute=execute_here)
        share, found = app[GATE].share, list[int]()
        async with raw_server(clock, app) as port:
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
    app = app_of(clock, ProxyPolicy(proxied))
    async with raw_server(clock, app) as port:
        opened = await exchange(port, request("POST", "/api/rooms", f"Content-Length: {len(ROOM)}", body=ROOM))
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
    assert charged[:2] == [(address, MESSAGE_US + ANSWER_US)] * 2


@on_manual_clock
async def test_the_second_of_pipelined_requests_waits_for_the_share_that_the_first_has_used(clock: ManualClock) -> None:
    app = app_of(clock)
    charged = recorded(app, times={REQUEST_US: 2 * OF_ADDRESS.most / REQUEST_US})  # a request that takes long
    async with raw_server(clock, app) as port:
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
    app = app_of(clock, ProxyPolicy(proxied=True))
    async with raw_server(clock, app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            request("GET", socket_of("QUIZ"), "X-Forwarded-For: 192.0.2.1").replace(b"Connection: close", b"X: y")
        )
        assert b" 400 " in await reader.readline()
        (handler,) = app[GATE].open
        assert isinstance(handler, GuardedHandler)
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
    async with raw_server(clock, app) as port:
        await exchange(port, request("GET", "/api/health"))
    assert ("127.0.0.1", REQUEST_US) in charged
    assert len(charged) == 4  # what parsing took, the request, its handler, and the answer by its length
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
    async with raw_server(clock, app_of(clock)) as port:
        answer = await exchange(port, words + request("GET", "/api/rooms"))
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
    iteration, opened, open_room = count_iterations(), list[int](), RoomRegistry.open

    def recorded_open(registry: RoomRegistry, asked: RoomRequest) -> Room:
        opened.append(iteration())
        return open_room(registry, asked)

    monkeypatch.setattr(RoomRegistry, "open", recorded_open)
    async with TestClient(TestServer(app_of(ManualClock(1)))) as client:
        body = json.loads(ROOM)
        answers = await asyncio.gather(*(client.post("/api/rooms", json=body) for _ in range(20)))
    assert [answer.status for answer in answers] == [201] * 20
    assert len(set(opened)) == 20


async def test_what_hosts_ask_for_at_one_moment_is_handled_one_in_each_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    iteration, handled, receive = count_iterations(), list[int](), PlayerConnection.receive

    def recorded(connection: PlayerConnection, message: wire.ClientMessage, arrived_us: int) -> None:
        if isinstance(message, requests.ListRoom):
            handled.append(iteration())
        receive(connection, message, arrived_us)

    monkeypatch.setattr(PlayerConnection, "receive", recorded)
    async with serve(ManualClock(1)) as served:
        pages = [await served.enter(), *[await served.enter(player_ids=[]) for _ in range(6)]]
        for page in pages:
            await page.send("list", on=True)
        while len(handled) < len(pages):
            await asyncio.sleep(0)
    assert len(set(handled)) == len(pages)


@on_manual_clock
async def test_the_load_of_the_loop_is_looked_at_as_long_as_the_server_runs(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = list[float]()
    monkeypatch.setattr(LoopShare, "record_load", lambda _, busy: loads.append(busy))
    async with raw_server(clock, app_of(clock)):
        await asyncio.sleep(10 * MEASURE_EVERY_S)
    assert len(loads) >= 8
    assert all(load >= 0 for load in loads)


async def test_a_full_server_opens_no_room_and_lets_people_into_those_it_has() -> None:
    app = app_of(ManualClock(1))
    async with TestClient(TestServer(app)) as client:
        asked = json.loads(ROOM)
        async with client.post("/api/rooms", json=asked) as answer:
            room = (await answer.json())["room"]
        for _ in range(10):
            app[GATE].share.record_load(0.9)
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
