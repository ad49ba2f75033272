"""Returning to a room after a lost connection, and after a restart of the server."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry import restoring
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import STOP_WITHIN_S, listening
from ratscrew.web.socket import transport_channel
from ratscrew.web.typescript import WIRE
from tests.table.test_restoring import WatchedLog
from tests.web.http_requests import socket_of
from tests.web.pages import (
    Page,
    cookies,
    frame,
    full_server,
    open_room,
    serve,
    small_buffers,
    stored_name,
    upgrade,
    wait_gone,
)

# Coming back


@pytest.mark.parametrize("lost", [0, 1, 4])
@on_manual_clock
async def test_who_comes_back_is_told_what_he_has_missed(clock: ManualClock, lost: int) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        told = [await page.receive("event") for _ in range(6)]
        await page.socket.close()
        await wait_gone(served)
        version = served.room.table.state.version
        back = await served.enter(game=served.room.table.log.public, version=version - lost)
        first = await back.receive("reconnected")  # how the lines are may come before it
        assert set(first) == {"t", "version", "seats", "ready", "clock", "epoch"}
        assert (first["version"], first["seats"][0]["name"]) == (version, "Ana")
        missed = [await back.receive("event") for _ in range(lost)]
        assert [message["v"] for message in missed] == list(range(version - lost + 1, version + 1))
        assert all(message in missed for message in told if message["v"] > version - lost)
        assert (await back.receive("event"))["v"] == version + 1


@on_manual_clock
async def test_a_page_of_another_version_gets_the_whole_table_and_so_the_version(clock: ManualClock) -> None:
    async with serve(clock) as served:
        log, state = served.room.table.log, served.room.table.state
        for other in (None, "0" * 12):
            page = await served.enter(game=log.public, version=state.version, wire=other)
            welcome = await page.receive()
            assert (welcome["t"], welcome["version"], welcome["wire"]) == ("welcome", state.version, WIRE)


async def test_a_game_goes_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    """In real time, over a file: half a game here, the server stops, another takes up the file and goes on."""
    codec, clock, jar = Codec[Entry](Entry), SystemClock(20), cookies()
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        joined = await open_room(client)
        page = Page(await client.ws_connect(socket_of(joined["room"])))
        await page.send("hello", player_ids=[joined["player_id"]])
        welcome = await page.receive("welcome")
        told = [await page.receive("event") for _ in range(6)]
        await client.server.close()
        await page.expect_close()  # without a bye: come back
    log.close()
    version = told[-1]["v"]
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    assert len(log.read(stored_name(log, welcome["game"]))) >= version
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        page = Page(await client.ws_connect(socket_of(joined["room"])))
        await page.send("hello", player_ids=[joined["player_id"]], game=welcome["game"], version=version)
        again = await page.receive()
        assert again["t"] in ("reconnected", "welcome")
        assert again["version"] >= version
        assert again.get("game", welcome["game"]) == welcome["game"]
        assert again.get("you", 0) == 0
        known = version if again["t"] == "reconnected" else again["version"]
        more = [await page.receive("event") for _ in range(3)]
        assert [message["v"] for message in more] == [known + 1, known + 2, known + 3]
        await page.socket.close()
    log.close()


@on_manual_clock
async def test_a_server_that_stops_ends_every_conversation_without_a_bye(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        joined = await open_room(client)
        pages = []
        for who in ([joined["player_id"]], []):
            pages.append(Page(await client.ws_connect(socket_of(joined["room"]))))
            await pages[-1].send("hello", player_ids=who)
            await pages[-1].receive("welcome")
        stopping = asyncio.create_task(client.server.close())
        for page in pages:
            await page.expect_close()
        await stopping


@on_manual_clock
async def test_a_server_stops_in_three_seconds_though_somebody_does_not_read(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their messages wait in the server: too few to disconnect the client, and too many to be sent."""
    monkeypatch.setattr(transport_channel, "WAITING_MOST", 10**9)
    app, loop = make_app(MemoryLog(), clock, StaticFiles(Path("nowhere"))), asyncio.get_running_loop()
    server = TestServer(app, socket_factory=small_buffers)
    await server.start_server(shutdown_timeout=STOP_WITHIN_S)
    async with TestClient(server) as client:
        begin = upgrade((await open_room(client))["room"], "") + frame('{"t":"hello"}')
        with sockets.socket() as socket:
            socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            socket.setblocking(False)
            await loop.sock_connect(socket, ("127.0.0.1", server.port))
            await loop.sock_sendall(socket, begin)
            for _ in range(1000):
                await loop.sock_sendall(socket, frame(json.dumps({"t": "play", "n": 10**9})))
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
async def test_a_log_that_fails_is_told_as_that(clock: ManualClock) -> None:
    async with serve(clock, FailingLog()) as served:
        page = await served.enter()
        await page.receive("welcome")
        await page.expect_close(after="unkept")


async def test_a_room_is_not_restored_for_a_page_that_has_gone_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has asked for its room after a restart of the server, and was lost before the room's turn came."""
    monkeypatch.setattr(restoring, "AT_ONCE", 1)
    clock, log, jar = SystemClock(), WatchedLog(), cookies()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        joined = [await open_room(client) for _ in range(2)]
    app = make_app(log, clock, StaticFiles(tmp_path))  # unlike a `TestServer`, the real one cancels no request
    async with listening(app, "127.0.0.1", 0) as address, ClientSession(address, cookie_jar=jar) as session:
        log.go.clear()
        pages = [Page(await session.ws_connect(socket_of(each["room"]))) for each in joined]
        for page, each in zip(pages, joined, strict=True):
            await page.send("hello", player_ids=[each["player_id"]])
        queue = app[REGISTRY]._restores
        while len(queue) < 2:
            await asyncio.sleep(0.01)
        pages[1].socket._response.close()
        await asyncio.sleep(0.1)
        log.go.set()
        await pages[0].receive("welcome")
        while len(queue):
            await asyncio.sleep(0.01)
        assert [game.partition("-")[0] for game in log.reads] == [joined[0]["room"]]
