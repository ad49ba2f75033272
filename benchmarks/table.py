"""How many active tables one core serves, and how long a player waits for a reply.

    python -m benchmarks.table [--log process] [--rooms 100] [--seconds 4] [--against OTHER/src]
        [--beside untuned metered] [--quick] [--profile]

The server is the real one: aiohttp, sockets, the log in a temporary folder. It runs in a process of its own on one
core; on another core this process simulates one player in every room, against bots, over real sockets. A delay is the
time from sending `play` or `slap` to the first message in reply: `turning` for a card, `fouled` or `judged` for a slap
(the server sends these two only when the log has stored them).

First, servers are compared: a bare aiohttp echo as the baseline, one server for each log, and one for another checkout
if given. They run at the same time on the same core, so other load affects all of them equally, and the median of the
rounds is taken. Then the first server runs alone, and its rooms are doubled until the p99 of the delays exceeds 20 ms;
the last step is halved.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import uvloop
from aiohttp import ClientSession

from benchmarks.measured_server import BOTS, MeasuredServer

BESIDE = ("untuned", "metered")
"""Variants of the server: with Python's default garbage collection, and with Prometheus metrics."""

LOGS = ("memory", "process", "full")
MAX_P99_MS = 20.0
"""The target of the search: 99 of 100 replies within this time."""

SETTLE_S = 1.5
"""From the last connection to the beginning of a measurement."""

FULL_PERCENT, CALM_PERCENT = 95.0, 5.0
"""Above the first (CPU) a server is at capacity; below the second (waiting for its core) nothing disturbed it."""

LIMIT_S = 120.0
"""The search begins no new step after this time; with the last step it takes less than three minutes."""


def medians(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The median of each figure over several runs."""
    found: dict[str, Any] = {}
    for name in {name: None for run in runs for name in run}:
        values = [run[name] for run in runs if name in run]
        found[name] = medians(values) if isinstance(values[0], dict) else median(values)
    return found


async def compare(
    session: ClientSession, servers: dict[str, MeasuredServer], rooms: int, seconds: float, rounds: int
) -> dict[str, Any]:
    """Measure all servers at the same time, each with this many rooms."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in servers}
    for server in servers.values():
        server.empty_kb = (await server.measure(0))["memory_kb_per_room"]
        await server.set_clients(session, rooms)
    await asyncio.sleep(min(SETTLE_S, seconds))
    for _ in range(rounds):
        found = await asyncio.gather(*(server.measure(seconds) for server in servers.values()))
        for name, each in zip(servers, found, strict=True):
            each["ratios"] = {
                what: each[what] / max(found[0][what], 1e-9) for what in ("cpu_us_per_message", "cpu_percent")
            }
            each["ratios"] |= {p: each["delay_ms"][p] / max(found[0]["delay_ms"][p], 1e-9) for p in ("p50", "p99")}
            if each["cards_per_second"] and found[1]["cards_per_second"]:
                each["ratios"]["cpu_us_per_card"] = each["cpu_us_per_card"] / found[1]["cpu_us_per_card"]
            runs[name].append(each)
    for server in servers.values():
        await server.set_clients(session, 0)
    return {name: medians(each) for name, each in runs.items()}


async def search(
    session: ClientSession, server: MeasuredServer, rooms: int, seconds: float, most: int, end: float
) -> dict[str, Any]:
    """Search for the number of rooms one core serves: double while the target is met, then halve the step."""
    tried: list[dict[str, Any]] = []

    async def held(number: int) -> bool | None:
        """Whether this many meet the target; None if the machine is too busy to decide, or the time is up."""
        for _ in range(6):
            if time.monotonic() > end:
                break
            try:
                await server.set_clients(session, number)
            except TimeoutError:
                continue
            await asyncio.sleep(min(SETTLE_S, seconds))
            tried.append(found := await server.measure(seconds))
            if found["delay_ms"]["p99"] < MAX_P99_MS:
                return True
            calm = found["waited_percent"] < CALM_PERCENT and found["client_lag_ms"]["p99"] < MAX_P99_MS / 2
            if calm or found["cpu_percent"] > FULL_PERCENT:
                return False
        return None

    holds, fails, number, decided = 0, most + 1, min(rooms, most), True
    while decided and holds < number < fails and fails - holds > fails // 12 and time.monotonic() < end:
        match await held(number):
            case True:
                holds = number
            case False:
                fails = number
            case None:
                decided = False
        number = min(2 * holds, most) if fails > most and holds else (holds + fails) // 2
    return {"holds": holds, "fails": fails if fails <= most else None, "disturbed": not decided, "tried": tried}


async def run(arguments: argparse.Namespace, core: int | None) -> dict[str, Any]:
    """Start the servers, measure, stop the servers."""
    end = time.monotonic() + arguments.limit
    rooms, seconds, logs = arguments.rooms, arguments.seconds, list(dict.fromkeys(arguments.log))
    with ExitStack() as stack:
        servers: dict[str, MeasuredServer] = {}

        def start(name: str, kind: str, source: Path | None = None, more: Sequence[str] = ()) -> None:
            servers[name] = MeasuredServer(kind, core, arguments.profile and name == logs[0], source, more)
            stack.callback(servers[name].close)

        start("echo", "echo")
        for log in logs:
            start(log, log)
        if arguments.against:
            start("against", logs[0], arguments.against)
        for name in arguments.beside:
            start(name, logs[0], None, [f"--{name}"])
        for server in servers.values():
            stack.callback(server.stop)
        async with ClientSession() as session:
            compared, capacity = await compare(session, servers, rooms, seconds, arguments.rounds), None
            if arguments.most:
                capacity = await search(session, servers[logs[0]], rooms, seconds, arguments.most, end)
    return {"compared": compared, "capacity": capacity}


def show(found: dict[str, Any]) -> None:
    """Print the report as Markdown tables."""
    compared, capacity = found["compared"], found["capacity"]
    pinned = "one core for the servers, another for the players" if found["pinned"] else "not pinned to cores"
    print(f"{found['python']}; {pinned}; {compared['echo']['rooms']:.0f} rooms of a player and {BOTS} bots")
    print(f"\nMedians of {found['rounds']} rounds; ratios to the echo, those of a card to the first log\n")
    print(
        "| server | CPU a message, ratio | CPU a card, ratio | p50, ratio | p99, ratio | CPU µs a message | µs a card |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, each in compared.items():
        ratios = [each["ratios"].get(what, 0) for what in ("cpu_us_per_message", "cpu_us_per_card", "p50", "p99")]
        micros = [each["cpu_us_per_message"], each["cpu_us_per_card"]]
        cells = [f"{ratio:.2f}" if ratio else "–" for ratio in ratios]
        cells += [f"{us:.0f}" if us else "–" for us in micros]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\n| server | waiting for | how often | p50 ms | p99 ms |\n|---|---|---|---|---|")
    for name, each in compared.items():
        for what, delay in each["delays_ms"].items():
            print(f"| {name} | {what} | {delay['count']:.0f} | {delay['p50']:.2f} | {delay['p99']:.2f} |")
    show_load(compared.items())
    if capacity:
        show_load((f"{each['rooms']} rooms", each) for each in capacity["tried"])
        fails = f", not {capacity['fails']}" if capacity["fails"] else " (no more were tried)"
        print(f"\np99 stays below {MAX_P99_MS:.0f} ms with {capacity['holds']} rooms{fails}")
        if capacity["disturbed"]:
            print("more could not be decided: the machine was busy with other things, or the time was up")


def show_load(runs: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """Print the load of each run."""
    heads = "CPU %", "waited %", "cards/s", "in/s", "out/s", "p50 ms", "p99 ms", "lag p99 ms"
    print(f"\n| | {' | '.join(heads)} | players' lag p99 ms | kB a room |\n{'|---' * (len(heads) + 3)}|")
    for name, each in runs:
        figures = [each[f"{what}_percent"] for what in ("cpu", "waited")]
        figures += [each[f"{what}_per_second"] for what in ("cards", "messages_in", "messages_out")]
        times = [each["delay_ms"]["p50"]]
        times += [each[f"{what}_ms"]["p99"] for what in ("delay", "server_lag", "client_lag")]
        cells = *(f"{figure:.0f}" for figure in figures), *(f"{ms:.1f}" for ms in times)
        print(f"| {name} | {' | '.join(cells)} | {each['memory_kb_per_room']:.0f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How many active tables one core serves, and how quickly they reply.")
    parser.add_argument(
        "--log", nargs="+", choices=LOGS, default=["process"], help="the logs to compare; the search uses the first"
    )
    parser.add_argument("--rooms", type=int, help="the rooms of each compared server (100)")
    parser.add_argument("--seconds", type=float, help="how long one measurement lasts (4)")
    parser.add_argument("--rounds", type=int, help="how often each server is measured (3)")
    parser.add_argument("--most", type=int, help="the most rooms that the search tries (3200; 0: no search)")
    parser.add_argument("--against", type=Path, help="the folder src of another checkout to compare with")
    parser.add_argument(
        "--beside", nargs="+", choices=BESIDE, default=[], help="a second server with the first log, run in this way"
    )
    parser.add_argument("--quick", action="store_true", help="everything small: a smoke test, not a measurement")
    parser.add_argument("--profile", action="store_true", help="profile the first server, without a search")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    usual = (
        {"rooms": 20, "seconds": 0.8, "rounds": 1, "most": 40}
        if arguments.quick
        else {"rooms": 100, "seconds": 4.0, "rounds": 3, "most": 3200}
    )
    for name, value in usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    if arguments.profile:
        arguments.most = 0
    arguments.limit = LIMIT_S / 12 if arguments.quick else LIMIT_S
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    pinned = len(cores) > 1
    if pinned:
        os.sched_setaffinity(0, {cores[0]})
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(run(arguments, cores[-1] if pinned else None))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    found = {"python": python, "pinned": pinned, "rounds": arguments.rounds, **found}
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
