"""The events of one world with several nodes that share a PostgreSQL, all drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal
from unittest import mock

import psycopg
from aiohttp import web

from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import NodeIdentity
from ratscrew.errors import ClusterError, LogError, Overloaded
from ratscrew.protocol import ping_bursts
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.table.room import page_pinger
from ratscrew.table.room.delivery import CommitQueue
from ratscrew.web.cluster.cluster import Cluster
from tests.simulation.database import LEASE_US, Database, Trouble
from tests.simulation.directory import SimulatedDirectory
from tests.simulation.page import Manners
from tests.simulation.server import Ask, Server, TurnCancelled
from tests.simulation.shared_log import SharedLogOfNode, simulated_writers
from tests.simulation.story import CALM_US, PING_EVERY_S, STORM_US, Story, _open, some_houses
from tests.simulation.world import Process, chances_of

Mistake = Literal["no-fence", "broadcast-before-commit", "lease-for-safety", "blind-repeat"]
MISTAKES: tuple[Mistake, ...] = ("no-fence", "broadcast-before-commit", "lease-for-safety", "blind-repeat")

SETTLE_US = 25_000_000
"""Within this time after the faults all leases of the past have expired, and all players are back."""

STEP_US = 20_000_000
"""How long a node that drains may take to end."""


class Node:
    """One node: its process, if one runs, and what outlives it."""

    def __init__(self, story: ClusterStory, name: str) -> None:
        self.name, self.url = name, f"https://{name}.example"
        self.server: Server | None = None
        self._story, self._starts = story, 0
        self._stop: Callable[[], Any] = lambda: None

    @property
    def reachable(self) -> Server | None:
        """The process that accepts connections, which may be paused."""
        return self.server

    def start(self) -> None:
        """Start a process under this name; without a database it tries again."""
        story, world = self._story, self._story.world
        if self.server:
            return
        self._starts += 1
        me = NodeIdentity(self.name, self.url, f"{self.name}{self._starts}", "1")
        process = Process(world)
        try:
            log = SharedLogOfNode(story.database, self.name, process)
            directory = SimulatedDirectory(story.database, me)
            node = ClusterNode(directory, lease_s=LEASE_US / 1e6, clock=process.time, takeover_s=10)  # type: ignore[arg-type]
            if story.mistake == "lease-for-safety":
                log.owns = lambda: node.alive
            cluster = Cluster(node, log)
            server = Server(world, process, log, story._laid, self.name, cluster)
        except (LogError, psycopg.Error):
            process.close()
            world.processes[:] = [each for each in world.processes if each is not process]
            world.later(1_000_000, self.start)
            return
        self.server, self._directory, self._cluster = server, directory, cluster
        server.forward = story.forward
        server._do(self._run(cluster, server))

    async def _run(self, cluster: Cluster, server: Server) -> None:
        """What `Cluster.join` has an application do, and its announcement: no address is wrong here."""
        running = None
        while True:
            try:
                if running is None:
                    await anext(starting := cluster._run(web.Application()))
                    running = starting
                await cluster.take_part()
            except (LogError, ClusterError, Overloaded) as error:
                self._story.world.note(self.name, "waits", error)
                continue
            break
        self._story.world.note(self.name, "joins")
        await cluster.replaced.wait()

    def kill(self) -> None:
        """Kill the process."""
        if server := self.server:
            self.server = None
            self._directory.close()
            server.crash()

    def pause(self, us: int) -> None:
        """Stop the process for so long, as SIGSTOP does."""
        if (server := self.server) and not server.process.paused:
            self._story.world.note(self.name, "pauses", us)
            server.process.pause()

            def resume() -> None:
                if not server.process.is_closed():
                    self._story.world.note(self.name, "resumes")
                    server.process.resume()

            self._story.world.later(us, resume)

    def resume(self) -> None:
        """Let it run."""
        if self.server and self.server.process.paused:
            self.server.process.resume()

    def drain(self) -> None:
        """Have the process give its rooms away, then end."""
        server, story = self.server, self._story
        if server is None or server.process.paused:
            return
        story.world.note(self.name, "drains")

        async def drain() -> None:
            await self._cluster.drain()
            story.world.later(1, end)

        def end() -> None:
            if self.server is server:
                with suppress(LogError):
                    self._directory.leave()
                self.kill()

        server._do(drain())


class ClusterStory(Story):
    """One seed's story with so many nodes; see `Story`."""

    def __init__(self, seed: int, nodes: int = 3, mistake: Mistake | None = None) -> None:
        super().__init__(seed)
        chance = self.world.chance
        loses, delays = chance.choice([0, 0.01, 0.1]), chance.choice([0, 0.01, 0.1])
        self.mistake = mistake
        self.database = Database(self.world, Trouble(loses, delays), self._kept)
        self.database.mistakes.no_fence = mistake in ("no-fence", "lease-for-safety")
        self.database.mistakes.repeats_blindly = mistake == "blind-repeat"
        self.nodes = [Node(self, name) for name in "abcdefgh"[:nodes]]
        self.weather.twice = 0  # repeated requests are a matter of one server, and of its own story
        for page in self.pages:
            page.impatient = True

    def tell(self) -> None:
        """Run the story.

        Raises: Broken if an invariant fails.
        """
        pings = (
            mock.patch.object(ping_bursts, "BURST", 1),
            mock.patch.object(page_pinger, "PROBE_EVERY_S", PING_EVERY_S),
        )
        put = CommitQueue.put
        hasty = self.mistake == "broadcast-before-commit"
        early = mock.patch.object(CommitQueue, "put", (lambda queue, do, stored=None: put(queue, do)) if hasty else put)
        with chances_of(self.seed), simulated_writers(self.database), pings[0], pings[1], early:
            try:
                for node in self.nodes:
                    node.start()
                self.world.run(5_000_000)
                self._storm()
                self._calm()
            finally:
                self.weather.drops = 0
                for node in self.nodes:
                    node.resume()
                    node.kill()

    # A page's way to a node

    def reach(self, url: str | None) -> Server | None:
        """See `Net`."""
        named = [node for node in self.nodes if node.url == url]
        return self.world.chance.choice(named or self.nodes).reachable

    def forward(self, url: str, ask: Ask, answer: Callable[[TurnCancelled], None]) -> None:
        """A node forwards a request to the node that has its room."""

        def arrive() -> None:
            if (server := self.reach(url)) and not server.process.paused:
                server.ask(ask, answer)

        self.world.later(self.world.between(100, 5000), arrive)

    def _sit(self, page: Any, name: str, seated: Any, tries: int = 6) -> None:
        self.server = self.world.chance.choice([node.server for node in self.nodes])
        if self.server and self.server.process.paused:
            self.server = None
        super()._sit(page, name, seated, tries)

    # The parts of the story

    def _storm(self) -> None:
        world, chance = self.world, self.world.chance
        asked = RoomRequest("Ana", chance.choice([0, 0, 1, 2]), "sharp", chance.choice(some_houses()), wait=True)
        self._sit(self.pages[0], "Ana", partial(_open, asked))
        for number, page in enumerate(self.pages[1:], 1):
            world.later(world.between(200_000, 12_000_000), partial(self._join, page, f"Bo {number}"))
        for _ in range(chance.choice([1, 2, 3, 4])):
            world.run(chance.randint(1_000_000, STORM_US // 2))
            self._fault()
        world.run(STORM_US)

    def _fault(self) -> None:
        """One fault, of one node or of the database; most hit the node that has the room."""
        world, database = self.world, self.database
        owners = [room.owner for room in database.rooms.values() if f"{room.code}" == self.pages[0].code]
        node = next((node for node in self.nodes if node.name in owners), None)
        if node is None or world.happens(0.2):
            node = world.chance.choice(self.nodes)
        lasts_us = world.between(300_000, 12_000_000)
        world.note("story", "fault", f"{node.name} {lasts_us}")
        match world.chance.choice(["kill", "pause", "pause", "partition", "partition", "clients", "drain", "restart"]):
            case "kill":
                node.kill()
                world.later(lasts_us, node.start)
            case "pause":
                node.pause(lasts_us)
            case "partition":
                database.cut.add(node.name)
                world.later(lasts_us, partial(database.cut.discard, node.name))
            case "clients":
                if node.server:
                    for connection in list(node.server._connections.values()):
                        connection.cut()
            case "drain":
                node.drain()
                world.later(STEP_US, node.start)
            case "restart":
                database.down = True
                world.later(min(lasts_us, 8_000_000), partial(setattr, database, "down", False))

    def _calm(self) -> None:
        """The faults are over: all nodes run, all players come back, and the room goes on."""
        world = self.world
        self.database.trouble = Trouble()
        self.database.cut.clear()
        self.database.down = False
        self.weather.__init__()  # type: ignore[misc]
        for node in self.nodes:
            node.resume()
        world.run(STEP_US)
        for node in self.nodes:
            node.start()
        for page in self.pages:
            page.manners = Manners()
            page.back()
        world.run(SETTLE_US)
        sitting = [page for page in self.pages if page.names and not page.over]
        for page in sitting:
            if not world.run(CALM_US, page.settled):
                world.breaks(f"{page.names} cannot come back")
            self._everybody_sits(page)
        if sitting := [page for page in sitting if page.seats]:
            self._goes_on(sitting)
        world.run(1)
