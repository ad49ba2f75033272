"""Directories of one cluster in a database of its own, and time that passes at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
import pytest_asyncio

from tests.log.conftest import address as address

if TYPE_CHECKING:
    from ratscrew.cluster.directory import ClusterDirectory
    from ratscrew.log.postgres.address import PostgresAddress
    from tests.cluster.servers import Server, Servers

OpenDirectory: TypeAlias = "Callable[..., ClusterDirectory]"

LEASE_S = 1000.0
"""So long that none expires by itself during a test."""


@pytest.fixture
def open_directory(address: PostgresAddress) -> Iterator[OpenDirectory]:
    """Opens the directory as a node of this name, which is registered unless told otherwise; closed in the end."""
    from ratscrew.cluster.directory import ClusterDirectory
    from ratscrew.cluster.records import NodeIdentity

    opened: list[ClusterDirectory] = []
    numbers = count()

    def open_one(
        name: str,
        register: bool = True,
        lease_s: float = LEASE_S,
        within_s: float = 30,
        at: PostgresAddress | None = None,
    ) -> ClusterDirectory:
        me = NodeIdentity(name, f"https://{name}.example.org", f"{name} {next(numbers)}", "1.0")
        directory = ClusterDirectory(at or address, me, lease_s, within_s)
        opened.append(directory)
        if register:
            directory.register()
            directory.announce()
        return directory

    yield open_one
    for directory in opened:
        directory.close()


@pytest_asyncio.fixture
async def servers(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[Servers]:
    """A cluster without nodes."""
    from tests.cluster.servers import Servers

    async with AsyncExitStack() as stack:
        yield Servers(address, tmp_path, stack)


def pass_time(address: PostgresAddress, seconds: float) -> None:
    """Have so much time pass, by moving every time in the directory into the past.

    Each row is a transaction of its own: nodes that are at work meanwhile lock several rows, in any order.
    """
    import psycopg

    by = f"make_interval(secs => {seconds:f})"
    with psycopg.connect(address.url, autocommit=True) as connection:
        for (name,) in connection.execute("SELECT name FROM ratscrew.room").fetchall():
            connection.execute(
                f"UPDATE ratscrew.room SET lease_until = lease_until - {by}, last_used = last_used - {by}, "
                f"fill_until = fill_until - {by}, reserved = ARRAY(SELECT each - {by} FROM unnest(reserved) AS each) "
                "WHERE name = %s",
                (name,),
            )
        for (name,) in connection.execute("SELECT name FROM ratscrew.node").fetchall():
            connection.execute(
                f"UPDATE ratscrew.node SET alive_until = alive_until - {by}, last_alive = last_alive - {by} "
                "WHERE name = %s",
                (name,),
            )


@pytest_asyncio.fixture
async def workers(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[tuple[Server, Server]]:
    """Two workers of one group, each also reached at a port of its own. The address of both is the first one's."""
    from ratscrew.web.edge.socket_passing import WorkerGroup
    from tests.cluster.servers import Servers

    async with AsyncExitStack() as stack:
        servers = Servers(address, tmp_path, stack)
        groups = [WorkerGroup(tmp_path, "w", 2, number) for number in (1, 2)]
        first = await servers.start("w.1", group=groups[0], lease_s=LEASE_S)
        yield first, await servers.start("w.2", group=groups[1], url=first.url, lease_s=LEASE_S)
