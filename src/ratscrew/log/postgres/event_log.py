"""An event log in PostgreSQL. One thread appends: it stores everything that is queued at a time (`group_commit`).

Any number of processes may write to the same database: each append is fenced (`fence`). An append whose
future is done is on the disk of PostgreSQL, and on those of its synchronous standbys.

While PostgreSQL cannot be reached, appends wait `MAX_OUTAGE_S`, each from its own call. An append that failed is not
stored, unless its error says that this is unknown: then its answer was lost, and PostgreSQL may still execute it if
no other append is faster.

All other writes can be repeated without harm, so they are, on connections of their own. Values that two processes
`put` at one moment under the same name overwrite each other in any order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import TypeVar

import psycopg

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.group_commit import GroupCommit
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.fence import Append
from ratscrew.log.postgres.purge import vacuum
from ratscrew.log.postgres.reader import PostgresReader, fetch_entries, is_name
from ratscrew.log.postgres.session import MAX_OUTAGE_S, Session, unreachable
from ratscrew.log.postgres.writer import PostgresWriter
from ratscrew.log.protocol import CommitCounts, End
from ratscrew.log.rows import LAST_CHARACTER, Row, changed_rows

E = TypeVar("E")
T = TypeVar("T")

PUT_TIMEOUT_S = 2.0
"""How long `put` waits until its value is stored."""

PURGE_TIMEOUT_S = 600.0
"""How long clearing the tables may take."""


class PostgresLog(PostgresReader[E]):
    """An event log in a PostgreSQL database with the present schema, see `schema`.

    Raises: LogError if PostgreSQL cannot be reached now, or its tables are not those of this version.
    """

    def __init__(self, address: PostgresAddress, codec: Codec[E]) -> None:
        super().__init__(address, codec)
        self._redact_lock = Lock()
        try:
            self._writer = PostgresWriter(address)
        except psycopg.Error as error:
            raise unreachable(address, error) from error
        self._queue = GroupCommit[Append](str(address), self._writer.commit)

    @property
    def counts(self) -> CommitCounts:
        """What this process has committed so far."""
        return CommitCounts(self._writer.commits, self._writer.lookups)

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        return self.append_soon(game, after, events).result()

    def append_soon(self, game: str, after: int, events: Sequence[E], behind: Future[int] | None = None) -> Future[int]:
        return self._submit(game, after, events, None, behind)

    def begin_soon(self, game: str, events: Sequence[E], ends: End, behind: Future[int] | None = None) -> Future[int]:
        return self._submit(game, 0, events, ends, behind)

    def _submit(
        self, game: str, after: int, events: Sequence[E], ends: End | None, behind: Future[int] | None
    ) -> Future[int]:
        bodies = [self._codec.encode(event) for event in events]
        if not is_name(game):
            failed: Future[int] = Future()
            failed.set_exception(self._bad_name(game))
            return failed
        return self._queue.submit(Append(game, after, bodies, time.monotonic() + MAX_OUTAGE_S, ends, behind))

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        if (found := self._value(name)) is None:
            made = make()
            self._write(name, lambda session: session.execute(_CREATE, (name, made)))
            found = self._value(name)
        return found if found is not None else self.get_or_create(name, make)  # it was deleted meanwhile

    def redact(self, game: str, change: Callable[[E], E]) -> None:
        """See `EventLog`. Only the entries that were appended meanwhile are changed while the game is locked."""
        if not is_name(game):
            return
        with self._redact_lock:
            rows, last = self._sessions.run(lambda session: self._changes(session, game, 0, change))
            if last:
                self._sessions.run(partial(self._replace_rows, game=game, rows=rows, last=last, change=change))

    def delete_prefix(self, prefix: str) -> int:
        names = (prefix, prefix + LAST_CHARACTER)
        return self._write(prefix, lambda session: int(session.execute(_DELETE, names).rowcount))

    def purge(self) -> bool:
        """Clear the tables of redacted and deleted rows (VACUUM); False while an older transaction still needs them.

        Such a transaction can be a backup. Parts of a cleared row can remain in the unused parts of a page until they
        are overwritten. PostgreSQL's write-ahead log and backups of it are never cleared.

        Raises: LogError if PostgreSQL refuses it or cannot be reached.
        """
        return self._sessions.run(vacuum, PURGE_TIMEOUT_S)

    def put(self, name: str, value: bytes) -> None:
        self._write(name, lambda session: session.execute(_PUT, (name, value)), PUT_TIMEOUT_S)

    def check(self) -> None:
        """See `EventLog`; here appended entries last as long as PostgreSQL keeps its promises."""

    def close(self) -> None:
        """See `EventLog`. A PostgreSQL that cannot be reached is not waited for."""
        self._writer.hurry()
        self._queue.close()
        self._writer.close()
        super().close()

    def _value(self, name: str) -> bytes | None:
        found = self._rows(_VALUE, name, name)
        return found[0][0] if found else None

    def _write(self, name: str, work: Callable[[Session], T], within_s: float = MAX_OUTAGE_S) -> T:
        if not is_name(name):
            raise self._bad_name(name)
        return self._sessions.run(work, within_s)

    def _bad_name(self, name: str) -> LogError:
        return LogError(f"{self._address}: {name!r} cannot be stored as a name: it has a NUL, or is not valid Unicode")

    def _changes(self, session: Session, game: str, after: int, change: Callable[[E], E]) -> tuple[list[Row], int]:
        """The rows that a change affects, and the number of the game's last entry.

        Raises: Corrupt if an entry cannot be read; psycopg.Error.
        """
        try:
            found = fetch_entries(session, game, after)
            return list(changed_rows(found, self._codec, change, after)), after + len(found)
        except ValueError as error:
            raise self._corrupt(game, error) from error

    def _replace_rows(self, session: Session, game: str, rows: list[Row], last: int, change: Callable[[E], E]) -> None:
        """Update rows, and change the entries that were appended after those were read."""
        with session.transaction():
            session.execute("SELECT FROM ratscrew.game WHERE name = %s FOR UPDATE", (game,))
            more, _ = self._changes(session, game, last, change)
            if changed := [*rows, *more]:
                numbers, bodies, checksums = map(list, zip(*changed, strict=True))
                session.execute(_REPLACE, (bodies, checksums, numbers, game))


_VALUE = "SELECT value FROM ratscrew.value WHERE name = %s"
_CREATE = "INSERT INTO ratscrew.value (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_PUT = (
    "INSERT INTO ratscrew.value (name, value) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
_DELETE = "DELETE FROM ratscrew.value WHERE name BETWEEN %s AND %s"
_REPLACE = (
    "UPDATE ratscrew.entry SET body = new.body, checksum = new.checksum "
    "FROM unnest(%s::bytea[], %s::bigint[], %s::bigint[]) AS new (body, checksum, number) "
    "WHERE entry.game = %s AND entry.number = new.number"
)
