"""One server: the real registry, rooms and connections in a simulated process, which may end at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ratscrew.errors import LimitExceeded, LogError, Refusal, RulesError
from ratscrew.table.delivery.loop_turns import LoopTurns
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry, code_of
from ratscrew.table.rooms.tokens import Tokens
from ratscrew.table.shuffle.dealer import Laid
from ratscrew.web.admission import Admission
from ratscrew.web.app import SWEEP_EVERY_S
from ratscrew.web.cookies import Cookies
from ratscrew.web.fair_lock import FairLock
from ratscrew.web.limits import Limits
from ratscrew.web.loop_share import LoopShare
from ratscrew.web.ping_bursts import PingBursts
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.socket_session import ServerContext, SocketSession
from tests.simulation.disk import Disk, DiskLog
from tests.simulation.network import Connection
from tests.simulation.world import Process, World

Seat = tuple[Room, int]


class TurnCancelled(NamedTuple):
    """A taken seat: its room's code, its player's id, and the token that holds it."""

    code: str
    player_id: int
    token: str


class Server:
    """A server process with its disk."""

    def __init__(self, world: World, disk: Disk, laid: Laid) -> None:
        self._world = world
        self.process = world.process = Process(world)
        self.log = DiskLog(disk)
        with self.process.inside():
            self.registry = RoomRegistry(self.log, world.clock, laid)
        self._tokens = Tokens(self.log, world.clock.now_us(), self.registry.alive_us or None)
        cookies = Cookies(self._tokens, world.clock, ProxyPolicy())
        limits, proxy_policy = Limits(world.clock, times=1000), ProxyPolicy()
        admission = Admission(self.registry, cookies, proxy_policy, limits, world.clock)
        self._context = ServerContext(
            self.registry,
            world.clock,
            proxy_policy,
            cookies,
            limits,
            LoopShare(times=1000),  # it measures real time, which no seed repeats
            admission,
            LoopTurns(),
            FairLock(),
            set(),
            PingBursts(),
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: WeakKeyDictionary[SocketSession, Connection] = WeakKeyDictionary()
        self._do(self._sweep())
        world.note("server", "starts")

    def connect(self, connection: Connection, code: str, cookies: dict[str, str]) -> None:
        """Open a client's socket to a room."""
        with self.process.inside():
            request = connection.request(code, cookies)
            session = SocketSession(request, self._context, request.remote)
            self._connections[session] = connection
            connection.attach(session.websocket, self.process)

    def ask(self, seated: Callable[[RoomRegistry], Awaitable[Seat]], answer: Callable[[TurnCancelled], None]) -> None:
        """Request a seat. The answer is the `TurnCancelled` seat, once the log has it."""

        async def sit() -> None:
            try:
                room, seat = await seated(self.registry)
                await room.stored()
            except (RulesError, Refusal, LogError, LimitExceeded) as error:
                self._world.note("server", "refuses", error)
            else:
                player_id, name = room.table.seats[seat].player_id, room.table.room
                token = self._tokens.sign("seat", name, [player_id], self._world.clock.now_us())
                answer(TurnCancelled(code_of(name), player_id, token))

        self._do(sit())

    def stop(self) -> None:
        """Stop the server: it disconnects all clients, and its log stores what is pending."""
        self._world.note("server", "stops")
        with self.process.inside():
            self.registry.close()
        self._world.run(5_000_000)
        self.crash()

    def crash(self) -> None:
        """Crash the process."""
        self._world.note("server", "ends")
        self.log.close()
        for session, connection in self._connections.items():  # in the order of their arrival, as a set's is random
            if session in self._context.sessions:
                connection.cut()
                connection.closed = True
        for task in asyncio.all_tasks(self.process):
            task.cancel()
        self.drain()
        self.process.close()
        self._world.process = None

    def drain(self) -> None:
        """Run everything that is due now."""
        while self.process.ready or (self.process.due_us() or self._world.now_us + 1) <= self._world.now_us:
            self.process.turn()

    @property
    def left_over(self) -> str:
        """The tasks that are left besides sweeping; empty if there are none."""
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
