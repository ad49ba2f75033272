"""One server: the real registry, rooms and connections in a simulated process, which may end at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ratscrew.errors import ClusterError, LimitExceeded, LogError, Refusal, RulesError
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import Limits
from ratscrew.limits.loop_share import LoopShare
from ratscrew.log.protocol import EventLog
from ratscrew.protocol.metrics_sink import MeasuredLog, NullMetrics
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.spectators import Spectators
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRegistry, code_of
from ratscrew.table.registry.tokens import Tokens
from ratscrew.table.room.room import Room
from ratscrew.table.state.dealer import Laid
from ratscrew.turns import Turns
from ratscrew.web.access.admission import Admission
from ratscrew.web.cluster.cluster import Cluster
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.cookies import Cookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.socket.socket_session import ServerContext, SocketSession, send_nodes
from ratscrew.web.socket.websocket import text_frame
from ratscrew.web.typescript import WIRE
from ratscrew.web.upkeep import SWEEP_EVERY_S
from tests.simulation.network import Connection
from tests.simulation.world import Process, World

Seat: TypeAlias = tuple[Room, int]
Ask: TypeAlias = Callable[[RoomRegistry], Awaitable[Seat | Elsewhere]]


class TurnCancelled(NamedTuple):
    """A taken seat: its room's code, its player's id, and the token that holds it."""

    code: str
    player_id: int
    token: str


IDENTITY = "0a1b2c3d"
"""By which pages know this server's cookies, whichever process answers."""


class _Identity:
    """The store of the identity, which never changes."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        return IDENTITY.encode()


class Server:
    """A server process with its log. `forward` is called with a request whose room is at another server's URL."""

    def __init__(
        self,
        world: World,
        process: Process,
        log: EventLog[Entry],
        laid: Laid,
        name: str = "server",
        cluster: Cluster | None = None,
    ) -> None:
        self._world, self.process, self.log, self.name = world, process, log, name
        self.forward: Callable[[str, Ask, Callable[[TurnCancelled], None]], None] = lambda url, ask, answer: None
        world.processes.append(process)
        shared = cluster.shared_limits() if cluster else None
        with self.process.inside():
            self.registry = RoomRegistry(
                MeasuredLog(log, NullMetrics()) if cluster else log,
                world.clock,
                laid,
                cluster.rooms if cluster else None,
            )
        self.registry.game_names = GameNames()  # the truth of a world is kept by the names of the log
        self._tokens = Tokens(log, world.clock.now_us(), self.registry.alive_us or None)
        peers = cluster.peers(self._tokens) if cluster else None
        proxy_policy = ProxyPolicy(peers=peers)
        cookies = Cookies(self._tokens, world.clock, BrowserCookies(_Identity(), proxy_policy))
        limits = Limits(world.clock, times=1000, shared=shared)
        admission = Admission(self.registry, cookies, proxy_policy, limits, world.clock)
        self._context = ServerContext(
            self.registry,
            world.clock,
            proxy_policy,
            cookies,
            limits,
            LoopShare(times=1000),  # it measures real time, which no seed repeats
            admission,
            Turns(),
            FairLock(),
            set(),
            {},
            PingBursts(),
            Spectators(world.clock, WIRE, text_frame),
        )
        if peers:
            peers.on_change = partial(send_nodes, self._context)
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: WeakKeyDictionary[SocketSession, Connection] = WeakKeyDictionary()
        self._do(self._sweep())
        world.note(name, "starts")

    def connect(self, connection: Connection, code: str, cookies: dict[str, str]) -> None:
        """Open a client's socket to a room."""
        if self.process.paused:  # the kernel has accepted it
            self.process.held.append(partial(self.connect, connection, code, cookies))
            return
        with self.process.inside():
            request = connection.request(code, cookies)
            session = SocketSession(request, self._context, request.remote)
            self._connections[session] = connection
            connection.attach(session.channel, self.process)

    def ask(self, seated: Ask, answer: Callable[[TurnCancelled], None]) -> None:
        """Request a seat. The answer is the `TurnCancelled` seat, once the log has it."""

        async def sit() -> None:
            try:
                found = await seated(self.registry)
                if isinstance(found, Elsewhere):
                    self.forward(found.url, seated, answer)
                    return
                room, seat = found
                await room.stored()
            except (RulesError, Refusal, LogError, LimitExceeded, ClusterError) as error:
                self._world.note(self.name, "refuses", error)
            else:
                player_id, name = room.table.seats[seat].player_id, room.table.room
                token = self._tokens.sign("seat", name, [player_id], self._world.clock.now_us())
                answer(TurnCancelled(code_of(name), player_id, token))

        self._do(sit())

    def stop(self) -> None:
        """Stop the server: it disconnects all clients, and its log stores what is pending."""
        self._world.note(self.name, "stops")
        with self.process.inside():
            self.registry.close()
        self._world.run(5_000_000)
        self.crash()

    def crash(self) -> None:
        """Crash the process."""
        self._world.note(self.name, "ends")
        self.log.close()
        for session, connection in self._connections.items():  # in the order of their arrival, as a set's is random
            if session in self._context.sessions:
                connection.cut()
                connection.closed = True
        for task in asyncio.all_tasks(self.process):
            task.cancel()
        self.drain()
        self.process.close()
        self._world.processes.remove(self.process)

    def drain(self) -> None:
        """Run everything that is due now."""
        while self.process.ready or (self.process.due_us() or self._world.now_us + 1) <= self._world.now_us:
            self.process.turn()

    @property
    def left_over(self) -> str:
        """The tasks that are left besides the server's own one; empty if there are none."""
        rooms, sockets = len(self.registry), len(self._context.sessions)
        tasks, timers = len(asyncio.all_tasks(self.process)) - 1, len(self.process.timers) - 1
        left = any((rooms, sockets, tasks, timers))
        return f"{rooms} rooms, {sockets} sockets, {tasks} tasks, {timers} timers" if left else ""

    def _do(self, what: Any) -> None:
        task: asyncio.Task[None] = self.process.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.remove(task)
        if not task.cancelled() and (error := task.exception()):
            self._world.breaks(f"a conversation ends with {error!r}")

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY_S)
            self.registry.sweep()
