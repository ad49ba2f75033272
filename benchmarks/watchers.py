"""What a thousand watchers of one table cost its players: the same table with and without them, in turns.

    python -m benchmarks.watchers [--watchers N] [--seconds S] [--rounds R] [--tables T] [--json]

One server with its log on disk; `T` tables of four simulated players each, and watchers of the first of them, in a
process of their own. Their addresses differ from the players', so they are its audience
(`table/room/audience.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from benchmarks.checkout_server import CheckoutServer
from benchmarks.counting_socket import CountingSocket, Tally, open_counting_socket
from benchmarks.dialects import PRESENT
from benchmarks.four_players import FourPlayers, Language, take_seats
from benchmarks.loop_lag import LoopLag, summarize
from benchmarks.simulated_player import TEXT, frame

CONNECT_AT_ONCE = 20
ROOT = Path(__file__).parents[1]
WAITED = ("play", "wrong slap")
SETTLE_S = 4.0
"""From the beginning of the games to the first measurement, which a shorter measurement shortens too."""

_K = len('{"t":"ping","k":')


class Watchers:
    """The pages of watchers: each answers pings, and counts the events that it gets."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.sockets: list[CountingSocket] = []
        self.snapshots = 0

    async def open(self, port: int, room: str, count: int) -> None:
        """Connect so many, and wait until each has its snapshot."""
        slots = asyncio.Semaphore(CONNECT_AT_ONCE)

        async def one() -> None:
            async with slots:
                self.sockets.append(await self._connect(port, room))

        await asyncio.gather(*(one() for _ in range(count)))
        async with asyncio.timeout(60):
            while self.snapshots < count:
                await asyncio.sleep(0.05)

    async def _connect(self, port: int, room: str) -> CountingSocket:
        def handle(kind: bytes, body: bytes, _: float) -> None:
            if kind == b"ping":
                socket.send(b"pong", frame(TEXT, b'{"t":"pong","k":%s,"c_ms":1}' % body[_K : body.index(b",", _K)]))
            elif kind == b"welcome":
                self.snapshots += 1

        address = f"127.0.0.{random.randint(2, 254)}"
        language = Language(PRESENT)
        socket = await open_counting_socket(port, self.tally, language.kind_of, handle, room, "", address)
        socket.send(b"hello", frame(TEXT, msgspec.json.encode({"t": "hello", "player_ids": []})))
        return socket


async def watch() -> None:
    """The process of the watchers: `open PORT ROOM COUNT`, `close` and `count` on standard input."""
    loop, watchers = asyncio.get_running_loop(), Watchers()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().split():
        match line:
            case ["open", port, room, count]:
                await watchers.open(int(port), room, int(count))
            case ["close"]:
                for socket in watchers.sockets:
                    socket.close()
                await asyncio.sleep(1)
                watchers = Watchers()
        received = sum(count for count, _ in watchers.tally.received.values())
        print(json.dumps({"messages": received, "snapshots": watchers.snapshots}), flush=True)


class WatchersProcess:
    """The other end of `watch`."""

    async def start(self) -> None:
        """Start the process."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.watchers",
            "--watch",
            stdin=pipe,
            stdout=pipe,
            cwd=Path(__file__).parents[1],
        )

    async def ask(self, *words: object) -> Any:
        """Send a command and get the reply."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        return json.loads(await asyncio.wait_for(self._process.stdout.readline(), 120))

    async def end(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 10)


async def measure(watchers: int, seconds: float, rounds: int, tables: int) -> dict[str, Any]:
    """Measure without and with watchers, in turns."""
    server, others, tally = CheckoutServer("process"), WatchersProcess(), Tally()
    lag = LoopLag()
    try:
        await others.start()
        seats = [await take_seats(server.port, PRESENT) for _ in range(tables)]
        rooms = [FourPlayers(tally, Language(PRESENT), each) for each in seats]
        for room in rooms:
            await room.connect(server.port)
            room.begin(random.random())
        await asyncio.sleep(min(SETTLE_S, seconds))
        found: dict[bool, dict[str, list[float]]] = {on: {"delays": [], "cpu": [], "late": []} for on in (False, True)}
        rate = 0.0
        for _ in range(rounds):
            for on in (False, True):
                if on:
                    await others.ask("open", server.port, seats[0].credentials[0].room, watchers)
                    await asyncio.sleep(2)
                before, count = server.usage(), await others.ask("count")
                await server.report()
                for delays in tally.delays_ms.values():
                    delays.clear()
                lag.take()
                await asyncio.sleep(seconds)
                while not any(tally.delays_ms[what] for what in WAITED):  # a race may take all of a short time
                    await asyncio.sleep(0.1)
                after = server.usage()
                found[on]["delays"] += [ms for what in WAITED for ms in tally.delays_ms[what]]
                found[on]["cpu"].append((after.cpu_s - before.cpu_s) / (after.at_s - before.at_s) * 100)
                found[on]["late"] += (await server.report())["late_ms"]
                if on:
                    received = (await others.ask("count"))["messages"] - count["messages"]
                    rate += received / (after.at_s - before.at_s) / rounds
                    await others.ask("close")
        for room in rooms:
            room.close()
    finally:
        await others.end()
        server.close()
    waits = {on: summarize(found[on]["delays"]) for on in found}
    figures = {
        name: {
            "players_ms": waits[on],
            "server_late_ms": summarize(found[on]["late"]),
            "cpu_percent": sum(found[on]["cpu"]) / rounds,
        }
        for on, name in ((False, "without"), (True, "with"))
    }
    return {
        "watchers": watchers,
        "tables": tables,
        **figures,
        **{f"ratio_{each}": waits[True][each] / max(1e-9, waits[False][each]) for each in ("p50", "p99")},
        "messages_per_watcher_second": rate / max(1, watchers),
    }


def describe(found: dict[str, Any]) -> str:
    """The figures as text."""
    lines = [f"{found['watchers']} watchers of one of {found['tables']} tables"]
    for name in ("without", "with"):
        each = found[name]
        players, late = each["players_ms"], each["server_late_ms"]
        lines.append(
            f"{name:>8}: players wait {players['p50']:.2f} ms (median), {players['p99']:.2f} ms (p99), "
            f"{players['count']} messages; server late {late['p99']:.2f} ms, {each['cpu_percent']:.0f} % of a core"
        )
    lines.append(f"   ratio: {found['ratio_p50']:.2f} (median), {found['ratio_p99']:.2f} (p99)")
    lines.append(f"each watcher got {found['messages_per_watcher_second']:.1f} messages a second")
    return "\n".join(lines)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Players with and without watchers.")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--watch", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if arguments.watch:
            runner.run(watch())
            return
        found = runner.run(measure(arguments.watchers, arguments.seconds, arguments.rounds, arguments.tables))
    print(json.dumps(found) if arguments.json else describe(found))


if __name__ == "__main__":
    main()
