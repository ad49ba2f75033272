"""How often the real server, over real sockets, names the hand that was really first: people far and near, at once.

    python -m benchmarks.fairness_live [--scenario mixed|far_hand] [--seconds S] [--races N] [--tables N] [--quick]

At every table sits one scripted page (`live_page`) for each way to the server (`roads`), on a network of its own where
the machine allows that. First is who had the least time from the frame that showed the card on his own screen to the
press, as his page drew it. What the judge had to go by stands in the log (`live_races`). A race during which a process
was later than 5 ms is not counted, as the machine was at fault; the report says how many.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from aiohttp import ClientSession

from benchmarks.lateness import Lag, Stall, spread
from benchmarks.live_page import HOUSE, Done, Orders, Sitter
from benchmarks.live_races import JUDGES, calm, meant, of_seat, races_in, tally
from benchmarks.measuring import Server
from benchmarks.roads import SERVER, Way, Wires, can_make_networks, proxy


class Scenario(NamedTuple):
    """Who sits at each table: how far away each is, and his mean reaction where it is not drawn."""

    ways: tuple[Way, ...]
    means_ms: tuple[float | None, ...]


SCENARIOS = {
    "mixed": Scenario((Way(20, 0.5), Way(60, 3), Way(120, 5, 0.01), Way(200, 4)), (None,) * 4),
    "far_hand": Scenario((Way(20, 0.5), Way(200, 4)), (300, 285)),
    "six": Scenario(tuple(Way(rtt, 2) for rtt in (10, 20, 40, 60, 100, 200)), (None,) * 6),
}
SETTLE_S = 2.0
"""From everybody's coming to the first card: by then the first burst of pings is answered."""


class Page:
    """The process with all the people on one way."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin
        assert process.stdout
        self.process, self._in, self._out = process, process.stdin, process.stdout
        self.races = 0

    def say(self, line: bytes) -> None:
        """One line of input."""
        self._in.write(line + b"\n")

    async def hear(self) -> bytes:
        """The next line of output.

        Raises: EOFError.
        """
        if not (line := await self._out.readline()):
            raise EOFError("a page's process has ended before its time")
        return line.strip()

    async def count(self, races: int) -> None:
        """Wait until so many verdicts were heard."""
        while self.races < races:
            await self.hear()
            self.races += 1

    async def end(self) -> Done:
        """Stop all, and see what they did."""
        self._in.close()
        while not (line := await self.hear()).startswith(b"["):
            pass
        await self.process.wait()
        return msgspec.json.decode(line, type=Done)


async def run(scenario: Scenario, asked: argparse.Namespace, log: Path) -> dict[str, Any]:
    """Let people play for so long, or for so many races; the log is written to a file."""
    real = asked.roads == "networks" or (asked.roads is None and can_make_networks())
    async with AsyncExitStack() as stack:
        wires = Wires(scenario.ways, stack.enter_context(ExitStack())) if real else None
        more = ["--log", str(log), *(["--host", SERVER] if real else ["--proxied"])]
        server = Server("process", None, source=asked.source, more=more)
        stack.callback(server.end)
        server.host = address = SERVER if real else server.host
        ports = [
            server.port if real else await stack.enter_async_context(proxy(way, server.port)) for way in scenario.ways
        ]
        session = await stack.enter_async_context(ClientSession(f"http://{address}:{server.port}"))
        tables = [await _open(session, scenario) for _ in range(asked.tables)]
        pages = []
        for k, port in enumerate(ports):
            pages.append(page := await _start(own_network=real))
            stack.callback(_stop, page.process)
            assert await page.hear() == b"up"
            if wires:
                wires.lead_to(k, page.process.pid)
            sitters = [table[k] for table in tables]
            page.say(msgspec.json.encode(Orders(address, port, asked.seed, asked.source is None, sitters)))
        async with asyncio.timeout(30):
            for page in pages:
                assert await page.hear() == b"here"
        await asyncio.sleep(SETTLE_S)
        for page in reversed(pages):
            page.say(b"begin")
        lag = Lag()
        before, began = await server.usage(), time.perf_counter()
        with suppress(TimeoutError):
            await asyncio.wait_for(pages[0].count(asked.races), asked.seconds)
        took, after = time.perf_counter() - began, await server.usage()
        async with asyncio.timeout(30):
            done = [await page.end() for page in pages]
    found = {"real": real, "took_s": took, "cpu_s": after["cpu_s"] - before["cpu_s"], "done": done}
    found["heard_races"] = pages[0].races
    stalls = [Stall(*each) for each in after["stalls"]] + lag.stalls
    return found | {"late_ms": after["late_ms"] + lag.empty(), "stalls": stalls}


async def _open(session: ClientSession, scenario: Scenario) -> list[Sitter]:
    """A table, with a seat for each."""
    sitters: list[Sitter] = []
    room = {"name": "P0", "bots": 0, "house": HOUSE, "wait": True}
    for seat, mean_ms in enumerate(scenario.means_ms):
        path, body = (f"/api/rooms/{sitters[0].room}/seats", {"name": f"P{seat}"}) if seat else ("/api/rooms", room)
        async with session.post(path, json=body) as answer:
            answer.raise_for_status()
            joined, (cookie,) = await answer.json(), answer.cookies.values()
        sitters.append(Sitter(joined["room"], f"{cookie.key}={cookie.value}", joined["seat"], mean_ms))
    return sitters


async def _start(own_network: bool) -> Page:
    command = [*(["unshare", "--net"] if own_network else []), sys.executable, "-m", "benchmarks.live_page"]
    pipe = asyncio.subprocess.PIPE
    return Page(
        await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=2**26, cwd=Path(__file__).parents[1]
        )
    )


def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Everything that is reported."""
    scenario = SCENARIOS[asked.scenario]
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        log = Path(folder) / "log.sqlite3"
        live = asyncio.run(run(scenario, asked, log))
        races = [] if asked.source else races_in(log)
    done: list[Done] = live["done"]
    tried, stalls = meant(tried for each in done for tried in each.tried), live["stalls"]
    kept = races if asked.quick else calm(races, tried, [*stalls, *(stall for each in done for stall in each.stalls)])
    tallies, wins = tally(kept, tried, scenario.ways)
    counted, took_s = len(tallies["judge"].right), live["took_s"]
    heard, said = (
        sum(counts) / asked.tables / took_s for counts in zip(*((d.heard, d.said) for d in done), strict=True)
    )
    found: dict[str, Any] = {
        "scenario": asked.scenario,
        "roads": "networks" if live["real"] else "proxy",
        "races": counted,
        "seconds": round(took_s, 1),
    }
    if counted:
        found |= {name: each.figures() for name, each in tallies.items()}
        found["wins"] = {name: [round(100 * won / counted, 1) for won in each] for name, each in wins.items()}
        found["seats"] = [of_seat(kept, seat, way) for seat, way in enumerate(scenario.ways)]
    return found | {
        "server": {
            "cpu_us_per_race": round(live["cpu_s"] * 1e6 / max(1, live["heard_races"])),
            "cpu_percent": round(100 * live["cpu_s"] / took_s, 1),
            "messages_in_per_table_and_second": round(said, 1),
            "messages_out_per_table_and_second": round(heard, 1),
        },
        "machine": {
            "races_disturbed": len(races) - len(kept),
            "load": round(os.getloadavg()[0], 1),
            "server_and_lines_late_p99_ms": round(spread(live["late_ms"])["p99"], 1),
            "pages_late_p99_ms": round(spread([ms for each in done for ms in each.late_ms])["p99"], 1),
        },
    }


def show(found: dict[str, Any]) -> None:
    """The report as tables that fit into a page of documentation."""
    print(f"{found['scenario']}, {found['races']} races in {found['seconds']} s over {found['roads']}")
    if "judge" in found:
        heads = ["all", "> 10 ms", "> 20 ms", "> 50 ms", "verdict p50 ms", "p99 ms"]
        print(f"\n| judge | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|")
        for name in JUDGES:
            shares, waits = list(found[name].values())[:4], list(found[name].values())[4:]
            cells = *(f"{share:.1f}" for share in shares), *(f"{wait:.0f}" for wait in waits)
            print(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
        print(f"\n| round trip ms | {' | '.join(str(seat['rtt_ms']) for seat in found['seats'])} |")
        print("|---" * (len(found["seats"]) + 1) + "|")
        for name in list(found["seats"][0])[1:]:
            print(f"| {name.replace('_', ' ')} | {' | '.join(str(seat[name]) for seat in found['seats'])} |")
        for name, shares in found["wins"].items():
            print(f"| wins in %, {name.replace('_', ' ')} | {' | '.join(map(str, shares))} |")
    for name in ("server", "machine"):
        print(f"\n{name}: " + ", ".join(f"{what.replace('_', ' ')} {value}" for what, value in found[name].items()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How often the real server is right, with people far and near.")
    parser.add_argument("--scenario", choices=SCENARIOS, default="mixed", help="who sits at each table (mixed)")
    parser.add_argument("--roads", choices=("networks", "proxy"), help="the ways there (networks, if they can be made)")
    parser.add_argument("--seconds", type=float, help="the longest that is played (75)")
    parser.add_argument("--races", type=int, help="so many are enough (600)")
    parser.add_argument("--tables", type=int, help="how many tables play at once (8)")
    parser.add_argument("--seed", type=int, default=1, help="other people (1)")
    parser.add_argument("--source", type=Path, help="another source tree (its folder src): its cost only")
    parser.add_argument("--quick", action="store_true", help="few races, by proxies: a look, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    usual = {"seconds": 75.0, "races": 600, "tables": 8}
    if asked.quick:
        usual, asked.roads = {"seconds": 12.0, "races": 24, "tables": 4}, asked.roads or "proxy"
    for name, value in usual.items():
        if getattr(asked, name) is None:
            setattr(asked, name, value)
    found = measure(asked)
    if asked.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
