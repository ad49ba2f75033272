"""Clients over real WebSockets to a server on this machine: with aiohttp, and one without a library."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import struct
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import aiohttp
import msgspec
from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.typedefs import Handler

from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import Limits
from ratscrew.limits.loop_share import LoopShare
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.spectators import Spectators
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.registry.tokens import Tokens
from ratscrew.table.room.room import Room
from ratscrew.table.state.dealer import Laid
from ratscrew.turns import Turns
from ratscrew.web.access.admission import Admission
from ratscrew.web.app import make_app
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.cookies import COOKIE, Cookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.routes import MESSAGES, SOCKET, STREAM
from ratscrew.web.socket.channel_handlers import receive_messages, serve_socket, serve_stream
from ratscrew.web.socket.socket_session import ServerContext
from ratscrew.web.socket.websocket import text_frame
from ratscrew.web.typescript import WIRE
from tests.web.http_requests import Client, socket_of
from tests.web.streams import StreamSocket, stream_of

WITHIN_S = 30
"""How long a browser of these tests waits for a message, on the clock of its test."""


class Page:
    """The browser's end of a WebSocket, or of an event stream.

    It answers pings after `pong_after_s`, and shows cards on time.

    With `signs` the browser answers WebSocket pings, which its page cannot delay.
    """

    def __init__(
        self, socket: aiohttp.ClientWebSocketResponse, pong_after_s: float | None = 0, signs: bool = True
    ) -> None:
        self.socket, self.pong_after_s, self.signs = socket, pong_after_s, signs
        self.pings, self.slaps, self.player_id, self.unasked_pongs = 0, 0, 0, 0
        self.painted: dict[int, float] = {}
        self._received: deque[str] = deque()

    async def send(self, t: str, **fields: Any) -> None:
        """Send a message; `hello` says that the page has the server's types, if it reconnects."""
        known = {"wire": WIRE} if t == "hello" and "game" in fields else {}
        await self.socket.send_str(json.dumps({"t": t, **known, **fields}))

    async def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message that is not a ping, or the next of these kinds.

        A player who lets turns pass says that they are here when they are asked: a table of idle players waits.
        """
        async with asyncio.timeout(WITHIN_S):
            while True:
                said: dict[str, Any] = json.loads(await self.receive_text())
                if said["t"] == "ping":
                    self.pings += 1
                    if self.pong_after_s is not None:
                        c_ms = page_ms()
                        visible = [(n, at_ms) for n, at_ms in self.painted.items() if at_ms <= c_ms]
                        shown = dict(zip(("n", "p_ms", "f_ms"), (*max(visible), 16.7), strict=True)) if visible else {}
                        await asyncio.sleep(self.pong_after_s)
                        await self.send("pong", k=said["k"], c_ms=c_ms, **shown)
                    continue
                if said["t"] == "idle_warning" and "idle_warning" not in kinds:
                    await self.send("come_back")
                    continue
                if said["t"] == "reveal_at":
                    self.painted[said["n"]] = said["at_ms"]
                if not kinds or said["t"] in kinds:
                    return said

    async def receive_text(self) -> str:
        """The next message as it came: what leaves at one moment is one frame."""
        if not self._received:
            message = await self.receive_raw()
            assert message.type is WSMsgType.TEXT, message
            self._received += messages_in(message.data)
        return self._received.popleft()

    async def slap(self, n: int, after_ms: float, less_ms: float = 0, **fields: Any) -> None:
        """Slap card `n` so long after it was painted here, or claim to have done so earlier by `less_ms`."""
        self.slaps += 1
        at_ms = self.painted[n] + after_ms
        await asyncio.sleep(max(0, at_ms - page_ms()) / 1000)
        await self.send("slap", n=n, p_ms=self.painted[n], t_ms=at_ms - less_ms, s=self.slaps, **fields)

    async def receive_raw(self) -> aiohttp.WSMessage:
        """The next message but WebSocket pings, and pongs that nobody asked for."""
        while (message := await self.socket.receive()).type in (WSMsgType.PING, WSMsgType.PONG):
            self.unasked_pongs += message.type is WSMsgType.PONG
            if self.signs and message.type is WSMsgType.PING:
                await self.socket.pong(message.data)
        return message

    async def expect_close(self, *, after: str | None = None) -> int | None:
        """Wait for the end of the connection, after a `bye` or without one; the close code."""
        texts = list(self._received)
        async with asyncio.timeout(WITHIN_S):
            while (message := await self.receive_raw()).type is WSMsgType.TEXT:
                texts += messages_in(message.data)
        said = [json.loads(text) for text in texts]
        byes = [each["reason"] for each in said if each["t"] == "bye"]
        assert message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)
        assert byes == ([after] if after else [])
        return self.socket.close_code


def stream_page(stream: StreamSocket, pong_after_s: float | None = 0) -> Page:
    """A page at an event stream."""
    return Page(cast("aiohttp.ClientWebSocketResponse", stream), pong_after_s)


def messages_in(frame: str) -> list[str]:
    """The messages of a frame: one, or those that left together."""
    if not frame.startswith("["):
        return [frame]
    return [bytes(message).decode() for message in msgspec.json.decode(frame, type=list[msgspec.Raw])]


def page_ms() -> float:
    """The clock of a page of these tests, which starts with its test."""
    return asyncio.get_running_loop().time() * 1000


def _number(token: str) -> int:
    """The player's number at the beginning of a token; 0 if a forged one begins with something else."""
    number = token.partition(".")[0]
    return int(number) if number.isdecimal() else 0


class ServedRoom:
    """A server with one room in it, and a browser that holds its host's seat."""

    def __init__(
        self, client: Client, clock: Clock, registry: RoomRegistry, room: Room, tokens: Tokens, browsers: BrowserCookies
    ) -> None:
        self.client, self.clock, self.registry, self.room, self.tokens = client, clock, registry, room, tokens
        self.browsers = browsers
        self.code = code_of(room.table.room)
        self.headers: dict[str, str] = {}
        self.token = tokens.sign("seat", room.table.room, [0], clock.now_us())
        self.use_cookies(self.token)

    def use_cookies(self, *tokens: str) -> None:
        """The browser sends the cookies of these tokens from now on, and no others."""
        self.headers["Cookie"] = "; ".join(f"{self.name_of(_number(token))}={token}" for token in tokens)

    def name_of(self, player_id: int) -> str:
        """The name of the cookie of a seat."""
        return self.browsers.name(COOKIE, player_id)

    async def connect(
        self, pong_after_s: float | None = 0, signs: bool = True, code: str | None = None, by_stream: bool = False
    ) -> Page:
        """A WebSocket, or an event stream, before the first message."""
        code = self.code if code is None else code
        if by_stream:
            return stream_page(StreamSocket(self.client, stream_of(code), self.headers), pong_after_s)
        path = socket_of(code)
        socket = await self.client.ws_connect(path, headers=self.headers, autoping=False)
        return Page(socket, pong_after_s, signs)

    async def enter(
        self,
        pong_after_s: float | None = 0,
        signs: bool = True,
        code: str | None = None,
        by_stream: bool = False,
        **hello: Any,
    ) -> Page:
        """A WebSocket, or an event stream, after the `hello` of Ana, or of another client."""
        page = await self.connect(pong_after_s, signs, code, by_stream)
        await page.send("hello", **({"player_ids": [0]} | hello))
        return page


@asynccontextmanager
async def serve(
    clock: Clock,
    log: EventLog[Entry] | None = None,
    asked: RoomRequest | None = None,
    proxy_policy: ProxyPolicy | None = None,
    laid: Laid | None = None,
) -> AsyncIterator[ServedRoom]:
    """A server on this machine with one room, with access to its registry; Ana and two sharp bots have seats."""
    log, proxy_policy = MemoryLog() if log is None else log, proxy_policy or ProxyPolicy()
    registry, tokens = RoomRegistry(log, clock, laid), Tokens(log, clock.now_us())
    browsers = BrowserCookies(log, proxy_policy)
    cookies, limits = Cookies(tokens, clock, browsers), Limits(clock)
    context = ServerContext(
        registry,
        clock,
        proxy_policy,
        cookies,
        limits,
        LoopShare(times=1000, now_us=clock.now_us),
        Admission(registry, cookies, proxy_policy, limits, clock),
        Turns(),
        FairLock(),
        set(),
        {},
        PingBursts(),
        Spectators(clock, WIRE, text_frame),
    )

    def on(handle: Callable[[web.Request, ServerContext], Awaitable[web.StreamResponse]]) -> Handler:
        async def in_context(request: web.Request) -> web.StreamResponse:
            return await handle(request, context)

        return in_context

    app = web.Application()
    app.router.add_get(SOCKET, on(serve_socket))
    app.router.add_post(STREAM, on(serve_stream))
    app.router.add_post(MESSAGES, on(receive_messages))
    room = registry.open(RoomRequest("Ana", 2, "sharp") if asked is None else asked)
    async with TestClient(TestServer(app, socket_factory=small_buffers)) as client:
        yield ServedRoom(client, clock, registry, room, tokens, browsers)
        for session in list(context.sessions):
            session.channel.abort()
        await asyncio.sleep(0)


def small_buffers(host: str, port: int, family: sockets.AddressFamily) -> sockets.socket:
    """A listening socket whose connections have small send buffers."""
    socket = sockets.socket(family)
    socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
    socket.bind((host, port))
    return socket


async def wait_gone(served: ServedRoom) -> None:
    """Wait until Ana is disconnected."""
    async with asyncio.timeout(WITHIN_S):
        while served.room.table.seats[0].here:
            await asyncio.sleep(0.01)


async def wait_here(served: ServedRoom) -> None:
    """Wait until Ana is connected."""
    async with asyncio.timeout(WITHIN_S):
        while not served.room.table.seats[0].here:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def raw_socket(served: ServedRoom, hello: bytes | None = None) -> AsyncIterator[sockets.socket]:
    """Ana's socket without a library, with a small receive buffer; it is reset at the end."""
    loop = asyncio.get_running_loop()
    with sockets.socket() as socket:
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        socket.setblocking(False)
        await loop.sock_connect(socket, ("127.0.0.1", served.client.port))
        await loop.sock_sendall(socket, upgrade(served.code, f"{served.name_of(0)}={served.token}"))
        assert (await loop.sock_recv(socket, 9999)).startswith(b"HTTP/1.1 101 ")
        await loop.sock_sendall(socket, frame('{"t":"hello","player_ids":[0]}') if hello is None else hello)
        if hello is None:
            await wait_here(served)
        yield socket


def upgrade(room: str, cookie: str) -> bytes:
    """The handshake request of a room's WebSocket."""
    lines = [
        f"GET {socket_of(room)} HTTP/1.1",
        "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade",
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: {cookie}\r\n\r\n",
    ]
    return "\r\n".join(lines).encode()


def frame(text: str) -> bytes:
    """A text frame of a browser, masked with zeros."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


@asynccontextmanager
async def full_server(
    clock: Clock,
    log: EventLog[Entry],
    folder: Path,
    laid: Laid | None = None,
    proxy_policy: ProxyPolicy | None = None,
    jar: aiohttp.CookieJar | None = None,
) -> AsyncIterator[Client]:
    """The whole server, and a browser, which may have earlier cookies."""
    server = TestServer(make_app(log, clock, StaticFiles(folder), laid, proxy_policy, execute=execute_here))
    async with TestClient(server, cookie_jar=jar) as client:
        yield client


def stored_name(log: EventLog[Entry], public: str) -> str:
    """The name in the log of a game, given by the name that clients get."""
    stored = GameNames.read(log).in_log(public)
    assert stored
    assert stored != public
    return stored


def cookies() -> aiohttp.CookieJar:
    """A cookie jar that outlives a server."""
    return aiohttp.CookieJar(unsafe=True)


async def open_room(client: Client, bots: int = 2) -> dict[str, Any]:
    """A room with sharp bots, in which Ana's seat is the browser's."""
    answer = await client.post("/api/rooms", json={"name": "Ana", "bots": bots, "strength": "sharp"})
    joined: dict[str, Any] = await answer.json()
    return joined
