"""Whether a server that is killed at any moment has kept everything that it ever told anybody.

    python -m benchmarks.crash [--kills 200] [--seed 1] [--durability process|full] [--json]

The server is the real one, `ratscrew serve`, in a process of its own on a file of its own. People and bots play in
several rooms, faster than life; pages come, go, come back with what they have, join, leave and watch. The process is
killed (SIGKILL) at random: while it starts, milliseconds after, or in the middle of play. After each kill it starts on
the same file. In the end everybody comes with nothing but his cookie, every room has to go on, and everything that any
page was ever told is compared with the log.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import uvloop
from aiohttp import ClientError, ClientSession

from benchmarks.credentials import Credentials
from benchmarks.stress_client import ReceivedEvents, StressClient, connect_all, rooms_lost
from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.records.entries import Entry

SPEED = "16"
"""How many times as fast as life the tables play."""

TABLES = ((2, 1), (4, 0), (1, 3), (3, 0), (2, 2))
"""How many people and bots sit at the first tables."""

MAX_ROOMS, MAX_CLIENTS = 10, 48
"""So many rooms and pages there are in the end; leaving makes room for others."""

SERVER_LIFE_S = 3.0
"""How long a server lives at most once it listens and all tables are there; one in ten lives less than a hundredth."""

EARLY_KILL_SHARE, EARLY_KILL_S = 0.1, (0.0, 1.0)
"""The share of the servers that are killed so soon after their process has begun, mostly before they listen."""

ACTION_EVERY_S = (0.005, 0.1)
"""How soon after each other pages come and go."""

RECOVERY_S = 60.0
"""Within this the tables are there after the first start, and every room has to go on after the last."""


class Server:
    """A process that serves the file."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, file: Path, durability: str | None) -> Server:
        """Begin a process; it does not listen yet."""
        program = Path(sys.executable).with_name("ratscrew")
        options = ["--port", "0", "--speed", SPEED, "--data", str(file)]
        more = ["--durability", durability] if durability else []
        return cls(
            await asyncio.create_subprocess_exec(program, "serve", *options, *more, stdout=asyncio.subprocess.PIPE)
        )

    async def port(self) -> int:
        """Its port, once it listens.

        Raises: ChildProcessError if it ends before.
        """
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            if line.startswith(b"Ratscrew is at "):
                return int(line.rstrip(b"/\n").rpartition(b":")[2])
        raise ChildProcessError("the server has ended by itself")

    def memory_kb(self) -> float:
        """How much memory it has."""
        size = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return size * resource.getpagesize() / 1024

    async def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        assert self._process.stdout
        with suppress(RuntimeError):  # another task is reading, and gets the end of the output
            await self._process.stdout.read()  # only then its pipe is closed


class StressClients:
    """All pages, and what they do on one server after the other."""

    def __init__(self, rng: Random) -> None:
        self.received, self.clients = ReceivedEvents(), list[StressClient]()
        self._rng = rng
        self._names = iter(range(sys.maxsize))

    @property
    def rooms(self) -> list[str]:
        """The codes of all rooms that anybody was told of."""
        return list(dict.fromkeys(client.credentials.room for client in self.clients))

    async def run_until_server_dies(self, port: int) -> None:
        """Everybody comes back, and they play, come and go until the server dies."""
        await connect_all(self.clients, port)
        with suppress(ClientError, OSError):
            async with ClientSession(f"http://127.0.0.1:{port}") as session:
                while True:
                    await self._random_action(session, port)
                    await asyncio.sleep(self._rng.uniform(*ACTION_EVERY_S))

    async def wait_closed(self) -> None:
        """The server is dead: hear what is still on the way from it."""
        await asyncio.gather(*(client.wait_closed() for client in self.clients))

    async def reconnect_without_state(self, port: int) -> None:
        """Everybody comes with his cookie only, and waits until every room goes on, but not for ever."""
        for client in self.clients:
            client.reset()
        await connect_all(self.clients, port)
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_S):
                while rooms_lost(self.clients):
                    await asyncio.sleep(0.05)

    async def _random_action(self, session: ClientSession, port: int) -> None:
        """Somebody comes, goes or comes back; first of all there have to be tables."""
        rooms, full = self.rooms, len(self.clients) >= MAX_CLIENTS
        if len(rooms) < len(TABLES) or (len(rooms) < MAX_ROOMS and self._rng.random() < 0.01):
            await self._open(session, port, *TABLES[len(rooms) % len(TABLES)])
            return
        client = self._rng.choice(self.clients)
        what = self._rng.random()
        if what < 0.06 and not full:
            await self._join(session, port, client.credentials.room)
        elif what < 0.1 and not full:
            await self._connect(port, Credentials(client.credentials.room))
        elif what < 0.16 and self._other_seats(client) >= 2:
            client.leave()
            self.clients.remove(client)
        else:
            client.close()
            await client.connect(port)

    def _other_seats(self, client: StressClient) -> int:
        """How many who have seats stay in a page's room: a room that all but one have left waits, and rightly."""
        room = [
            other.credentials
            for other in self.clients
            if other is not client and other.credentials.room == client.credentials.room
        ]
        return sum(credentials.player_id is not None for credentials in room)

    async def _open(self, session: ClientSession, port: int, people: int, bots: int) -> None:
        body = {"name": self._name(), "bots": bots, "wait": True}
        async with session.post("/api/rooms", json=body) as response:
            host = StressClient(self.received, self._rng, await Credentials.from_response(response))
        self.clients.append(host)
        for _ in range(people - 1):
            await self._join(session, port, host.credentials.room)
        await host.connect(port)

    async def _join(self, session: ClientSession, port: int, room: str) -> None:
        async with session.post(f"/api/rooms/{room}/seats", json={"name": self._name()}) as response:
            if response.status == 201:
                await self._connect(port, await Credentials.from_response(response))

    async def _connect(self, port: int, credentials: Credentials) -> None:
        self.clients.append(client := StressClient(self.received, self._rng, credentials))
        await client.connect(port)

    def _name(self) -> str:
        return f"Guest {next(self._names)}"


async def run(kills: int, seed: int, durability: str | None, file: Path) -> dict[str, Any]:
    """Kill so many servers, and see what is left; the seed fixes the moments, and what pages mean to do."""
    rng, clients, began = Random(seed), StressClients(Random(seed + 1)), time.monotonic()
    for _ in range(kills):
        server = await Server.start(file, durability)
        if rng.random() < EARLY_KILL_SHARE:
            await asyncio.sleep(rng.uniform(*EARLY_KILL_S))
            await server.kill()
            continue
        running = asyncio.create_task(clients.run_until_server_dies(await server.port()))
        async with asyncio.timeout(RECOVERY_S):
            while len(clients.rooms) < len(TABLES):
                await asyncio.sleep(0.01)
        await asyncio.sleep(SERVER_LIFE_S * rng.random() ** 2)
        await server.kill()
        await clients.wait_closed()
        await running
    async with AsyncExitStack() as stack:
        server = await Server.start(file, durability)
        stack.push_async_callback(server.kill)
        await clients.reconnect_without_state(await server.port())
        lost = rooms_lost(clients.clients)
    await clients.wait_closed()
    log = SqliteLog(file, Codec[Entry](Entry))
    try:
        found = clients.received.compare(log)._asdict()
    finally:
        log.close()
    more = {"gaps": clients.received.gaps, "rooms": len(clients.rooms), "seconds": round(time.monotonic() - began, 1)}
    return {"kills": kills, **found, "rooms_lost": len(lost), **more}


def main() -> None:
    """Kill, compare and print."""
    parser = argparse.ArgumentParser(description="Kill servers, and see whether anything that they told is lost.")
    parser.add_argument("--kills", type=int, default=200, help="how many servers are killed (200)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the moments; without one, any")
    parser.add_argument("--durability", choices=("process", "full"), help="as of `ratscrew serve`")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with (
        TemporaryDirectory(prefix="ratscrew-benchmark-") as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        file = Path(folder) / "log.sqlite3"
        try:
            found = runner.run(run(arguments.kills, arguments.seed, arguments.durability, file))
        except (LogError, ChildProcessError) as error:
            sys.exit(f"seed {arguments.seed}: {error}")
    found["seed"] = arguments.seed
    print(json.dumps(found) if arguments.json else "\n".join(f"{name}: {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
