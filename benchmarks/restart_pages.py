"""A process of pages that come back after a restart of the server; `benchmarks.restart` starts several.

    python -m benchmarks.restart_pages

The first line of standard input are its pages as JSON; the second says when and where they come. It prints a line when
every page has its snapshot, and one with what it measured when every page has both sockets, or the time is over.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import uvloop

from benchmarks.credentials import Credentials
from benchmarks.loop_lag import LoopLag
from benchmarks.simulated_player import Message, WebSocketClient, open_socket

FIRST_RETRY_S, MAX_RETRY_S = 0.15, 0.6
"""The pauses of the real client, before its random factor of 0.7 to 1.3."""

CONNECT_S, SILENT_S, CHECK_EVERY_S = 5.0, 4.0, 1.0
"""The real client gives up a connection after so long without an answer, and without a message; how often it checks."""

SECOND_AFTER_S = 5.0, 15.0
"""When the real client opens its second socket, after the snapshot."""


class PageSpec(NamedTuple):
    """A page: its number, what it has of the room, if it knows (an empty `game`: nothing), and its seat."""

    number: int
    game: str
    version: int
    room: str
    player_id: int
    cookie: str


class Job(NamedTuple):
    """When the server has begun to listen, where, how long the pages try, and whether second sockets wait."""

    up_s: float
    port: int
    within_s: float
    wait: bool


class Page:
    """One player's page, which reconnects until it has a snapshot, and then opens its second socket. Unit: seconds."""

    def __init__(self, spec: PageSpec) -> None:
        self._spec = spec
        self._credentials = Credentials(spec.room, spec.player_id, spec.cookie)
        number = spec.number
        self._source = f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"
        self._sockets: list[WebSocketClient] = []
        self._heard_s = 0.0
        self.counts: Counter[str] = Counter()
        self.first_s = self.snapshot_s = self.ready_s = 0.0
        """The first attempt, the snapshot and the second socket; 0 before."""
        self.has_snapshot: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def come(self, job: Job) -> None:
        """Reconnect from the longest pause on; note when the snapshot and the second socket are there."""
        pause_s = random.uniform(0, MAX_RETRY_S * random.uniform(0.7, 1.3))
        await asyncio.sleep(job.up_s + pause_s - time.perf_counter())
        self.first_s = time.perf_counter()
        hello: Message = {**self._credentials.hello, "page": f"{random.getrandbits(128):032x}"}
        if self._spec.game:
            hello |= {"game": self._spec.game, "version": self._spec.version}
        await self._connect(job.port, hello, ("welcome", "reconnected"))
        self.snapshot_s = time.perf_counter()
        self.has_snapshot.set_result(None)
        if job.wait:
            await asyncio.sleep(random.uniform(*SECOND_AFTER_S))
        await self._connect(job.port, {**self._credentials.hello, "only": "slaps"}, ())
        self.ready_s = time.perf_counter()

    async def _connect(self, port: int, hello: Message, until: Sequence[str]) -> None:
        """Open a socket, send `hello`, and wait for one of these messages; try again with growing pauses."""
        tries, wait_s = 0, 0.0
        while True:
            self.counts["sockets"] += 1
            received: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(CONNECT_S):
                    socket = await self._open(port, until, received)
            except (OSError, TimeoutError):
                self.counts["refused"] += 1
            else:
                self._heard_s = time.perf_counter()
                socket.send_message(hello)
                if not until or await self._is_answered(socket, received):
                    return
                wait_s = (received.result() or 0.0) if received.done() else 0.0
                self.counts["sent away" if received.done() else "lost"] += 1
                socket.close()
            await asyncio.sleep(wait_s + min(MAX_RETRY_S, FIRST_RETRY_S * 2**tries) * random.uniform(0.7, 1.3))
            tries, wait_s = tries + 1, 0.0

    async def _is_answered(self, socket: WebSocketClient, received: asyncio.Future[float | None]) -> bool:
        """Whether the expected message has come, before the connection ended or fell silent."""
        while not received.done() and not socket.closed.done() and time.perf_counter() - self._heard_s < SILENT_S:
            some = (received, socket.closed)
            await asyncio.wait(some, timeout=CHECK_EVERY_S, return_when=asyncio.FIRST_COMPLETED)
        return received.done() and received.result() is None

    async def _open(self, port: int, until: Sequence[str], received: asyncio.Future[float | None]) -> WebSocketClient:
        """An open socket; `received` gets None with the expected message, or the pause that the server names."""

        def handle(message: Message, now: float) -> None:
            if until and now - self._heard_s > SILENT_S:
                self.counts["silences"] += 1
            self._heard_s = now
            if message["t"] == "ping":
                self.counts["pings"] += 1
                socket.send_message({"t": "pong", "k": message["k"], "c_ms": now * 1e3})
            elif not received.done() and (message["t"] in until or message["t"] == "bye"):
                received.set_result(None if message["t"] in until else float(message.get("wait_s") or 0))

        socket = await open_socket(port, handle, self._credentials.room, self._credentials.cookie, source=self._source)
        self._sockets.append(socket)
        return socket

    def close(self) -> None:
        """Close all sockets."""
        for socket in self._sockets:
            socket.close()


async def run(pages: list[Page], job: Job, lag: LoopLag) -> dict[str, Any]:
    """Let all come; what was measured."""
    lag.take()
    cpu_s, began_s = time.process_time(), time.perf_counter()
    coming = [asyncio.create_task(page.come(job)) for page in pages]
    await asyncio.wait([page.has_snapshot for page in pages], timeout=job.within_s)
    taken = {"cpu_s": time.process_time() - cpu_s, "elapsed_s": time.perf_counter() - began_s, "late_ms": lag.take()}
    print(json.dumps({}), flush=True)
    _, late = await asyncio.wait(coming, timeout=job.within_s)
    for task in late:
        task.cancel()
    for error in await asyncio.gather(*coming, return_exceptions=True):
        if error is not None and not isinstance(error, asyncio.CancelledError):
            raise error
    times = [(page.first_s, page.snapshot_s, page.ready_s) for page in pages]
    return {**taken, "times": times, "counts": sum((page.counts for page in pages), Counter())}


async def main() -> None:
    """Read the commands, and let the pages come; their connections end with standard input."""
    loop = asyncio.get_running_loop()
    specs = msgspec.json.decode(await loop.run_in_executor(None, sys.stdin.readline), type=list[PageSpec])
    pages, lag = [Page(spec) for spec in specs], LoopLag()
    print(json.dumps({}), flush=True)
    job = msgspec.json.decode(await loop.run_in_executor(None, sys.stdin.readline), type=Job)
    print(json.dumps(await run(pages, job, lag)), flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    for page in pages:
        page.close()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
