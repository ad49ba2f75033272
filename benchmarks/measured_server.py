"""A server process measured from outside: starts it, connects simulated clients, and reads its usage."""

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

from benchmarks.credentials import Credentials
from benchmarks.loop_lag import LoopLag, summarize
from benchmarks.simulated_player import EchoClient, Sample, SimulatedPlayer

BOTS = 3
OPEN_WITHIN_S = 60.0
"""If the rooms are not open by then, the server cannot serve so many."""

CONNECT_AT_ONCE = 32
"""How many clients connect at the same time."""


class Client(Protocol):
    """A simulated client of a server."""

    def close(self) -> None:
        """Close all its connections."""


ConnectClient: TypeAlias = "Callable[[MeasuredServer, ClientSession, int], Awaitable[Client]]"
"""Connects client `number` to a server; its rooms are kept in `rooms`, for when it connects again."""


async def connect_with_bots(server: MeasuredServer, session: ClientSession, number: int) -> Client:
    """Connect a player in a room with bots, or a client of the echo server."""
    if server.kind != "echo" and number not in server.rooms:
        room = {"name": "Ana", "bots": BOTS, "strength": "steady"}
        async with session.post(f"http://{server.host}:{server.port}/api/rooms", json=room) as response:
            response.raise_for_status()
            server.rooms[number] = [await Credentials.from_response(response)]
    client = (
        EchoClient(server.current_sample)
        if server.kind == "echo"
        else SimulatedPlayer(server.current_sample, *server.rooms[number])
    )
    await client.connect(server.port)
    return client


class MeasuredServer:
    """A server in a process of its own, with the clients connected to it; `more` are options for the process."""

    host = "127.0.0.1"

    def __init__(
        self,
        kind: str,
        core: int | None,
        profile: bool = False,
        source: Path | None = None,
        more: Sequence[str] = (),
        connect: ConnectClient | None = None,
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.server_process", kind, *(["--profile"] if profile else []), *more]
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
        self.rooms: dict[int, list[Credentials]] = {}
        self._connect, self._clients = connect or connect_with_bots, list[Client]()

    @cached_property
    def _lag(self) -> LoopLag:
        return LoopLag()

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._process.pid

    @cached_property
    def port(self) -> int:
        """The port; blocks until the process prints it."""
        assert self._process.stdout
        return int(self._process.stdout.readline())

    def stop(self) -> None:
        """Ask the process to end, by closing its standard input."""
        assert self._process.stdin
        self._process.stdin.close()

    def close(self) -> None:
        """Stop the process and wait for its end; kill it after 20 s."""
        self.stop()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    async def set_clients(self, session: ClientSession, count: int) -> None:
        """Connect or close clients until there are `count`, each in a room of its own; a room without a player pauses.

        Raises: TimeoutError if the server does not manage that in time.
        """
        for client in self._clients[count:]:
            client.close()
        del self._clients[count:]
        assert self.port  # the timeout begins when the server listens
        async with asyncio.timeout(OPEN_WITHIN_S):
            while (first := len(self._clients)) < count:
                numbers = range(first, min(count, first + CONNECT_AT_ONCE))
                self._clients += await asyncio.gather(*(self._connect(self, session, number) for number in numbers))

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Count and time messages, CPU and lag for this many seconds."""
        before = await self.usage()
        self._lag.take()
        began, own_s, self.sample = time.perf_counter(), time.process_time(), Sample()
        await asyncio.sleep(seconds)
        elapsed, sample, own_ms = time.perf_counter() - began, self.sample, self._lag.take()
        own_s = time.process_time() - own_s
        after = await self.usage()
        counts, cpu_us = sample.counts, (after["cpu_s"] - before["cpu_s"]) * 1e6
        delays = {name: summarize(delays_ms) for name, delays_ms in sorted(sample.delays_ms.items())}
        waited = [ms for name in ("echo", "play", "good slap", "wrong slap") for ms in sample.delays_ms[name]]
        return {
            "rooms": len(self._clients),
            "cpu_percent": cpu_us / elapsed / 1e4,
            "waited_percent": max(0.0, after["waited_s"] - before["waited_s"]) / elapsed * 100,
            "client_cpu_percent": own_s / elapsed * 100,
            "cpu_us_per_message": cpu_us / max(1, counts["in"] + counts["out"]),
            "cpu_us_per_card": cpu_us / counts["cards"] if counts["cards"] else 0.0,
            "messages_in_per_second": counts["in"] / elapsed,
            "messages_out_per_second": counts["out"] / elapsed,
            "cards_per_second": counts["cards"] / elapsed,
            "gaps": counts["gaps"],
            "delay_ms": summarize(waited),
            "delays_ms": delays,
            "server_lag_ms": summarize(after["late_ms"]),
            "stall_ms": after["stall_ms"],
            "own_stall_ms": after["own_stall_ms"],
            "client_lag_ms": summarize(own_ms),
            "memory_kb_per_room": max(0.0, after["memory_kb"] - self.empty_kb) / max(1, len(self._clients)),
        }

    async def usage(self) -> Any:
        """The resources that the process has used so far."""
        assert self.port
        return await asyncio.to_thread(self._request_usage)

    def _request_usage(self) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def current_sample(self) -> Sample:
        """The sample to which clients add at present."""
        return self.sample
