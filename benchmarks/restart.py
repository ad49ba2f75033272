"""How soon all players are back at their tables after a restart of the server.

    python -m benchmarks.restart [--rooms 1000] [--against OTHER/src] [--at-once] [--profile] [--resume] [--json]

It makes a log of rooms with four players each: every 25th has played 25 games, the others one or two. Then it starts
a server on that log, and all players come back. Each page tries again as the real client does
(`client/src/net/reconnecting-socket.ts`): all are at their longest pause while the server is down, so their first
attempts are spread over 0.8 s. Each player has an address of their own, so the default limits apply. A page opens its
second socket, for slaps, some seconds after it has the snapshot (`--at-once`: with it, as an earlier client), and
answers every ping. The pages are in processes of their own; if those were too slow, the report says so.

`snapshot` is the time from a player's first attempt to their first snapshot; `since listening` counts from the moment
the server listens. `room restored` is when the first player of a room has it. The longest stall of the server's loop is
given with (`stall`) and without (`own stall`) the time for which other processes had its core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from benchmarks.load_generator import LoadProcessUsage, too_slow
from benchmarks.loop_lag import summarize
from benchmarks.measured_server import MeasuredServer
from benchmarks.played_rooms import PlayedRoom, make_rooms
from benchmarks.restart_pages import Job, PageSpec

WITHIN_S, SETTLE_S = 60.0, 2.0
"""How long the players try at most, and how long the server is watched after the last has come."""

PROCESSES = 3
"""How many processes of pages there are."""

TIMES = {
    "snapshot_s": "snapshot",
    "listening_s": "since listening",
    "restored_s": "room restored",
    "both_sockets_s": "both sockets",
}


class Pages:
    """One process of pages."""

    def __init__(self, specs: Sequence[PageSpec], core: int | None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.restart_pages"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.send(specs)

    def send(self, command: Any) -> None:
        """Send a command."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    async def reply(self) -> dict[str, Any]:
        """The next line that it prints."""
        assert self._process.stdout
        found: dict[str, Any] = json.loads(await asyncio.to_thread(self._process.stdout.readline))
        return found

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(20)


def specs_of(rooms: Sequence[PlayedRoom], resume: bool) -> list[PageSpec]:
    """The pages of all players, room by room."""
    return [
        PageSpec(4 * number + seat, room.game if resume else "", room.version, player.room, seat, player.cookie)
        for number, room in enumerate(rooms)
        for seat, player in enumerate(room.players)
    ]


async def restart(
    arguments: argparse.Namespace, rooms: Sequence[PlayedRoom], file: Path, core: int | None, pages_core: int | None
) -> Any:
    """Start a server on the log, let all players come, and measure."""
    specs = specs_of(rooms, arguments.resume)
    groups = [Pages(specs[place::PROCESSES], pages_core) for place in range(PROCESSES)]
    for group in groups:
        await group.reply()
    server = MeasuredServer("process", core, arguments.profile, arguments.against, ["--log", str(file), "--strict"])
    try:
        port = server.port
        up_s, before = time.perf_counter(), await server.usage()
        for group in groups:
            group.send(Job(up_s, port, WITHIN_S, not arguments.at_once))
        await asyncio.gather(*(group.reply() for group in groups))
        snapshots = await server.usage()
        replies = await asyncio.gather(*(group.reply() for group in groups))
        back = await server.usage()
        await asyncio.sleep(SETTLE_S)
        after = await server.usage()
        for group in groups:
            group.close()
        server.stop()
    finally:
        await asyncio.to_thread(server.close)
    times = [
        times for place in range(len(specs)) for times in [replies[place % PROCESSES]["times"][place // PROCESSES]]
    ]
    seen = [snapshot_s - up_s for _, snapshot_s, _ in times if snapshot_s]
    counts: Counter[str] = sum((Counter(reply["counts"]) for reply in replies), Counter())
    usage = [
        LoadProcessUsage(pages_core, reply["cpu_s"] / reply["elapsed_s"] * 100, summarize(reply["late_ms"])["p99"])
        for reply in replies
    ]
    usages = (snapshots, back, after)
    return {
        "rooms": len(rooms),
        "players": len(specs),
        "missing": sum(not ready_s for _, _, ready_s in times),
        "snapshot_s": summarize([snapshot_s - first_s for first_s, snapshot_s, _ in times if snapshot_s]),
        "listening_s": summarize(seen),
        "restored_s": summarize(
            [
                min((snapshot_s - up_s for _, snapshot_s, _ in times[at : at + 4] if snapshot_s), default=WITHIN_S)
                for at in range(0, len(times), 4)
            ]
        ),
        "both_sockets_s": summarize([ready_s - up_s for _, _, ready_s in times if ready_s]),
        "counts": dict(counts),
        "snapshots_cpu_s": snapshots["cpu_s"] - before["cpu_s"],
        "cpu_s": back["cpu_s"] - before["cpu_s"],
        "cpu_us_per_socket": (back["cpu_s"] - before["cpu_s"]) * 1e6 / max(1, counts["sockets"]),
        "waited_s": max(0.0, snapshots["waited_s"] - before["waited_s"]),
        "lag_ms": summarize(snapshots["late_ms"]),
        "stall_ms": max(usage["stall_ms"] for usage in usages),
        "own_stall_ms": max(usage["own_stall_ms"] for usage in usages),
        "memory_kb_per_room": (after["memory_kb"] - before["memory_kb"]) / max(1, len(rooms)),
        "pages_too_slow": too_slow(usage),
    }


def show(found: dict[str, Any]) -> None:
    """Print the figures."""
    print(f"{found['rooms']} rooms, {found['players']} players; {found['missing']} did not come back")
    for name, what in TIMES.items():
        times = found[name]
        print(f"{what}: p50 {times['p50']:.2f} s, p99 {times['p99']:.2f} s, last {times['most']:.2f} s")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(found["counts"].items()))
    print(f"{counts}; CPU {found['snapshots_cpu_s']:.2f} s until the last snapshot, ", end="")
    print(f"{found['cpu_s']:.2f} s in all, {found['cpu_us_per_socket']:.0f} µs a socket")
    print(f"longest stall: {found['own_stall_ms']:.1f} ms own, {found['stall_ms']:.1f} ms in all", end="; ")
    print(f"until the last snapshot the server waited {found['waited_s']:.1f} s for its core")
    for reason in found["pages_too_slow"]:
        print(reason)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How soon all players are back after a restart of the server.")
    parser.add_argument("--rooms", type=int, default=1000, help="rooms of four players (1000)")
    parser.add_argument("--at-once", action="store_true", help="pages open their second socket with the snapshot")
    parser.add_argument("--resume", action="store_true", help="pages know the game, and get only what they missed")
    parser.add_argument("--against", type=Path, help="the folder src of another checkout, to measure instead")
    parser.add_argument("--profile", action="store_true", help="profile the server, on standard error")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    pinned = len(cores) > 1
    if pinned:
        os.sched_setaffinity(0, {cores[0]})
    with TemporaryDirectory(prefix="ratscrew-restart-") as name:
        file = Path(name) / "log.sqlite3"
        rooms = make_rooms(file, arguments.rooms)
        print(f"{len(rooms)} rooms, {file.stat().st_size / 1e6:.0f} MB", file=sys.stderr, flush=True)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            server_core, pages_core = (cores[-1], cores[0]) if pinned else (None, None)
            found = runner.run(restart(arguments, rooms, file, server_core, pages_core))
    found = {"pinned": pinned, **found}
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
