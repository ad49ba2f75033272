"""Simulated connections: slow, stalled, and lost without notice. Within one, order holds, as over TCP.

The server's end has the interface of aiohttp's socket, so the server's own code runs on it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from aiohttp import WSMessage, WSMsgType

from tests.simulation.world import World

CLOSED = WSMessage(WSMsgType.CLOSED, None, None)
IN_FLIGHT_MOST = 40
"""How many messages a stalled connection takes before the sender has to wait."""


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

    def get(self, key: Any) -> Any:
        """A value that the server has stored with this request."""
        return self._kept.get(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._kept[key] = value


class Connection:
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
        self.closed = self.broken = self.prepared = False
        self._world, self._weather = world, weather
        self._hear, self._lost, self._sent, self._twice = hear, partial(lost, self), sent, twice
        self._inbox: deque[WSMessage] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._up_us = self._down_us = self._stalled_us = self._in_flight = 0

    # The page's end

    def send(self, data: bytes, twice: bool = False) -> None:
        """Send a message to the server; with faults it may come twice, now or later."""
        self._maybe_worse()
        bring = partial(self._bring, WSMessage(WSMsgType.TEXT, data.decode(), None))
        if twice and self._world.happens(self._weather.twice):
            bring = partial(self._twice, [], bring)
            self._world.later(self._world.between(0, 1_500_000), lambda: self._up(bring))
        self._up(bring)

    def cut(self) -> None:
        """Break the connection, with what is on its way; each end notices in its own time."""
        if not self.broken:
            self.broken = True
            self._world.later(self._world.between(0, 6_000_000), self._close)
            self._world.later(self._world.between(0, 2_000_000), self._lost)

    def hang_up(self) -> None:
        """The page closes its end."""
        self._up(self._close)

    # The server's end, as aiohttp has it

    async def prepare(self, request: object) -> None:
        """See `web.WebSocketResponse`."""
        self.prepared = True

    def exception(self) -> BaseException | None:
        """See `web.WebSocketResponse`: no exception is stored."""
        return None

    async def receive(self) -> WSMessage:
        """The next message."""
        while not self._inbox:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._inbox.popleft()

    async def __aiter__(self) -> AsyncIterator[WSMessage]:
        while (message := await self.receive()).type is not WSMsgType.CLOSED:
            yield message

    async def send_frame(self, data: bytes, kind: WSMsgType) -> None:
        """Send a message; if the network stalls, wait.

        Raises: ConnectionResetError if the connection is known to be gone.
        """
        self._check()
        self._maybe_worse()
        self._sent(data)
        self._down(lambda: self._hear(self, data))
        while self._in_flight > IN_FLIGHT_MOST and self._stalled_us > self._world.now_us:
            await asyncio.sleep((self._stalled_us - self._world.now_us) / 1e6)

    async def ping(self, mark: bytes) -> None:
        """Send a ping, which the browser answers at once.

        Raises: ConnectionResetError if the connection is known to be gone.
        """
        self._check()
        pong = WSMessage(WSMsgType.PONG, mark, None)
        self._down(lambda: self._up(lambda: self._bring(pong)))

    async def close(self, code: int = 1000) -> None:
        """Close the connection with a code."""
        if not self.closed:
            self._down(self._lost)
            self._close()

    def abort(self) -> None:
        """The server drops the connection."""
        self.broken = True
        self._world.later(self._world.between(0, 2_000_000), self._lost)
        self._close()

    def request(self, code: str, cookies: dict[str, str]) -> Any:
        """The request that opened the connection."""
        kernel = SimpleNamespace(setsockopt=lambda *what: None, getsockopt=lambda *what: b"")  # it has no measurements
        transport = SimpleNamespace(
            abort=self.abort, get_extra_info=lambda name: kernel, get_write_buffer_size=lambda: 0
        )
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        return Request(
            transport=transport, headers=headers, remote="192.0.2.1", match_info={"code": code}, cookies=cookies
        )

    # On the way

    def _check(self) -> None:
        if self.closed:
            raise ConnectionResetError("the connection is gone")

    def _maybe_worse(self) -> None:
        if self._world.happens(self._weather.drops):
            self.cut()
        elif self._world.happens(self._weather.stalls):
            self._stalled_us = self._world.now_us + self._world.between(100_000, 12_000_000)

    def _up(self, bring: Callable[[], None]) -> None:
        self._up_us = self._travel(self._up_us, bring)

    def _down(self, bring: Callable[[], None]) -> None:
        self._in_flight += 1
        self._down_us = self._travel(self._down_us, lambda: self._land(bring))

    def _land(self, bring: Callable[[], None]) -> None:
        self._in_flight -= 1
        bring()

    def _travel(self, last_us: int, bring: Callable[[], None]) -> int:
        weather, now_us = self._weather, self._world.now_us
        delay_us = self._world.between(weather.least_us, weather.most_us)
        at_us = max(last_us, max(now_us, self._stalled_us) + delay_us)
        self._world.later(at_us - now_us, lambda: None if self.broken else bring())
        return at_us

    def _bring(self, message: WSMessage) -> None:
        if not self.closed:
            self._inbox.append(message)
            if self._waiter and not self._waiter.done():
                self._waiter.set_result(None)

    def _close(self) -> None:
        self._bring(CLOSED)
        self.closed = True
