"""All nodes of a cluster are replaced, one after the other, while players play: nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from benchmarks import cluster
from benchmarks.cluster import SPEED, Trial
from benchmarks.cluster_nodes import NodeProcess
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry, Owned
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.servers import Server, Servers

NAMES = ("a", "b", "c")
ROOMS = 3


class NodeHere(NodeProcess):
    """A node of the benchmark that runs in this process, which is faster."""

    def __init__(self, name: str, address: PostgresAddress, servers: Servers, running: dict[str, Server]) -> None:
        super().__init__(name, address, SPEED)
        self._servers, self._running, self._stack = servers, running, AsyncExitStack()

    async def start(self) -> None:
        """Start another server at the same address, of which the others know at once."""
        serving = self._servers.serving(self.name, port=urlsplit(self.url).port, clock=SystemClock(SPEED))
        self._running[self.name] = await self._stack.enter_async_context(serving)
        for server in self._running.values():
            await server.cluster._refresh()

    async def drain(self, postgres: PostgresServer) -> None:
        """Stop it as SIGTERM does."""
        await self._running.pop(self.name).cluster.drain()
        await self.close()

    async def close(self) -> None:
        """Stop it, if it runs."""
        await self._stack.aclose()


@pytest_asyncio.fixture
async def nodes(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[list[NodeHere]]:
    """Three nodes that know each other."""
    async with AsyncExitStack() as stack:
        servers, running = Servers(address, tmp_path, stack), dict[str, Server]()
        found = [NodeHere(name, address, servers, running) for name in NAMES]
        for node in found:
            stack.push_async_callback(node.close)
            await node.start()
        yield found


async def test_a_rolling_upgrade_under_load_loses_repeats_and_changes_nothing(
    nodes: list[NodeHere],
    address: PostgresAddress,
    postgres_server: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each node has rooms at the start, so each room moves at least once: its next owner's entry is in the log."""
    monkeypatch.setattr(cluster, "PLAY_S", 0)
    trial = Trial(nodes, postgres_server, 7)
    await trial.open_rooms(ROOMS)
    rooms = {page.credentials.room for page in trial.pages}
    try:
        for node in nodes:
            await trial.fail("drain", node)
        assert await trial.join_again() == set()
    finally:
        await trial.disconnect()
    with closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        found = await asyncio.to_thread(trial.told.compare_all, log)
        moved = {
            game[: game.index("-")] for game in log.games() if any(isinstance(e.event, Owned) for e in log.read(game))
        }
    assert found._replace(told=0) == (0, 0, 0, 0, 0)
    assert found.told > len(trial.pages) * len(nodes)
    assert (moved, len(rooms)) == (rooms, ROOMS)
