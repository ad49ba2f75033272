"""A server process to measure: Ratscrew with a log, or an echo server.

    python -m benchmarks.server_process (echo | sized_echo | memory | process | full) [--profile] [--host H]
        [--log FILE] [--proxied] [--strict] [--untuned] [--metered] [--community] [--short CARDS]
        [--behind-relay] [--discord ID] [--long-game] [--season RESULTS]

Many clients share one address here, so its rate limits are lifted, unless `--strict` is given. With `--log`, every game
is dealt without cards that challenge. It prints its port and serves until its standard input ends, and so no longer
than the process that started it. For each line of standard input it prints its usage so far as a line of JSON: not
over HTTP, where floods would delay the request.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import resource
import sqlite3
import sys
import time
from collections import defaultdict
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import uvloop
from aiohttp import WSMsgType, web

from benchmarks.long_log import store_long_game, store_season
from benchmarks.loop_lag import LoopLag, OwnStalls
from benchmarks.relay import RTT_HEADER, SOCKET_HEADER
from benchmarks.sized_echo import make_sized_echo
from ratscrew.cards import cards
from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.edge.gc_policy import collect_when_idle
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import listening

CONNECTIONS_MOST = 50_000
"""The most connections of a server whose limits are lifted."""

MAX_LIFE_S = 3600.0
"""A server ends after this time in any case."""


def serve(arguments: argparse.Namespace) -> None:
    """Serve until standard input ends; without `--log` the log is in a temporary folder."""
    profiler = cProfile.Profile()
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as name:
        folder = Path(name)
        (folder / "index.html").write_text("<html><head></head></html>")
        file = arguments.log or folder / "log.sqlite3"
        log = make_log(arguments.kind, file)
        if arguments.long_game:
            store_long_game(log)
        store_season(log, arguments.season, SystemClock().now_us())
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                if arguments.profile:
                    profiler.enable()
                metrics = import_module("ratscrew.web.metrics").Metrics() if arguments.metered else None
                app = _app(arguments, log, folder, metrics)
                runner.run(_serve(app, arguments.host, not arguments.untuned, file, metrics))
                profiler.disable()
        finally:
            log.close()
    if arguments.profile:
        pstats.Stats(profiler, stream=sys.stderr).strip_dirs().sort_stats("tottime").print_stats(30)


def _app(arguments: argparse.Namespace, log: EventLog[Entry], folder: Path, metrics: Any) -> web.Application:
    """The application to serve. An older checkout may have no proxy policy, limits or metrics."""
    if arguments.kind == "echo":
        return make_echo()
    if arguments.kind == "sized_echo":
        return make_sized_echo()
    clock, more = SystemClock(), dict[str, Any]()
    if arguments.proxied:
        more["proxy_policy"] = import_module("ratscrew.web.http.proxy_policy").ProxyPolicy(proxied=True)
    if arguments.behind_relay:
        more["proxy_policy"] = ProxyPolicy(proxied=True, header=RTT_HEADER, socket_header=SOCKET_HEADER)
    if arguments.discord:
        more["proxy_policy"] = ProxyPolicy(discord=DiscordApplication(arguments.discord))
    if not arguments.strict:
        with suppress(ImportError):  # all clients share this machine's address
            more["limits"] = import_module("ratscrew.limits.limits").Limits(clock, times=1000)
    if metrics:
        more["metrics"] = metrics
    if arguments.community:
        more["community"] = import_module("ratscrew.web.access.community").CommunityOptions()
    short = partial(deal_short, each=arguments.short)
    laid = short if arguments.short else deal_numbers if arguments.log else None
    app = make_app(log, clock, StaticFiles(folder), laid, **more)
    if not arguments.strict:
        with suppress(AttributeError):
            app[import_module("ratscrew.web.app").GATE].most = CONNECTIONS_MOST
    return app


def deal_numbers(rules: Rules, seats: int) -> Dealt:
    """Deal the cards from 2 to 10, always in the same order; none of them challenges."""
    numbers = [card for rank in "23456789T" for card in cards(" ".join(rank + suit for suit in "SHDC"))]
    Random(1).shuffle(numbers)
    return Dealt(rules, tuple(tuple(numbers[seat::seats]) for seat in range(seats)), Standing("play", 0))


def deal_short(rules: Rules, seats: int, each: int) -> Dealt:
    """Deal a game that ends soon: after so many numbers each, eight at most, the first player's jack takes everything.

    With eight it lasts half a minute.
    """
    numbers = cards(" ".join(rank + suit for rank in "23456789" for suit in "SHDC"))
    lead = Random().randrange(seats)
    hands = [numbers[seat * each : (seat + 1) * each] for seat in range(seats)]
    hands[lead] = (*hands[lead], *cards("JS TS"))
    hands[(lead + 1) % seats] = (*hands[(lead + 1) % seats], *cards("TH"))
    return Dealt(rules, tuple(hands), Standing("play", lead))


def make_log(kind: str, file: Path) -> EventLog[Entry]:
    """The log of a server: a file with this durability, or in memory."""
    if kind in ("process", "full"):
        return SqliteLog(file, Codec[Entry](Entry), "full" if kind == "full" else "process")
    return MemoryLog()


def make_echo() -> web.Application:
    """A minimal server on aiohttp: sends every message to all clients of the same room."""
    groups: defaultdict[str, list[web.WebSocketResponse]] = defaultdict(list)

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        group = groups[request.match_info["code"]]
        group.append(socket)
        async for message in socket:
            data = message.data.encode()
            for other in group:
                with suppress(ConnectionError):  # the client has just disconnected
                    await other.send_frame(data, WSMsgType.TEXT)
        group.remove(socket)
        return socket

    app = web.Application()
    app.router.add_get("/api/rooms/{code}/socket", echo)
    return app


def used() -> dict[str, float]:
    """What this process has used so far; `waited_s` is how long its loop was ready while other processes had the core.

    The kernel counts the main thread's waiting; the time of this process's other threads is subtracted.
    """
    cpu_s, waited_s, memory_kb = time.process_time(), 0.0, 0.0
    with suppress(OSError):
        run_ns, wait_ns, *_ = map(int, Path("/proc/self/schedstat").read_text().split())
        waited_s = wait_ns / 1e9 - (cpu_s - run_ns / 1e9)
        memory_kb = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024
    return {"cpu_s": cpu_s, "waited_s": waited_s, "memory_kb": memory_kb}


def samples(metrics: Any) -> dict[str, float]:
    """The counters of a server with Prometheus metrics: by name, with the values of their labels."""
    families = metrics.registry.collect() if metrics else ()
    found = (sample for family in families for sample in family.samples if sample.name.endswith(("_total", "_count")))
    return {" ".join((sample.name, *sample.labels.values())): sample.value for sample in found}


def file_kb(file: Path) -> float:
    """The size of a data file as its readers see it, including pages that are still in the write-ahead log."""
    if not file.exists():
        return 0.0
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as reader:
        return float(reader.execute("PRAGMA page_count").fetchone()[0] * 4096 / 1024)


async def _serve(app: web.Application, host: str, tuned: bool, file: Path, metrics: Any) -> None:
    lag, own, ended = LoopLag(), OwnStalls(), asyncio.Event()
    collecting: asyncio.Task[None] | None = None

    def report_usage() -> None:
        lines = os.read(sys.stdin.fileno(), 4096)
        if not lines:
            ended.set()
        for _ in range(lines.count(b"\n")):
            usage = {**used(), "late_ms": lag.take(), "stalls": lag.stalls, **own.take(), "file_kb": file_kb(file)}
            print(json.dumps({**usage, "metrics": samples(metrics)}), flush=True)

    async with listening(app, host, 0) as address:
        print(address.rstrip("/").rpartition(":")[2], flush=True)
        if tuned:
            quiet = app[REGISTRY].quiet_for if REGISTRY in app else lambda _: True
            collecting = asyncio.create_task(collect_when_idle(quiet, lambda _: None))
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), report_usage)
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), MAX_LIFE_S)
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        if collecting:
            collecting.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A server to measure.")
    parser.add_argument("kind", choices=("echo", "sized_echo", "memory", "process", "full"))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--proxied", action="store_true")
    parser.add_argument("--strict", action="store_true", help="keep the default rate limits")
    parser.add_argument("--untuned", action="store_true", help="use Python's default garbage collection")
    parser.add_argument("--community", action="store_true", help="with accounts and arenas")
    parser.add_argument("--behind-relay", action="store_true", help="clients come through `benchmarks.relay`")
    parser.add_argument("--discord", metavar="ID", help="the server is an activity of Discord")
    parser.add_argument("--short", type=int, default=0, help="deal so many cards to each player; games end soon")
    parser.add_argument("--long-game", action="store_true", help="with a finished game of 19,000 entries")
    parser.add_argument("--season", type=int, default=0, help="with so many results of this season")
    parser.add_argument("--metered", action="store_true", help="with Prometheus metrics")
    serve(parser.parse_args())
