"""Whole servers as nodes of one cluster in this process, on real sockets and a real PostgreSQL."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import aiohttp
from aiohttp import ClientSession, CookieJar, WSMsgType, web

from ratscrew.cluster.directory import ClusterDirectory
from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import NodeIdentity
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.room.room import Room
from ratscrew.table.state.dealer import Laid
from ratscrew.testing.ports import free_port
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.cluster.cluster import Cluster
from ratscrew.web.edge.socket_passing import WorkerGroup
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.server_runner import listening
from tests.web.http_requests import socket_of
from tests.web.pages import messages_in

WITHIN_S = 60
LEASE_S = 2.0

FOLLOW_WITHIN_S = 1.5
"""How long a page tries to reach the server that it was sent to."""


CLOSE_WITHIN = aiohttp.ClientWSTimeout(ws_close=0.1)


class Server(NamedTuple):
    """A node: its address, and its inside."""

    name: str
    url: str
    app: web.Application
    cluster: Cluster

    @property
    def registry(self) -> RoomRegistry:
        """Its registry."""
        return self.app[REGISTRY]

    @property
    def rooms(self) -> list[Room]:
        """The rooms in its memory."""
        return list(self.registry)


class Servers:
    """The nodes of one cluster."""

    def __init__(self, address: PostgresAddress, folder: Path, stack: AsyncExitStack) -> None:
        self._address, self._folder, self._stack = address, folder, stack
        self._started: list[Server] = []

    async def start(self, name: str, **how: Any) -> Server:
        """Start a node, of which the others know at once. It stops at the end of the test."""
        self._started.append(await self._stack.enter_async_context(self.serving(name, **how)))
        for server in self._started:
            await server.cluster._refresh()
        return self._started[-1]

    @asynccontextmanager
    async def serving(
        self,
        name: str,
        url: str | None = None,
        lease_s: float = LEASE_S,
        clock: SystemClock | None = None,
        group: WorkerGroup | None = None,
        port: int | None = None,
        policy: ProxyPolicy | None = None,
        community: CommunityOptions | None = None,
        laid: Laid | None = None,
    ) -> AsyncIterator[Server]:
        """A running node, by default at a free port; or a worker of a group, with a port besides that of all."""
        port = port or free_port()
        instance = group.name if group else secrets.token_hex(8)
        identity = NodeIdentity(name, url or f"http://127.0.0.1:{port}", instance, "1.0")
        log = PostgresLog(self._address, Codec[Entry](Entry))
        try:
            cluster = Cluster(
                ClusterNode(ClusterDirectory(self._address, identity, lease_s), lease_s=lease_s),
                log,
                group,
                lambda: log.counts,
            )
            app = make_app(
                log,
                clock or SystemClock(),
                StaticFiles(self._folder),
                laid,
                proxy_policy=policy,
                execute=execute_here,
                cluster=cluster,
                community=community,
            )
            async with listening(app, "127.0.0.1", port):
                await cluster.announce()
                yield Server(name, f"http://127.0.0.1:{port}", app, cluster)
        finally:
            await asyncio.to_thread(log.close)


class Browser:
    """A browser whose pages come from one node; `cookies` says whether its cookies reach the others too."""

    def __init__(self, home: Server, session: ClientSession, others: ClientSession) -> None:
        self.home, self.session, self._others = home, session, others
        self.hello: dict[str, Any] = {"t": "hello"}
        self.code, self.epoch = "", 0
        self._sockets: list[aiohttp.ClientWebSocketResponse] = []

    async def post(self, path: str, body: Any, status: int = 201, **headers: str) -> Any:
        """The answer of the own node to a request."""
        async with self.session.post(f"{self.home.url}{path}", json=body, headers=headers) as answer:
            assert answer.status == status, (answer.status, await answer.text())
            return await answer.json()

    async def open(self, **asked: Any) -> str:
        """Open a room, and hold a seat in it; returns its code."""
        return self.sit(await self.post("/api/rooms", {"name": "Ana", "bots": 2, **asked}))

    async def join(self, code: str, name: str = "Bo") -> None:
        """Take a seat in a room."""
        self.sit(await self.post(f"/api/rooms/{code}/seats", {"name": name}))

    def sit(self, joined: Any) -> str:
        """Hold the seat of an answer."""
        self.epoch = 0
        self.hello["player_ids"], self.code = [joined["player_id"]], joined["room"]
        return self.code

    async def connect(self, url: str | None = None, **hello: Any) -> aiohttp.ClientWebSocketResponse:
        """A socket of the room at a node, the own one by default; other nodes get no cookies."""
        url = url or self.home.url
        session = self.session if url == self.home.url else self._others
        found = await session.ws_connect(
            f"{url}{socket_of(self.code)}", headers={"Origin": self.home.url}, timeout=CLOSE_WITHIN
        )
        self._sockets.append(found)
        await found.send_json({**self.hello, **hello})
        return found

    async def close(self) -> None:
        """Close all sockets."""
        for each in self._sockets:
            await each.close()

    async def follow(self) -> tuple[aiohttp.ClientWebSocketResponse, dict[str, Any]]:
        """A socket at the room's owner, and its `welcome`: found as a page finds it."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                found = await self.connect()
                first = await receive(found)
                if first["t"] == "moved":
                    await found.close()
                    try:
                        async with asyncio.timeout(FOLLOW_WITHIN_S):
                            found = await self.connect(first["to"], ticket=first["ticket"])
                            first = await receive(found)
                    except (aiohttp.ClientError, TimeoutError):
                        first = {"t": "lost"}
                if first["t"] == "welcome" and first["epoch"] >= self.epoch:
                    self.epoch = first["epoch"]
                    return found, first
                await found.close()
                await asyncio.sleep(0.05)


@asynccontextmanager
async def browsing(home: Server) -> AsyncIterator[Browser]:
    """A browser whose pages come from this node."""
    async with (
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as own,
        ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as others,
    ):
        browser = Browser(home, own, others)
        try:
            yield browser
        finally:
            await browser.close()


async def receive(socket: aiohttp.ClientWebSocketResponse, *kinds: str) -> dict[str, Any]:
    """The next message of these kinds, by default any but a ping or the nodes; `lost` if the connection ends.

    Players who let their turns pass say that they are here when they are asked: a table of idle players waits.
    """
    left = _LEFT.setdefault(socket, deque())
    async with asyncio.timeout(WITHIN_S):
        while True:
            while left:
                said: dict[str, Any] = Codec[dict[str, Any]](dict).decode(left.popleft())
                if said["t"] == "ping":
                    with suppress(aiohttp.ClientConnectionResetError):
                        await socket.send_json({"t": "pong", "k": said["k"], "c_ms": 1})
                elif said["t"] == "idle_warning":
                    with suppress(aiohttp.ClientConnectionResetError):
                        await socket.send_json({"t": "come_back"})
                elif said["t"] in kinds or not (kinds or said["t"] == "nodes"):
                    return said
            with suppress(aiohttp.ClientConnectionResetError):  # a ping is answered in vain; more may have come before
                message = await socket.receive()
                if message.type is not WSMsgType.TEXT:
                    return {"t": "lost"}
                left.extend(messages_in(message.data))


_LEFT = WeakKeyDictionary[aiohttp.ClientWebSocketResponse, deque[str]]()
"""The messages of each socket that nobody has received yet."""
