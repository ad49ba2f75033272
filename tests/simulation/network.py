"""Simulated connections: slow, stalled, and lost without notice. Within one, order holds, as over TCP.

The server's end is a transport of asyncio, so the server's own WebSocket runs on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec

from ratscrew.web.socket.transport_channel import TransportChannel
from ratscrew.web.socket.websocket import CLOSE, PING, PONG, TEXT, build_frame
from tests.simulation.world import Process, World

_BATCH = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass
class Weather:
    """The faults of the network: its delay one way, how often a message comes twice, or is the last one."""

    least_us: int = 200
    most_us: int = 5_000
    twice: float = 0.0
    drops: float = 0.0
    stalls: float = 0.0


class Request(SimpleNamespace):
    """A request as the server reads it: attributes, and values that the server stores with it."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._kept: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        """A value that the server has stored with this request."""
        return self._kept.get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._kept[key] = value


class Connection(asyncio.Transport):
    """One connection. `hear` and `lost` are the page's callbacks; `sent` is called with what the server sends, and
    `twice` with a list of what is delivered to it two times."""

    def __init__(
        self,
        world: World,
        weather: Weather,
        hear: Callable[[Connection, bytes], None],
        lost: Callable[[Connection], None],
        sent: Callable[[bytes], None],
        twice: Callable[[list[object], Callable[[], None]], None],
    ) -> None:
        super().__init__()
        self.closed = self.broken = False
        self._world, self._weather = world, weather
        self._hear, self._lost, self._sent, self._twice = hear, partial(lost, self), sent, twice
        self._server: tuple[TransportChannel, Process] | None = None
        self._early: list[bytes] = []
        self._up_us = self._down_us = self._stalled_us = self._in_flight = 0

    # The page's end

    def send(self, data: bytes, twice: bool = False) -> None:
        """Send a message to the server; with faults it may come twice, now or later."""
        self._maybe_worse()
        bring = partial(self._bring, masked(TEXT, data))
        if twice and self._world.happens(self._weather.twice):
            bring = partial(self._twice, [], bring)
            self._world.later(self._world.between(0, 1_500_000), lambda: self._up(bring))
        self._up(bring)

    def cut(self) -> None:
        """Break the connection, with what is on its way; each end notices in its own time."""
        if not self.broken:
            self.broken = True
            self._world.later(self._world.between(0, 6_000_000), self._end)
            self._world.later(self._world.between(0, 2_000_000), self._lost)

    def hang_up(self) -> None:
        """The page closes its end."""
        self._up(self._end)

    def _receive(self, data: bytes) -> None:
        """A frame of the server has come to the browser."""
        opcode, body = data[0] & 15, data[header_size(data) :]
        if opcode == TEXT:
            for message in messages_in(body):
                self._hear(self, message)
        elif opcode == PING:
            self._up(partial(self._bring, masked(PONG, body)))
        elif opcode == CLOSE:
            self._up(partial(self._bring, masked(CLOSE, body)))
            self._lost()

    # The server's end

    def attach(self, websocket: TransportChannel, process: Process) -> None:
        """A server has accepted the connection."""
        self._server = websocket, process
        websocket.connection_made(self)
        for data in self._early:
            self._bring(data)

    def write(self, data: Any) -> None:
        """See `asyncio.WriteTransport`."""
        self._maybe_worse()
        if data[0] & 15 == TEXT:
            for message in messages_in(data[header_size(data) :]):
                self._sent(message)
        self._down(len(data), partial(self._receive, data))

    def get_write_buffer_size(self) -> int:
        """See `asyncio.WriteTransport`: a stalled connection takes nothing from the sender."""
        return self._in_flight if self._stalled_us > self._world.now_us else 0

    def is_closing(self) -> bool:
        """See `asyncio.BaseTransport`."""
        return self.closed

    def close(self) -> None:
        """See `asyncio.BaseTransport`."""
        self._end()

    def abort(self) -> None:
        """See `asyncio.WriteTransport`: what is on its way is lost."""
        self.broken = True
        self._world.later(self._world.between(0, 2_000_000), self._lost)
        self._end()

    def pause_reading(self) -> None:
        """See `asyncio.ReadTransport`: the WebSocket keeps the little that comes nevertheless."""

    def resume_reading(self) -> None:
        """See `asyncio.ReadTransport`."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """See `asyncio.BaseTransport`: the socket has no measurements."""
        return SimpleNamespace(getsockopt=lambda *what: b"")

    def request(self, code: str, cookies: dict[str, str]) -> Any:
        """The request that opened the connection."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        return Request(headers=headers, remote="192.0.2.1", match_info={"code": code}, cookies=cookies)

    # On the way

    def _maybe_worse(self) -> None:
        if self._world.happens(self._weather.drops):
            self.cut()
        elif self._world.happens(self._weather.stalls):
            self._stalled_us = self._world.now_us + self._world.between(100_000, 12_000_000)

    def _up(self, bring: Callable[[], None]) -> None:
        self._up_us = self._travel(self._up_us, bring)

    def _down(self, size: int, bring: Callable[[], None]) -> None:
        self._in_flight += size

        def land() -> None:
            self._in_flight -= size
            bring()

        self._down_us = self._travel(self._down_us, land)

    def _travel(self, last_us: int, bring: Callable[[], None]) -> int:
        weather, now_us = self._weather, self._world.now_us
        delay_us = self._world.between(weather.least_us, weather.most_us)
        at_us = max(last_us, max(now_us, self._stalled_us) + delay_us)
        self._world.later(at_us - now_us, lambda: None if self.broken else bring())
        return at_us

    def _bring(self, data: bytes) -> None:
        if self._server is None:
            self._early.append(data)
        elif not self.closed:
            websocket, process = self._server
            if not process.is_closed():
                process.call_soon(self._unless_closed, websocket.data_received, data)

    def _unless_closed(self, do: Callable[[bytes], None], data: bytes) -> None:
        if not self.closed:
            do(data)

    def _end(self) -> None:
        """The server's end is closed: its process notices."""
        if not self.closed:
            self.closed = True
            if self._server and not self._server[1].is_closed():
                websocket, process = self._server
                process.call_soon(websocket.connection_lost, None)


def messages_in(body: bytes) -> list[bytes]:
    """The messages of a frame: one, or a batch."""
    return [bytes(message) for message in _BATCH.decode(body)] if body.startswith(b"[") else [body]


def header_size(frame: bytes | bytearray) -> int:
    """How many bytes of a server's frame are its header."""
    return {126: 4, 127: 10}.get(frame[1], 2)


def masked(opcode: int, body: bytes) -> bytes:
    """A frame of a browser, masked with zeros."""
    frame = bytearray(build_frame(opcode, body))
    size = header_size(frame)
    frame[1] |= 0x80
    return bytes(frame[:size]) + bytes(4) + body
