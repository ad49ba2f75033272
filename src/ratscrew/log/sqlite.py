"""A log in one SQLite file. One thread writes: it takes all that has gathered, commits it as one, and tells.

There is no timer: while one commit is under way the next group gathers. What is told survives the end of the
process at any moment, and with `durability="full"` a loss of power too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, NamedTuple, TypeVar

from ratscrew.errors import Conflict, Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.database import Durability, open_database
from ratscrew.log.faults import explained
from ratscrew.log.rows import READ, REWRITE, WRITE, entries, rewritten, written

E = TypeVar("E")

NOTE_WITHIN_S = 2.0
"""How long a note waits for somebody else who writes."""

_LAST = "\U0010ffff"
"""Comes after every letter of a name."""


class _Write(NamedTuple):
    game: str
    after: int
    bodies: list[bytes]
    done: Future[int]


class SqliteLog(Generic[E]):
    """An event log in a SQLite file (WAL), which is made if there is none.

    Raises: LogError if the file cannot be used, saying why and what would help.
    """

    def __init__(self, path: Path, codec: Codec[E], durability: Durability = "full") -> None:
        self._path, self._codec, self._durability = path, codec, durability
        self._reader = open_database(self._path, self._durability)
        self._lock, self._gate, self._closed = Lock(), Lock(), False
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        database = open_database(self._path, self._durability)
        self._writer = Thread(target=self._write_all, args=(database,), name="ratscrew-log", daemon=True)
        self._writer.start()

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        """See `EventLog`."""
        return self.append_soon(game, after, events).result()

    def append_soon(self, game: str, after: int, events: Sequence[E]) -> Future[int]:
        """See `EventLog`."""
        done: Future[int] = Future()
        write = _Write(game, after, [self._codec.encode(event) for event in events], done)
        with self._gate:
            if self._closed:
                done.set_exception(LogError(f"{self._path}: the log is closed"))
            else:
                self._queue.put(write)
        return done

    def read(self, game: str, after: int = 0) -> list[E]:
        """See `EventLog`."""
        try:
            return list(entries(self._rows(READ, (game, after)), self._codec, after))
        except ValueError as error:
            raise Corrupt(f"{self._path}: game {game}, {error}") from error

    def games(self, prefix: str = "") -> list[str]:
        """See `EventLog`."""
        query = "SELECT name FROM game WHERE name BETWEEN ? AND ? ORDER BY id"
        return [name for (name,) in self._rows(query, (prefix, prefix + _LAST))]

    def keep(self, name: str, make: Callable[[], bytes]) -> bytes:
        """See `EventLog`."""
        found = self._rows("SELECT value FROM kept WHERE name = ?", (name,))
        if not found:
            self._rows("INSERT OR IGNORE INTO kept VALUES (?, ?)", (name, make()))
            found = self._rows("SELECT value FROM kept WHERE name = ?", (name,))
        return bytes(found[0][0])

    def rewrite(self, game: str, change: Callable[[E], E]) -> None:
        """See `EventLog`."""
        with self._using() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                rows = list(rewritten(database.execute(READ, (game, 0)), self._codec, change))
            except ValueError as error:
                raise Corrupt(f"{self._path}: game {game}, {error}") from error
            database.executemany(REWRITE, ((body, checksum, game, number) for number, body, checksum in rows))
        self._wipe()

    def drop(self, prefix: str) -> None:
        """See `EventLog`."""
        self._rows("DELETE FROM kept WHERE name BETWEEN ? AND ?", (prefix, prefix + _LAST))
        self._wipe()

    def note(self, name: str, value: bytes) -> None:
        """See `EventLog`; it goes by a connection of its own."""
        try:
            with closing(sqlite3.connect(self._path, timeout=NOTE_WITHIN_S)) as database, database:
                database.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))
        except sqlite3.Error as error:
            raise LogError(f"{self._path}: it cannot be written ({error})") from error

    def close(self) -> None:
        """See `EventLog`."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._writer.join()
        with self._lock:
            self._reader.close()

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        """What a query finds, or nothing if it is no question.

        Raises: as `_using`.
        """
        with self._using() as database:
            return database.execute(query, values).fetchall()

    def _wipe(self) -> None:
        """Empty the file of what is written before it comes to its place: there stands what was there before, too."""
        with self._using() as database:
            (held, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if held:
                raise sqlite3.OperationalError("another program reads it")

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The file for one change, which is whole or none, or for a look.

        Raises: LogError if the file cannot be reached; Corrupt if it is damaged there.
        """
        try:
            with self._lock, self._reader:
                yield self._reader
        except sqlite3.Error as error:
            damaged = getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT")
            kind, what = (Corrupt, "part of it") if damaged else (LogError, "the log")
            raise kind(f"{self._path}: {what} cannot be used now: {explained(error)}") from error

    def _write_all(self, database: sqlite3.Connection) -> None:
        while (first := self._queue.get()) is not None:
            group, more = [first], True
            while more and not self._queue.empty():
                if (write := self._queue.get()) is None:
                    self._queue.put(None)
                    more = False
                else:
                    group.append(write)
            self._commit(database, group)
        database.close()

    def _commit(self, database: sqlite3.Connection, group: list[_Write]) -> None:
        """Keep a group as one; if something is wrong with one append and not with the disk, that one fails alone."""
        answers: list[tuple[Future[int], int | LogError]] = []
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                answers = [(write.done, self._insert(database, write)) for write in group]
        except (sqlite3.Error, ValueError) as error:  # a name that is no text must not end the writer
            if len(group) > 1 and not isinstance(error, sqlite3.OperationalError):
                for write in group:
                    self._commit(database, [write])
                return
            failed = LogError(f"{self._path}: {len(group)} appends could not be kept: {explained(error)}")
            answers = [(write.done, failed) for write in group]
        for done, answer in answers:
            if isinstance(answer, LogError):
                done.set_exception(answer)
            else:
                done.set_result(answer)

    def _insert(self, database: sqlite3.Connection, write: _Write) -> int | LogError:
        found = database.execute("SELECT id FROM game WHERE name = ?", (write.game,)).fetchone()
        last = 0
        if found:
            last = database.execute("SELECT coalesce(max(number), 0) FROM entry WHERE game = ?", found).fetchone()[0]
        if last != write.after:
            return Conflict(f"game {write.game}: append after {write.after}, but the last entry is {last}")
        if not found and write.bodies:
            found = (database.execute("INSERT INTO game (name) VALUES (?)", (write.game,)).lastrowid,)
        database.executemany(WRITE, ((found[0], *row) for row in written(write.bodies, last)))
        return last + len(write.bodies)
