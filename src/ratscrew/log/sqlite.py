"""A log in one SQLite file. One thread writes: it takes all that has gathered, commits it as one, and tells.

There is no timer: while one commit is under way the next group gathers. What is told survives the end of the
process at any moment, and with `durability="full"` a loss of power too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, NamedTuple, TypeVar

from ratscrew.errors import Conflict, Corrupt, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.database import Durability, open_database
from ratscrew.log.faults import explained

E = TypeVar("E")

PROBE_WITHIN_S = 2.0
"""How long a probe waits for somebody else who writes."""


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
        query = "SELECT number, body FROM entry JOIN game ON id = game WHERE name = ? AND number > ? ORDER BY number"
        rows = self._rows(query, (game, after))
        entries = []
        for expected, (number, body) in enumerate(rows, after + 1):
            try:
                if number != expected:
                    raise ValueError(f"it is numbered {number}")
                entries.append(self._codec.decode(body))
            except ValueError as error:
                raise Corrupt(f"{self._path}: game {game}, entry {expected} cannot be read: {error}") from error
        return entries

    def games(self, prefix: str = "") -> list[str]:
        """See `EventLog`."""
        query = "SELECT name FROM game WHERE name BETWEEN ? AND ? ORDER BY id"
        return [name for (name,) in self._rows(query, (prefix, prefix + "\U0010ffff"))]

    def keep(self, name: str, make: Callable[[], bytes]) -> bytes:
        """See `EventLog`."""
        found = self._rows("SELECT value FROM kept WHERE name = ?", (name,))
        if not found:
            self._rows("INSERT OR IGNORE INTO kept VALUES (?, ?)", (name, make()))
            found = self._rows("SELECT value FROM kept WHERE name = ?", (name,))
        return bytes(found[0][0])

    def probe(self) -> None:
        """See `EventLog`; by a connection of its own, so nobody waits for it."""
        try:
            with closing(sqlite3.connect(self._path, timeout=PROBE_WITHIN_S)) as database, database:
                database.execute("INSERT OR REPLACE INTO kept VALUES ('probe', randomblob(8))")
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

        Raises: LogError if the file is damaged or cannot be reached.
        """
        try:
            with self._lock, self._reader:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise LogError(f"{self._path}: the log cannot be used now: {explained(error)}") from error

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
        rows = ((found[0], number, body) for number, body in enumerate(write.bodies, last + 1))
        database.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        return last + len(write.bodies)
