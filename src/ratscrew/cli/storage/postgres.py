"""Opens a log in PostgreSQL, and `ratscrew migrate`. The client library is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ratscrew.cli.terminal import echo
from ratscrew.cluster.records import NodeIdentity
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import EventLog
from ratscrew.table.record.entries import Entry

if TYPE_CHECKING:
    from ratscrew.cluster.directory import ClusterDirectory
    from ratscrew.log.postgres.reader import PostgresReader
    from ratscrew.web.cluster.cluster import Cluster
    from ratscrew.web.edge.socket_passing import WorkerGroup

INSTALL = "pip install 'ratscrew[postgres]'"


@contextmanager
def open_reader(address: PostgresAddress) -> Iterator[PostgresReader[Entry]]:
    """Open a log for reading.

    Raises: LogError if PostgreSQL cannot be reached, or its tables are not those of this version.
    """
    with _needs_psycopg():
        from ratscrew.log.postgres.reader import PostgresReader
    with closing(PostgresReader(address, Codec[Entry](Entry))) as log:
        yield log


@contextmanager
def open_locked(address: PostgresAddress, wait_s: float = 0) -> Iterator[EventLog[Entry]]:
    """Open a log for writing that no other process uses, waiting for that at most `wait_s` seconds.

    Raises: LogError if another process uses it, PostgreSQL cannot be reached, or its tables are not those of this
    version.
    """
    with _needs_psycopg():
        from ratscrew.log.postgres.event_log import PostgresLog
        from ratscrew.log.postgres.lock import lock_log
    with lock_log(address, wait_s), closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        yield log


@contextmanager
def open_beside(address: PostgresAddress) -> Iterator[EventLog[Entry]]:
    """Open a log beside the servers that use it. Only its values may be written.

    Raises: LogError if PostgreSQL cannot be reached, or its tables are not those of this version.
    """
    with _needs_psycopg():
        from ratscrew.log.postgres.event_log import PostgresLog
    with closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        yield log


@contextmanager
def open_shared(
    address: PostgresAddress, identity: NodeIdentity, wait_s: float = 0, group: WorkerGroup | None = None
) -> Iterator[Cluster]:
    """Open a log for writing that other nodes of a cluster use too, as a node that is not registered yet. It waits at
    most `wait_s` seconds for a process that uses the log alone, and as long for another one with its name.

    With a `group` the node is one of the workers of a machine.

    Raises: LogError if a process uses it alone, PostgreSQL cannot be reached, or its tables are not those of this
    version.
    """
    with _needs_psycopg():
        from ratscrew.cluster.directory import ClusterDirectory
        from ratscrew.log.postgres.event_log import PostgresLog
        from ratscrew.log.postgres.lock import lock_log
    from ratscrew.cluster.node import ClusterNode
    from ratscrew.web.cluster.cluster import Cluster

    with lock_log(address, wait_s, shared=True), closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        node = ClusterNode(ClusterDirectory(address, identity), takeover_s=wait_s)
        yield Cluster(node, log, group, lambda: log.counts)


@contextmanager
def open_directory(address: PostgresAddress) -> Iterator[ClusterDirectory]:
    """Open the directory of a cluster, to read it and to drain nodes.

    Raises: LogError if PostgreSQL cannot be reached, or its tables are not those of this version.
    """
    with _needs_psycopg():
        from ratscrew.cluster.directory import ClusterDirectory
    with closing(ClusterDirectory(address, NodeIdentity("", "", "", ""))) as directory:
        yield directory


def rewrite(address: PostgresAddress) -> None:
    """Rewrite the tables, so that no deleted data remains in their unused parts.

    Raises: LogError if that fails.
    """
    with _needs_psycopg():
        from ratscrew.log.postgres import purge
    purge.rewrite(address)


def migrate(address: PostgresAddress) -> None:
    """Create or upgrade the tables in a database, and print what was done.

    Raises: LogError if that is not possible.
    """
    with _needs_psycopg():
        from ratscrew.log.postgres import schema
    before, now = schema.migrate(address)
    done = {0: "the tables are created", now: "the tables are up to date"}
    echo(f"{address}: {done.get(before, f'the tables are upgraded from schema {before}')} (schema {now})")


@contextmanager
def _needs_psycopg() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise RatscrewError(f"a log in PostgreSQL needs the package psycopg: {INSTALL} ({error})") from error
