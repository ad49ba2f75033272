"""Read-only access to a log in a SQLite file, also to one that a server is writing to.

Reading takes no lock that a writer waits for (WAL). Each read uses a connection of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from ratscrew.errors import Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.database import open_read_only, read_format
from ratscrew.log.error_hints import with_hint
from ratscrew.log.rows import LAST_CHARACTER, READ_PACKED, Packed, decode_rows, packed_row, unpack

E = TypeVar("E")

MAX_IDLE_CONNECTIONS = 4
"""How many unused connections stay open."""

READ = (
    "SELECT number, CAST(body AS BLOB), sum FROM entry WHERE game = (SELECT id FROM game WHERE name = ?) "
    "AND number > ? ORDER BY number"
)
_LAST = (
    "SELECT number, CAST(body AS BLOB), sum FROM entry WHERE game = (SELECT id FROM game WHERE name = ?) "
    "ORDER BY number DESC LIMIT 1"
)
_COUNT = "SELECT coalesce(max(number), 0) FROM entry WHERE game = (SELECT id FROM game WHERE name = ?)"


class SqliteReader(Generic[E]):
    """A `LogReader` for a SQLite file. The file is neither created nor changed.

    Raises: LogError with the reason and a hint if the file cannot be read as a log.
    """

    def __init__(self, path: Path, codec: Codec[E]) -> None:
        self._path, self._codec = path, codec
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock, self._reader_closed = Lock(), False
        with self._reading() as database:
            number = read_format(database, path)
        if number == 0:
            raise LogError(f"{path} is empty: no game has been stored in it yet")

    def read(self, game: str, after: int = 0) -> list[E]:
        with self._reading() as database:
            packed = packed_row(database.execute(READ_PACKED, (game, after)).fetchone(), after)
            with suppress(ValueError):
                if packed is not None:
                    return unpack(packed, self._codec)
            try:
                return list(decode_rows(database.execute(READ, (game, after)), self._codec, after))
            except ValueError as error:
                raise Corrupt(f"{self._path}: game {game}, {error}") from error

    def read_packed(self, game: str) -> Packed:
        with self._reading() as database:
            packed = packed_row(database.execute(READ_PACKED, (game, 0)).fetchone(), 0)
            if packed is not None:
                return packed
        return Packed.of(list(map(self._codec.encode, self.read(game))))

    def count(self, game: str) -> int:
        return int(self._rows(_COUNT, (game,))[0][0])

    def last(self, game: str) -> E | None:
        with self._reading() as database:
            row = database.execute(_LAST, (game,)).fetchone()
        try:
            return next(decode_rows([row], self._codec, row[0] - 1)) if row else None
        except ValueError as error:
            raise Corrupt(f"{self._path}: game {game}, {error}") from error

    def games(self, prefix: str = "") -> list[str]:
        query = "SELECT name FROM game WHERE name BETWEEN ? AND ? ORDER BY id"
        return [name for (name,) in self._rows(query, (prefix, prefix + LAST_CHARACTER))]

    def get(self, prefix: str = "") -> dict[str, bytes]:
        query = "SELECT name, value FROM kept WHERE name BETWEEN ? AND ?"
        return {name: bytes(value) for name, value in self._rows(query, (prefix, prefix + LAST_CHARACTER))}

    def close(self) -> None:
        """Close the connections. A read under way finishes first, in its own thread."""
        with self._idle_lock:
            self._reader_closed = True
            idle, self._idle = self._idle, []
        for database in idle:
            database.close()

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        """All rows of a query.

        Raises: as `_reading`.
        """
        with self._reading() as database:
            return database.execute(query, values).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for one reader at a time.

        Raises: LogError if the file cannot be accessed; Corrupt if the part that is read is damaged.
        """
        with self._idle_lock:
            database = self._idle.pop() if self._idle else None
        try:
            database = database or open_read_only(self._path)
            yield database
        except sqlite3.Error as error:
            raise access_error(self._path, error) from error
        finally:
            with self._idle_lock:
                if (
                    database
                    and not self._reader_closed
                    and len(self._idle) < MAX_IDLE_CONNECTIONS
                    and not database.in_transaction
                ):
                    self._idle.append(database)
                    database = None
            if database:
                database.close()


def access_error(path: Path, error: sqlite3.Error) -> LogError:
    """The error for a file that cannot be accessed, or is damaged."""
    damaged = getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT")
    kind, what = (Corrupt, "part of it") if damaged else (LogError, "the log")
    return kind(f"{path}: {what} cannot be used now: {with_hint(error)}")
