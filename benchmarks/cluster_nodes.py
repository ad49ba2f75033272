"""The nodes of a cluster on this machine, each a process of its own, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import LiteralString

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.ports import free_port
from ratscrew.testing.postgres_server import PostgresServer

FOUND = b"Ratscrew is at "
"""What a server prints in front of its address when it is ready."""

WITHIN_S = 30.0
"""How long a draining node may take to give its rooms away, and a killed one to be forgotten."""

_PROGRAM = Path(sys.executable).with_name("ratscrew")
_GUARD = """
read -r _
kill -KILL "$0" 2> /dev/null
"""
"""Kills a process when the pipe to this one is closed: also if this one is killed."""


class NodeProcess:
    """One node, at the same address in each of its lives."""

    def __init__(self, name: str, address: PostgresAddress, speed: float) -> None:
        """`speed` is how many times faster than real time its tables play."""
        port = free_port()
        self.name, self.url = name, f"http://127.0.0.1:{port}"
        self._log = address
        self._options = ["--node", name, "--public-url", self.url, "--port", str(port), "--speed", f"{speed:g}"]
        self._process: asyncio.subprocess.Process | None = None
        self._guard: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start a process, and wait until it is ready for players.

        Raises: ChildProcessError if it ends first; it has printed the reason.
        """
        pipe = asyncio.subprocess.PIPE
        serve: list[str | Path] = [_PROGRAM, "serve", "--log", self._log.url, *self._options]
        process = self._process = await asyncio.create_subprocess_exec(*serve, stdout=pipe)
        self._guard = await asyncio.create_subprocess_exec("sh", "-c", _GUARD, str(process.pid), stdin=pipe)
        assert process.stdout
        while line := await process.stdout.readline():
            if line.startswith(FOUND):
                return
        raise ChildProcessError(f"node {self.name} has ended by itself")

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        assert self._process
        self._process.send_signal(number)

    async def wait_ended(self) -> None:
        """Wait until the process has ended."""
        assert self._process
        assert self._process.stdout
        await self._process.stdout.read()
        await self._process.wait()
        await self._end_guard()

    async def drain(self, postgres: PostgresServer) -> None:
        """Have the node give its rooms away, wait until it has none, and stop it.

        Raises: TimeoutError if it keeps a room; ChildProcessError if the command fails.
        """
        command = await asyncio.create_subprocess_exec(
            _PROGRAM, "drain", self.name, "--log", self._log.url, stdout=asyncio.subprocess.DEVNULL
        )
        if await command.wait():
            raise ChildProcessError(f"node {self.name} cannot be drained")
        owned = "SELECT FROM ratscrew.room WHERE owner = %s AND lease_until > now() LIMIT 1"
        await self._wait_for_none(owned, postgres)
        self.send(signal.SIGTERM)
        await self.wait_ended()

    async def wait_forgotten(self, postgres: PostgresServer) -> None:
        """Wait until a killed node may be started again: the name is its own until its lease has expired."""
        await self._wait_for_none("SELECT FROM ratscrew.node WHERE name = %s AND alive_until > now()", postgres)

    async def _wait_for_none(self, asked: LiteralString, postgres: PostgresServer) -> None:
        """Wait until the directory has no row of this node. Raises: TimeoutError."""
        database = self._log.url.partition("?")[0].rpartition("/")[2]
        async with asyncio.timeout(WITHIN_S):
            while await asyncio.to_thread(postgres.execute, asked, self.name, database=database):
                await asyncio.sleep(0.1)

    async def _end_guard(self) -> None:
        if self._guard:
            self._guard.kill()  # first: or it might end another process with this number
            await self._guard.wait()
            self._guard = None

    async def close(self) -> None:
        """Kill the process, if it runs."""
        if self._process and self._process.returncode is None:
            self.send(signal.SIGKILL)
        if self._process:
            await self.wait_ended()


@asynccontextmanager
async def running(count: int, address: PostgresAddress, speed: float) -> AsyncIterator[list[NodeProcess]]:
    """So many nodes of one cluster, ready for players; they end at the end."""
    nodes = [NodeProcess(f"n{number}", address, speed) for number in range(1, count + 1)]
    async with AsyncExitStack() as stack:
        for node in nodes:
            stack.push_async_callback(node.close)
        await asyncio.gather(*(node.start() for node in nodes))
        yield nodes
