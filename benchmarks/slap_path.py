"""The path of a wrong slap: calls, functions and files between its socket and the reply, and its CPU time.

    python -m benchmarks.slap_path                      # the path of one slap, and its time
    python -m benchmarks.slap_path --against ../older   # also the time of a slap in another checkout, in turn

A player and two bots sit at a table of a server whose log is on disk. For each slap, Python's profiler counts all of
this package from when the slap is sent until its last event is back; a ping may come in between, so the figure is the
median of several. The time is the event loop's thread while it handles a slap and sends what the log has stored; for
that, a manual clock plays hundreds of cards without waiting, and the log is in memory.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Annotated, Any, NamedTuple

import aiohttp
import typer

from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.table.record.clock import Clock, SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.table.room.delivery import CommitQueue
from ratscrew.testing.clock import ManualClock, manual_loop
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import listening

ROOT = Path(__file__).parents[1]
SLAPS, TIMED, ROUNDS = 9, 30, 5
TOGETHER = 6
"""How many seats slap at once where slaps are timed: the processor's caches are warm then, as on a busy server."""

CARDS = 4
"""Cards that are slapped in one game: with more, a player has no card left to burn."""

WITHIN_S = 90.0
AFTER_S = 0.35
"""When the player slaps, in seconds after the card is revealed."""


class Slap(NamedTuple):
    """One wrong slap: calls, functions and files on its path, and the CPU time of the event loop's thread."""

    calls: int
    functions: int
    files: int
    us: float


class Probe:
    """Counts calls (`counting`), or times the handling of a slap, while it is `on`."""

    def __init__(self, counting: bool) -> None:
        self.on, self._counting = False, counting
        self._package = str(Path(str(importlib.import_module("ratscrew").__file__)).parent) + os.sep
        self._calls: list[tuple[str, str]] = []
        self._us, self._inside = 0.0, False
        if counting:
            threading.setprofile(self._count)
            sys.setprofile(self._count)
        else:
            self._time(PlayerConnection, "slap")
            self._time(CommitQueue, "_flush")

    def begin(self) -> None:
        """Start measuring."""
        self._calls, self._us, self.on = [], 0.0, True

    def end(self) -> Slap:
        """Stop measuring; the figures since `begin`."""
        self.on = False
        return Slap(len(self._calls), len(set(self._calls)), len({file for file, _ in self._calls}), self._us)

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        if self.on and event == "call" and frame.f_code.co_filename.startswith(self._package):
            self._calls.append((frame.f_code.co_filename, frame.f_code.co_qualname))

    def _time(self, owner: Any, name: str) -> None:
        method = getattr(owner, name)

        def timed(*args: Any) -> Any:
            if self._inside or not self.on:
                return method(*args)
            self._inside, began_s = True, time.thread_time()
            try:
                return method(*args)
            finally:
                self._us += (time.thread_time() - began_s) * 1e6
                self._inside = False

        setattr(owner, name, timed)


class Player:
    """Plays at some seats, and slaps with all of them each card that comes while no slap is under way."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, probe: Probe, seats: int) -> None:
        self._socket, self._probe, self._seats = socket, probe, seats
        self._n = self._serial = self._burned = 0
        self._slapping: asyncio.Task[None] | None = None
        self.found: list[Slap] = []

    async def play(self, slaps: int) -> None:
        """Play until so many slaps were wrong, or the game is over."""
        async for message in self._socket:
            frame = json.loads(message.data)
            for each in frame if isinstance(frame, list) else [frame]:
                await self._receive(each)
            if len(self.found) >= slaps:
                return

    async def _receive(self, message: dict[str, Any]) -> None:
        match message:
            case {"t": "ping", "k": k}:
                await self._send(t="pong", k=k, c_ms=_now_ms())
            case {"t": "clock", "seat": seat, "awaited": "turn", "left_ms": left} if left and seat < self._seats:
                await self._send(t="play", n=self._n, seat=seat)
            case {"t": "event", "e": {"e": "played", "n": n}}:
                self._n = n
                if self._probe.on:  # the slap before was not answered as expected: by no burned card
                    self._forget()
                if self._slapping is None:
                    self._slapping = asyncio.create_task(self._slap(n))
            case {"t": "event", "e": {"e": "burned"}} if self._probe.on:
                self._burned += 1
                if self._burned == self._seats:
                    found = self._probe.end()
                    self.found.append(found._replace(us=found.us / self._seats))
                    self._slapping = None
            case {"t": "event", "e": {"e": "taken"}} | {"t": "refused" | "late"} if self._probe.on:
                self._forget()

    def _forget(self) -> None:
        self._probe.end()
        self._slapping = None

    async def _slap(self, n: int) -> None:
        await asyncio.sleep(AFTER_S)
        painted_ms = _now_ms() - AFTER_S * 1000
        await asyncio.sleep(0.02)
        self._serial += 1
        self._burned, pressed_ms = 0, _now_ms()
        self._probe.begin()
        for seat in range(self._seats):
            await self._send(t="slap", n=n, p_ms=painted_ms, t_ms=pressed_ms, s=self._serial, seat=seat)

    async def _send(self, **message: Any) -> None:
        await self._socket.send_json(message)


def _now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000


async def slaps_at(url: str, probe: Probe, slaps: int, seats: int) -> list[Slap]:
    """Wrong slaps at new tables of a server, by so many seats of one page: one against two bots, or all of them."""
    found: list[Slap] = []
    while len(found) < slaps:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            choices = {"bots": 2} if seats == 1 else {"bots": 0, "wait": True}
            joined = [await (await session.post(f"{url}api/rooms", json={"name": "Ana", **choices})).json()]
            room = f"{url}api/rooms/{joined[0]['room']}"
            for number in range(1, seats):
                joined.append(await (await session.post(f"{room}/seats", json={"name": f"Ana {number}"})).json())
            players = [each["player_id"] for each in joined]
            async with session.ws_connect(f"{room}/socket") as socket:
                await socket.send_json({"t": "hello", "page": "x" * 20, "player_ids": players})
                if seats > 1:
                    await socket.send_json({"t": "start"})
                player = Player(socket, probe, seats)
                await player.play(min(CARDS, slaps - len(found)))
                found += player.found
    return found


async def measured(probe: Probe, log: EventLog[Entry], clock: Clock, slaps: int, seats: int) -> list[Slap]:
    """So many slaps at a server with this log and clock, by so many seats at once."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text("")
        app = make_app(log, clock, StaticFiles(Path(folder)))
        try:
            async with listening(app, "127.0.0.1", 0) as address:
                return await slaps_at(address.replace("localhost", "127.0.0.1"), probe, slaps, seats)
        finally:
            log.close()


def measure(counting: bool, slaps: int) -> list[Slap]:
    """So many slaps of the version that is imported: counted on a real server, or timed on a manual clock."""
    probe = Probe(counting)
    if not counting:
        clock = ManualClock(1_000_000)
        with asyncio.Runner(loop_factory=lambda: manual_loop(clock)) as runner:
            return runner.run(measured(probe, MemoryLog[Entry](), clock, slaps, TOGETHER))
    with tempfile.TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "log.sqlite3", Codec[Entry](Entry), "full")
        return asyncio.run(measured(probe, log, SystemClock(), slaps, 1))


def child(root: Path, counting: bool, slaps: int) -> Slap:
    """The median slap of a checkout, measured in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "--child", "--slaps", str(slaps), *(["--count"] * counting)]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WITHIN_S + 30, check=False)
    if ended.returncode:
        raise RuntimeError(f"{root}: {ended.stderr.strip().splitlines()[-1:]}")
    return Slap(*json.loads(ended.stdout))


def main(
    against: Annotated[
        Path | None, typer.Option(help="Another checkout, whose slap is timed in turn with ours.")
    ] = None,
    slaps: Annotated[int, typer.Option(min=1, help="How many slaps are counted.")] = SLAPS,
    rounds: Annotated[int, typer.Option(min=1, help="How often each version's slaps are timed.")] = ROUNDS,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    is_child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    count: Annotated[bool, typer.Option("--count", hidden=True)] = False,
) -> None:
    """Measure the path of a wrong slap between its socket and the reply, and the event loop's CPU time."""
    if against and not (against / "src" / "ratscrew").is_dir():
        raise typer.BadParameter(f"{against} is no checkout: it has no src/ratscrew")
    if is_child:
        found = measure(count, slaps)
        print(json.dumps([median(values) for values in zip(*found, strict=True)]))
        return
    path = child(ROOT, True, slaps)
    timed = min(TIMED, slaps * 3)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(child(ROOT, False, timed).us)
        if against:
            theirs.append(child(against, False, timed).us)
    result: dict[str, float] = {
        "calls": path.calls,
        "functions": path.functions,
        "files": path.files,
        "us": median(ours),
    }
    if theirs:
        result |= {"us_against": median(theirs), "ratio": median(ours) / median(theirs)}
    if as_json:
        print(json.dumps(result))
        return
    print(f"{path.calls:.0f} calls, {path.functions:.0f} functions, {path.files:.0f} files; {median(ours):.0f} us")
    if theirs:
        print(f"{against}: {median(theirs):.0f} us; ours take {median(ours) / median(theirs):.2f} of it")


if __name__ == "__main__":
    typer.run(main)
