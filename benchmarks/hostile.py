"""Latencies of honest players during each attack on the server, and the memory and file space that it leaves occupied.

    python -m benchmarks.hostile [--only burst gzip ...] [--addresses 1 20] [--seconds 6] [--tables 25]
        [--against OTHER/src] [--check] [--json]

For each attack a new server is started: the real one with its default limits, on a core of its own where there are two.
At each honest table a player plays with a bot in real time, and some sockets send a ping every 50 ms, so that a
stalled event loop is noticed. They are measured at rest, and then during the attack from each number of addresses. The
attackers are a process of their own (`benchmarks.floods`) with a time limit, at a lower priority than the players.

Each half a second another honest client opens a room; during attacks on openings each has to get one. A row is `ok` if
the p99 of pings and of replies to players is below 30 ms, the loop's own stalls are below 100 ms, no stranger joined a
private room or returned to one after a removal, and memory and file grew less than `MEMORY_MOST_MB` and `FILE_MOST_MB`.
A row that fails while other programs had the server's core is tried again.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import uvloop
from aiohttp import ClientSession

from benchmarks.attacker import Attacker, post
from benchmarks.credentials import Credentials
from benchmarks.floods import ATTACKS, SERVER
from benchmarks.loop_lag import STALL_MS, LoopLag, summarize
from benchmarks.measured_server import Client, MeasuredServer
from benchmarks.simulated_player import SimulatedPlayer, WebSocketClient, frame, open_socket

PING = 9
PROBES, PROBE_EVERY_S = 10, 0.05
"""The number of sockets at the first tables that send pings and time the pongs, and the interval of their pings."""

OPEN_EVERY_S = 0.5
"""How often another honest client opens a room."""

SETTLE_S = 2.0
"""From the beginning of an attack to that of the measurement: by then the initial allowances are used up."""

P99_MOST_MS, STALL_MOST_MS = 30.0, 100.0
MEMORY_MOST_MB, FILE_MOST_MB = 100.0, 50.0
"""The most that memory and file may grow from the beginning to the end of an attack."""

OPENED = ("one_byte", "continued", "ghosts", "arena")
"""Attacks during which every honest client has to get its room."""

DISTURBED_PERCENT = 5.0
"""If other programs had the server's core for more than this, a row that fails is tried again."""

TRIES = 2

_openings = itertools.count()


class Probe:
    """An honest socket that watches a table and measures how long pings take."""

    def __init__(self) -> None:
        self.delays_ms: list[tuple[float, float]] = []
        """When each pong came (milliseconds of the loop's clock), and its delay."""
        self.lost = 0
        self._count = 0
        self._sent: dict[bytes, float] = {}

    async def connect(self, port: int, room: str, source: str) -> None:
        """Connect and start pinging."""
        self._loop = asyncio.get_running_loop()
        self._socket: WebSocketClient = await open_socket(port, self._on_message, room, source=source)
        self._socket.pong = self._on_pong
        self._socket.send_message({"t": "hello"})
        self._ping()

    def close(self) -> None:
        """Stop pinging and close the connection."""
        self._timer.cancel()
        self._socket.close()

    def pending_ms(self) -> list[float]:
        """How long unanswered pings have waited."""
        now = time.perf_counter()
        return [(now - sent) * 1e3 for sent in self._sent.values()]

    def _ping(self) -> None:
        self._count += 1
        body = b"%d" % self._count
        self._sent[body] = time.perf_counter()
        self._socket.send_frame(frame(PING, body))
        self._timer = self._loop.call_later(PROBE_EVERY_S, self._ping)

    def _on_pong(self, body: bytes, now: float) -> None:
        if sent := self._sent.pop(body, None):
            self.delays_ms.append((self._loop.time() * 1e3, (now - sent) * 1e3))

    def _on_message(self, message: dict[str, Any], now: float) -> None:
        if message["t"] == "ping":
            self._socket.send_message({"t": "pong", "k": message["k"], "c_ms": now * 1e3})


class Table:
    """A player with a bot, and at some tables a probe."""

    def __init__(self, player: SimulatedPlayer, probe: Probe | None) -> None:
        self._player, self.probe = player, probe

    def close(self) -> None:
        """See `Client`."""
        self._player.close()
        if self.probe:
            self.probe.close()


class HonestTables:
    """All honest tables of one server."""

    def __init__(self) -> None:
        self.probes: list[Probe] = []

    async def connect(self, server: MeasuredServer, session: ClientSession, number: int) -> Client:
        """Open a table; see `ConnectClient`."""
        room = {"name": "Ana", "bots": 1, "strength": "steady"}
        async with session.post(f"http://{server.host}:{server.port}/api/rooms", json=room) as response:
            response.raise_for_status()
            credentials = await Credentials.from_response(response)
        player, probe = SimulatedPlayer(server.current_sample, credentials), Probe() if number < PROBES else None
        source = f"127.66.0.{1 + number % 250}"  # each table has an address of its own, like players at home
        await player.connect(server.port, source)
        if probe:
            await probe.connect(server.port, credentials.room, source)
            self.probes.append(probe)
        return Table(player, probe)

    def take(self, lag: LoopLag) -> list[float]:
        """The pings' delays since the last call, without those during which this process itself was late."""
        found = [each for probe in self.probes for each in probe.delays_ms]
        pending = [ms for probe in self.probes for ms in probe.pending_ms() if ms > PROBE_EVERY_S * 1e3]
        for probe in self.probes:
            probe.delays_ms.clear()
        stalls, lag.stalls = lag.stalls, []
        undisturbed = [
            ms for at, ms in found if not any(stall.begin < at + STALL_MS and at - ms < stall.end for stall in stalls)
        ]
        return undisturbed + pending


async def unpin_children(process: int) -> None:
    """Let the server's child processes use every core, and pin only its event loop."""
    cores = range(os.cpu_count() or 1)
    while True:
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            with suppress(OSError):  # the child has just ended
                os.sched_setaffinity(int(child), cores)
        await asyncio.sleep(0.05)


async def open_rooms(port: int, enough: asyncio.Event) -> Counter[str]:
    """Open a room each half a second, from ever other addresses, until it is enough: how often, by status.

    It is not cancelled: uvloop does not close a connection that is just being made.
    """
    counts: Counter[str] = Counter()
    body = post("/api/rooms", b'{"name":"Ana","bots":0,"wait":true}')
    while not enough.is_set():
        host = Attacker(port, 1)
        try:
            streams = await host.connect(0, f"127.65.{next(_openings) % 250}.1")
            status, _, _ = await host.exchange(streams, body)
            streams[1].close()
            counts[str(status)] += 1
        except (OSError, EOFError, TimeoutError):
            counts["none"] += 1
        with suppress(TimeoutError):
            await asyncio.wait_for(enough.wait(), OPEN_EVERY_S)
    return counts


async def measure(server: MeasuredServer, honest: HonestTables, lag: LoopLag, seconds: float) -> dict[str, Any]:
    """Measure honest players and the server for this many seconds."""
    honest.take(lag)
    before = await server.usage()  # the longest stall counts from here
    enough = asyncio.Event()
    opening = asyncio.create_task(open_rooms(server.port, enough))
    found = await server.measure(seconds)
    enough.set()
    after = await server.usage()
    return {
        "answers_ms": found["delay_ms"],
        "pings_ms": summarize(honest.take(lag)),
        "client_lag_ms": found["client_lag_ms"],
        "openings": dict(await opening),
        "cpu_percent": found["cpu_percent"],
        "waited_percent": found["waited_percent"],
        "stall_ms": max(found["stall_ms"], after["stall_ms"]),
        "own_stall_ms": max(found["own_stall_ms"], after["own_stall_ms"]),
        "memory_mb_per_hour": (after["memory_kb"] - before["memory_kb"]) / 1024 * 3600 / seconds,
        "file_mb_per_hour": (after["file_kb"] - before["file_kb"]) / 1024 * 3600 / seconds,
    }


async def measure_attack(
    server: MeasuredServer,
    honest: HonestTables,
    lag: LoopLag,
    attack: str,
    addresses: int,
    arguments: argparse.Namespace,
) -> dict[str, Any]:
    """Run one attack: measurements during it, and the attackers' counts."""
    settle_s = min(SETTLE_S, arguments.seconds)
    lasts_s = arguments.seconds + 2 * settle_s
    command = (sys.executable, "-m", "benchmarks.floods", attack, str(server.port), str(lasts_s))
    more = ("--addresses", str(addresses), "--row", str(addresses % 250))
    first = await server.usage()
    process = await asyncio.create_subprocess_exec(*command, *more, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    try:
        await process.stdout.readline()  # the first attempt
        await asyncio.sleep(settle_s)
        found = await measure(server, honest, lag, arguments.seconds)
        printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the attack {attack} failed")
    last = await server.usage()
    counts = json.loads(printed)
    return found | {
        "addresses": addresses,
        "attempts_per_second": counts.get("attempts", 0) / lasts_s,
        "refused_percent": 100 * counts.get("refused", 0) / max(1, counts.get("attempts", 0)),
        "counts": counts,
        "memory_mb": (last["memory_kb"] - first["memory_kb"]) / 1024,
        "file_mb": (last["file_kb"] - first["file_kb"]) / 1024,
    }


def missed(row: dict[str, Any]) -> list[str]:
    """The targets that a row misses."""
    found = []
    for what in ("pings_ms", "answers_ms"):
        if not row[what]["count"] or row[what]["p99"] >= P99_MOST_MS:
            found.append(f"p99 of {what.removesuffix('_ms')}")
    if row["own_stall_ms"] > STALL_MOST_MS:
        found.append("stall")
    if row["attack"] == "guess" and row["counts"].get("joined"):
        found.append("joined")
    if row["counts"].get("returned"):
        found.append("returned")
    if row["attack"] in OPENED and set(row["openings"]) - {"201"}:
        found.append("openings")
    if row["memory_mb"] > MEMORY_MOST_MB:
        found.append("memory")
    if row["file_mb"] > FILE_MOST_MB:
        found.append("file")
    return found


async def rows_of(
    attack: str, source: Path | None, core: int | None, arguments: argparse.Namespace
) -> list[dict[str, Any]]:
    """The rows of one attack on one server."""
    rows = []
    with ExitStack() as stack:
        honest = HonestTables()
        more = ("--strict", *SERVER.get(attack, ()))
        server = MeasuredServer("process", core, source=source, more=more, connect=honest.connect)
        stack.callback(server.close)
        async with ClientSession() as session:
            await server.set_clients(session, arguments.tables)
            lag = LoopLag()
            unpinning = asyncio.create_task(unpin_children(server.pid)) if core is not None else None
            await asyncio.sleep(min(SETTLE_S, arguments.seconds))
            calm = await measure(server, honest, lag, arguments.seconds / 2)
            for addresses in arguments.addresses:
                row = await measure_attack(server, honest, lag, attack, addresses, arguments)
                row |= {"attack": attack, "calm": calm, "source": str(source or "")}
                rows.append(row | {"missed": missed(row)})
            await server.set_clients(session, 0)
            if unpinning:
                unpinning.cancel()
    return rows


async def run(arguments: argparse.Namespace, core: int | None) -> list[dict[str, Any]]:
    """All rows, one attack after the other."""
    found = []
    for attack in arguments.only:
        for source in (None, *([arguments.against] if arguments.against else [])):
            for tries_left in range(TRIES - 1, -1, -1):
                rows = await rows_of(attack, source, core, arguments)
                disturbed = any(row["missed"] and row["waited_percent"] > DISTURBED_PERCENT for row in rows)
                if source or not disturbed or not tries_left:
                    break
            found += rows
            if not arguments.json:
                for row in rows:
                    show(row)
    return found


HEADS = (
    "attack", "addresses", "attempts/s", "refused %", "play p50 ms", "p99", "max", "ping p99", "max", "calm ping p99",
    "stall ms", "own", "CPU %", "waited %", "memory MB", "MB/h", "file MB", "MB/h", "openings", "verdict",
)  # fmt: skip


def show(row: dict[str, Any]) -> None:
    """Print one row of a Markdown table."""
    play, ping = row["answers_ms"], row["pings_ms"]
    name = row["attack"] + (f" ({row['source']})" if row["source"] else "")
    figures = [f"{row['attempts_per_second']:,.0f}", f"{row['refused_percent']:.0f}"]
    figures += [f"{play['p50']:.1f}", f"{play['p99']:.1f}", f"{play['most']:.0f}"]
    figures += [f"{ping['p99']:.1f}", f"{ping['most']:.0f}", f"{row['calm']['pings_ms']['p99']:.1f}"]
    figures += [f"{row[each]:.0f}" for each in ("stall_ms", "own_stall_ms", "cpu_percent", "waited_percent")]
    figures += [f"{row['memory_mb']:.1f}", f"{row['memory_mb_per_hour']:,.0f}"]
    figures += [f"{row['file_mb']:.2f}", f"{row['file_mb_per_hour']:,.0f}"]
    figures.append(" ".join(f"{status}: {count}" for status, count in sorted(row["openings"].items())))
    verdict = "FAIL: " + ", ".join(row["missed"]) if row["missed"] else "ok"
    print(f"| {name} | {row['addresses']} | {' | '.join(figures)} | {verdict} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the latencies of honest players during each attack.")
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS), help="the attacks (all)")
    parser.add_argument("--addresses", nargs="+", type=int, default=[1, 20], help="from how many addresses (1 20)")
    parser.add_argument("--tables", type=int, default=25, help="honest tables (25)")
    parser.add_argument("--seconds", type=float, default=6.0, help="the seconds for which each attack is measured (6)")
    parser.add_argument("--against", type=Path, help="the folder src of another checkout, attacked as well")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
    if not arguments.json:
        print(f"| {' | '.join(HEADS)} |\n{'|---' * len(HEADS)}|", flush=True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        rows = runner.run(run(arguments, cores[-1] if len(cores) > 1 else None))
    if arguments.json:
        print(json.dumps({"rows": rows}, indent=2))
    if arguments.check and any(row["missed"] for row in rows if not row["source"]):
        sys.exit(1)


if __name__ == "__main__":
    main()
