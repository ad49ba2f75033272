"""A pooler between the server and PostgreSQL: refused if it does not keep sessions."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import debian
from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.lock import lock_log

if TYPE_CHECKING:
    from ratscrew.testing.postgres_server import PostgresServer

STARTED_WITHIN_S = 30.0

SETTINGS = """
[databases]
* = host={folder} user=ratscrew
[pgbouncer]
pool_mode = {mode}
listen_addr =
unix_socket_dir = {folder}
listen_port = 6432
auth_type = any
ignore_startup_parameters = extra_float_digits
"""


@contextmanager
def pooler(server: PostgresServer, address: PostgresAddress, mode: str) -> Iterator[PostgresAddress]:
    """The address of a database behind pgbouncer, in the server's folder and as the server's user."""
    program = debian.find("pgbouncer")
    if program is None:
        pytest.skip("pgbouncer is not installed")
    folder = server.socket.parent
    settings = folder / f"pgbouncer-{mode}.ini"
    settings.write_text(SETTINGS.format(folder=folder, mode=mode))
    user = folder.stat().st_uid if os.geteuid() == 0 else None
    process = subprocess.Popen([program, "-q", settings], user=user, stderr=subprocess.DEVNULL)
    try:
        url = f"postgresql://ratscrew@/{conninfo_to_dict(address.url)['dbname']}?host={folder}&port=6432"
        until_s = time.monotonic() + STARTED_WITHIN_S
        while True:
            try:
                psycopg.connect(url).close()
                break
            except psycopg.OperationalError:
                assert time.monotonic() < until_s
                time.sleep(0.05)
        yield PostgresAddress(url)
    finally:
        process.terminate()
        process.wait()


def test_a_pooler_that_shares_connections_between_transactions_is_refused(
    postgres_server: PostgresServer, address: PostgresAddress
) -> None:
    with (
        pooler(postgres_server, address, "transaction") as pooled,
        pytest.raises(LogError, match="pool_mode = session"),
        lock_log(pooled),
    ):
        pass


def test_a_pooler_that_keeps_sessions_is_as_good_as_postgresql(
    postgres_server: PostgresServer, address: PostgresAddress
) -> None:
    with pooler(postgres_server, address, "session") as pooled, lock_log(pooled):
        pass
