"""Logs in PostgreSQL, each in a database of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from ratscrew.game.codec import Codec

if TYPE_CHECKING:
    from ratscrew.log.postgres.address import PostgresAddress
    from ratscrew.log.postgres.event_log import PostgresLog
    from ratscrew.testing.postgres_server import PostgresServer

OpenLog: TypeAlias = "Callable[..., PostgresLog[str]]"


@pytest.fixture
def address(postgres_server: PostgresServer) -> PostgresAddress:
    """An empty log in a database of its own."""
    return postgres_server.create_log()


@pytest.fixture
def open_log(address: PostgresAddress) -> Iterator[OpenLog]:
    """Opens the log, or the one at another address, as often as asked; all are closed in the end."""
    from ratscrew.log.postgres.event_log import PostgresLog

    opened: list[PostgresLog[str]] = []

    def open_one(other: PostgresAddress | None = None) -> PostgresLog[str]:
        opened.append(PostgresLog(other or address, Codec[str](str)))
        return opened[-1]

    yield open_one
    for log in opened:
        log.close()


def sql(address: PostgresAddress, statement: Any, *values: object) -> list[tuple[Any, ...]]:
    """Execute a statement behind the log's back, and return its rows."""
    import psycopg

    with psycopg.connect(address.url, autocommit=True) as connection:
        cursor = connection.execute(statement, values or None)
        return cursor.fetchall() if cursor.description is not None else []
