"""Clears a PostgreSQL database of rows that were redacted or deleted."""

from __future__ import annotations

import time

import psycopg

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.session import Session, connect, one_line, unreachable

OLD_TRANSACTIONS_S = 1.0
"""How long to wait for transactions that began earlier: appends under way end within that time."""

_NOW = "SELECT pg_current_xact_id()::xid::text"
_OLDER = """
SELECT EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND greatest(age(backend_xmin), age(backend_xid)) > age(%s::text::xid)
)
"""


def vacuum(session: Session) -> bool:
    """Clear the tables of rows that were replaced before this call; False if an older transaction still needs them.

    Does not delay appends.

    Raises: psycopg.Error.
    """
    (now,) = session.execute(_NOW).fetchone() or ("",)
    until_s = time.monotonic() + OLD_TRANSACTIONS_S
    while older := _is_needed(session, now):
        if time.monotonic() >= until_s:
            break
        time.sleep(OLD_TRANSACTIONS_S / 20)
    session.execute("VACUUM (TRUNCATE false) ratscrew.entry, ratscrew.value, ratscrew.room")
    return not older


def rewrite(address: PostgresAddress) -> None:
    """Rewrite the tables without the remains in their unused parts. Slow; nobody can read or write them meanwhile.

    Raises: LogError if that fails.
    """
    try:
        session = connect(address)
    except psycopg.Error as error:
        raise unreachable(address, error) from error
    try:
        with session:
            session.execute("VACUUM FULL ratscrew.entry, ratscrew.value, ratscrew.room")
    except psycopg.Error as error:
        raise LogError(f"{address}: the tables cannot be rewritten: {one_line(error)}") from error


def _is_needed(session: Session, now: str) -> bool:
    (older,) = session.execute(_OLDER, (now,)).fetchone() or (True,)
    return bool(older)
