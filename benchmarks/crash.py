"""Whether a server that is killed at any moment has stored everything that it sent.

    python -m benchmarks.crash [--kills 200] [--seed 1] [--durability process|full] [--json]

The server is the real one, `ratscrew serve`, in a process of its own on a file of its own. Simulated players and bots
play in several rooms, faster than real time; clients connect, disconnect, reconnect with their state, join, leave and
watch. The process is killed (SIGKILL) at random moments: while it starts, milliseconds later, or during play. After
each kill it starts again on the same file. At the end all clients reconnect with nothing but their cookies, every room
must continue, and all events that any client received are compared with the log.
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
from ratscrew.table.record.entries import Entry

SPEED = "16"
"""How many times faster than real time the tables play."""

TABLES = ((2, 1), (4, 0), (1, 3), (3, 0), (2, 2))
"""The players and bots at the first tables."""

MAX_ROOMS, MAX_CLIENTS = 10, 48
"""The most rooms and clients; those who leave are replaced by others."""

SERVER_LIFE_S = 3.0
"""The longest life of a server after all tables are open; one in ten servers lives less than a hundredth of it."""

EARLY_KILL_SHARE, EARLY_KILL_S = 0.1, (0.0, 1.0)
"""The share of servers that are killed during start-up, and how soon: mostly before they listen."""

ACTION_EVERY_S = (0.005, 0.1)
"""The bounds of the time between two actions."""

RECOVERY_S = 60.0
"""The timeout for opening all tables, and for every room to continue after the last start."""


class Server:
    """A server process on the file."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, file: Path, durability: str | None) -> Server:
        """Start a process; it does not listen yet."""
        program = Path(sys.executable).with_name("ratscrew")
        options = ["--port", "0", "--speed", SPEED, "--data", str(file)]
        more = ["--durability", durability] if durability else []
        return cls(
            await asyncio.create_subprocess_exec(program, "serve", *options, *more, stdout=asyncio.subprocess.PIPE)
        )

    async def port(self) -> int:
        """The port, once it listens.

        Raises: ChildProcessError if it ends first.
        """
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            if line.startswith(b"Ratscrew is at "):
                return int(line.rstrip(b"/\n").rpartition(b":")[2])
        raise ChildProcessError("the server has ended without being killed")

    def memory_kb(self) -> float:
        """The resident memory of the process."""
        size = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return size * resource.getpagesize() / 1024

    async def kill(self) -> None:
        """Kill it at once, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        assert self._process.stdout
        with suppress(RuntimeError):  # another task is reading, and gets the end of the output
            await self._process.stdout.read()  # only then its pipe is closed


class StressClients:
    """All clients, and their random actions on one server after the other."""

    def __init__(self, rng: Random) -> None:
        self.received, self.clients = ReceivedEvents(), list[StressClient]()
        self._rng = rng
        self._names = iter(range(sys.maxsize))

    @property
    def rooms(self) -> list[str]:
        """The codes of all rooms with clients."""
        return list(dict.fromkeys(client.credentials.room for client in self.clients))

    async def run_until_server_dies(self, port: int) -> None:
        """Reconnect all clients, and let them play, connect and disconnect until the server dies."""
        await connect_all(self.clients, port)
        with suppress(ClientError, OSError):
            async with ClientSession(f"http://127.0.0.1:{port}") as session:
                while True:
                    await self._random_action(session, port)
                    await asyncio.sleep(self._rng.uniform(*ACTION_EVERY_S))

    async def wait_closed(self) -> None:
        """Wait until all messages of the killed server are received."""
        await asyncio.gather(*(client.wait_closed() for client in self.clients))

    async def reconnect_without_state(self, port: int) -> None:
        """Reconnect all clients with their cookies only, and wait until every room continues, or for the timeout."""
        for client in self.clients:
            client.reset()
        await connect_all(self.clients, port)
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_S):
                while rooms_lost(self.clients):
                    await asyncio.sleep(0.05)

    async def _random_action(self, session: ClientSession, port: int) -> None:
        """Connect, disconnect or reconnect a client at random; first open all tables."""
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
        """How many other clients have seats in this client's room: with one player alone a room waits, as it should."""
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
    """Kill this many servers, and compare the log; the seed fixes moments and actions."""
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
    parser = argparse.ArgumentParser(description="Kill servers, and check that nothing they sent is lost.")
    parser.add_argument("--kills", type=int, default=200, help="how many servers to kill (200)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the seed of the moments (random)")
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
