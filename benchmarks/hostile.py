"""How soon honest people are answered while strangers flood the server, beside how soon they are without them.

    python -m benchmarks.hostile [--tables 25] [--seconds 8] [--only messages codes requests silent garbage] [--json]

The server is the real one with its real limits, on a core of its own where there are two. At each honest table somebody
plays with three bots at the pace of life. Each flood comes from a process of its own and from addresses of its own, as
fast as it gets through, and between two floods there is a while of calm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from contextlib import ExitStack
from typing import Any

import uvloop
from aiohttp import ClientSession

from benchmarks.floods import KINDS
from benchmarks.measuring import Server

SETTLE_S = 2.0
"""Between the beginning of a flood and that of the measurement."""


async def flooded(session: ClientSession, server: Server, kind: str, seconds: float) -> dict[str, Any]:
    """What happens at the honest tables during one flood, and how much of a flood it was."""
    settle_s = min(SETTLE_S, seconds)
    lasts_s = seconds + 2 * settle_s
    command = (sys.executable, "-m", "benchmarks.floods", kind, str(server.port), str(lasts_s))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    await asyncio.sleep(settle_s)
    found = await server.measure(session, seconds)
    printed, _ = await process.communicate()
    found["flood"] = {what: count / lasts_s for what, count in json.loads(printed).items()}
    return found


async def run(arguments: argparse.Namespace, core: int | None) -> dict[str, Any]:
    """Calm and floods by turns, at the same tables of the same server."""
    seconds: float = arguments.seconds
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        server = Server("process", core, more=("--strict",))
        stack.callback(server.end)
        async with ClientSession() as session:
            await server.seat(session, arguments.tables)
            await asyncio.sleep(min(SETTLE_S, seconds))
            calm = [await server.measure(session, seconds)]
            for kind in arguments.only:
                found[kind] = await flooded(session, server, kind, seconds)
                calm.append(await server.measure(session, seconds))
            await server.seat(session, 0)
    calm.sort(key=lambda each: float(each["delay_ms"]["p99"]))
    return {"calm": calm[len(calm) // 2], "floods": found}


def show(found: dict[str, Any]) -> None:
    """The report as a table that fits into a page of documentation; the calm is the middle one of those between."""
    heads = ("", "a second", "server: CPU %", "waited %", "answers", "p50 ms", "p99 ms", "most ms", "own lag p99 ms")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name, each in {"calm": found["calm"], **found["floods"]}.items():
        flood = ", ".join(f"{count:,.0f} {what}" for what, count in each.get("flood", {}).items()) or "–"
        delay, lag = each["delay_ms"], each["client_lag_ms"]["p99"]
        cpu = f"{each['cpu_percent']:.0f} | {each['waited_percent']:.0f} | {delay['count']}"
        times = " | ".join(f"{delay[each]:.1f}" for each in ("p50", "p99", "most"))
        print(f"| {name} | {flood} | {cpu} | {times} | {lag:.1f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="How soon honest people are answered while strangers flood the server."
    )
    parser.add_argument("--tables", type=int, default=25, help="honest tables (25)")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each flood and calm is measured (8)")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS), help="the floods (all)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(run(arguments, cores[-1] if len(cores) > 1 else None))
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
