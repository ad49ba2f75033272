"""How often the real server, over real sockets, names the slap that was really first, with players near and far.

    python -m benchmarks.fairness_live [--scenario mixed|near|far_hand|six|frames] [--seconds S] [--races N]
        [--tables N] [--liar late|slow_at_first|discord_origin|pauses] [--quick]

Each table has one scripted client (`live_page`) per simulated network (`network_paths`), in a network namespace where
the machine allows that. The people sit in a process of their own (`live_people`), which writes down when each of them
saw a card and touched the screen, by its own clock and before the client knows: the true winner has the shortest time
between the two. It is compared with the winner that the server names to the players. Races during which a process was
more than 5 ms late are not counted, as the machine was at fault; the report says how many.
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

from benchmarks.frame_rates import RATES
from benchmarks.live_liars import FARTHER_MS, LIARS
from benchmarks.live_page import HOUSE, PlayerConfig, RunConfig, RunResult
from benchmarks.live_people import attempts_in
from benchmarks.live_races import JUDGES, attempts_by_card, races_in, seat_figures, tally, undisturbed, winners_told
from benchmarks.loop_lag import LoopLag, Stall, summarize
from benchmarks.measured_server import MeasuredServer
from benchmarks.network_paths import SERVER, NetworkPath, TunLinks, can_create_networks, proxy
from benchmarks.relay import relay


class Scenario(NamedTuple):
    """The players at each table: their network paths, mean reactions and screens (None: drawn at random)."""

    paths: tuple[NetworkPath, ...]
    means_ms: tuple[float | None, ...]
    screens: tuple[str | None, ...] = (None,) * 6


SCENARIOS = {
    "mixed": Scenario(
        (NetworkPath(20, 0.5), NetworkPath(60, 3), NetworkPath(120, 5, 0.01), NetworkPath(200, 4)), (None,) * 4
    ),
    "near": Scenario(tuple(NetworkPath(rtt, 2) for rtt in (20, 40, 60, 100)), (None,) * 4),
    "far_hand": Scenario((NetworkPath(20, 0.5), NetworkPath(200, 4)), (300, 285)),
    "six": Scenario(tuple(NetworkPath(rtt, 2) for rtt in (10, 20, 40, 60, 100, 200)), (None,) * 6),
    "frames": Scenario((NetworkPath(40, 2),) * 4, (None,) * 4, RATES),
}
SETTLE_S = 2.0
"""From the last connection to the first card: by then the first burst of pings is answered."""


class PageProcess:
    """A process with all the clients on one network path."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin
        assert process.stdout
        self.process, self._in, self._out = process, process.stdin, process.stdout
        self.races = 0

    def write_line(self, line: bytes) -> None:
        """Write a line to its standard input."""
        self._in.write(line + b"\n")

    async def read_line(self) -> bytes:
        """Read the next line of its standard output.

        Raises: EOFError.
        """
        if not (line := await self._out.readline()):
            raise EOFError("a client process has ended too early")
        return line.strip()

    async def wait_for_races(self, races: int) -> None:
        """Wait until the clients have received this many verdicts."""
        while self.races < races:
            await self.read_line()
            self.races += 1

    async def finish(self) -> RunResult:
        """Stop the clients, and get their results."""
        self._in.close()
        while not (line := await self.read_line()).startswith(b"["):
            pass
        await self.process.wait()
        return msgspec.json.decode(line, type=RunResult)


async def run(scenario: Scenario, arguments: argparse.Namespace, log: Path, record: Path) -> dict[str, Any]:
    """Play for `--seconds`, or until `--races` are decided; log and the people's record are written to files."""
    real_networks = arguments.network in ("namespaces", "networks") or (
        arguments.network is None and can_create_networks()
    )
    async with AsyncExitStack() as stack:
        links = TunLinks(scenario.paths, stack.enter_context(ExitStack())) if real_networks else None
        liar = LIARS[arguments.liar] if arguments.liar else None
        relayed = liar is not None and "--behind-relay" in liar.server
        more = ["--log", str(log), *(["--host", SERVER] if real_networks and not relayed else [])]
        more += liar.server if liar else [] if real_networks else ["--proxied"]
        server = MeasuredServer("process", None, source=arguments.source, more=more)
        stack.callback(server.close)
        address = SERVER if real_networks else server.host
        server.host = server.host if relayed else address
        shared = await stack.enter_async_context(relay(SERVER, server.port)) if relayed else server.port
        ports = [
            shared if real_networks else await stack.enter_async_context(proxy(path, server.port))
            for path in scenario.paths
        ]
        session = await stack.enter_async_context(ClientSession(f"http://{server.host}:{server.port}"))
        tables = [await _open(session, scenario) for _ in range(arguments.tables)]
        people = await _start_people(log.parent / "people", record, arguments.seed)
        stack.callback(_stop, people)
        pages = []
        for k, port in enumerate(ports):
            pages.append(page := await _start(own_network=real_networks))
            stack.callback(_stop, page.process)
            assert await page.read_line() == b"up"
            lying = liar if k == 0 else None
            if links:
                links.attach(k, page.process.pid)
                links.slow_down(k, FARTHER_MS / 2 if lying and lying.slow_at_first else 0)
            players = [table[k] for table in tables]
            page.write_line(
                msgspec.json.encode(
                    RunConfig(
                        address,
                        port,
                        str(log.parent / "people"),
                        arguments.seed,
                        arguments.source is None,
                        players,
                        arguments.liar if lying else None,
                        lying.headers if lying else "",
                    )
                )
            )
        async with asyncio.timeout(30):
            for page in pages:
                assert await page.read_line() == b"here"
        if links:
            links.slow_down(0, 0)
        await asyncio.sleep(SETTLE_S)
        for page in reversed(pages):
            page.write_line(b"begin")
        lag = LoopLag()
        before, began = await server.usage(), time.perf_counter()
        with suppress(TimeoutError):
            await asyncio.wait_for(pages[0].wait_for_races(arguments.races), arguments.seconds)
        took, after = time.perf_counter() - began, await server.usage()
        async with asyncio.timeout(30):
            results = [await page.finish() for page in pages]
    found = {"real": real_networks, "took_s": took, "cpu_s": after["cpu_s"] - before["cpu_s"], "done": results}
    found["races_received"] = pages[0].races
    stalls = [Stall(*each) for each in after["stalls"]] + lag.stalls
    return found | {"late_ms": after["late_ms"] + lag.take(), "stalls": stalls}


async def _open(session: ClientSession, scenario: Scenario) -> list[PlayerConfig]:
    """Open a table with a seat for each player."""
    players: list[PlayerConfig] = []
    room = {"name": "P0", "bots": 0, "house": HOUSE, "wait": True}
    for seat, (mean_ms, screen) in enumerate(zip(scenario.means_ms, scenario.screens, strict=False)):
        path, body = (f"/api/rooms/{players[0].room}/seats", {"name": f"P{seat}"}) if seat else ("/api/rooms", room)
        async with session.post(path, json=body) as response:
            response.raise_for_status()
            joined, (cookie,) = await response.json(), response.cookies.values()
        players.append(PlayerConfig(joined["room"], f"{cookie.key}={cookie.value}", joined["seat"], mean_ms, screen))
    return players


async def _start(own_network: bool) -> PageProcess:
    command = [*(["unshare", "--net"] if own_network else []), sys.executable, "-m", "benchmarks.live_page"]
    pipe = asyncio.subprocess.PIPE
    return PageProcess(
        await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=2**26, cwd=Path(__file__).parents[1]
        )
    )


async def _start_people(path: Path, record: Path, seed: int) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "benchmarks.live_people", str(path), str(record), str(seed)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=Path(__file__).parents[1])
    assert process.stdout
    assert (await process.stdout.readline()).strip() == b"up"
    return process


def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """All reported figures."""
    scenario = SCENARIOS[arguments.scenario]
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        log, record = Path(folder) / "log.sqlite3", Path(folder) / "people.jsonl"
        played = asyncio.run(run(scenario, arguments, log, record))
        races = [] if arguments.source else races_in(log)
        attempts = attempts_by_card(attempts_in(record))
    results: list[RunResult] = played["done"]
    stalls = played["stalls"]
    counted_races = (
        races
        if arguments.quick
        else undisturbed(races, attempts, [*stalls, *(stall for each in results for stall in each.stalls)])
    )
    told = winners_told(verdict for each in results for verdict in each.verdicts)
    tallies, wins, seats = tally(counted_races, attempts, told, scenario.paths)
    counted, took_s = len(tallies["judge"].right), played["took_s"]
    received, sent = (
        sum(counts) / arguments.tables / took_s for counts in zip(*((d.received, d.sent) for d in results), strict=True)
    )
    found: dict[str, Any] = {
        "scenario": arguments.scenario,
        "liar": arguments.liar,
        "network": "namespaces" if played["real"] else "proxy",
        "races": counted,
        "seconds": round(took_s, 1),
    }
    if counted:
        found |= {name: each.figures() for name, each in tallies.items()}
        found["wins"] = {name: [round(100 * won / counted, 1) for won in each] for name, each in wins.items()}
        found["seats"] = [seat_figures(counted_races, seat, path) for seat, path in enumerate(scenario.paths)]
        for seat, screen, each in zip(found["seats"], scenario.screens, seats, strict=False):
            figures = each.figures()
            seat |= {"frames_a_second": screen, "bias_points": figures["bias"], "bias_error": figures["standard_error"]}
    return found | {
        "server": {
            "cpu_us_per_race": round(played["cpu_s"] * 1e6 / max(1, played["races_received"])),
            "cpu_percent": round(100 * played["cpu_s"] / took_s, 1),
            "messages_in_per_table_and_second": round(sent, 1),
            "messages_out_per_table_and_second": round(received, 1),
        },
        "machine": {
            "races_disturbed": len(races) - len(counted_races),
            "load": round(os.getloadavg()[0], 1),
            "server_and_network_late_p99_ms": round(summarize(played["late_ms"])["p99"], 1),
            "pages_late_p99_ms": round(summarize([ms for each in results for ms in each.late_ms])["p99"], 1),
        },
    }


def show(found: dict[str, Any]) -> None:
    """Print the report as Markdown tables."""
    lie = f", the first player lies: {found['liar']}" if found["liar"] else ""
    print(f"{found['scenario']}{lie}, {found['races']} races in {found['seconds']} s over {found['network']}")
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
    parser = argparse.ArgumentParser(
        description="How often the real server's judge is right, with players near and far."
    )
    parser.add_argument("--scenario", choices=SCENARIOS, default="mixed", help="the players at each table (mixed)")
    parser.add_argument("--liar", choices=LIARS, help="the first player of each table lies (needs namespaces)")
    parser.add_argument(
        "--network",
        choices=("namespaces", "proxy"),
        help="how players reach the server (namespaces, if they can be created)",
    )
    parser.add_argument("--roads", dest="network", choices=("networks", "proxy"), help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help="the longest time to play (75)")
    parser.add_argument("--races", type=int, help="stop after this many races (600)")
    parser.add_argument("--tables", type=int, help="how many tables play at the same time (8)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the players (1)")
    parser.add_argument("--source", type=Path, help="the folder src of another checkout: measures its cost only")
    parser.add_argument("--quick", action="store_true", help="few races over proxies: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if arguments.liar and not can_create_networks():
        parser.error("a liar's packets are measured in network namespaces, which this machine does not allow")
    usual = {"seconds": 75.0, "races": 600, "tables": 8}
    if arguments.quick:
        usual, arguments.network = {"seconds": 12.0, "races": 24, "tables": 4}, arguments.network or "proxy"
    for name, value in usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    found = measure(arguments)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
