"""Connections to PostgreSQL: each wait has a deadline, and work that can be repeated survives a restart.

A connection that failed is closed, never used again. While PostgreSQL cannot be reached, new connections are tried
until the deadline.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import BoundedSemaphore, Lock
from typing import TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress

T = TypeVar("T")

MAX_OUTAGE_S = 15.0
"""How long reads and writes wait for a PostgreSQL that cannot be reached, as during a restart or a failover."""

RETRY_PAUSE_S = 0.1
"""The pause after an attempt to connect that failed; after a lost connection, the first attempt is made at once."""

CONNECT_TIMEOUT_S = 3
"""How long one attempt to connect may take for each address."""

MAX_SESSIONS = 4
"""How many connections a log uses at most, besides the one for appends."""

_DEFAULTS = {
    "application_name": "ratscrew",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "connect_timeout": str(CONNECT_TIMEOUT_S),
}
"""Parameters of a connection that the URL can override. They detect a host that went away within some ten seconds."""

_SETTINGS = """
SELECT set_config('synchronous_commit',
                  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                  ELSE current_setting('synchronous_commit') END, false),
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('idle_in_transaction_session_timeout', '10s', false),
       set_config('tcp_keepalives_idle', '5', false),
       set_config('tcp_keepalives_interval', '2', false),
       set_config('tcp_keepalives_count', '3', false),
       set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)
"""
"""Whatever the database's defaults are: what is acknowledged is on the disk, a statement sees what others have
committed, and a process that went away, or stopped in the middle of a transaction, does not hold its locks for long.
Our own deadline ends a statement, not the server's."""

_PASSING = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.ReadOnlySqlTransaction,
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.IdleInTransactionSessionTimeout,
)
"""Errors that leave nothing behind and pass: two writers in each other's way, a standby that is not promoted yet."""


class Session(psycopg.Connection[TupleRow]):
    """A connection whose waits end at `until_s`, on the clock of `time.monotonic`, with an OperationalError."""

    until_s = math.inf

    def wait(self, gen: PQGen[T], interval: float = RETRY_PAUSE_S, timeout: float | None = None) -> T:
        left_s = None if math.isinf(self.until_s) else max(0.0, self.until_s - time.monotonic())
        return super().wait(gen, interval, left_s if timeout is None else timeout)


def connect(address: PostgresAddress, until_s: float = math.inf) -> Session:
    """Connect once. Each statement is a transaction of its own.

    Raises: psycopg.Error if that fails.
    """
    parameters = {**_DEFAULTS, **conninfo_to_dict(address.url), "client_encoding": "UTF8"}
    session = Session.connect(make_conninfo("", **parameters), autocommit=True)
    try:
        session.until_s = until_s
        session.execute(_SETTINGS)
    except BaseException:
        session.close()
        raise
    return session


def is_lost(session: Session, error: psycopg.Error) -> bool:
    """Whether an error is about the connection or passes by itself, so that another attempt makes sense.

    Otherwise the server refused the statement, which changed nothing.
    """
    # the base class itself, without an SQLSTATE, is raised for a broken connection and for a deadline
    return (
        session.closed
        or isinstance(error, _PASSING)
        or (isinstance(error, errors.OperationalError) and error.sqlstate is None)
    )


def unreachable(address: PostgresAddress, error: Exception) -> LogError:
    """The error for a PostgreSQL that does not answer."""
    return LogError(f"{address}: PostgreSQL cannot be reached: {one_line(error)}")


def one_line(error: Exception) -> str:
    """The message of an error of PostgreSQL or its client library in one line."""
    return " ".join(str(error).split()) or type(error).__name__


class SessionPool:
    """At most MAX_SESSIONS connections, each for one thread at a time. They are opened when they are needed."""

    def __init__(self, address: PostgresAddress) -> None:
        self._address = address
        self._free = BoundedSemaphore(MAX_SESSIONS)
        self._idle: list[Session] = []
        self._lock, self._closed = Lock(), False

    def run(self, work: Callable[[Session], T], within_s: float = MAX_OUTAGE_S) -> T:
        """The result of `work` with a connection; after a lost connection it is called again with another one.

        So `work` can be repeated without harm, even if it was done and only its answer was lost.

        Raises: LogError if PostgreSQL refuses it, or cannot be reached for so long.
        """
        until_s = time.monotonic() + within_s
        if not self._free.acquire(timeout=within_s):
            raise LogError(f"{self._address}: all {MAX_SESSIONS} connections were in use for {within_s:g} s")
        try:
            while True:
                session: Session | None = None
                try:
                    session = self._take(until_s)
                    result = work(session)
                except psycopg.Error as error:
                    lost = session is None or is_lost(session, error)
                    self._discard(session)
                    if not lost:
                        raise LogError(f"{self._address}: {one_line(error)}") from error
                    if time.monotonic() + RETRY_PAUSE_S >= until_s:
                        raise unreachable(self._address, error) from error
                    if session is None:
                        time.sleep(RETRY_PAUSE_S)
                except BaseException:
                    self._discard(session)
                    raise
                else:
                    self._give_back(session)
                    return result
        finally:
            self._free.release()

    def close(self) -> None:
        """Close the idle connections; those in use are closed by their users."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()

    def _take(self, until_s: float) -> Session:
        with self._lock:
            if self._closed:
                raise LogError(f"{self._address}: the log is closed")
            session = self._idle.pop() if self._idle else None
        session = session or connect(self._address, until_s)
        session.until_s = until_s
        return session

    def _give_back(self, session: Session) -> None:
        with self._lock:
            if not self._closed and not session.closed:
                self._idle.append(session)
                return
        session.close()

    def _discard(self, session: Session | None) -> None:
        """Close a connection after an error, and the idle ones, which have probably failed too."""
        with self._lock:
            idle, self._idle = self._idle, []
        for each in (*idle, *([session] if session else [])):
            each.close()
