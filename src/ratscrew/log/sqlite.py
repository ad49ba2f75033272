"""An event log in one SQLite file. One thread writes: it commits all queued writes together (`group_commit`).

A write whose future is done survives the end of the process at any moment, and with `durability="full"` a power
failure too.

All writes go through that thread, so writers of one process never wait for each other's locks; reads use connections
of their own, so no write waits for a read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, TimeoutError
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from ratscrew.errors import Conflict, Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.database import Durability, open_database
from ratscrew.log.error_hints import with_hint
from ratscrew.log.file_identity import FileIdentity
from ratscrew.log.group_commit import GroupCommit, Queued
from ratscrew.log.reader import READ, SqliteReader, access_error
from ratscrew.log.rows import INSERT_ENTRY, LAST_CHARACTER, UPDATE_ENTRY, Row, changed_rows, encode_rows

E = TypeVar("E")
T = TypeVar("T")

PUT_TIMEOUT_S = 2.0
"""How long `put` waits until its value is stored."""

_Work: TypeAlias = Callable[[sqlite3.Connection], T | LogError]
"""Part of a transaction: returns its result, or why it was refused although the disk works."""


class SqliteLog(SqliteReader[E]):
    """An event log in a SQLite file (WAL), which is created if needed.

    Hold the file's lock (`ratscrew.cli.storage.data_lock`): no other process may open it for writing at the same time.

    Raises: LogError with the reason and a hint if the file cannot be used.
    """

    def __init__(self, path: Path, codec: Codec[E], durability: Durability = "full") -> None:
        database = open_database(path, durability)
        self._identity = FileIdentity(path)
        try:
            super().__init__(path, codec)
        except BaseException:
            database.close()
            raise
        self._redact_lock, self._database = Lock(), database
        self._writer = GroupCommit[_Work[Any]](str(path), self._commit)

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        return self.append_soon(game, after, events).result()

    def append_soon(self, game: str, after: int, events: Sequence[E]) -> Future[int]:
        bodies = [self._codec.encode(event) for event in events]
        return self._submit(lambda database: _insert(database, game, after, bodies))

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        if (found := self._value(name)) is None:
            made = make()
            self._submit(lambda database: database.execute("INSERT OR IGNORE INTO kept VALUES (?, ?)", (name, made)))
            found = self._submit(lambda database: bytes(database.execute(_VALUE, (name,)).fetchone()[0])).result()
        return found

    def redact(self, game: str, change: Callable[[E], E]) -> None:
        """See `EventLog`. Entries are read and changed in this thread; the writer only updates those that differ."""
        with self._redact_lock:
            with self._reading() as database:
                rows, last = self._changes(database, game, 0, change)
            self._submit(lambda database: self._replace_rows(database, game, rows, last, change)).result()

    def delete_prefix(self, prefix: str) -> int:
        names, query = (prefix, prefix + LAST_CHARACTER), "DELETE FROM kept WHERE name BETWEEN ? AND ?"
        return self._submit(lambda database: database.execute(query, names).rowcount).result()

    def purge(self) -> bool:
        """See `EventLog`. It waits for no reader: one that needs the old content can finish.

        The passive checkpoint does the work beside the writer, so that the truncating one blocks it only briefly.
        """
        self._identity.check()
        try:
            name = f"{self._path.absolute().as_uri()}?mode=rw"  # does not create a file
            with closing(sqlite3.connect(name, uri=True, timeout=0, isolation_level=None)) as database:
                database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                (held, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise access_error(self._path, error) from error
        return not held

    def put(self, name: str, value: bytes) -> None:
        query = "INSERT OR REPLACE INTO kept VALUES (?, ?)"
        try:
            self._submit(lambda database: database.execute(query, (name, value))).result(PUT_TIMEOUT_S)
        except TimeoutError:
            raise LogError(f"{self._path}: it could not be written within {PUT_TIMEOUT_S:g} s") from None

    def check(self) -> None:
        self._identity.check()

    def close(self) -> None:
        self._writer.close()
        super().close()
        self._database.close()  # last: only a writing connection removes the -wal and -shm files

    def _value(self, name: str) -> bytes | None:
        found = self._rows(_VALUE, (name,))
        return bytes(found[0][0]) if found else None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """See `SqliteReader`; a deleted or replaced file is not read."""
        self._identity.check()
        with super()._reading() as database:
            yield database

    def _changes(
        self, database: sqlite3.Connection, game: str, after: int, change: Callable[[E], E]
    ) -> tuple[list[Row], int]:
        """The rows that a change affects, and the number of the game's last entry.

        Raises: Corrupt if an entry cannot be read.
        """
        found = database.execute(READ, (game, after)).fetchall()
        try:
            return list(changed_rows(found, self._codec, change, after)), after + len(found)
        except ValueError as error:
            raise Corrupt(f"{self._path}: game {game}, {error}") from error

    def _replace_rows(
        self, database: sqlite3.Connection, game: str, rows: list[Row], last: int, change: Callable[[E], E]
    ) -> LogError | None:
        """Update rows, and change the entries that were appended after those were read."""
        try:
            more, _ = self._changes(database, game, last, change)
        except Corrupt as error:
            return error
        changed = ((body, checksum, game, number) for number, body, checksum in [*rows, *more])
        database.executemany(UPDATE_ENTRY, changed)
        return None

    # The writer

    def _submit(self, work: _Work[T]) -> Future[T]:
        return self._writer.submit(work)

    def _commit(self, group: list[Queued[_Work[Any]]]) -> None:
        """Commit a group in one transaction; if one write is at fault and not the disk, only that one fails."""
        database, answers = self._database, list[tuple[Future[Any], Any]]()
        try:
            self._identity.check()
            with database:
                database.execute("BEGIN IMMEDIATE")
                answers = [(done, work(database)) for work, done in group]
        except LogError as error:
            answers = [(done, error) for _, done in group]
        except Exception as error:  # a faulty write, such as a name that is not text, must not end the thread
            if len(group) > 1 and not isinstance(error, sqlite3.OperationalError):
                for queued in group:
                    self._commit([queued])
                return
            failed = LogError(f"{self._path}: {len(group)} writes could not be stored: {with_hint(error)}")
            answers = [(done, failed) for _, done in group]
        for done, answer in answers:
            if isinstance(answer, LogError):
                done.set_exception(answer)
            else:
                done.set_result(answer)


_VALUE = "SELECT value FROM kept WHERE name = ?"
_LAST_OF = "SELECT id, (SELECT coalesce(max(number), 0) FROM entry WHERE game = game.id) FROM game WHERE name = ?"


def _insert(database: sqlite3.Connection, game: str, after: int, bodies: Sequence[bytes]) -> int | LogError:
    number, last = database.execute(_LAST_OF, (game,)).fetchone() or (None, 0)
    if last != after:
        return Conflict(f"game {game}: append after {after}, but the last entry is {last}")
    if number is None and bodies:
        number = database.execute("INSERT INTO game (name) VALUES (?)", (game,)).lastrowid
    database.executemany(INSERT_ENTRY, ((number, *row) for row in encode_rows(bodies, last)))
    return last + len(bodies)
