"""How soon all players are back at their tables after a restart of the server.

    python -m benchmarks.restart [--rooms 1000] [--against OTHER/src] [--core N] [--profile] [--resume] [--json]

It makes a log of rooms with four players each: every 25th has played 25 games, the others one or two. Then it starts
a server on that log, and all players come back. Each page tries again as the real client does
(`client/src/net/reconnecting-socket.ts`): all are at their longest pause while the server is down, so their first
attempts are spread over 0.8 s. Each player has an address of their own, so the default limits apply. A page opens its
second socket, for slaps, when it has the snapshot, and answers every ping.

A delay is from the moment the server listens to a player's first snapshot. `restored` is when the first player of a
room has it. The longest stall of the server's loop is given with (`stall`) and without (`own stall`) the time for which
other processes had its core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from benchmarks.credentials import Credentials
from benchmarks.loop_lag import summarize
from benchmarks.measured_server import MeasuredServer
from benchmarks.played_rooms import PlayedRoom, make_rooms
from benchmarks.simulated_player import Message, WebSocketClient, open_socket

FIRST_RETRY_S, MAX_RETRY_S = 0.15, 0.6
"""The pauses of the real client, before its random factor of 0.7 to 1.3."""

WITHIN_S, SETTLE_S = 60.0, 2.0
"""How long the players try at most, and how long the server is watched after the last has come."""


class Page:
    """One player's page, which reconnects until it has a snapshot and its second socket."""

    def __init__(self, number: int, room: PlayedRoom, credentials: Credentials, resume: bool) -> None:
        self._room, self._credentials, self._resume = room, credentials, resume
        self._source = f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"
        self._sockets: list[WebSocketClient] = []
        self.counts: Counter[str] = Counter()
        self.snapshot_s = self.ready_s = 0.0

    async def come(self, port: int, up_s: float) -> None:
        """Reconnect from the longest pause on; note when the snapshot and the second socket are there."""
        await asyncio.sleep(random.uniform(0, MAX_RETRY_S * random.uniform(0.7, 1.3)))
        hello: Message = {**self._credentials.hello, "page": f"{random.getrandbits(128):032x}"}
        if self._resume:
            hello |= {"game": self._room.game, "version": self._room.version}
        await self._connect(port, hello, ("welcome", "reconnected"))
        self.snapshot_s = time.perf_counter() - up_s
        await self._connect(port, {**self._credentials.hello, "only": "slaps"}, ())
        self.ready_s = time.perf_counter() - up_s

    async def _connect(self, port: int, hello: Message, until: Sequence[str]) -> None:
        """Open a socket, send `hello`, and wait for one of these messages; try again with growing pauses."""
        tries, wait_s = 0, 0.0
        while True:
            self.counts["sockets"] += 1
            received: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()
            try:
                socket = await self._open(port, until, received)
            except OSError:
                self.counts["refused"] += 1
            else:
                socket.send_message(hello)
                if not until:
                    return
                await asyncio.wait((received, socket.closed), return_when=asyncio.FIRST_COMPLETED)
                asked_s = received.result() if received.done() else 0.0
                if asked_s is None:
                    return
                wait_s = asked_s
                self.counts["sent away" if received.done() else "lost"] += 1
                socket.close()
            await asyncio.sleep(wait_s + min(MAX_RETRY_S, FIRST_RETRY_S * 2**tries) * random.uniform(0.7, 1.3))
            tries, wait_s = tries + 1, 0.0

    async def _open(self, port: int, until: Sequence[str], received: asyncio.Future[float | None]) -> WebSocketClient:
        """An open socket; `received` gets None with the expected message, or the pause that the server names."""

        def handle(message: Message, now: float) -> None:
            if message["t"] == "ping":
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


async def restart(arguments: argparse.Namespace, rooms: Sequence[PlayedRoom], file: Path, core: int | None) -> Any:
    """Start a server on the log, let all players come, and measure."""
    server = MeasuredServer("process", core, arguments.profile, arguments.against, ["--log", str(file), "--strict"])
    pages = [
        [Page(4 * number + seat, room, player, arguments.resume) for seat, player in enumerate(room.players)]
        for number, room in enumerate(rooms)
    ]
    try:
        port = server.port
        up_s, before = time.perf_counter(), await server.usage()
        coming = [asyncio.create_task(page.come(port, up_s)) for four in pages for page in four]
        _, late = await asyncio.wait(coming, timeout=WITHIN_S)
        back = await server.usage()
        await asyncio.sleep(SETTLE_S)
        after = await server.usage()
        for task in late:
            task.cancel()
        await asyncio.gather(*coming, return_exceptions=True)
        for page in (page for four in pages for page in four):
            page.close()
        server.stop()
    finally:
        await asyncio.to_thread(server.close)
    everybody = [page for four in pages for page in four]
    counts = sum((page.counts for page in everybody), Counter())
    snapshots = [page.snapshot_s for page in everybody if page.snapshot_s]
    cpu_s = back["cpu_s"] - before["cpu_s"]
    return {
        "rooms": len(rooms),
        "players": len(everybody),
        "missing": len(everybody) - sum(page.ready_s > 0 for page in everybody),
        "snapshot_s": summarize(snapshots),
        "restored_s": summarize([min(page.snapshot_s or WITHIN_S for page in four) for four in pages]),
        "both_sockets_s": summarize([page.ready_s for page in everybody if page.ready_s]),
        "counts": dict(counts),
        "cpu_s": cpu_s,
        "cpu_us_per_socket": cpu_s * 1e6 / max(1, counts["sockets"]),
        "waited_s": max(0.0, back["waited_s"] - before["waited_s"]),
        "lag_ms": summarize(back["late_ms"]),
        "stall_ms": max(back["stall_ms"], after["stall_ms"]),
        "own_stall_ms": max(back["own_stall_ms"], after["own_stall_ms"]),
        "memory_kb_per_room": (after["memory_kb"] - before["memory_kb"]) / max(1, len(rooms)),
    }


def show(found: dict[str, Any]) -> None:
    """Print the figures."""
    print(f"{found['rooms']} rooms, {found['players']} players; {found['missing']} did not come back")
    for name, what in (("snapshot_s", "snapshot"), ("restored_s", "room restored"), ("both_sockets_s", "both sockets")):
        times = found[name]
        print(f"{what}: p50 {times['p50']:.2f} s, p99 {times['p99']:.2f} s, last {times['most']:.2f} s")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(found["counts"].items()))
    print(f"connections: {counts}; CPU {found['cpu_s']:.2f} s, {found['cpu_us_per_socket']:.0f} µs a socket")
    print(f"longest stall: {found['own_stall_ms']:.1f} ms own, {found['stall_ms']:.1f} ms in all", end="; ")
    print(f"the server waited {found['waited_s']:.1f} s for its core")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How soon all players are back after a restart of the server.")
    parser.add_argument("--rooms", type=int, default=1000, help="rooms of four players (1000)")
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
            found = runner.run(restart(arguments, rooms, file, cores[-1] if pinned else None))
    found = {"pinned": pinned, **found}
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
