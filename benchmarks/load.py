"""How many rooms of four players one core serves, beside a bare echo server that sends each message to four clients.

    python -m benchmarks.load [--seconds 60] [--log process] [--rooms N] [--against OTHER/src] [--idle 10000] [--json]
    python -m benchmarks.load --soak MINUTES

The server is the real one, in a process of its own on one core; the simulated players are on another. A delay is from
sending `play`, or a wrong slap, until the last of the four receives `turning` or `fouled` (`fouled` only when the log
has stored it). `race`, from a good slap to its verdict, does not count: there the judge waits for others on purpose.

The bare server and Ratscrew with each log are searched one after the other: rooms are doubled until the p99 is not
below 20 ms, then the step is halved. After that, connections to waiting rooms are added. With `--rooms`, all servers
and another checkout serve as many rooms at the same time on the same core instead, to compare their cost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import uvloop
from aiohttp import ClientSession

from benchmarks.credentials import Credentials
from benchmarks.echo_group import EchoGroup
from benchmarks.four_players import PLAYERS, FourPlayers
from benchmarks.measured_server import CONNECT_AT_ONCE, Client, MeasuredServer
from benchmarks.soak import soak
from benchmarks.table import LOGS, MAX_P99_MS

SETTLE_S = 3.0
"""From the last connection to the beginning of a measurement: until then the server sends more pings."""

FIRST_ROOMS, MAX_ROOMS, HALVINGS = 25, 6400, 3
"""The search's first and largest number of rooms (eight times as many echo groups), and how often it halves its last
step. `FIRST_ROOMS` rooms play beside the waiting connections."""

CLIENT_PERCENT, FULL_PERCENT, CALM_PERCENT = 85.0, 95.0, 5.0
"""Above the first, the simulated players are the bottleneck; if a server below the second waits for its core for more
than the third, other processes disturb it."""

TRIES = 3
"""How often a disturbed step is tried."""


async def connect_four(server: MeasuredServer, session: ClientSession, number: int, begin: bool = True) -> Client:
    """Connect four players in a room of their own, or a group at an echo; without `begin` they only wait there."""
    if server.kind == "echo":
        group = EchoGroup(server.current_sample)
        await group.connect(server.port)
        return group
    if number not in server.rooms:
        rooms = f"http://{server.host}:{server.port}/api/rooms"
        async with session.post(rooms, json={"name": "Ana", "bots": 0, "wait": True}) as response:
            all_credentials = [await Credentials.from_response(response)]
        for name in ("Bo", "Cy", "Di"):
            async with session.post(f"{rooms}/{all_credentials[0].room}/seats", json={"name": name}) as response:
                all_credentials.append(await Credentials.from_response(response))
        server.rooms[number] = all_credentials
    players = FourPlayers(server.current_sample, server.rooms[number])
    await players.connect(server.port, begin)
    return players


async def step(
    servers: Sequence[MeasuredServer], session: ClientSession, rooms: int, seconds: float
) -> list[dict[str, Any]]:
    """Measure all these servers at the same time, each with this many rooms."""
    for server in servers:
        await server.set_clients(session, rooms)
    await asyncio.sleep(min(SETTLE_S, 2 * seconds))
    all_found = [with_verdict(found) for found in await asyncio.gather(*(one.measure(seconds) for one in servers))]
    for server, found in zip(servers, all_found, strict=True):
        print(progress(server, found), file=sys.stderr, flush=True)
    return all_found


def progress(server: MeasuredServer, found: dict[str, Any]) -> str:
    """A line of progress."""
    disturbed = ", disturbed" if found["disturbed"] else ""
    p99, cpu = found["delay_ms"]["p99"], found["cpu_percent"]
    return f"{server.kind}: {found['rooms']} rooms, p99 {p99:.1f} ms, CPU {cpu:.0f} %{disturbed}"


def with_verdict(found: dict[str, Any]) -> dict[str, Any]:
    """The measurements, with the checks whether they meet the target and whether anything else disturbed them."""
    return found | {
        "messages_per_second": found["messages_in_per_second"] + found["messages_out_per_second"],
        "held": found["delay_ms"]["count"] > 0 and found["delay_ms"]["p99"] < MAX_P99_MS,
        "client_bound": found["client_cpu_percent"] > CLIENT_PERCENT,
        "disturbed": found["waited_percent"] > CALM_PERCENT and found["cpu_percent"] < FULL_PERCENT,
    }


async def search(
    server: MeasuredServer, session: ClientSession, first: int, most: int, seconds: float
) -> dict[str, Any]:
    """Search for the largest number of rooms; a step that fails is tried again if it was disturbed."""
    tried: list[dict[str, Any]] = []

    async def held(rooms: int) -> bool:
        for _ in range(TRIES):
            try:
                [found] = await step([server], session, rooms, seconds)
            except TimeoutError:
                return False
            tried.append(found)
            if found["held"] or not (found["disturbed"] or found["client_bound"]):
                return bool(found["held"])
        return False

    holds, fails = 0, first
    while fails <= most and await held(fails):
        holds, fails = fails, 2 * fails
    for _ in range(HALVINGS):
        middle = (holds + fails) // 2
        if holds < middle < fails:
            holds, fails = (middle, fails) if await held(middle) else (holds, middle)
    best = next((found for found in reversed(tried) if found["held"] and found["rooms"] == holds), None)
    return {"holds": holds, "fails": fails, "best": best, "tried": tried}


async def measure_idle(
    server: MeasuredServer, session: ClientSession, idle: int, rooms: int, seconds: float
) -> dict[str, Any]:
    """Measure some rooms alone, and then beside `idle` connections that wait in other rooms."""
    [alone] = await step([server], session, rooms, seconds)
    before, waiting = await server.usage(), list[Client]()
    for first in range(rooms, rooms + idle // PLAYERS, CONNECT_AT_ONCE):
        numbers = range(first, min(first + CONNECT_AT_ONCE, rooms + idle // PLAYERS))
        waiting += await asyncio.gather(*(connect_four(server, session, number, False) for number in numbers))
    [found] = await step([server], session, rooms, seconds)
    after = await server.usage()
    for client in waiting:
        client.close()
    count = len(waiting) * PLAYERS
    each = (after["memory_kb"] - before["memory_kb"]) / max(1, count)
    return {"connections": count, "kb_per_connection": each, "alone": alone, "with_them": found}


async def run(arguments: argparse.Namespace, core: int | None) -> dict[str, Any]:
    """Start the servers, measure, stop the servers."""
    sources = {
        "bare": None,
        **dict.fromkeys(arguments.log),
        **({"against": arguments.against} if arguments.against else {}),
    }
    with ExitStack() as stack:

        def start(name: str, source: Path | None) -> MeasuredServer:
            kind = "echo" if name == "bare" else arguments.log[0] if name == "against" else name
            server = MeasuredServer(
                kind, core, arguments.profile and name == arguments.log[0], source, connect=connect_four
            )
            stack.callback(server.close)
            return server

        async with ClientSession() as session:
            if arguments.rooms:
                servers = [start(name, source) for name, source in sources.items()]
                for server in servers:
                    stack.callback(server.stop)
                    server.empty_kb = (await server.usage())["memory_kb"]
                found = await step(servers, session, arguments.rooms, arguments.seconds)
                return {"compared": dict(zip(sources, found, strict=True))}
            searched = {}
            for name, source in sources.items() if arguments.most else ():
                server = start(name, source)
                server.empty_kb = (await server.usage())["memory_kb"]
                times = 8 if name == "bare" else 1
                searched[name] = await search(
                    server, session, times * FIRST_ROOMS, times * arguments.most, arguments.seconds
                )
                server.close()
            waiting = None
            if arguments.idle:
                waiting = await measure_idle(
                    start(arguments.log[0], None), session, arguments.idle, FIRST_ROOMS, arguments.seconds
                )
    rates = {name: (each["best"] or {}).get("messages_per_second", 0.0) for name, each in searched.items()}
    ratios = {name: rate / max(1.0, rates.get("bare", 0.0)) for name, rate in rates.items()}
    return {"searched": searched, "messages_per_second": rates, "ratio_to_bare": ratios, "idle": waiting}


def show(found: dict[str, Any]) -> None:
    """Print the report as Markdown tables."""
    heads = (
        "rooms",
        "messages/s",
        "CPU %",
        "µs a message",
        "p50 ms",
        "p99 ms",
        "race p50 ms",
        "players' CPU %",
        "kB a room",
    )
    print(f"| | {' | '.join(heads)} | remarks |\n{'|---' * (len(heads) + 2)}|")

    def row(name: str, each: dict[str, Any]) -> None:
        figures = [each["rooms"], each["messages_per_second"], each["cpu_percent"], each["cpu_us_per_message"]]
        figures += [each["delay_ms"]["p50"], each["delay_ms"]["p99"], each["delays_ms"].get("race", {}).get("p50", 0)]
        figures += [each["client_cpu_percent"], each["memory_kb_per_room"]]
        remarks = " ".join(what for what in ("held", "client_bound", "disturbed") if each[what])
        print(f"| {name} | {' | '.join(f'{figure:,.1f}' for figure in figures)} | {remarks} |")

    for name, each in found.get("compared", {}).items():
        row(name, each)
    for name, each in found.get("searched", {}).items():
        for tried in each["tried"]:
            row(name, tried)
    if idle := found.get("idle"):
        row("alone", idle["alone"])
        row(f"beside {idle['connections']} waiting", idle["with_them"])
        print(f"\n{idle['kb_per_connection']:.1f} kB per waiting connection")
    for name, ratio in found.get("ratio_to_bare", {}).items():
        holds, rate = found["searched"][name]["holds"], found["messages_per_second"][name]
        print(f"{name}: {holds} rooms, {rate:,.0f} messages a second, {ratio:.2f} of the bare server's")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How many rooms of four players one core serves.")
    parser.add_argument("--log", nargs="+", choices=LOGS, default=["process"], help="the logs to measure")
    parser.add_argument(
        "--rooms", type=int, help="compare all servers at the same time with this many rooms, without a search"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="how long one step lasts (60)")
    parser.add_argument("--against", type=Path, help="the folder src of another checkout to compare with")
    parser.add_argument(
        "--most", type=int, default=MAX_ROOMS, help=f"the most rooms to try ({MAX_ROOMS}; 0: no search)"
    )
    parser.add_argument("--idle", type=int, default=10_000, help="waiting connections to add after the search (10000)")
    parser.add_argument("--profile", action="store_true", help="profile the first log's server, on standard error")
    parser.add_argument(
        "--soak", type=float, metavar="MINUTES", help="only run one server for this long, with players who come and go"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    pinned = len(cores) > 1
    if pinned:
        os.sched_setaffinity(0, {cores[0]})
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if arguments.soak:
            print(json.dumps(runner.run(soak(arguments.soak, seed=1)), indent=2))
            return
        try:
            found = runner.run(run(arguments, cores[-1] if pinned else None))
        except TimeoutError:
            sys.exit("not all rooms could be opened in time: the machine is too busy, or there are too many")
    found = {"python": platform.python_version(), "pinned": pinned, **found}
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
