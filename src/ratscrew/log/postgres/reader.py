"""Read access to a log in PostgreSQL, also while servers write it."""

from __future__ import annotations

from typing import Any, Generic, LiteralString, TypeVar

import psycopg

from ratscrew.errors import Corrupt
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.schema import check_schema
from ratscrew.log.postgres.session import Session, SessionPool, connect, unreachable
from ratscrew.log.rows import LAST_CHARACTER, Packed, Row, decode_rows

E = TypeVar("E")

PIECE = 500
"""How many rows are converted at a time."""

_READ = """
SELECT number, body, checksum FROM ratscrew.entry WHERE game = %s AND number > %s
UNION ALL SELECT version + 1, NULL, NULL FROM ratscrew.game WHERE name = %s
ORDER BY number
"""
"""The entries of a game, and a row behind the last one, which shows whether that is there."""

_LAST = "SELECT number, body, checksum FROM ratscrew.entry WHERE game = %s ORDER BY number DESC LIMIT 1"
_COUNT = "SELECT coalesce(max(number), 0) FROM ratscrew.entry WHERE game = %s"
_GAMES = "SELECT name FROM ratscrew.game WHERE name BETWEEN %s AND %s ORDER BY place"
_VALUES = "SELECT name, value FROM ratscrew.value WHERE name BETWEEN %s AND %s"


class PostgresReader(Generic[E]):
    """A `LogReader` for a database. Reads survive a restart of PostgreSQL within `MAX_OUTAGE_S`.

    Raises: LogError if PostgreSQL cannot be reached now, or its tables are not those of this version.
    """

    def __init__(self, address: PostgresAddress, codec: Codec[E]) -> None:
        self._address, self._codec = address, codec
        try:
            with connect(address) as session:
                check_schema(session, address)
        except psycopg.Error as error:
            raise unreachable(address, error) from error
        self._sessions = SessionPool(address)

    def read(self, game: str, after: int = 0) -> list[E]:
        if not is_name(game):
            return []
        try:
            rows = self._sessions.run(lambda session: fetch_entries(session, game, after))
            return list(decode_rows(rows, self._codec, after))
        except ValueError as error:
            raise self._corrupt(game, error) from error

    def read_packed(self, game: str) -> Packed:
        if not is_name(game):
            return Packed()
        try:
            rows = self._sessions.run(lambda session: fetch_entries(session, game, 0))
            if [number for number, _, _ in rows] != list(range(1, len(rows) + 1)):
                raise ValueError("an entry is missing")
        except ValueError as error:
            raise self._corrupt(game, error) from error
        return Packed(b"\n".join(body for _, body, _ in rows), b",".join(b"%d" % checksum for _, _, checksum in rows))

    def count(self, game: str) -> int:
        rows = self._rows(_COUNT, game, game)
        return int(rows[0][0]) if rows else 0

    def last(self, game: str) -> E | None:
        rows = self._rows(_LAST, game, game)
        try:
            return next(decode_rows(rows, self._codec, rows[0][0] - 1)) if rows else None
        except ValueError as error:
            raise self._corrupt(game, error) from error

    def games(self, prefix: str = "") -> list[str]:
        return [name for (name,) in self._rows(_GAMES, prefix, prefix, prefix + LAST_CHARACTER)]

    def get(self, prefix: str = "") -> dict[str, bytes]:
        return dict(self._rows(_VALUES, prefix, prefix, prefix + LAST_CHARACTER))

    def close(self) -> None:
        """Close the connections. A read under way finishes first, in its own thread."""
        self._sessions.close()

    def _rows(self, query: LiteralString, name: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query about a name; none if the name cannot be one.

        Raises: LogError if the database cannot be read.
        """
        if not is_name(name):
            return []
        return self._sessions.run(lambda session: fetch(session, query, *values))

    def _corrupt(self, game: str, error: ValueError) -> Corrupt:
        return Corrupt(f"{self._address}: game {game}, {error}")


def fetch(session: Session, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
    """All rows of a query. They are converted in pieces, since each conversion holds the interpreter's lock.

    Raises: psycopg.Error.
    """
    cursor, rows = session.cursor(binary=True), list[tuple[Any, ...]]()
    cursor.execute(query, values)
    while piece := cursor.fetchmany(PIECE):
        rows += piece
    return rows


def fetch_entries(session: Session, game: str, after: int) -> list[Row]:
    """The rows of a game's entries after a number.

    Raises: ValueError if the last ones are missing; psycopg.Error.
    """
    found = fetch(session, _READ, game, after, game)
    rows = [row for row in found if row[1] is not None]
    ends = [number for number, body, _ in found if body is None]
    last = rows[-1][0] if rows else after
    if found and (not ends or last + 1 < ends[0]):
        raise ValueError(f"entry {last + 1} cannot be read: it, or the game's row, is missing")
    return rows


def is_name(text: str) -> bool:
    """Whether PostgreSQL can store a text as a name: it has no NUL, and is valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
