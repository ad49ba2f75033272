"""Rooms of four simulated players: they send what real clients send, and time messages until all four have them.

They need little CPU, so that the server is the bottleneck: the four clients of a room share one state of the game, and
most messages are parsed no further than their type.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from benchmarks.credentials import Credentials
from benchmarks.simulated_player import (
    REACTION_S,
    SLAP_SHARE,
    TEXT,
    TURN_S,
    Sample,
    WebSocketClient,
    frame,
    open_raw_socket,
)

PLAYERS = 4
MISTAKE_SHARE = 0.01
"""The share of cards that a player slaps by mistake."""

FIRST_BEAT_S, BEAT_S, BEATS_S = 0.15, 0.05, 1.5
"""Heartbeats after a card: the first one, their interval, and the last one."""

_V = len('{"t":"told","v":')
_K = len('{"t":"ping","k":')


class Standing(msgspec.Struct):
    """Where play stands."""

    phase: str
    turn: int


class Event(msgspec.Struct):
    """The fields used of an event."""

    e: str
    n: int = 0
    seat: int = -1
    card: str | None = None
    order: Any = None
    to: Standing | None = None


class NumberedEvent(msgspec.Struct):
    """An event with its number."""

    v: int
    e: Event


class View(msgspec.Struct):
    """The fields used of a view."""

    n: int
    to: Standing


class Message(msgspec.Struct):
    """The fields used of other messages."""

    game: str = ""
    version: int = 0
    view: View | None = None
    n: int = 0
    at_ms: float = 0
    what: str = ""


_DECODE_EVENT = msgspec.json.Decoder(NumberedEvent).decode
_DECODE = msgspec.json.Decoder(Message).decode


class AwaitedBroadcast:
    """A message that one client has sent, and whose effect all four wait to receive."""

    __slots__ = ("received", "sent")

    def __init__(self, sent: float) -> None:
        self.sent, self.received = sent, 0


class _Page:
    """One of the four clients, with both sockets; `version` is the number of its last event."""

    def __init__(self, room: FourPlayers, seat: int) -> None:
        self._room, self._seat, self.version = room, seat, 0
        self.socket: WebSocketClient | None = None
        self.slap_socket: WebSocketClient | None = None

    def on_message(self, body: bytes, now: float) -> None:
        """Handle a message of the server."""
        room = self._room
        room.sample().counts["out"] += 1
        match body[6:8]:
            case b"to":
                version = int(body[_V : body.index(b",", _V)])
                room.sample().counts["gaps"] += version != self.version + 1
                self.version = version
                room.on_event(version, body, now)
            case b"tu":
                room.on_turning(now)
            case b"pi":
                room.send(self.socket, b'{"t":"pong","k":%s,"c_ms":%.3f}' % (body[_K:-1], now * 1e3))
            case b"so":
                room.on_soon(_DECODE(body))
            case b"we":
                message = _DECODE(body)
                self.version = message.version
                room.on_welcome(message)
            case b"re" if _DECODE(body).what == "play":
                room.on_play_refused()


class FourPlayers:
    """A room of four players, who turn cards, slap most patterns, and some other cards by mistake."""

    def __init__(self, sample: Callable[[], Sample], all_credentials: Iterable[Credentials]) -> None:
        self.sample, self._credentials = sample, tuple(all_credentials)
        self._pages = [_Page(self, seat) for seat in range(PLAYERS)]
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._game, self._ranks = "", ""
        self._version = self._n = self._soon = self._serial = 0
        self._to = Standing("", 0)
        self._play: AwaitedBroadcast | None = None
        self._slapped: dict[int, float] = {}
        self._awaited: dict[int, AwaitedBroadcast] = {}

    async def connect(self, port: int, begin: bool = True) -> None:
        """Connect all four; with `begin` each opens the socket for slaps, and the host may start a game."""
        self._loop, self._begin = asyncio.get_running_loop(), begin
        for page, credentials in zip(self._pages, self._credentials, strict=True):
            page.socket = await open_raw_socket(port, page.on_message, credentials.room, credentials.cookie)
            page.socket.send_message(credentials.hello)
            if begin:
                page.slap_socket = await open_raw_socket(
                    port, lambda body, now: None, credentials.room, credentials.cookie
                )
                page.slap_socket.send_message({**credentials.hello, "only": "slaps"})

    def close(self) -> None:
        """Cancel all timers and close all connections."""
        for timer in self._timers.values():
            timer.cancel()
        for page in self._pages:
            for socket in (page.socket, page.slap_socket):
                if socket:
                    socket.close()

    def send(self, socket: WebSocketClient | None, body: bytes) -> None:
        """Send a message of one client."""
        if socket:
            self.sample().counts["in"] += 1
            socket.send_frame(frame(TEXT, body))

    # Received messages

    def on_welcome(self, message: Message) -> None:
        """A client has joined, or a game begins."""
        if message.view is None:
            if self._begin:
                self._call_later("turn", TURN_S[1], lambda: self.send(self._pages[0].socket, b'{"t":"start"}'))
        elif message.game != self._game or message.version > self._version:
            self._game, self._version, self._n = message.game, message.version, message.view.n
            self._ranks, self._soon = "", 0
            self._schedule_turn(message.view.to)

    def on_soon(self, message: Message) -> None:
        """A card is announced; all clients will send `seen`."""
        if message.n > self._soon:
            self._soon, shown = message.n, message.at_ms / 1e3
            self._call_later("seen", shown - time.perf_counter(), lambda: self._seen(message.n, shown))

    def on_turning(self, now: float) -> None:
        """A client has received that a card is turned."""
        if self._play:
            self._record_receipt(self._play, "play", now)

    def on_event(self, version: int, body: bytes, now: float) -> None:
        """A client has received an event; only the first of the four decodes it."""
        if version > self._version:
            self._version = version
            self._handle_event(_DECODE_EVENT(body), now)
        if awaited := self._awaited.get(version):
            self._record_receipt(awaited, "wrong slap", now)
            if awaited.received == PLAYERS:
                del self._awaited[version]

    def on_play_refused(self) -> None:
        """The server refused to turn a card: try again."""
        self._schedule_turn(self._to)

    # Actions

    def _handle_event(self, message: NumberedEvent, now: float) -> None:
        event = message.e
        match event.e:
            case "played":
                self.sample().counts["cards"] += 1
                self._n, self._ranks = event.n, (str(event.card)[0] + self._ranks)[:3]
                self._slapped.clear()
                self._schedule_slaps()
            case "fouled" if sent := self._slapped.pop(event.seat, 0.0):
                self._awaited[message.v] = AwaitedBroadcast(sent)
            case "judged" if sent := self._slapped.pop(event.order[0]["seat"], 0.0):
                self.sample().delays_ms["race"].append((now - sent) * 1e3)
            case "taken":
                self._ranks = ""
        if event.e in ("judged", "measured", "slapped", "taken"):
            self._cancel("beat")
        if event.to:
            self._schedule_turn(event.to)

    def _record_receipt(self, awaited: AwaitedBroadcast, what: str, now: float) -> None:
        awaited.received += 1
        if awaited.received == PLAYERS:
            self.sample().delays_ms[what].append((now - awaited.sent) * 1e3)
            self._play = None if awaited is self._play else self._play

    def _schedule_turn(self, to: Standing) -> None:
        """Schedule the card of the player in turn, or another game."""
        self._to = to
        if to.phase == "over":
            self._call_later("turn", TURN_S[1], lambda: self.send(self._pages[0].socket, b'{"t":"again"}'))
        elif to.phase in ("play", "last"):
            self._call_later("turn", random.uniform(*TURN_S), self._turn)
        else:
            self._cancel("turn")

    def _turn(self) -> None:
        self._play = AwaitedBroadcast(time.perf_counter())
        self.send(self._pages[self._to.turn].socket, b'{"t":"play","n":%d}' % self._n)

    def _schedule_slaps(self) -> None:
        """Decide at random which players slap the newest card."""
        share = SLAP_SHARE if self._ranks[:1] in self._ranks[1:] else MISTAKE_SHARE
        for seat in range(PLAYERS):
            if random.random() < share:
                self._call_later(
                    f"slap {seat}", max(0.25, random.gauss(*REACTION_S)), partial(self._slap, seat, self._n)
                )

    def _slap(self, seat: int, n: int) -> None:
        now = self._slapped[seat] = time.perf_counter()
        self._serial += 1
        page, shown = self._pages[seat], now - REACTION_S[0]
        body = b'{"t":"slap","n":%d,"p_ms":%.3f,"t_ms":%.3f,"s":%d}' % (n, shown * 1e3, now * 1e3, self._serial)
        for socket in (page.socket, page.slap_socket):
            self.send(socket, body)

    def _seen(self, n: int, shown: float) -> None:
        self._send_all(b'{"t":"seen","n":%d,"p_ms":%.3f,"f_ms":16.667}' % (n, shown * 1e3))
        self._call_later("beat", FIRST_BEAT_S, lambda: self._beat(shown + BEATS_S))

    def _beat(self, until: float) -> None:
        now = time.perf_counter()
        self._send_all(b'{"t":"beat","c_ms":%.3f}' % (now * 1e3))
        if now < until:
            self._call_later("beat", BEAT_S, lambda: self._beat(until))

    def _send_all(self, body: bytes) -> None:
        """Send a message of all four."""
        self.sample().counts["in"] += PLAYERS
        data = frame(TEXT, body)
        for page in self._pages:
            if page.socket:
                page.socket.send_frame(data)

    def _call_later(self, name: str, delay_s: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, delay_s), do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()
