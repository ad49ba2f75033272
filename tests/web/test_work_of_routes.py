"""Where the work of each route runs: none of it grows with a game, a season or a body on the event loop.

A route that reads games in the log says so in its row: `worker` for what the worker process decodes. What fails here
after a new route needs `StoredGames`, or `Renderer.render`; see docs/operations.md.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from threading import get_ident
from typing import Any

import msgspec
import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.played import AccountGame, put_played
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry, Muted
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.rendering import Rendered
from ratscrew.web.routes import ROUTES, Route
from tests.web.http_requests import Client, ask
from tests.web.test_games import GAME, events

DECODED_MOST = 16 * 1024
"""Bytes that the event loop may decode or unpack at once: a fraction of a millisecond."""

ERASE = {("DELETE", "/api/rooms/{code}/name"), ("DELETE", "/api/account")}
"""Routes that read and change games in a thread, one request at a time and with breaks (`GameHandlers.erasing`)."""

NOT_REACHED = {
    ("POST", "/api/activity"): "it needs an application of Discord",
    ("GET", "/activity"): "it needs an application of Discord",
    ("GET", "/api/rooms/{code}/socket"): "it is no WebSocket; those read rooms only, in the thread that restores them",
    ("POST", "/api/rooms/{code}/stream/{id}/{n}"): "there is no such stream",
    ("POST", "/api/rooms/{code}/device"): "the pass is none",
    ("POST", "/api/account/device"): "the pass is none",
    ("POST", "/api/account/passkey"): "the passkey is none",
    ("POST", "/api/account/passkey/options"): "the server has no name",
    ("POST", "/api/sign-in"): "the passkey is none",
    ("POST", "/api/sign-in/options"): "the server has no name",
    ("POST", "/api/friends"): "there is no such player",
    ("GET", "/{path}"): "there is no such file",
}
"""Routes that refuse these requests before their work, and why."""

LAST = ("DELETE", "/api/account")


class RecordingLog(MemoryLog[Entry]):
    """A log that notes what the event loop waits for, and which games are read in what way on any thread."""

    def __init__(self) -> None:
        super().__init__()
        self.loop: int | None = None
        self.inside = 0
        self.on_loop: list[str] = []
        self.games_read: list[str] = []
        for name in ("append", "read", "read_packed", "count", "last", "games", "get_or_create", "get", "redact"):
            setattr(self, name, self._noted(name, getattr(self, name)))
        for name in ("delete_prefix", "put", "purge", "check"):
            setattr(self, name, self._noted(name, getattr(self, name)))

    def _noted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **more: Any) -> Any:
            if self.inside or self.loop is None:
                return call(*args, **more)
            if get_ident() == self.loop:
                self.on_loop.append(name)
            elif name in ("read", "read_packed", "redact"):
                self.games_read.append(name)
            self.inside += 1
            try:
                return call(*args, **more)
            finally:
                self.inside -= 1

        return called

    def append_soon(self, *asked: Any) -> Any:
        """See `EventLog`; what it calls in memory is not noted."""
        self.inside += 1
        try:
            return super().append_soon(*asked)
        finally:
            self.inside -= 1


async def execute_elsewhere(render: Callable[..., Rendered], *args: str | bytes) -> Rendered:
    """Render on another thread, in place of another process."""
    return await asyncio.to_thread(render, *args)


def url_of(route: Route, code: str, arena: str, account: str) -> str:
    """The path of a route in this world, with a valid query where it needs one."""
    path = re.sub(r":[^}]*", "", route.path)
    values = {"code": arena if "/arena" in path else code, "game": GAME, "id": account, "n": "1", "path": "nothing.js"}
    query = {name: each["example"] for name, each in route.query.items() if "example" in each and name != "season"}
    return re.sub(r"{(\w+)}", lambda found: values[found[1]], path) + (
        "?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else ""
    )


@pytest.fixture
def log() -> RecordingLog:
    """A log with a long game."""
    log = RecordingLog()
    long = [Muted(0, bool(number % 2)) for number in range(3000)]
    log.append(GAME, 0, [Entry(number, event) for number, event in enumerate([*long, *events()], 1)])
    return log


async def test_no_route_does_work_on_the_loop_that_grows_with_what_is_stored(
    log: RecordingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = list[str]()

    def measured(name: str, call: Callable[..., Any], at: int = 0) -> Callable[..., Any]:
        def called(*args: Any) -> Any:
            if get_ident() == log.loop and len(args[at]) > DECODED_MOST:
                big.append(f"{name} of {len(args[at])} bytes")
            return call(*args)

        return called

    monkeypatch.setattr(Codec, "_decoded", staticmethod(measured("decode", Codec._decoded, 1)))
    monkeypatch.setattr(msgspec.json, "decode", measured("json.decode", msgspec.json.decode))
    monkeypatch.setattr(msgspec.json, "format", measured("json.format", msgspec.json.format))
    monkeypatch.setattr(gzip, "decompress", measured("gunzip", gzip.decompress))
    for name in ("index", "start", "room"):
        (tmp_path / f"{name}.html").write_text("<html><head></head></html>")
    clock, wrong = ManualClock(1), dict[str, object]()
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_elsewhere, community=CommunityOptions())
    async with TestClient(TestServer(app), cookie_jar=CookieJar(unsafe=True)) as client:
        _, state = await ask(client, {"name": "Ana"}, "/api/account")
        account = state["account"]["id"]
        for number in range(200):
            put_played(
                log,
                account,
                AccountGame(
                    f"G-{number}",
                    number,
                    "1;classic",
                    0,
                    2,
                    0,
                    {"ben": 1} | {f"{each:016x}": 1 for each in range(20)},
                    (),
                ),
            )
        _, room = await ask(client, {"name": "Ana", "bots": 0, "wait": True})
        _, arena = await ask(client, {"title": "Friday", "minutes": 30}, "/api/arenas")
        await asyncio.sleep(0.1)
        for route in sorted(ROUTES, key=lambda route: route.key == LAST):
            log.loop, log.on_loop[:], log.games_read[:], big[:] = get_ident(), [], [], []
            status = await request(client, route, url_of(route, room["room"], arena["code"], account))
            log.loop = None
            found: list[object] = [*log.on_loop, *big]
            reads = set(log.games_read)
            if "read" in reads - ({"read"} if route.key in ERASE else set()):
                found.append("decodes a game in this process")
            if reads and not route.worker and route.key not in ERASE and route.key not in CONTINUES:
                found.append(f"reads games ({', '.join(sorted(reads))}), but its row does not say `worker`")
            if (status >= 400) != (route.key in NOT_REACHED):
                found.append(f"status {status}")
            if found:
                wrong[" ".join(route.key)] = found
    assert wrong == {}


CONTINUES = {("POST", "/api/games/{game}/continue")}
"""Its body is decoded here, so it is no route of the worker, which decodes the game for it."""


async def request(client: Client, route: Route, path: str) -> int:
    """The status of a response, which is read to its end."""
    body = None if route.request is None else msgspec.json.encode(route.example)
    if route.path.endswith("/continue"):
        body = b'{"name":"Ana","v":3003,"seat":0}'
    async with client.request(route.method, path, data=body, headers={"Accept-Encoding": "identity"}) as response:
        await response.read()
        return response.status
