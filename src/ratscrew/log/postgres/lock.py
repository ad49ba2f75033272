"""Marks a log in PostgreSQL as used, so that a second server is not started on it by mistake.

It is an advisory lock of a connection. PostgreSQL releases it when the process or the connection ends, also if
PostgreSQL itself is restarted; it is not taken again. So nothing depends on it: the fence keeps the log right.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.session import RETRY_PAUSE_S, Session, connect, unreachable

SERVER_LOCK = int.from_bytes(b"ratscrew") + 1
"""The advisory lock of the process that uses a log."""

POOLER_ROUNDS = 3
"""How often two connections take turns to show whether a pooler swaps their sessions."""


@contextmanager
def lock_log(address: PostgresAddress, wait_s: float = 0, shared: bool = False) -> Iterator[None]:
    """Take the lock of a log for this process, waiting at most `wait_s` seconds.

    The nodes of a cluster share it (`shared`): it keeps out everything that uses the log alone.

    Raises: LogError if another process has the lock, PostgreSQL cannot be reached, or a pooler in between does not
    keep sessions.
    """
    until_s = time.monotonic() + wait_s
    try:
        session = connect(address)
    except psycopg.Error as error:
        raise unreachable(address, error) from error
    try:
        check_not_pooled(address, session)
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


def check_not_pooled(address: PostgresAddress, session: Session) -> None:
    """Check that a connection has a session of PostgreSQL of its own.

    A pooler in transaction mode gives each transaction any session that is free, so settings, locks and prepared
    statements belong to nobody. Two connections show it: while one is in a transaction, the other gets another session,
    and afterwards they take what was released last.

    Raises: LogError if it has not, or PostgreSQL cannot be reached.
    """
    try:
        with closing(connect(address)) as other:
            seen: dict[Session, set[int]] = {session: set(), other: set()}
            for first, second in [(session, other), (other, session)] * POOLER_ROUNDS:
                with first.transaction():
                    for each in (first, second):
                        seen[each] |= {pid for (pid,) in each.execute(_PID, prepare=False)}
    except psycopg.Error as error:
        raise unreachable(address, error) from error
    if any(len(pids) > 1 for pids in seen.values()) or seen[session] & seen[other]:
        raise LogError(
            f"{address} is a pooler that shares connections between transactions, and games would be lost: set it to "
            "session mode (pgbouncer: pool_mode = session), or name PostgreSQL's own address with --log"
        )


_PID = "SELECT pg_backend_pid()"
_TRY = "SELECT pg_try_advisory_lock(%s)"
_TRY_SHARED = "SELECT pg_try_advisory_lock_shared(%s)"
