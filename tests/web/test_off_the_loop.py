"""No request blocks the event loop's thread on the log: it may only start an append."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.protocol import session
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import IDLE_US
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.http.static_files import StaticFiles
from tests.table.test_restoring import WatchedLog
from tests.web.http_requests import ASKED, Client, ask, get, socket_of
from tests.web.pages import Page


class GuardedLog(MemoryLog[Entry]):
    """A log that notes what the guarded thread calls, but `append_soon`."""

    def __init__(self) -> None:
        super().__init__()
        self.guarded: int | None = None
        self.called: list[str] = []
        for name in ("append", "read", "last", "games", "get_or_create", "get", "redact", "delete_prefix", "put"):
            setattr(self, name, self._noted(name, getattr(self, name)))

    def append_soon(self, *asked: Any) -> Any:
        """See `EventLog`; what it calls in memory is not noted."""
        guarded, self.guarded = self.guarded, None
        try:
            return super().append_soon(*asked)
        finally:
            self.guarded = guarded

    def _noted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **more: Any) -> Any:
            if get_ident() == self.guarded:
                self.called.append(name)
            return call(*args, **more)

        return called


@asynccontextmanager
async def guarded(log: GuardedLog, clock: ManualClock, pages: Path) -> AsyncIterator[Client]:
    """A server that has started, and then may not wait for its log."""
    async with TestClient(TestServer(make_app(log, clock, StaticFiles(pages)))) as client:
        log.guarded = get_ident()
        yield client
        log.guarded = None


async def everything(client: Client, clock: ManualClock) -> None:
    """Every request that has to do with rooms, seats or the log."""
    _, room = await ask(client, ASKED)
    code = room["room"]
    assert (await ask(client, {"name": "Bo"}, "/api/quick"))[0] == 201
    assert (await ask(client, {"name": "Cy", "lesson": "turn"}, "/api/lessons"))[0] == 201
    assert (await ask(client, {"name": "Di"}, f"/api/rooms/{code}/seats"))[0] in (201, 409)
    assert (await ask(client, {"name": "Di"}, "/api/rooms/QQQQ/seats"))[0] == 404
    _, shown = await ask(client, {"player_ids": [0]}, f"/api/rooms/{code}/pass")
    assert (await ask(client, shown, f"/api/rooms/{code}/device"))[0] == 200
    assert (await get(client, "/api/games/QUIZ-1-1"))[0] == 404
    for path in ("/api/rooms", "/api/health", "/api/ready"):
        assert (await get(client, path))[0] == 200
    for _ in range(2):  # from memory, then restored
        async with client.ws_connect(socket_of(code)) as socket:
            await socket.send_json({"t": "hello", "player_ids": [0], "page": "p" * 16})
            assert (await Page(socket).receive())["t"] == "welcome"
        clock.advance(IDLE_US * 2)
        client.app[REGISTRY].sweep()
    async with client.delete(f"/api/rooms/{code}/name", json={"player_ids": [0]}) as deleted:
        assert deleted.status == 200


async def test_no_request_makes_the_event_loop_wait_for_the_log(tmp_path: Path) -> None:
    clock, log = ManualClock(1), GuardedLog()
    async with guarded(log, clock, tmp_path) as client:
        await everything(client, clock)
    assert log.called == []


async def test_a_server_that_was_started_again_does_not_wait_either(tmp_path: Path) -> None:
    """Every room of the first server is restored by the second."""
    clock, log = ManualClock(1), GuardedLog()
    async with guarded(log, clock, tmp_path) as client:
        _, room = await ask(client, ASKED)
        held = client.session.cookie_jar
    async with guarded(log, clock, tmp_path) as client:
        for morsel in held:
            client.session.cookie_jar.update_cookies({morsel.key: morsel.value})
        async with client.ws_connect(socket_of(room["room"])) as socket:
            await socket.send_json({"t": "hello", "player_ids": [0], "page": "p" * 16})
            assert (await Page(socket).receive())["t"] == "welcome"
        await everything(client, clock)
    assert log.called == []


async def test_a_client_whose_table_takes_long_to_be_read_is_told_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it takes its connection for dead, and a server with many rooms to read gets all requests again."""
    monkeypatch.setattr(session, "WAITING_EVERY_S", 0.01)
    clock, log = ManualClock(1), WatchedLog()
    async with TestClient(TestServer(make_app(log, clock, StaticFiles(tmp_path)))) as client:
        _, room = await ask(client, ASKED)
        clock.advance(IDLE_US * 2)
        client.app[REGISTRY].sweep()
        log.go.clear()
        async with client.ws_connect(socket_of(room["room"])) as socket:
            page = Page(socket)
            await socket.send_json({"t": "hello", "player_ids": [0], "page": "p" * 16})
            assert [await page.receive() for _ in range(3)] == [{"t": "waiting"}] * 3
            log.go.set()
            while (message := await page.receive()) == {"t": "waiting"}:
                pass
            assert message["t"] == "welcome"
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    while True:
                        assert await page.receive() != {"t": "waiting"}
