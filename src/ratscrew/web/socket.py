"""One conversation with one browser. Nothing in this file knows what is said about; it only carries it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal, cast

from aiohttp import WSMessage, WSMsgType, web

from ratscrew.errors import RulesError, Why, WireError
from ratscrew.game.codec import Codec
from ratscrew.rules.link import from_link
from ratscrew.table.bout import Palm
from ratscrew.table.clock import Clock
from ratscrew.table.core import HOST
from ratscrew.table.deeds import Deed
from ratscrew.table.lobby import Lobby, code_of
from ratscrew.table.message import Message, Refused, Told
from ratscrew.table.room import Room, Scene, Stamps
from ratscrew.table.seat import Seat as TableSeat
from ratscrew.web import wire
from ratscrew.web.typescript import wire_hash

BACKLOG_MOST = 512
"""Messages that may wait for a slow reader; one more and he has to come back."""

HELLO_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.0
PING_EVERY_S = 1.0
PINGS_MOST = 10
"""Pings that may be without an answer: a browser that is more behind is gone, and has to come back."""

RTT_KEPT = 30
"""Round trips remembered: the shortest of the last half minute counts."""

MESSAGE_MOST = 4096
"""Bytes of the longest message from a browser."""

WIRE = wire_hash()
_TO = Codec[wire.ServerMessage](wire.ServerMessage)
_FROM = Codec[wire.ClientMessage](wire.ClientMessage)


class _Encoded:
    """The message encoded last: a room tells everybody the same one, so one encoding serves a whole table."""

    message: Message | None = None
    data = b""

    def of(self, message: Message) -> bytes:
        if message is not self.message:
            self.message, self.data = message, _TO.encode(message)
        return self.data


_ENCODED = _Encoded()


def decode(data: bytes | str) -> wire.ClientMessage:
    """The message that a browser has sent.

    Raises: WireError.
    """
    try:
        return _FROM.decode(data)
    except ValueError as error:
        raise WireError(f"this is no message of ours: {error}") from error


class Browser:
    """A guest at the other end of a socket."""

    def __init__(
        self, socket: web.WebSocketResponse, drop: Callable[[], None], clock: Clock, room: Room, seat: int | None
    ) -> None:
        self.seat = seat
        self.rtt_us = 0
        self._socket, self._drop, self._clock, self._room = socket, drop, clock, room
        self._backlog: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._pinged_us: dict[int, int] = {}
        self._rtts: deque[int] = deque(maxlen=RTT_KEPT)
        self._count = 0

    # What the room says

    def scene(self, scene: Scene) -> None:
        """See `Guest`."""
        room, seats = code_of(scene.game), _seats(scene.seats)
        closed_ms = None if scene.closed_us is None else scene.closed_us // 1000
        self._send(
            wire.Welcome(
                WIRE,
                room,
                scene.game,
                scene.version,
                self.seat,
                HOST,
                seats,
                scene.house,
                closed_ms,
                scene.view,
                scene.clock,
            )
        )

    def missed(self, scene: Scene, events: Iterable[Told]) -> None:
        """See `Guest`."""
        self._send(wire.Back(scene.version, _seats(scene.seats), scene.clock))
        for event in events:
            self.hear(event)

    def hear(self, message: Message) -> None:
        """See `Guest`."""
        self._put(_ENCODED.of(message))

    def leave(self, why: str) -> None:
        """See `Guest`."""
        if why != "restart":
            self._send(wire.Bye(cast(Literal["elsewhere", "closed"], why)))
        self._put(b"")

    # What the browser says

    def answer(self, message: wire.ClientMessage, arrived_us: int) -> None:
        """Pass a message on to the room."""
        match message:
            case wire.Play(n):
                self._room.play(self, n)
            case wire.Slap(n, p_ms, t_ms, _, contact, after):
                stamps = Stamps(arrived_us, round(p_ms * 1000), round(t_ms * 1000))
                self._room.slap(self, n, stamps, Palm(contact, after))
            case wire.Act(do, target, half):
                self._room.act(self, Deed(do, target, half))
            case wire.Pong(k, _):
                if (sent_us := self._pinged_us.pop(k, None)) is not None:
                    self._rtts.append(arrived_us - sent_us)
                    self.rtt_us = min(self._rtts)
            case wire.Start():
                self._room.begin(self)
            case wire.House(text):
                self._choose(text)
            case wire.Lift():
                self._room.lift(self)
            case wire.Again():
                self._room.again(self)
            case wire.Hello():
                raise WireError("hello is said once")

    def _choose(self, house: str) -> None:
        try:
            rules = from_link(house)
        except RulesError:
            self.hear(Refused("house", Why.NO_HOUSE.value))
        else:
            self._room.choose(self, rules)

    async def listen(self) -> None:
        """Carry messages both ways until the connection ends."""
        async with asyncio.TaskGroup() as tasks:
            talking = [tasks.create_task(self._write()), tasks.create_task(self._ping())]
            try:
                async for message in self._socket:
                    self.answer(decode(_text(message)), self._clock.now_us())
            except WireError:
                self._send(wire.Bye("garbage"))
                self._put(b"")
                await talking[0]
            finally:
                for task in talking:
                    task.cancel()

    async def _write(self) -> None:
        """Send what gathers; an empty message ends the connection, and so does a browser that is gone."""
        with suppress(ConnectionError):
            await self._send_all()

    async def _send_all(self) -> None:
        while True:
            while self._backlog:
                if not (data := self._backlog.popleft()):
                    await self._socket.close()
                    return
                await self._socket.send_frame(data, WSMsgType.TEXT)
            self._more.clear()
            await self._more.wait()

    async def _ping(self) -> None:
        while True:
            self._count += 1
            self._pinged_us[self._count] = self._clock.now_us()
            if len(self._pinged_us) > PINGS_MOST:
                self._drop()
                return
            self._send(wire.Ping(self._count))
            await asyncio.sleep(PING_EVERY_S)

    def _send(self, message: wire.ServerMessage) -> None:
        self._put(_TO.encode(message))

    def _put(self, data: bytes) -> None:
        if len(self._backlog) >= BACKLOG_MOST:
            self._drop()
            return
        self._backlog.append(data)
        self._more.set()


def _seats(seats: Iterable[TableSeat]) -> tuple[wire.Seat, ...]:
    return tuple(wire.Seat(seat.name, seat.bot, seat.plays) for seat in seats)


def new_socket() -> web.WebSocketResponse:
    """A socket as ours are: no compression (a third more work), short messages, no waiting for a last word."""
    return web.WebSocketResponse(compress=False, max_msg_size=MESSAGE_MOST, timeout=CLOSE_WITHIN_S)


async def converse(request: web.Request, socket: web.WebSocketResponse, lobby: Lobby, clock: Clock) -> None:
    """One conversation: the first message says who comes, the rest is between him and his room.

    Whoever vanishes in the middle of a word is gone, which is no error.
    """
    with suppress(ConnectionError):
        await socket.prepare(request)
        await _converse(request, socket, lobby, clock)


async def _converse(request: web.Request, socket: web.WebSocketResponse, lobby: Lobby, clock: Clock) -> None:
    transport = request.transport
    if transport is None:
        return
    try:
        hello = decode(_text(await asyncio.wait_for(socket.receive(), HELLO_WITHIN_S)))
    except (WireError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        await _turn_away(socket, "garbage")
    elif (room := lobby.find(hello.room)) is None:
        await _turn_away(socket, "no_room")
    else:
        browser = Browser(socket, transport.abort, clock, room, lobby.seat_of(room, hello.token))
        room.enter(browser, hello.game, hello.version)
        try:
            await browser.listen()
        finally:
            room.exit(browser)


def _text(message: WSMessage) -> str:
    if message.type is not WSMsgType.TEXT:
        raise WireError("a message is text")
    return str(message.data)


async def _turn_away(socket: web.WebSocketResponse, why: Literal["no_room", "garbage"]) -> None:
    if not socket.closed:
        await socket.send_frame(_TO.encode(wire.Bye(why)), WSMsgType.TEXT)
        await socket.close()
