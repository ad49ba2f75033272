"""What a room of four players costs a server, and how many one core serves.

    python -m benchmarks.load [--rooms 100] [--seconds 10]          CPU, frames by kind, ratio to a bare echo
    python -m benchmarks.load --against CHECKOUT [--rounds 3]       the same in turn with another version, with ratios
    python -m benchmarks.load --against CHECKOUT --at-once          both at the same time, for a busy machine
    python -m benchmarks.load --rooms 1000                          connecting, first snapshots, CPU, p99
    python -m benchmarks.load --search                              the most rooms with p99 below 20 ms
    python -m benchmarks.load --idle 10000 [--rooms 25]             some rooms beside idle connections
    python -m benchmarks.load --soak MINUTES                        one server, with players who come and go

The server is the real one, in a process of its own on one core. The simulated players are in several processes on the
others; a figure is not valid if these were too slow. A delay is from sending `play`, or a wrong slap, until the last of
the four receives `turning` or `fouled` (`fouled` only when the log has stored it).

There are two limits: `rooms by CPU` is how many rooms would take all of one core at the cost measured, and `--search`
finds how many leave the p99 of the delays below 20 ms. A room costs more while there are few, because of cold caches:
compare versions at 100 rooms or more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import uvloop

from benchmarks.checkout_server import CheckoutServer
from benchmarks.four_players import PLAYERS
from benchmarks.load_figures import figures, middle, opening, ratios, show, traffic_of
from benchmarks.load_generator import LoadGenerator
from benchmarks.soak import soak
from benchmarks.table import LOGS

PRESENT, ECHO = "present", "bare echo"
"""The names of this checkout and of the echo in the report."""

ROOMS, IDLE_ROOMS, ECHO_ROOMS, MAX_ROOMS = 100, 25, 100, 6400
BEGIN_WITHIN_S, BEGIN_PER_S = 2.0, 50.0
"""The games begin within this time, or that of a shorter measurement, but not more than so many a second."""

SETTLE_S, SETTLE_NEW_S = 3.0, 16.0
"""From then until the measurement, because new pages get more pings. In a room without a game, sockets for slaps are
pinged only every 5 to 15 s, so it takes longer until those of new rooms are pinged as often as in play."""

HALVINGS, TRIES = 3, 3
"""How often a search halves its last step, and tries a step that was not valid."""

GRACE_S = 30.0
"""How much longer than planned connecting may take; the rooms that are connected then are measured."""


class Bench:
    """The players, the options, and what is measured so far; measures one server at a time."""

    def __init__(
        self,
        players: LoadGenerator,
        arguments: argparse.Namespace,
        core: int | None,
        measured: dict[str, list[dict[str, Any]]],
    ) -> None:
        self.players, self.arguments, self.core, self.measured = players, arguments, core, measured
        self.connected = 0
        self.empty_kb: dict[int, float] = {}
        self._begun: dict[int, int] = {}

    def start(self, stack: ExitStack, kind: str, checkout: Path | None = None) -> CheckoutServer:
        """Start a server, which ends with the stack."""
        profile = ["--profile"] if self.arguments.profile and kind in LOGS and not checkout else []
        server = CheckoutServer(kind, self.core, checkout, profile)
        stack.callback(server.close)
        self.empty_kb[server.port] = server.usage().memory_kb
        return server

    async def open(self, server: CheckoutServer, rooms: int) -> dict[str, Any]:
        """Connect players at the given rate until there are so many rooms."""
        rate = self.arguments.rooms_per_second
        opened = await self.players.open(server.port, server.dialect.name, rooms, rate, rooms / rate + GRACE_S)
        self.connected = opened.rooms
        return opening(opened)

    async def play(self, name: str, server: CheckoutServer, rooms: int) -> dict[str, Any]:
        """Let all play, and measure."""
        within_s = max(min(BEGIN_WITHIN_S, self.arguments.seconds), rooms / BEGIN_PER_S)
        await self.players.begin(within_s)
        new = rooms > self._begun.get(server.port, 0) and not name.startswith(ECHO)
        settle_s = SETTLE_NEW_S if new else SETTLE_S
        self._begun[server.port] = rooms
        await asyncio.sleep(within_s + min(settle_s, 2 * self.arguments.seconds))
        return await self.measure(name, server, rooms)

    async def measure(self, name: str, server: CheckoutServer, rooms: int) -> dict[str, Any]:
        """Measure what goes on, and report progress."""
        before = server.usage()
        generated = await self.players.measure(self.arguments.seconds)
        found = figures(rooms, self.empty_kb[server.port], before, server.usage(), generated)
        self.measured.setdefault(name, []).append(found)
        remarks = "".join(f", {reason}" for reason in found["players_too_slow"])
        p99, cost, cpu = found["delay_ms"]["p99"], found["cpu_ms_per_room_second"], found["cpu_percent"]
        line = f"{name}: {rooms} rooms, {cost:.2f} ms a room-second, CPU {cpu:.0f} %, p99 {p99:.1f} ms{remarks}"
        print(line, file=sys.stderr, flush=True)
        return found

    async def echo(self, name: str, rounds: list[dict[str, Any]], groups: int) -> float:
        """Measure a bare echo with the traffic of these rooms; its CPU, in milliseconds a room-second."""
        with ExitStack() as stack:
            server = self.start(stack, "sized_echo")
            await self.players.open_echo(server.port, groups, traffic_of(middle(rounds)))
            found = await self.play(f"{ECHO}, traffic of {name}", server, groups)
            await self.players.close()
        return float(found["cpu_ms_per_room_second"])


async def measure_rooms(bench: Bench, other: Bench | None) -> dict[str, Any]:
    """One version, or two in turn, each round with new connections; then the echo. `other` is for both at once."""
    arguments, opened, against = bench.arguments, dict[str, dict[str, Any]](), str(bench.arguments.against)
    with ExitStack() as stack:
        versions = [(bench, PRESENT, bench.start(stack, arguments.log))]
        if arguments.against:
            another = other or bench
            versions.append((another, against, another.start(stack, arguments.log, arguments.against)))
        for _ in range(arguments.rounds if arguments.against else 1):
            for group in [versions] if other else [[version] for version in versions]:
                began = await asyncio.gather(*(each.open(server, arguments.rooms) for each, _, server in group))
                for (_, name, _), each_opened in zip(group, began, strict=True):
                    opened.setdefault(name, each_opened)
                plays = (each.play(name, server, each.connected) for each, name, server in group)
                await asyncio.gather(*plays)
                await asyncio.gather(*(each.players.close() for each, _, _ in group))
    rounds = bench.measured[PRESENT]
    report = {"opened": opened, "frames": middle(rounds)["frames"]}
    if arguments.against:
        report |= {"against": against, "ratios": ratios(rounds, bench.measured[against])}
    if arguments.echo:
        cost = median(each["cpu_ms_per_room_second"] for each in rounds)
        echoes = {name: await bench.echo(name, bench.measured[name], arguments.echo) for _, name, _ in versions}
        report["ratios_to_echo"] = {name: cost / echo_cost for name, echo_cost in echoes.items()}
    return report


async def search(bench: Bench) -> dict[str, Any]:
    """The largest number of rooms whose p99 is below the limit: double, then halve the step."""
    arguments = bench.arguments

    async def held(server: CheckoutServer, rooms: int) -> bool:
        for _ in range(TRIES):
            opened = await bench.open(server, rooms)
            if opened["connected_rooms"] < rooms:
                return False
            found = await bench.play(PRESENT, server, rooms)
            if found["held"] or not (found["disturbed"] or found["players_too_slow"]):
                return bool(found["held"])
        return False

    async def try_rooms(rooms: int) -> bool:
        with ExitStack() as stack:
            try:
                return await held(bench.start(stack, arguments.log), rooms)
            finally:
                await bench.players.close()

    holds, fails = 0, arguments.rooms
    while fails <= arguments.most and await try_rooms(fails):
        holds, fails = fails, 2 * fails
    for _ in range(HALVINGS):
        middle = (holds + fails) // 2
        if holds < middle < fails:
            holds, fails = (middle, fails) if await try_rooms(middle) else (holds, middle)
    return {"searched": {"holds": holds, "fails": fails}}


async def measure_idle(bench: Bench) -> dict[str, Any]:
    """Some rooms alone, then beside idle connections."""
    arguments = bench.arguments
    with ExitStack() as stack:
        server = bench.start(stack, arguments.log)
        opened = await bench.open(server, arguments.rooms)
        rooms = bench.connected
        await bench.play("alone", server, rooms)
        before, rate = server.usage(), arguments.rooms_per_second
        count = arguments.idle // PLAYERS
        idle = opening(await bench.players.open_idle(server.port, count, rate, count / rate + GRACE_S))
        await asyncio.sleep(min(SETTLE_S, 2 * arguments.seconds))
        connections = idle["connected_rooms"] * PLAYERS
        grown_kb = server.usage().memory_kb - before.memory_kb
        bench.empty_kb[server.port] += grown_kb  # not the rooms'
        await bench.measure(f"beside {connections} idle", server, rooms)
        _, _, counts = await bench.players.close()
    idle |= {
        "connections": connections,
        "kb_per_connection": grown_kb / max(1, connections),
        "lost": counts["lost connections"],
    }
    return {"opened": {PRESENT: opened}, "idle": idle}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Start the players, measure, end them."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    pinned = len(cores) > 1
    core, more = (cores[-1], cores[:-1]) if pinned else (None, [])
    measured: dict[str, list[dict[str, Any]]] = {}
    benches = list[Bench]()
    try:
        for _ in range(2 if arguments.at_once and arguments.against else 1):
            benches.append(Bench(await LoadGenerator.start(arguments.processes, more), arguments, core, measured))
        bench, *others = benches
        if arguments.search:
            report = await search(bench)
        elif arguments.idle:
            report = await measure_idle(bench)
        else:
            report = await measure_rooms(bench, next(iter(others), None))
    finally:
        for bench in benches:
            await bench.players.end()
    return {"python": platform.python_version(), "pinned": pinned, "measured": measured, **report}


def parse(options: list[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="What a room of four players costs a server.")
    parser.add_argument("--rooms", type=int, help=f"rooms of four ({ROOMS}; beside idle connections {IDLE_ROOMS})")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long one measurement lasts (10)")
    parser.add_argument("--log", choices=LOGS, default="process", help="the server's log (process)")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn with this one")
    parser.add_argument("--rounds", type=int, default=3, help="how often both checkouts are measured (3)")
    parser.add_argument("--at-once", action="store_true", help="measure both checkouts at the same time")
    parser.add_argument("--search", action="store_true", help="search for the most rooms with p99 below 20 ms")
    parser.add_argument("--most", type=int, default=MAX_ROOMS, help=f"the most rooms of the search ({MAX_ROOMS})")
    parser.add_argument("--idle", type=int, default=0, help="idle connections to add")
    parser.add_argument("--echo", type=int, default=ECHO_ROOMS, help=f"groups of the bare echo ({ECHO_ROOMS}; 0: none)")
    parser.add_argument("--rooms-per-second", type=float, default=25.0, help="how fast rooms connect (25)")
    parser.add_argument(
        "--processes", type=int, help="processes of simulated players (cores - 1, at least 2, at most 8)"
    )
    parser.add_argument("--profile", action="store_true", help="profile the server, on standard error")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="only run one server for this long")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args(options)
    arguments.rooms = arguments.rooms or (IDLE_ROOMS if arguments.idle else ROOMS)
    arguments.processes = arguments.processes or min(8, max(2, (os.cpu_count() or 1) - 1))
    return arguments


def main() -> None:
    """Measure and print."""
    arguments = parse()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if arguments.soak:
            print(json.dumps(runner.run(soak(arguments.soak, seed=1)), indent=2))
            return
        found = runner.run(run(arguments))
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
