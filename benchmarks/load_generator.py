"""Simulated players in several processes of their own, so that they are not the bottleneck; and whether they were."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.loop_lag import summarize

ROOT = Path(__file__).parents[1]
REPLY_MOST = 2**27
"""Bytes of the longest reply of a process: every delay and every lag of a measurement."""

MAX_CPU_PERCENT, MAX_LATE_MS = 70.0, 5.0
"""If the players' processes use more of a core together, or the p99 of a process's lag is more, they are too slow."""


class Opened(NamedTuple):
    """How many rooms are connected, how long that took, the times from connecting to a page's first snapshot, and how
    often the server refused a request or a connection.
    """

    rooms: int
    took_s: float
    snapshot_ms: dict[str, float]
    refused: int


class LoadProcessUsage(NamedTuple):
    """One process of simulated players during a measurement; `late_p99_ms` is the lag of its event loop."""

    core: int | None
    cpu_percent: float
    late_p99_ms: float


class Generated(NamedTuple):
    """What all players have sent (`into` the server) and received, and how busy their processes were.

    Frames and bytes by kind; delays in milliseconds by what was waited for.
    """

    elapsed_s: float
    into: dict[str, list[int]]
    out: dict[str, list[int]]
    counts: Counter[str]
    delays_ms: dict[str, list[float]]
    processes: list[LoadProcessUsage]


class LoadGenerator:
    """The processes. Start it with `start`, end it with `end`."""

    def __init__(self, processes: Sequence[asyncio.subprocess.Process], cores: Sequence[int | None]) -> None:
        self._processes, self._cores = processes, cores

    @classmethod
    async def start(cls, count: int, cores: Sequence[int]) -> LoadGenerator:
        """Start so many processes, on these cores in turn; without cores, the system distributes them."""
        started = []
        for number in range(count):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "benchmarks.load_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=ROOT,
                limit=REPLY_MOST,
            )
            if cores:
                os.sched_setaffinity(process.pid, {cores[number % len(cores)]})
            started.append(process)
        return cls(started, [cores[number % len(cores)] if cores else None for number in range(count)])

    async def end(self) -> None:
        """End all processes."""
        for process in self._processes:
            if process.stdin:
                process.stdin.close()
        for process in self._processes:
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def open(self, port: int, dialect: str, rooms: int, rooms_per_s: float, seconds: float) -> Opened:
        """Connect players until there are so many rooms; see `LoadProcess.open`."""
        more = {"port": port, "dialect": dialect, "rooms_per_s": rooms_per_s / len(self._processes)}
        return _opened(
            await self._all("open", [{"rooms": part} for part in self._parts(rooms)], seconds=seconds, **more)
        )

    async def open_idle(self, port: int, rooms: int, rooms_per_s: float, seconds: float) -> Opened:
        """Connect players who only wait; see `LoadProcess.open_idle`."""
        more = {"port": port, "rooms_per_s": rooms_per_s / len(self._processes), "seconds": seconds}
        return _opened(await self._all("open_idle", [{"rooms": part} for part in self._parts(rooms)], **more))

    async def open_echo(self, port: int, groups: int, traffic: Sequence[float]) -> Opened:
        """Connect echo groups."""
        parts = [{"groups": part} for part in self._parts(groups)]
        return _opened(await self._all("open_echo", parts, port=port, traffic=list(traffic)))

    async def begin(self, within_s: float) -> None:
        """Let all play."""
        await self._all("begin", within_s=within_s)

    async def block(self, seconds: float) -> None:
        """Make the processes too slow: for tests."""
        await self._all("block", seconds=seconds)

    async def measure(self, seconds: float) -> Generated:
        """Measure for so many seconds."""
        replies = await self._all("measure", seconds=seconds)
        delays_ms: defaultdict[str, list[float]] = defaultdict(list)
        for reply in replies:
            for what, delays in reply["delays_ms"].items():
                delays_ms[what] += delays
        usage = [
            LoadProcessUsage(core, reply["cpu_s"] / reply["elapsed_s"] * 100, summarize(reply["late_ms"])["p99"])
            for core, reply in zip(self._cores, replies, strict=True)
        ]
        elapsed_s = sum(reply["elapsed_s"] for reply in replies) / len(replies)
        return Generated(elapsed_s, *_frames(replies), delays_ms, usage)

    async def close(self) -> tuple[dict[str, list[int]], dict[str, list[int]], Counter[str]]:
        """Disconnect all; the frames to and from the server, and the counts, since the rooms were opened."""
        return _frames(await self._all("close"))

    def _parts(self, count: int) -> list[int]:
        processes = len(self._processes)
        return [count // processes + (place < count % processes) for place in range(processes)]

    async def _all(self, do: str, each: Sequence[dict[str, Any]] = (), **arguments: Any) -> list[dict[str, Any]]:
        """Give all processes a command, and wait for all replies."""
        for place, process in enumerate(self._processes):
            assert process.stdin
            command = {"do": do, **arguments, **(each[place] if each else {})}
            process.stdin.write(json.dumps(command).encode() + b"\n")
        return list(await asyncio.gather(*map(_reply, self._processes)))


async def _reply(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("a process of simulated players has ended")
    reply: dict[str, Any] = json.loads(line)
    return reply


def _opened(replies: Sequence[dict[str, Any]]) -> Opened:
    snapshots_ms = [ms for reply in replies for ms in reply["snapshots_ms"]]
    took_s = max(reply["took_s"] for reply in replies)
    rooms, refused = (sum(reply[name] for reply in replies) for name in ("rooms", "refused"))
    return Opened(rooms, took_s, summarize(snapshots_ms), refused)


def _frames(replies: Sequence[dict[str, Any]]) -> tuple[dict[str, list[int]], dict[str, list[int]], Counter[str]]:
    sums: list[dict[str, list[int]]] = []
    for direction in ("in", "out"):
        total: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for reply in replies:
            for kind, (frames, size) in reply[direction].items():
                total[kind][0] += frames
                total[kind][1] += size
        sums.append(dict(total))
    counts: Counter[str] = sum((Counter(reply["counts"]) for reply in replies), Counter())
    return sums[0], sums[1], counts


def too_slow(processes: Sequence[LoadProcessUsage]) -> list[str]:
    """Why the simulated players may have been the bottleneck; empty if they were not."""
    used: defaultdict[int | str, float] = defaultdict(float)
    for number, process in enumerate(processes):
        used[f"process {number}" if process.core is None else f"core {process.core}"] += process.cpu_percent
    return [
        *(f"players used {cpu:.0f} % of {where}" for where, cpu in used.items() if cpu > MAX_CPU_PERCENT),
        *(
            f"players' process {number} was {process.late_p99_ms:.1f} ms late (p99)"
            for number, process in enumerate(processes)
            if process.late_p99_ms > MAX_LATE_MS
        ),
    ]
