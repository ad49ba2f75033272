"""A bot that plays on a remote server. It joins, sees and acts through the same API as a page.

It remembers what it sees, as the server's own bots do. After a lost connection it reconnects and gets missed events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_urlsafe
from typing import TypeAlias

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from ratscrew.bots.bot import Bot, Chance
from ratscrew.bots.memory import Memory, memory_from_view, remember
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.game.events import Feinted
from ratscrew.game.view import Public, view
from ratscrew.protocol import wire
from ratscrew.table.record import requests
from ratscrew.table.record.entries import TableEvent
from ratscrew.table.record.messages import EventMessage, Refused, TurnCancelled
from ratscrew.table.record.table_action import action_of
from ratscrew.web.schema import http_schema
from ratscrew.web.typescript import wire_hash

RETRY_S, TRIES_MOST = 0.5, 240
"""The pause before a reconnect, and the most failed attempts in a row."""

_Frame: TypeAlias = wire.ServerMessage | tuple[wire.ServerMessage, ...]
"""One message, or several that left together."""

_SERVER_CODEC = Codec[_Frame](_Frame)
_CLIENT_CODEC = Codec[wire.ClientMessage](wire.ClientMessage)
_JOINED = Codec[http_schema.JoinedRoom](http_schema.JoinedRoom)
_PROBLEM = Codec[http_schema.Problem](http_schema.Problem)


class RemoteBot:
    """A bot in a room of a remote server; `memory` is what it has seen there, `seat` is its seat."""

    def __init__(self, bot: Bot, server: str, room: str, name: str, chance: Chance) -> None:
        self.memory: Memory | None = None
        self.seat: int | None = None
        self._bot, self._name, self._chance = bot, name, chance
        self._room, self._address = room, f"{server.rstrip('/')}/api/rooms/{room}"
        self._moved = wire.RoomMoved()
        self._page, self._game = token_urlsafe(16), ""
        self._version = self._slaps = self._failed = 0
        self._painted: tuple[int, float] | tuple[()] = ()
        self._socket: ClientWebSocketResponse | None = None
        self._scheduled: dict[str, asyncio.Task[None]] = {}

    async def play(self) -> str:
        """Take a seat and play until the server ends the connection; returns the server's reason.

        Raises: RatscrewError if no seat can be taken, or the server cannot be reached.
        """
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as http:
            player_id = await self._join(http)
            while self._failed < TRIES_MOST:
                with suppress(ClientError, TimeoutError):
                    if why := await self._run_connection(http, player_id):
                        return why
                self._failed += 1
                await asyncio.sleep(RETRY_S)
        raise RatscrewError(f"{self._address} can no longer be reached")

    async def _join(self, http: ClientSession) -> int:
        try:
            async with http.post(f"{self._address}/seats", json={"name": self._name}) as response:
                body = await response.read()
                if response.status == 201:
                    return _JOINED.decode(body).player_id
                raise RatscrewError("; ".join(_PROBLEM.decode(body).problems))
        except (ClientError, TimeoutError, ValueError) as error:
            raise RatscrewError(f"{self._address}: cannot take a seat: {error}") from error

    # The connection

    async def _run_connection(self, http: ClientSession, player_id: int) -> str | None:
        """Exchange messages until the connection ends; the server's reason if it sent one."""
        inbox: asyncio.Queue[wire.ServerMessage] = asyncio.Queue()
        (to, ticket), self._moved = (self._moved.to, self._moved.ticket), wire.RoomMoved()
        address = f"{to}/api/rooms/{self._room}" if to else self._address
        async with http.ws_connect(f"{address}/socket", heartbeat=10) as self._socket:
            await self._send(
                wire.Hello((player_id,), None, self._game or None, self._version, self._page, wire_hash(), ticket)
            )
            handling = asyncio.create_task(self._handle_all(inbox))
            try:
                return await self._receive_all(self._socket, inbox, handling)
            finally:
                handling.cancel()
                self._cancel(*self._scheduled)

    async def _receive_all(
        self,
        socket: ClientWebSocketResponse,
        inbox: asyncio.Queue[wire.ServerMessage],
        handling: asyncio.Task[None],
    ) -> str | None:
        """Answer pings at once, and put other messages into the inbox."""
        async for message in socket:
            if handling.done():
                handling.result()
            if message.type is not WSMsgType.TEXT:
                continue
            frame = _SERVER_CODEC.decode(message.data)
            for received in frame if isinstance(frame, tuple) else (frame,):
                match received:
                    case wire.Ping(k, _):
                        await self._send(wire.Pong(k, _now_ms(), *self._painted))
                    case wire.RoomMoved():
                        self._moved = received
                        return None
                    case wire.Bye(why, wait_s):
                        if not wait_s:
                            return why
                        await asyncio.sleep(wait_s)
                        return None
                    case _:
                        self._failed = 0
                        inbox.put_nowait(received)
        return None

    async def _handle_all(self, inbox: asyncio.Queue[wire.ServerMessage]) -> None:
        while True:
            await self._handle(await inbox.get())

    async def _handle(self, received: wire.ServerMessage) -> None:
        match received:
            case wire.Welcome():
                if received.wire != wire_hash():
                    raise RatscrewError("the server runs another version of Ratscrew, with other messages")
                self._game, self._version, self.seat = received.game, received.version, received.you
                self._painted = ()  # another game counts its cards from 1 again
                self.memory = memory_from_view(received.view) if received.view else None
                self._plan(new_card=True)
            case wire.Reconnected():
                self._plan(new_card=True)
            case wire.RevealAt(n, at_ms):
                await asyncio.sleep(max(0.0, at_ms - _now_ms()) / 1000)
                self._painted = (n, at_ms)
            case EventMessage(v, event) if v == self._version + 1:
                self._version = v
                if not isinstance(event, TableEvent):
                    self._apply(event)
            case TurnCancelled(seat) if seat == self.seat:
                self._plan(new_card=False)
            case Refused("play"):
                self._plan(new_card=False)

    # What it sees and plans

    def _apply(self, event: Public) -> None:
        before = self.memory.game if self.memory else None
        self.memory = remember(self.memory, event)
        game = self.memory.game
        if before is None or game.n > before.n:
            self._plan(new_card=True)
        elif game.standing != before.standing or (before.pile and not game.pile):
            self._plan(new_card=False)
        elif isinstance(event, Feinted) and "slap" not in self._scheduled:
            self._plan(new_card=False, lured=True)

    def _plan(self, new_card: bool, lured: bool = False) -> None:
        """Plan actions. A new card cancels all planned ones, a feint none, and other events all but a slap."""
        if not lured:
            self._cancel(*(kind for kind in self._scheduled if new_card or kind != "slap"))
        if self.memory is None or self.seat is None or self.memory.game.over:
            return
        n, seen = self.memory.game.n, view(self.memory.game)
        plan = self._bot.plan(seen, self.seat, self._chance, self.memory)
        if plan.slap_us is not None and (new_card or lured):
            self._schedule("slap", plan.slap_us, lambda: self._slap(n))
        if lured:
            return
        if plan.turn_us is not None:
            self._schedule("turn", plan.turn_us, lambda: self._send(wire.PlayMessage(n)))
        for number, move in enumerate(plan.moves):
            act = requests.Act(*action_of(move.command))
            self._schedule(f"move {number}", move.after_us, lambda act=act: self._send(act))  # type: ignore[misc]

    def _schedule(self, kind: str, after_us: int, act: Callable[[], Awaitable[None]]) -> None:
        """Do something after a delay, unless it is cancelled before."""

        async def wait() -> None:
            await asyncio.sleep(after_us / 1e6)
            with suppress(ConnectionError):
                await act()

        self._cancel(kind)
        self._scheduled[kind] = asyncio.create_task(wait())

    def _cancel(self, *kinds: str) -> None:
        for kind in kinds:
            if task := self._scheduled.pop(kind, None):
                task.cancel()

    # What it sends

    async def _slap(self, n: int) -> None:
        """Slap card `n`, if it is the one that was shown."""
        if self._painted and self._painted[0] == n:
            self._slaps += 1
            await self._send(wire.SlapMessage(n, self._painted[1], _now_ms(), self._slaps))

    async def _send(self, message: wire.ClientMessage) -> None:
        if self._socket and not self._socket.closed:
            await self._socket.send_str(_CLIENT_CODEC.encode(message).decode())


def _now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000
