"""A simulated player at a table, over a real socket.

It needs little CPU (a minimal WebSocket client, messages as plain dicts), so that many fit on one core and the server
on the other core is the bottleneck. It knows just enough of the game to act at a human pace.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeAlias, cast

import msgspec

from benchmarks.credentials import Credentials

SEAT = 0
"""The player who opens a room has its first seat."""

TURN_S = (0.4, 1.2)
"""The bounds of the time from a player's turn to turning the card."""

REACTION_S = (0.45, 0.08)
"""A slap's reaction: mean and deviation, and never below a quarter of a second."""

SLAP_SHARE, MISTAKE_SHARE = 0.7, 0.05
"""The shares of patterns slapped, and of other cards slapped by mistake."""

ECHOES_PER_S = 5.0
"""Messages per second on each connection of the echo: about as many as a table sends to one player."""

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
"""WebSocket opcodes."""

Message: TypeAlias = dict[str, Any]


_batch = msgspec.json.Decoder(list[msgspec.Raw]).decode


class Sample:
    """Measurements over a period: delays in milliseconds by kind, and counts of messages, cards and gaps."""

    def __init__(self) -> None:
        self.delays_ms: defaultdict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()


class WebSocketClient(asyncio.Protocol):
    """A minimal WebSocket client of a room; the cookie authorises a seat."""

    def __init__(self, on_message: Callable[[bytes, float], None], path: str, cookie: str, headers: str = "") -> None:
        self._on_message, self._path, self._cookie, self._headers = on_message, path, cookie, headers
        self.answers_pings = True
        self.pong: Callable[[bytes, float], None] = lambda body, now: None
        self._data = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the WebSocket handshake."""
        self._transport = cast(asyncio.WriteTransport, transport)
        self._transport.write(handshake(self._path, self._cookie, self._headers))

    def connection_lost(self, _: Exception | None) -> None:
        """The connection has ended, closed by either side."""
        self.closed.set_result(None)
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server opened no WebSocket"))

    def data_received(self, data: bytes) -> None:
        """Parse frames; all of a chunk get the time of its arrival."""
        now, data = time.perf_counter(), self._data + data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._data = head
                return
            self.opened.set_result(None)
        at = 0
        while len(data) >= at + 4:
            size, begin = data[at + 1], at + 2
            if size == 126:
                size, begin = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            if len(data) < begin + size:
                break
            if data[at] & 15 == TEXT:
                self._on_message(data[begin : begin + size], now)
            elif data[at] & 15 == PING and self.answers_pings:
                self.send_frame(frame(PONG, data[begin : begin + size]))
            elif data[at] & 15 == PONG:
                self.pong(data[begin : begin + size], now)
            elif data[at] & 15 == CLOSE:
                self.send_frame(frame(CLOSE, data[begin : begin + size]))
                self._transport.close()
            at = begin + size
        self._data = data[at:]

    def send_message(self, message: Message) -> None:
        """Send a short message."""
        self.send_frame(frame(TEXT, msgspec.json.encode(message)))

    def send_frame(self, data: bytes) -> None:
        """Send a frame."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()


def handshake(path: str, cookie: str, headers: str = "") -> bytes:
    """The request that opens a WebSocket; `headers` are further lines."""
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}"
    return f"{head}\r\n{upgrade}\r\n{key}\r\n{headers}\r\n".encode()


def messages_in(body: bytes) -> Sequence[bytes | msgspec.Raw]:
    """The messages of a frame: one, or an array of those that left together."""
    return _batch(body) if body.startswith(b"[") else (body,)


def frame(kind: int, body: bytes) -> bytes:
    """A client's frame (masked, as required, with zeros)."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    return bytes((0x80 | kind,)) + size + bytes(4) + body


async def open_socket(
    port: int,
    on_message: Callable[[Message, float], None],
    room: str,
    cookie: str = "",
    host: str = "127.0.0.1",
    source: str | None = None,
    headers: str = "",
) -> WebSocketClient:
    """An open WebSocket to a room of a server, by default on this machine; `source` is the address it comes from,
    `headers` are further lines of its request.
    """

    def on_frame(data: bytes, now: float) -> None:
        for message in messages_in(data):
            on_message(msgspec.json.decode(message), now)

    loop = asyncio.get_running_loop()
    path = f"/api/rooms/{room}/socket"
    local = (source, 0) if source else None
    _, socket = await loop.create_connection(
        lambda: WebSocketClient(on_frame, path, cookie, headers),
        host,
        port,
        local_addr=local,
    )
    try:
        await socket.opened
    except BaseException:  # it gives up: a connection left open would still be served
        socket.close()
        raise
    return socket


class EchoClient:
    """Sends a message at intervals to an echo server, alone in its group, and times its return."""

    numbers = count()

    def __init__(self, sample: Callable[[], Sample]) -> None:
        self._sample = sample
        self._timer: asyncio.TimerHandle | None = None

    async def connect(self, port: int) -> None:
        """Connect and start sending."""
        self._socket = await open_socket(port, self._on_message, f"ECHO{next(self.numbers)}")
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(random.uniform(0, 1 / ECHOES_PER_S), self._send)

    def close(self) -> None:
        """Stop sending and close the connection."""
        if self._timer:
            self._timer.cancel()
        self._socket.close()

    def _send(self) -> None:
        self._sample().counts["in"] += 1
        self._socket.send_message(
            {"t": "slap", "n": 123, "p_ms": 123456.75, "t_ms": 124001.25, "at": time.perf_counter()}
        )
        self._timer = self._loop.call_later(1 / ECHOES_PER_S, self._send)

    def _on_message(self, message: Message, now: float) -> None:
        self._sample().counts["out"] += 1
        self._sample().delays_ms["echo"].append((now - message["at"]) * 1e3)


class SimulatedPlayer:
    """Plays in a room: turns cards in turn, slaps most patterns, and some other cards by mistake.

    If the server announces cards (`reveal_at`), the client sends `painted` and slaps over two sockets; with an older
    server it does neither. It sends no heartbeat, as the player is alone with bots.
    """

    def __init__(self, sample: Callable[[], Sample], credentials: Credentials) -> None:
        self._sample, self._credentials = sample, credentials
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sent: dict[str, float] = {}
        self._ranks = ""
        self._n = self._slaps = 0
        self._reveals: dict[int, float] = {}
        self._shown: Message = {}
        self._slap_socket: WebSocketClient | None = None
        self._opening: asyncio.Task[None] | None = None

    async def connect(self, port: int, source: str | None = None) -> None:
        """Join the room."""
        self._loop, self._port, self._source = asyncio.get_running_loop(), port, source
        credentials = self._credentials
        self._socket = await open_socket(port, self._on_message, credentials.room, credentials.cookie, source=source)
        self._socket.send_message(self._credentials.hello)

    def close(self) -> None:
        """Cancel all timers and close the connections."""
        for timer in self._timers.values():
            timer.cancel()
        self._socket.close()
        if self._opening:
            self._opening.cancel()
        if self._slap_socket:
            self._slap_socket.close()

    def _on_message(self, message: Message, now: float) -> None:
        self._sample().counts["out"] += 1
        match message["t"]:
            case "reveal_at":
                self._reveals = {message["n"]: message["at_ms"]}
                if self._opening is None:
                    self._opening = asyncio.create_task(self._open_slap_socket())
            case "ping":
                self._send({"t": "pong", "k": message["k"], "c_ms": now * 1e3, **self._shown})
            case "event":
                self._on_event(message["e"], now)
            case "turning" if message["seat"] == SEAT:
                self._record_delay("play", "play", now)
            case "turn_cancelled" if message["seat"] == SEAT:
                self._schedule_turn({"phase": "play", "turn": SEAT})
            case "late" if message["seat"] == SEAT:
                self._record_delay("slap", "late", now)
            case "refused":
                self._record_delay(message["request"], "refused", now)
                if message["request"] == "play":
                    self._schedule_turn({"phase": "play", "turn": SEAT})
            case "welcome":
                self._n, self._ranks, self._shown = message["view"]["n"], "", {}
                self._schedule_turn(message["view"]["standing"])

    def _on_event(self, event: Message, now: float) -> None:
        match event["e"]:
            case "played":
                self._sample().counts["cards"] += 1
                self._n, self._ranks = event["n"], (event["card"][0] + self._ranks)[:3]
                self._schedule_slap(self._painted_at(event["n"], now))
            case "taken":
                self._ranks = ""
            case "fouled" if event["seat"] == SEAT:
                self._record_delay("slap", "wrong slap", now)
            case "judged" if any(hit["seat"] == SEAT for hit in event["order"]):
                self._record_delay("slap", "good slap", now)
        if "standing" in event:
            self._schedule_turn(event["standing"])

    def _painted_at(self, n: int, now: float) -> float:
        """When the card is painted here; answers to pings say so from then on."""
        at_ms = self._reveals.pop(n, None)
        if at_ms is None:
            return now
        shown = max(now, at_ms / 1e3)
        self._timers["shown"] = self._loop.call_later(shown - now, self._show, n, shown)
        return shown

    def _show(self, n: int, shown: float) -> None:
        self._shown = {"n": n, "p_ms": shown * 1e3}

    async def _open_slap_socket(self) -> None:
        """Open the second socket, for slaps only."""
        credentials = self._credentials
        self._slap_socket = await open_socket(
            self._port, lambda message, now: None, credentials.room, credentials.cookie, source=self._source
        )
        self._slap_socket.send_message({**self._credentials.hello, "only": "slaps"})

    def _schedule_turn(self, standing: Message) -> None:
        """Schedule turning a card, or starting another game, if it is this player's turn to."""
        if timer := self._timers.pop("turn", None):
            timer.cancel()
        if standing["phase"] == "over":
            self._timers["turn"] = self._loop.call_later(1, self._send, {"t": "again"})
        elif standing["phase"] == "play" and standing["turn"] == SEAT:
            self._timers["turn"] = self._loop.call_later(random.uniform(*TURN_S), self._play)

    def _schedule_slap(self, shown: float) -> None:
        """Decide at random whether to slap the newest card, and schedule the slap."""
        pattern = self._ranks[:1] in self._ranks[1:]
        if random.random() < (SLAP_SHARE if pattern else MISTAKE_SHARE):
            delay = max(0.25, random.gauss(*REACTION_S)) + shown - time.perf_counter()
            self._timers["slap"] = self._loop.call_later(delay, self._slap, self._n, shown)

    def _play(self) -> None:
        self._sent["play"] = time.perf_counter()
        self._send({"t": "play", "n": self._n})

    def _slap(self, n: int, shown: float) -> None:
        self._sent["slap"], self._slaps = time.perf_counter(), self._slaps + 1
        slap = {"t": "slap", "n": n, "p_ms": shown * 1e3, "t_ms": self._sent["slap"] * 1e3, "s": self._slaps}
        self._send(slap)
        if self._slap_socket:
            self._sample().counts["in"] += 1
            self._slap_socket.send_message(slap)

    def _send(self, message: Message) -> None:
        self._sample().counts["in"] += 1
        self._socket.send_message(message)

    def _record_delay(self, what: str, name: str, now: float) -> None:
        if (sent := self._sent.pop(what, None)) is not None:
            self._sample().delays_ms[name].append((now - sent) * 1e3)
