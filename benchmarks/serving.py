"""A server to measure, in a process of its own, and the hold on it from outside: Ratscrew with a log, or an echo.

    python -m benchmarks.serving (echo | memory | process | full) [--profile] [--host H] [--log FILE] [--proxied]
        [--untuned] [--metered]

With a log that is named, every game is dealt without cards that challenge. It prints its port and serves until its
standard input ends, that is, until whoever started it ends, in whatever way.
Besides what it serves it tells at `/usage` what it has used so far.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import pstats
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import uvloop
from aiohttp import ClientSession, WSMsgType, web

from benchmarks.lateness import Lag, spread
from benchmarks.person import Echoer, Person, Sample
from ratscrew.cards import cards
from ratscrew.deck import Draw
from ratscrew.game.codec import Codec
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.table.clock import SystemClock
from ratscrew.table.record import Entry
from ratscrew.web.app import make_app
from ratscrew.web.collector import calm
from ratscrew.web.metrics import Metrics
from ratscrew.web.pages import Pages

BOTS = 3
OPEN_WITHIN_S = 25.0
"""So many rooms must be open by then, or the server does not hold them."""

LIFE_S = 600.0
"""No server outlives this, whatever happens to who has started it."""


def serve(kind: str, profile: bool, host: str, named: Path | None, proxied: bool, tuned: bool, metered: bool) -> None:
    """Be a server until standard input ends; its log lies in a temporary folder, unless it is named."""
    profiler = cProfile.Profile()
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as name:
        folder = Path(name)
        log = make_log(kind, named or folder / "log.sqlite3")
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                if profile:
                    profiler.enable()
                runner.run(_serve(_app(kind, log, folder, named is not None, proxied, metered), host, tuned))
                profiler.disable()
        finally:
            log.close()
    if profile:
        pstats.Stats(profiler, stream=sys.stderr).strip_dirs().sort_stats("tottime").print_stats(30)


def _app(kind: str, log: EventLog[Entry], folder: Path, numbers: bool, proxied: bool, metered: bool) -> web.Application:
    """What is served. A tree from before the judge knows of no proxy."""
    if kind == "echo":
        return make_echo()
    if metered:
        return make_app(log, SystemClock(), Pages(folder), meter=Metrics())
    app = partial(make_app, log, SystemClock(), Pages(folder), deal_numbers if numbers else deal)
    return app(road=import_module("ratscrew.web.pulse").Road(proxied=True)) if proxied else app()


def deal_numbers(rules: Rules, seats: int, dealer: int, draw: Draw) -> Dealt:
    """The cards from 2 to 10, shuffled always in the same way, and none that challenges."""
    numbers = [card for rank in "23456789T" for card in cards(" ".join(rank + suit for suit in "SHDC"))]
    Random(1).shuffle(numbers)
    return Dealt(rules, tuple(tuple(numbers[seat::seats]) for seat in range(seats)), Standing("play", 0))


def make_log(kind: str, file: Path) -> EventLog[Entry]:
    """The log of a server: of this kind, or in memory."""
    if kind in ("process", "full"):
        return SqliteLog(file, Codec[Entry](Entry), "full" if kind == "full" else "process")
    return MemoryLog()


def make_echo() -> web.Application:
    """The least that a server on aiohttp can do: say everything back."""

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        async for message in socket:
            await socket.send_frame(message.data.encode(), WSMsgType.TEXT)
        return socket

    app = web.Application()
    app.router.add_get("/api/rooms/{code}/socket", echo)
    return app


def used() -> dict[str, float]:
    """What this process has used so far; `waited_s` is how long its loop was ready while strangers had the core.

    The kernel counts the main thread's waiting; what this process's other threads did meanwhile is taken off.
    """
    cpu_s, waited_s, memory_kb = time.process_time(), 0.0, 0.0
    with suppress(OSError):
        run_ns, wait_ns, *_ = map(int, Path("/proc/self/schedstat").read_text().split())
        waited_s = wait_ns / 1e9 - (cpu_s - run_ns / 1e9)
        memory_kb = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024
    return {"cpu_s": cpu_s, "waited_s": waited_s, "memory_kb": memory_kb}


async def _serve(app: web.Application, host: str, tuned: bool) -> None:
    lag, ended = Lag(), asyncio.Event()

    async def usage(_: web.Request) -> web.Response:
        return web.json_response({**used(), "late_ms": lag.empty(), "stalls": lag.stalls})

    app.router.add_get("/usage", usage)
    runner = web.AppRunner(app, access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, 0, shutdown_timeout=2).start()
        print(runner.addresses[0][1], flush=True)
        if tuned:
            calm()
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), ended.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), LIFE_S)
    finally:
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        await runner.cleanup()


# In the process that measures


class Server:
    """A server in a process of its own, and the people who are connected to it from here; `more` is said to it."""

    host = "127.0.0.1"

    def __init__(
        self, kind: str, core: int | None, profile: bool = False, source: Path | None = None, more: Sequence[str] = ()
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.serving", kind, *(["--profile"] if profile else []), *more]
        self.kind = kind
        self._process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(source)} if source else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.sample = Sample()
        self.empty_kb = 0.0
        self._rooms: list[tuple[str, str]] = []
        self._people: list[Person | Echoer] = []

    @cached_property
    def _lag(self) -> Lag:
        return Lag()

    @cached_property
    def port(self) -> int:
        """Its port, once it has said it."""
        assert self._process.stdout
        return int(self._process.stdout.readline())

    def hang_up(self) -> None:
        """Tell it to end."""
        assert self._process.stdin
        self._process.stdin.close()

    def end(self) -> None:
        """Wait until it has ended, but not for ever."""
        self.hang_up()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    async def seat(self, session: ClientSession, people: int) -> None:
        """Have so many people at as many tables, no more and no fewer; a table without a person rests.

        Raises: TimeoutError if the server does not manage that in time.
        """
        for person in self._people[people:]:
            person.go()
        del self._people[people:]
        async with asyncio.timeout(OPEN_WITHIN_S):
            while (first := len(self._people)) < people:
                if self.kind != "echo" and first == len(self._rooms):
                    await self._open(session)
                person = Echoer(self._now) if self.kind == "echo" else Person(self._now, *self._rooms[first])
                await person.come(self.port)
                self._people.append(person)

    async def measure(self, session: ClientSession, seconds: float) -> dict[str, Any]:
        """What happens in so many seconds."""
        before = await self.usage(session)
        self._lag.empty()
        began, self.sample = time.perf_counter(), Sample()
        await asyncio.sleep(seconds)
        took, sample, own_ms = time.perf_counter() - began, self.sample, self._lag.empty()
        after = await self.usage(session)
        counts, cpu_us = sample.counts, (after["cpu_s"] - before["cpu_s"]) * 1e6
        delays = {name: spread(delays_ms) for name, delays_ms in sorted(sample.delays_ms.items())}
        waited = [ms for name in ("echo", "play", "good slap", "wrong slap") for ms in sample.delays_ms[name]]
        return {
            "rooms": len(self._people),
            "cpu_percent": cpu_us / took / 1e4,
            "waited_percent": max(0.0, after["waited_s"] - before["waited_s"]) / took * 100,
            "cpu_us_per_message": cpu_us / max(1, counts["in"] + counts["out"]),
            "cpu_us_per_card": cpu_us / counts["cards"] if counts["cards"] else 0.0,
            "messages_in_per_second": counts["in"] / took,
            "messages_out_per_second": counts["out"] / took,
            "cards_per_second": counts["cards"] / took,
            "delay_ms": spread(waited),
            "delays_ms": delays,
            "server_lag_ms": spread(after["late_ms"]),
            "client_lag_ms": spread(own_ms),
            "memory_kb_per_room": max(0.0, after["memory_kb"] - self.empty_kb) / max(1, len(self._people)),
        }

    async def _open(self, session: ClientSession) -> None:
        room = {"name": "Ana", "bots": BOTS, "strength": "steady"}
        async with session.post(f"http://{self.host}:{self.port}/api/rooms", json=room) as answer:
            answer.raise_for_status()
            joined, (cookie,) = await answer.json(), answer.cookies.values()
        self._rooms.append((joined["room"], f"{cookie.key}={cookie.value}"))

    async def usage(self, session: ClientSession) -> Any:
        """What it has used so far."""
        async with session.get(f"http://{self.host}:{self.port}/usage") as answer:
            return await answer.json()

    def _now(self) -> Sample:
        return self.sample


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A server to measure.")
    parser.add_argument("kind", choices=("echo", "memory", "process", "full"))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--proxied", action="store_true")
    parser.add_argument("--untuned", action="store_true", help="leave the collection of garbage as it is")
    parser.add_argument("--metered", action="store_true", help="count for Prometheus")
    asked = parser.parse_args()
    serve(asked.kind, asked.profile, asked.host, asked.log, asked.proxied, not asked.untuned, asked.metered)
