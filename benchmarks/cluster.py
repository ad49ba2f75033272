"""Whether the nodes of a cluster lose, repeat, change or split anything that they broadcast, whatever happens to them.

    python -m benchmarks.cluster [--nodes 3] [--rooms 30] [--kills 3] [--pauses 3] [--drains 3] [--restarts 3] [--json]

The nodes are real, `ratscrew serve --node`, each a process of its own, and share a PostgreSQL of the benchmark's own.
In each room two simulated players and a bot play faster than people, over real sockets; the players' pages are from
different nodes, follow their room, and look for it as the client does. Faults come one after the other, each at the
node with the most pages: it is killed (SIGKILL) and started again; paused (SIGSTOP) for longer than a lease; drained,
stopped and started again; or PostgreSQL crashes and is started again. At the end all pages come back with nothing but
their cookies, and all events that any page received are compared with the log.

`waited` is the time from a fault, or from the moment at which a draining node sent the page away, to the page's next
event or snapshot.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import uvloop
from aiohttp import ClientSession

from benchmarks.cluster_nodes import NodeProcess, running
from benchmarks.cluster_page import ClusterPage
from benchmarks.credentials import Credentials
from benchmarks.loop_lag import summarize
from benchmarks.stress_client import rooms_lost
from benchmarks.told_events import ToldEvents
from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.postgres_server import PostgresServer

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import postgres  # isort: skip

SPEED = 4.0
"""How many times faster than real time the tables play."""

KINDS = ("kill", "pause", "drain", "restart")
MOST_S = {"kill": 6.0, "drain": 2.0}
"""The targets of the 99th percentiles of `waited`."""

PAUSE_S = 5.0
"""How long a node is paused: a lease lasts 3 s."""

PLAY_S = 2.0
"""How long all play after each fault, once all are back."""

BACK_WITHIN_S = 30.0
"""How long the pages may take to be back."""

IN_FLIGHT_S = 0.05
"""After this time a page has read what a node sent before its end."""


class Waits:
    """How long pages waited for their next event or snapshot, by kind of fault. Unit: seconds."""

    def __init__(self) -> None:
        self.found: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self.kind: str | None = None
        """The present or the last fault."""
        self._since_s: dict[ClusterPage, tuple[str, float]] = {}

    def __len__(self) -> int:
        """How many pages wait."""
        return len(self._since_s)

    def begin(self, page: ClusterPage, since_s: float | None = None) -> None:
        """A page waits, since this moment of the event loop's clock or from now on."""
        if self.kind:
            now_s = asyncio.get_running_loop().time()
            self._since_s.setdefault(page, (self.kind, since_s if since_s is not None else now_s))

    def end(self, page: ClusterPage) -> None:
        """A page has received something."""
        if waited := self._since_s.pop(page, None):
            kind, since_s = waited
            self.found[kind].append(asyncio.get_running_loop().time() - since_s)

    def end_all(self) -> None:
        """No page waits any longer: those that are still waiting count with the time so far."""
        for page in list(self._since_s):
            self.end(page)

    def summary(self) -> dict[str, dict[str, float | None]]:
        """Median and 99th percentile for each kind of fault; None if no page had to wait."""
        return {kind: _percentiles(found) for kind, found in self.found.items()}


class Trial:
    """A cluster, its pages, and the faults."""

    def __init__(self, nodes: Sequence[NodeProcess], postgres_server: PostgresServer, seed: int) -> None:
        self.told, self.waits = ToldEvents(), Waits()
        self.pages: list[ClusterPage] = []
        self._nodes, self._postgres, self._rng = nodes, postgres_server, Random(seed)
        self._tasks: list[asyncio.Task[None]] = []

    async def open_rooms(self, count: int) -> None:
        """Open rooms at all nodes in turn; the second player of each comes through another node than the first."""
        async with ClientSession(raise_for_status=True) as session:
            for number in range(count):
                first, second = (self._nodes[(number + more) % len(self._nodes)] for more in range(2))
                room = await self._open_page(session, first, "/api/rooms", {"bots": 1, "wait": True})
                await self._open_page(session, second, f"/api/rooms/{room}/seats", {})
        self._connect()
        await self.wait_until(lambda: all(page.events_received for page in self.pages))

    async def fail(self, kind: str, node: NodeProcess | None = None) -> None:
        """Have one thing go wrong, by default at the node with the most pages; wait until all are back and play."""
        self.waits.kind = kind
        node = node or max(self._nodes, key=lambda node: len(self._pages_at(node)))
        faults: dict[str, Callable[[NodeProcess], Coroutine[Any, Any, None]]] = {
            "kill": self._kill,
            "pause": self._pause,
            "drain": self._drain,
            "restart": self._restart,
        }
        await faults[kind](node)
        await self.wait_until(lambda: not self.waits and all(page.at for page in self.pages))
        before = [page.events_received for page in self.pages]
        await asyncio.sleep(PLAY_S)
        await self.wait_until(lambda: all(page.events_received > n for page, n in zip(self.pages, before, strict=True)))

    async def join_again(self) -> set[str]:
        """Have all pages come back with their cookies only; returns the rooms that cannot be joined any more."""
        await self.disconnect()
        self.waits.kind = None
        for page in self.pages:
            page.reset()
        self._connect()
        await self.wait_until(lambda: not rooms_lost(self.pages))
        return rooms_lost(self.pages)

    async def disconnect(self) -> None:
        """Close all pages."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.waits.end_all()

    async def wait_until(self, is_done: Callable[[], bool]) -> None:
        """Wait for a condition, or for `BACK_WITHIN_S`; raises what a page has raised."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_WITHIN_S):
                while not is_done():
                    await asyncio.sleep(0.05)
        for task in self._tasks:
            if task.done():
                task.result()

    async def _open_page(self, session: ClientSession, own: NodeProcess, path: str, body: dict[str, Any]) -> str:
        async with session.post(f"{own.url}{path}", json={"name": f"Guest {len(self.pages)}", **body}) as response:
            credentials = await Credentials.from_response(response)
        page = ClusterPage(self.told, Random(self._rng.random()), credentials, own.url)
        page.arrived, page.left = partial(self.waits.end, page), partial(self.waits.begin, page)
        self.pages.append(page)
        return credentials.room

    def _connect(self) -> None:
        self._tasks = [asyncio.create_task(page.run()) for page in self.pages]

    def _pages_at(self, node: NodeProcess) -> list[ClusterPage]:
        return [page for page in self.pages if page.at == node.url]

    async def _begin(self, pages: Sequence[ClusterPage], since_s: float) -> None:
        await asyncio.sleep(IN_FLIGHT_S)
        for page in pages:
            self.waits.begin(page, since_s)

    async def _kill(self, node: NodeProcess) -> None:
        pages, since_s = self._pages_at(node), asyncio.get_running_loop().time()
        node.send(signal.SIGKILL)
        await self._begin(pages, since_s)
        await node.wait_ended()
        await node.wait_forgotten(self._postgres)
        await node.start()

    async def _pause(self, node: NodeProcess) -> None:
        pages, since_s = self._pages_at(node), asyncio.get_running_loop().time()
        node.send(signal.SIGSTOP)
        try:
            await self._begin(pages, since_s)
            await asyncio.sleep(PAUSE_S)
        finally:
            node.send(signal.SIGCONT)

    async def _drain(self, node: NodeProcess) -> None:
        await node.drain(self._postgres)
        await node.start()

    async def _restart(self, _: NodeProcess) -> None:
        since_s = asyncio.get_running_loop().time()
        await asyncio.to_thread(self._postgres.stop, signal.SIGQUIT)
        await self._begin(self.pages, since_s)
        await asyncio.to_thread(self._postgres.start)


async def run(arguments: argparse.Namespace, postgres_server: PostgresServer) -> dict[str, Any]:
    """Have everything go wrong that was asked for, and compare the log."""
    address = postgres_server.create_log()
    async with running(arguments.nodes, address, SPEED) as nodes:
        trial = Trial(nodes, postgres_server, arguments.seed)
        await trial.open_rooms(arguments.rooms)
        for kind in order({kind: getattr(arguments, f"{kind}s") for kind in KINDS}):
            await trial.fail(kind)
        lost = await trial.join_again()
        await trial.disconnect()
    with closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        found = trial.told.compare_all(log)._asdict()
    split = found.pop("split")
    return {**found, "rooms_lost": len(lost), "split": split, "waited": trial.waits.summary()}


def order(counts: dict[str, int]) -> Iterator[str]:
    """The faults, each kind in turn."""
    left = dict(counts)
    while any(left.values()):
        for kind in left:
            if left[kind]:
                left[kind] -= 1
                yield kind


def missed(found: dict[str, Any]) -> list[str]:
    """The targets that these figures miss."""
    wrong = [name for name in ("missing", "different", "twice", "rooms_lost", "split") if found[name]]
    slow = [f"p99 of {kind}" for kind, most_s in MOST_S.items() if (found["waited"][kind]["p99_s"] or 0) > most_s]
    return wrong + slow


def _percentiles(found: Sequence[float]) -> dict[str, float | None]:
    each = summarize(found)
    return {f"{name}_s": round(each[name], 2) if found else None for name in ("p50", "p99")}


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server that waits for the disk, as usual."""
    with PostgresServer(Path(postgres.find_or_install()), durable=True) as server:
        yield server


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Kill, pause, drain and restart a cluster, and compare its log.")
    parser.add_argument("--nodes", type=int, default=3, help="how many nodes (3)")
    parser.add_argument("--rooms", type=int, default=30, help="how many rooms, of two players and a bot (30)")
    for kind in KINDS:
        what = "PostgreSQL" if kind == "restart" else "a node"
        parser.add_argument(f"--{kind}s", type=int, default=3, help=f"how often to {kind} {what} (3)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the seed of the players (random)")
    parser.add_argument("--check", action="store_true", help="the exit code is 1 if a target is missed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with running_postgres() as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            found = runner.run(run(arguments, server))
        except (LogError, ChildProcessError, TimeoutError) as error:
            sys.exit(f"seed {arguments.seed}: {error or type(error).__name__}")
    print(json.dumps(found) if arguments.json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    if arguments.check and (names := missed(found)):
        sys.exit(f"missed: {', '.join(names)}")


if __name__ == "__main__":
    main()
