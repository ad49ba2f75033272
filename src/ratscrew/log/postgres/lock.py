"""Marks a log in PostgreSQL as used, so that a second server is not started on it by mistake.

It is an advisory lock of a connection. PostgreSQL releases it when the process or the connection ends, also if
PostgreSQL itself is restarted; it is not taken again. So nothing depends on it: the fence keeps the log right.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.session import RETRY_PAUSE_S, connect, unreachable

SERVER_LOCK = int.from_bytes(b"ratscrew") + 1
"""The advisory lock of the process that uses a log."""


@contextmanager
def lock_log(address: PostgresAddress, wait_s: float = 0, shared: bool = False) -> Iterator[None]:
    """Take the lock of a log for this process, waiting at most `wait_s` seconds.

    The nodes of a cluster share it (`shared`): it keeps out everything that uses the log alone.

    Raises: LogError if another process has the lock, or PostgreSQL cannot be reached.
    """
    until_s = time.monotonic() + wait_s
    try:
        session = connect(address)
    except psycopg.Error as error:
        raise unreachable(address, error) from error
    try:
        while True:
            try:
                (locked,) = session.execute(_TRY_SHARED if shared else _TRY, (SERVER_LOCK,)).fetchone() or (False,)
            except psycopg.Error as error:
                raise unreachable(address, error) from error
            if locked:
                break
            if time.monotonic() >= until_s:
                raise LogError(
                    f"another Ratscrew is using {address}: stop it; a server can wait for its end with "
                    "--takeover SECONDS"
                )
            time.sleep(RETRY_PAUSE_S)
        yield
    finally:
        session.close()


_TRY = "SELECT pg_try_advisory_lock(%s)"
_TRY_SHARED = "SELECT pg_try_advisory_lock_shared(%s)"
