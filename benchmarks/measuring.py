"""The hold on a server from outside: its process, who is connected to it from here, and what happens meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from aiohttp import ClientSession

from benchmarks.lateness import Lag, spread
from benchmarks.person import Echoer, Person, Sample
from benchmarks.ticket import Ticket

BOTS = 3
OPEN_WITHIN_S = 60.0
"""So many rooms must be open by then, or the server does not hold them."""

AT_ONCE = 32
"""So many guests come at the same time."""


class Guest(Protocol):
    """Whoever is connected to a server."""

    def go(self) -> None:
        """Hang up."""


Come: TypeAlias = "Callable[[Server, ClientSession, int], Awaitable[Guest]]"
"""How a guest of this number comes to a server; its rooms are remembered there for when he comes again."""


async def alone(server: Server, session: ClientSession, number: int) -> Guest:
    """A person alone with bots, or somebody who hears himself."""
    if server.kind != "echo" and number not in server.rooms:
        room = {"name": "Ana", "bots": BOTS, "strength": "steady"}
        async with session.post(f"http://{server.host}:{server.port}/api/rooms", json=room) as answer:
            answer.raise_for_status()
            server.rooms[number] = [await Ticket.of(answer)]
    person = Echoer(server.now) if server.kind == "echo" else Person(server.now, *server.rooms[number])
    await person.come(server.port)
    return person


class Server:
    """A server in a process of its own, and the people who are connected to it from here; `more` is said to it."""

    host = "127.0.0.1"

    def __init__(
        self,
        kind: str,
        core: int | None,
        profile: bool = False,
        source: Path | None = None,
        more: Sequence[str] = (),
        come: Come | None = None,
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.serving", kind, *(["--profile"] if profile else []), *more]
        if source and not (source / "ratscrew").is_dir():
            raise ValueError(f"{source} has no folder ratscrew: name the source folder of another checkout")
        self.kind = kind
        self._process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(source)} if source else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.sample = Sample()
        self.empty_kb = 0.0
        self.rooms: dict[int, list[Ticket]] = {}
        self._come, self._people = come or alone, list[Guest]()

    @cached_property
    def _lag(self) -> Lag:
        return Lag()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @cached_property
    def port(self) -> int:
        """Its port, once it has said it."""
        assert self._process.stdout
        return int(self._process.stdout.readline())

    def hang_up(self) -> None:
        """Send it to end."""
        assert self._process.stdin
        self._process.stdin.close()

    def end(self) -> None:
        """Wait until it has ended, but not for ever."""
        self.hang_up()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    async def seat(self, session: ClientSession, people: int) -> None:
        """Have so many people at as many tables, no more and no fewer; a table without a person rests.

        Raises: TimeoutError if the server does not manage that in time.
        """
        for person in self._people[people:]:
            person.go()
        del self._people[people:]
        assert self.port  # until it listens, no time is counted
        async with asyncio.timeout(OPEN_WITHIN_S):
            while (first := len(self._people)) < people:
                numbers = range(first, min(people, first + AT_ONCE))
                self._people += await asyncio.gather(*(self._come(self, session, number) for number in numbers))

    async def measure(self, seconds: float) -> dict[str, Any]:
        """What happens in so many seconds."""
        before = await self.usage()
        self._lag.empty()
        began, own_s, self.sample = time.perf_counter(), time.process_time(), Sample()
        await asyncio.sleep(seconds)
        took, sample, own_ms = time.perf_counter() - began, self.sample, self._lag.empty()
        own_s = time.process_time() - own_s
        after = await self.usage()
        counts, cpu_us = sample.counts, (after["cpu_s"] - before["cpu_s"]) * 1e6
        delays = {name: spread(delays_ms) for name, delays_ms in sorted(sample.delays_ms.items())}
        waited = [ms for name in ("echo", "play", "good slap", "wrong slap") for ms in sample.delays_ms[name]]
        return {
            "rooms": len(self._people),
            "cpu_percent": cpu_us / took / 1e4,
            "waited_percent": max(0.0, after["waited_s"] - before["waited_s"]) / took * 100,
            "client_cpu_percent": own_s / took * 100,
            "cpu_us_per_message": cpu_us / max(1, counts["in"] + counts["out"]),
            "cpu_us_per_card": cpu_us / counts["cards"] if counts["cards"] else 0.0,
            "messages_in_per_second": counts["in"] / took,
            "messages_out_per_second": counts["out"] / took,
            "cards_per_second": counts["cards"] / took,
            "gaps": counts["gaps"],
            "delay_ms": spread(waited),
            "delays_ms": delays,
            "server_lag_ms": spread(after["late_ms"]),
            "stall_ms": after["stall_ms"],
            "own_stall_ms": after["own_stall_ms"],
            "client_lag_ms": spread(own_ms),
            "memory_kb_per_room": max(0.0, after["memory_kb"] - self.empty_kb) / max(1, len(self._people)),
        }

    async def usage(self) -> Any:
        """What it has used so far."""
        assert self.port
        return await asyncio.to_thread(self._asked)

    def _asked(self) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def now(self) -> Sample:
        """What is counted at present."""
        return self.sample
