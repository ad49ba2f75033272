"""Rooms of four simulated players: they send what real clients send, and time messages until all four have them.

They need little CPU, so that the server is the bottleneck: the four clients of a room share one state of the game, and
most messages are parsed no further than their type. Names on the wire are those of a `Dialect`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from aiohttp import ClientSession, TCPConnector

from benchmarks.counting_socket import CountingSocket, KindOf, Tally, open_counting_socket
from benchmarks.credentials import Credentials
from benchmarks.dialects import Dialect
from benchmarks.simulated_player import REACTION_S, SLAP_SHARE, TEXT, TURN_S, frame

PLAYERS = 4
NAMES = ("Ana", "Bo", "Cy", "Di")
MISTAKE_SHARE = 0.01
"""The share of cards that a player slaps by mistake."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode
BEAT_AFTER_S = 0.01
"""A beat follows each slap after this time."""

_K = len('{"t":"ping","k":')


class Language:
    """A dialect, with what is computed of it once: kinds of messages, templates of those that are sent often."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect, tag = dialect, dialect.tag
        self.event, self.standing, self.request = tag("event"), dialect.field("standing"), dialect.field("request")
        self.version_at = len(b'{"t":"%s","v":' % self.event)
        self.painted = b'{"t":"%s","n":%%d,"p_ms":%%.3f,"f_ms":16.667}' % tag("painted")
        self.paints_in_pongs = dialect.heartbeat is None
        self.kind_of: KindOf = partial(_kind_of, self.event)


def _kind_of(event: bytes, body: bytes) -> bytes:
    """The tag of a message, and that of an event after a colon."""
    tag = body[6 : body.find(34, 6)]
    if tag != event:
        return tag
    at = body.index(b'"e":"') + 5
    return tag + b":" + body[at : body.find(34, at)]


class RoomSeats(NamedTuple):
    """The four seats of a room, and the address that its players connect from."""

    address: str
    credentials: list[Credentials]


async def take_seats(port: int, dialect: Dialect) -> RoomSeats:
    """Open a room, and take its four seats, from an address of its own (Linux): the server limits what one may do."""
    address = ".".join(map(str, (127, *(random.randint(1, 254) for _ in range(3)))))
    rooms, found = f"http://127.0.0.1:{port}/api/rooms", list[Credentials]()
    async with ClientSession(connector=TCPConnector(local_addr=(address, 0))) as session:
        for name in NAMES:
            url, more = (f"{rooms}/{found[0].room}/seats", {}) if found else (rooms, {"bots": 0, "wait": True})
            key = {"Idempotency-Key": secrets.token_urlsafe(16)}
            async with session.post(url, json={"name": name, **more}, headers=key) as response:
                response.raise_for_status()
                joined, (cookie,) = await response.json(), response.cookies.values()
                player_id = joined[dialect.field("player_id")]
                found.append(Credentials(joined["room"], player_id, f"{cookie.key}={cookie.value}"))
    return RoomSeats(address, found)


class AwaitedBroadcast:
    """A message that one client has sent, and whose effect all four wait to receive."""

    __slots__ = ("received", "sent")

    def __init__(self, sent: float) -> None:
        self.sent, self.received = sent, 0


class _Page:
    """One of the four clients, with both sockets; `version` is the number of its last event."""

    def __init__(self, room: FourPlayers) -> None:
        self._room, self.version = room, 0
        self.socket: CountingSocket | None = None
        self.slap_socket: CountingSocket | None = None
        self.snapshot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        language = room.language
        self._event = language.event + b":"
        self._version_at = language.version_at
        tag = language.dialect.tag
        self._handlers: dict[bytes, Callable[[bytes, float], None]] = {
            tag("ping"): self._on_ping,
            tag("turning"): lambda _, now: room.on_turning(now),
            tag("reveal_at"): lambda body, _: room.on_reveal_at(_decode(body)),
            tag("welcome"): self._on_welcome,
            tag("refused"): lambda body, _: room.on_refused(_decode(body)),
        }

    def on_message(self, kind: bytes, body: bytes, now: float) -> None:
        """Handle a message of the server."""
        if handler := self._handlers.get(kind):
            handler(body, now)
        elif kind.startswith(self._event):
            at = self._version_at
            version = int(body[at : body.index(b",", at)])
            self._room.tally.counts["gaps"] += version != self.version + 1
            self.version = version
            self._room.on_event(version, body, now)

    def _on_ping(self, body: bytes, now: float) -> None:
        if self.socket:
            pong = b'{"t":"pong","k":%s,"c_ms":%.3f%s}' % (body[_K:-1], now * 1e3, self._room.shown)
            self.socket.send(b"pong", frame(TEXT, pong))

    def _on_welcome(self, body: bytes, _: float) -> None:
        message = _decode(body)
        self.version = message["version"]
        if not self.snapshot.done():
            self.snapshot.set_result(None)
        self._room.on_welcome(message)


class FourPlayers:
    """A room of four players, who turn cards, slap most patterns, and some other cards by mistake."""

    def __init__(self, tally: Tally, language: Language, seats: RoomSeats) -> None:
        self.tally, self.language, self._seats = tally, language, seats
        self._loop = asyncio.get_running_loop()
        self._pages = [_Page(self) for _ in range(PLAYERS)]
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._game, self._ranks = "", ""
        self.shown = b""
        """What pongs say of the newest visible card."""
        self._version = self._n = self._revealed = self._serial = 0
        self._playing = False
        self._standing: dict[str, Any] | None = None
        self._play: AwaitedBroadcast | None = None
        self._slapped: dict[int, float] = {}
        self._awaited: dict[int, AwaitedBroadcast] = {}

    async def connect(self, port: int, slap_sockets: bool = True) -> None:
        """Connect all four, and wait for their snapshots; `slap_sockets`: each has a second socket, for slaps."""
        players = self.language.dialect.field("player_ids")
        for page, credentials in zip(self._pages, self._seats.credentials, strict=True):
            hello, began = {"t": "hello", players: [credentials.player_id]}, time.perf_counter()
            page.socket = await self._open(port, credentials, page.on_message)
            page.socket.send(b"hello", frame(TEXT, msgspec.json.encode(hello)))
            await page.snapshot
            self.tally.delays_ms["snapshot"].append((time.perf_counter() - began) * 1e3)
            if slap_sockets:
                page.slap_socket = await self._open(port, credentials, lambda *_: None)
                page.slap_socket.send(b"hello", frame(TEXT, msgspec.json.encode({**hello, "only": "slaps"})))

    async def _open(
        self, port: int, credentials: Credentials, on_message: Callable[[bytes, bytes, float], None]
    ) -> CountingSocket:
        return await open_counting_socket(
            port,
            self.tally,
            self.language.kind_of,
            on_message,
            credentials.room,
            credentials.cookie,
            self._seats.address,
        )

    def begin(self, delay_s: float) -> None:
        """Play from now on; the host starts the first game after a delay."""
        self._playing = True
        if self._standing is None:
            self._call_later("turn", delay_s, lambda: self._send(self._pages[0], b"start", b'{"t":"start"}'))
        else:
            self._schedule_turn(self._standing)

    def stop(self) -> None:
        """Play no more."""
        self._playing = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def close(self) -> None:
        """Close all connections."""
        self.stop()
        for page in self._pages:
            for socket in (page.socket, page.slap_socket):
                if socket:
                    socket.close()

    # Received messages

    def on_welcome(self, message: dict[str, Any]) -> None:
        """A client has joined, or a game begins."""
        view = message["view"]
        if view and (message["game"] != self._game or message["version"] > self._version):
            self._game, self._version, self._n = message["game"], message["version"], view["n"]
            self._ranks, self._revealed, self.shown = "", 0, b""
            self._schedule_turn(view[self.language.standing])

    def on_reveal_at(self, message: dict[str, Any]) -> None:
        """A card is announced; all clients will send that they have painted it."""
        n, shown = message["n"], message["at_ms"] / 1e3
        if n > self._revealed:
            self._revealed = n
            self._call_later("painted", shown - time.perf_counter(), lambda: self._paint(n, shown))

    def on_turning(self, now: float) -> None:
        """A client has received that a card is turned."""
        if self._play:
            self._record_receipt(self._play, "play", now)

    def on_event(self, version: int, body: bytes, now: float) -> None:
        """A client has received an event; only the first of the four decodes it."""
        if version > self._version:
            self._version = version
            self._handle_event(version, _decode(body)["e"], now)
        if awaited := self._awaited.get(version):
            self._record_receipt(awaited, "wrong slap", now)
            if awaited.received == PLAYERS:
                del self._awaited[version]

    def on_refused(self, message: dict[str, Any]) -> None:
        """The server refused a request; if it was to turn a card, try again."""
        if message[self.language.request] == "play" and self._standing:
            self._schedule_turn(self._standing)

    # Actions

    def _handle_event(self, version: int, event: dict[str, Any], now: float) -> None:
        match kind := event["e"]:
            case "played":
                self.tally.counts["cards"] += 1
                self._n, self._ranks = event["n"], (event["card"][0] + self._ranks)[:3]
                self._slapped.clear()
                self._schedule_slaps()
            case "fouled" if sent := self._slapped.pop(event["seat"], 0.0):
                self._awaited[version] = AwaitedBroadcast(sent)
            case "judged" if sent := self._slapped.pop(event["order"][0]["seat"], 0.0):
                self.tally.delays_ms["race"].append((now - sent) * 1e3)
            case "taken":
                self._ranks = ""
        if kind in ("judged", "slapped", "taken", self.language.dialect.tags.get("measured", "measured")):
            self._cancel("heartbeat")
        if standing := event.get(self.language.standing):
            self._schedule_turn(standing)

    def _record_receipt(self, awaited: AwaitedBroadcast, what: str, now: float) -> None:
        awaited.received += 1
        if awaited.received == PLAYERS:
            self.tally.delays_ms[what].append((now - awaited.sent) * 1e3)
            self._play = None if awaited is self._play else self._play

    def _schedule_turn(self, standing: dict[str, Any]) -> None:
        """Schedule the card of the player in turn, or another game."""
        self._standing = standing
        if not self._playing:
            return
        if standing["phase"] == "over":
            self._call_later("turn", TURN_S[1], lambda: self._send(self._pages[0], b"again", b'{"t":"again"}'))
        elif standing["phase"] in ("play", "last", "last_chance"):  # `last` before the rename
            self._call_later("turn", random.uniform(*TURN_S), partial(self._turn, standing["turn"]))
        else:
            self._cancel("turn")

    def _turn(self, seat: int) -> None:
        self._play = AwaitedBroadcast(time.perf_counter())
        self._send(self._pages[seat], b"play", b'{"t":"play","n":%d}' % self._n)

    def _schedule_slaps(self) -> None:
        """Decide at random which players slap the newest card."""
        share = SLAP_SHARE if self._ranks[:1] in self._ranks[1:] else MISTAKE_SHARE
        for seat in range(PLAYERS if self._playing else 0):
            if random.random() < share:
                self._call_later(
                    f"slap {seat}", max(0.25, random.gauss(*REACTION_S)), partial(self._slap, seat, self._n)
                )

    def _slap(self, seat: int, n: int) -> None:
        now = self._slapped[seat] = time.perf_counter()
        self._serial += 1
        page, shown = self._pages[seat], now - REACTION_S[0]
        body = b'{"t":"slap","n":%d,"p_ms":%.3f,"t_ms":%.3f,"s":%d}' % (n, shown * 1e3, now * 1e3, self._serial)
        self._send(page, b"slap", body)
        if page.slap_socket:
            page.slap_socket.send(b"slap", frame(TEXT, body))
        if self.language.paints_in_pongs:
            beat = b'{"t":"beat","c_ms":%.3f}' % (now * 1e3 + BEAT_AFTER_S * 1e3)
            self._call_later(f"beat {seat}", BEAT_AFTER_S, lambda: self._send(page, b"beat", beat))

    def _paint(self, n: int, shown: float) -> None:
        if self.language.paints_in_pongs:
            self.shown = b',"n":%d,"p_ms":%.3f' % (n, shown * 1e3)
            return
        self._send_all(self.language.dialect.tag("painted"), self.language.painted % (n, shown * 1e3))
        if heartbeat := self.language.dialect.heartbeat:
            self._call_later("heartbeat", heartbeat.first_s, lambda: self._beat(shown + heartbeat.last_s))

    def _beat(self, until: float) -> None:
        now, heartbeat = time.perf_counter(), self.language.dialect.heartbeat
        self._send_all(b"beat", b'{"t":"beat","c_ms":%.3f}' % (now * 1e3))
        if heartbeat and now < until:
            self._call_later("heartbeat", heartbeat.every_s, lambda: self._beat(until))

    def _send(self, page: _Page, kind: bytes, body: bytes) -> None:
        if page.socket:
            page.socket.send(kind, frame(TEXT, body))

    def _send_all(self, kind: bytes, body: bytes) -> None:
        """Send a message of all four."""
        data = frame(TEXT, body)
        for page in self._pages:
            if page.socket:
                page.socket.send(kind, data)

    def _call_later(self, name: str, delay_s: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, delay_s), do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()
