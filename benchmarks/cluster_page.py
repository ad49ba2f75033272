"""A page of a player whose room may move from node to node. It looks for its room as `client/src/net` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from urllib.parse import urlsplit

from benchmarks.credentials import Credentials
from benchmarks.simulated_player import Message, open_socket
from benchmarks.stress_client import StressClient
from benchmarks.told_events import ToldEvents
from ratscrew.web.typescript import WIRE

CONNECT_WITHIN_S, FOLLOW_WITHIN_S, FIRST_WITHIN_S, LATE_S = 5.0, 1.5, 4.0, 1.0
"""See `reconnecting-socket.ts`: how long a connection may take to open, the same at a node that a page was sent to, how
long the first message may take, and how late a ping may be."""

FIRST_RETRY_S, MAX_RETRY_S = 0.15, 0.6
"""The first pause before another attempt, and the longest."""

OWN_TRIES = 2
"""So often the page's own node is tried in vain before the others are asked too."""

SLOWER = 5
"""How many times slower than a `StressClient` a page acts: it turns a card after 25 to 300 ms."""


class ClusterPage(StressClient):
    """One page. Its cookie is for the host, so all nodes on this machine get it, as from a browser."""

    def __init__(self, told: ToldEvents, rng: Random, credentials: Credentials, own: str) -> None:
        """`own` is the URL of the node that the page is from."""
        super().__init__(told, rng, credentials)
        self.at: str | None = None
        """The URL of the node where the page is in its room; None while it is on the way."""
        self.arrived: Callable[[], None] = lambda: None
        """Called for each event, and each time the page has reached its room."""
        self.left: Callable[[], None] = lambda: None
        """Called when the page has lost its room."""
        self._told, self._own, self._epoch = told, own, 0
        self._nodes: Sequence[str] = ()
        self._target: str | None = None
        self._ticket: str | None = None
        self._failures = self._tries = 0
        self._followed = self._host = False
        self._standing: Message | None = None
        self._end: asyncio.Future[float | None] | None = None  # the pause that the server asks for; None: follow
        self._silent_after_s, self._at_next = 0.0, own

    async def run(self) -> None:
        """Be in the room, whichever node has it, until the task is cancelled."""
        try:
            while True:
                follows = self._target is not None
                pause_s = await self._visit(self._next_url(), follows)
                self._lose()
                if pause_s is None and not self._followed:
                    self._followed = True
                    continue
                retry_s = min(MAX_RETRY_S, FIRST_RETRY_S * 2**self._tries) * self._rng.uniform(0.7, 1.3)
                self._tries += 1
                await asyncio.sleep((pause_s or 0) + retry_s)
        finally:
            self.close()

    async def _visit(self, url: str, follows: bool) -> float | None:
        """Connect to a node and stay until the connection ends; returns the pause that it asks for, None to follow."""
        loop = asyncio.get_running_loop()
        self._end, self._at_next = loop.create_future(), url
        try:
            async with asyncio.timeout(FOLLOW_WITHIN_S if follows else CONNECT_WITHIN_S):
                port = urlsplit(url).port or 80
                self._socket = await open_socket(port, self._on_message, self.credentials.room, self.credentials.cookie)
        except (OSError, TimeoutError):
            return 0
        have = {"game": self._game, "version": self._version} if self._game else {}
        ticket, self._ticket = self._ticket, None
        self._send({**self.credentials.hello, "wire": WIRE, **have, **({"ticket": ticket} if ticket else {})})
        self._silent_after_s = loop.time() + FIRST_WITHIN_S
        end = self._end
        self._socket.closed.add_done_callback(lambda _: end.cancel())
        while not end.done() and (left_s := self._silent_after_s - loop.time()) > 0:
            await asyncio.wait({end}, timeout=left_s)
        self._socket.close()
        return end.result() if end.done() and not end.cancelled() else 0

    def _next_url(self) -> str:
        """The node to try next: the one that the page was sent to, then its own, then each in turn."""
        target, self._target = self._target, None
        if target:
            return target
        others = [url for url in self._nodes if url != self._own]
        turn = max(0, self._failures - OWN_TRIES) % (len(others) + 1)
        self._failures += 1
        return others[turn - 1] if turn else self._own

    def _finish(self, pause_s: float | None) -> None:
        if self._end and not self._end.done():
            self._end.set_result(pause_s)

    def _lose(self) -> None:
        if self.at:
            self.at = None
            self.left()

    def _on_message(self, message: Message, now_s: float) -> None:
        if self._end is None or self._end.done():
            return
        loop_s = asyncio.get_running_loop().time()
        self._silent_after_s = max(self._silent_after_s, loop_s + FIRST_WITHIN_S)
        match message["t"]:
            case "ping":
                self._silent_after_s = loop_s + message["next_ms"] / 1e3 + LATE_S
            case "nodes":
                self._nodes = message["urls"]
            case "moved":
                self._target, self._ticket = message["to"], message["ticket"]
                self._lose()
                self._finish(None if message["to"] else 0)
                return
            case "bye":
                self._finish(message["wait_s"])
                return
            case "welcome" | "reconnected" if not self._arrive(message):
                return
            case "refused" if message["request"] == "play":
                if self._standing:
                    self._act(self._standing)
                return
        super()._on_message(message, now_s)
        if message["t"] == "reconnected" and self._standing:
            self._act(self._standing)
        elif message["t"] == "reconnected" and self._host:
            self._send_later((0.005, 0.06), {"t": "start"})

    def _arrive(self, message: Message) -> bool:
        """The page is in its room; False, and the connection ends, if this owner is known to be stale."""
        if message["epoch"] < self._epoch:
            self._finish(0)
            return False
        self._epoch, self.at = message["epoch"], self._at_next
        self._tries = self._failures = 0
        self._followed = False
        if message["t"] == "welcome":
            self._host, self._standing = message["you"] == message["host"] and message["you"] is not None, None
        self.arrived()
        return True

    def _on_event(self, message: Message) -> None:
        self._told.receive(self._game, message["v"], message["e"], self._epoch, self._version)
        self.events_received += 1
        self._version = max(self._version, message["v"])
        self._react(message["e"])
        self.arrived()

    def _act(self, standing: Message) -> None:
        self._standing = standing
        super()._act(standing)

    def _send_later(self, between: tuple[float, float], message: Message) -> None:
        least, most = between
        super()._send_later((least * SLOWER, most * SLOWER), message)
