"""A process of simulated players for `benchmarks.load`, which `load_generator` starts.

    python -m benchmarks.load_process

Each line of standard input is a command as a JSON object: `do` names a method of `LoadProcess`, the rest are its
arguments. Each reply is a line of JSON. The process ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

import uvloop
from aiohttp import ClientError

from benchmarks.counting_socket import Counts, Tally
from benchmarks.dialects import DIALECTS, PRESENT
from benchmarks.four_players import FourPlayers, Language, RoomSeats, take_seats
from benchmarks.loop_lag import LoopLag
from benchmarks.sized_echo import EchoGroup, Traffic

MAX_LIFE_S = 3600.0
CONNECT_AT_ONCE = 8
"""How many rooms a process connects at the same time."""

RETRY_S = 0.5
"""From a refused connection to the next attempt."""

QUIET_S = 0.5
"""From the last action of the players to closing their connections: until then the server's last messages arrive."""


class Client(Protocol):
    """A room of players, or an echo group."""

    def begin(self, delay_s: float) -> None:
        """Start to send."""

    def stop(self) -> None:
        """Send nothing more, but replies to pings."""

    def close(self) -> None:
        """Close all connections."""


class LoadProcess:
    """The players of one process, for one server at a time."""

    def __init__(self) -> None:
        self._lag = LoopLag()
        self._language = Language(PRESENT)
        self._tally = Tally()
        self._clients: list[Client] = []
        self._idle: list[Client] = []
        self._free: defaultdict[int, list[RoomSeats]] = defaultdict(list)
        self._used: defaultdict[int, list[RoomSeats]] = defaultdict(list)

    async def open(self, port: int, dialect: str, rooms: int, rooms_per_s: float, seconds: float) -> dict[str, Any]:
        """Connect players until there are so many rooms, as many a second; stop after `seconds` in any case."""
        if not self._clients:
            self._language, self._tally = Language(DIALECTS[dialect]), Tally()
        began = self._opening()

        async def room() -> Client:
            free = self._free[port]
            seats = free.pop() if free else await take_seats(port, self._language.dialect)
            client = await self._connect(FourPlayers(self._tally, self._language, seats), port)
            self._used[port].append(seats)
            return client

        self._clients += await self._paced(rooms - len(self._clients), room, rooms_per_s, seconds)
        return self._opened(len(self._clients), began)

    async def open_idle(self, port: int, rooms: int, rooms_per_s: float, seconds: float) -> dict[str, Any]:
        """Connect players of so many rooms who only wait, with one socket each."""
        began = self._opening()

        async def room() -> Client:
            seats = await take_seats(port, self._language.dialect)
            return await self._connect(FourPlayers(self._tally, self._language, seats), port, slap_sockets=False)

        self._idle += await self._paced(rooms, room, rooms_per_s, seconds)
        return self._opened(len(self._idle), began)

    async def open_echo(self, port: int, groups: int, traffic: list[float]) -> dict[str, Any]:
        """Connect groups to a sized echo, whose traffic is like that."""
        self._tally = Tally()
        began = self._opening()
        for _ in range(groups):
            group = EchoGroup(self._tally, Traffic(*traffic), f"{random.getrandbits(64):x}")
            await group.connect(port)
            self._clients.append(group)
        return self._opened(groups, began)

    async def begin(self, within_s: float) -> dict[str, Any]:
        """Let all play; first games start within this time."""
        for client in self._clients:
            client.begin(random.uniform(0, within_s))
        return {}

    async def measure(self, seconds: float) -> dict[str, Any]:
        """What this process has sent, received and waited for in a period, and how busy it was."""
        tally = self._tally
        tally.delays_ms.clear()
        self._lag.take()
        sent, received, counts = _copy(tally.sent), _copy(tally.received), tally.counts.copy()
        began, cpu_s = time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        elapsed, cpu_s, late_ms = time.perf_counter() - began, time.process_time() - cpu_s, self._lag.take()
        return {
            "elapsed_s": elapsed,
            "cpu_s": cpu_s,
            "late_ms": late_ms,
            "in": self._named(tally.sent, sent),
            "out": self._named(tally.received, received),
            "counts": tally.counts - counts,
            "delays_ms": tally.delays_ms,
        }

    async def close(self) -> dict[str, Any]:
        """Stop and disconnect all; the reply has all frames since they were opened."""
        for client in (*self._clients, *self._idle):
            client.stop()
        await asyncio.sleep(QUIET_S)
        for client in (*self._clients, *self._idle):
            client.close()
        self._clients, self._idle = [], []
        for port, used in self._used.items():
            self._free[port] += used
        self._used.clear()
        tally = self._tally
        return {"in": self._named(tally.sent), "out": self._named(tally.received), "counts": tally.counts}

    async def block(self, seconds: float) -> dict[str, Any]:
        """Block the event loop now and then, as on a machine that is too slow: for tests."""

        async def stall() -> None:
            while True:
                time.sleep(seconds)
                await asyncio.sleep(seconds)

        self._stalling = asyncio.create_task(stall())
        return {}

    async def _paced(
        self, count: int, connect: Callable[[], Awaitable[Client]], per_s: float, seconds: float
    ) -> list[Client]:
        """Connect rooms at a bounded rate, again if the server refuses; those that are connected within the time."""
        loop, slots = asyncio.get_running_loop(), asyncio.Semaphore(CONNECT_AT_ONCE)
        began, connected = loop.time(), list[Client]()

        async def one(place: int) -> None:
            await asyncio.sleep(began + place / per_s - loop.time())
            async with slots:
                while True:
                    try:
                        connected.append(await connect())
                    except (ClientError, OSError):
                        self._tally.counts["refused connections"] += 1
                        await asyncio.sleep(RETRY_S)
                    else:
                        return

        tasks = [asyncio.create_task(one(place)) for place in range(count)]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if error is not None and not isinstance(error, asyncio.CancelledError):
                    raise error
        return connected

    def _opening(self) -> float:
        self._tally.delays_ms["snapshot"].clear()
        return time.perf_counter()

    def _opened(self, rooms: int, began: float) -> dict[str, Any]:
        tally = self._tally
        took_s, refused = time.perf_counter() - began, tally.counts.pop("refused connections", 0)
        return {"rooms": rooms, "took_s": took_s, "snapshots_ms": tally.delays_ms["snapshot"], "refused": refused}

    async def _connect(self, players: FourPlayers, port: int, slap_sockets: bool = True) -> FourPlayers:
        try:
            await players.connect(port, slap_sockets)
        except BaseException:
            players.close()
            raise
        return players

    def _named(self, counts: Counts, before: Counts | None = None) -> dict[str, list[int]]:
        """Frames and bytes since `before`, by the present names of their kinds."""
        kind, none = self._language.dialect.kind, [0, 0]
        then: Mapping[bytes, list[int]] = before or {}
        found = {}
        for tag, (frames, size) in counts.items():
            frames_then, size_then = then.get(tag, none)
            found[kind(tag)] = [frames - frames_then, size - size_then]
        return found


def _copy(counts: Counts) -> Counts:
    return defaultdict(lambda: [0, 0], {tag: list(count) for tag, count in counts.items()})


async def run() -> None:
    """Obey commands until standard input ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    with suppress(TimeoutError):
        async with asyncio.timeout(MAX_LIFE_S):
            process = LoadProcess()
            while line := await reader.readline():
                command = json.loads(line)
                reply = await getattr(process, command.pop("do"))(**command)
                print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
