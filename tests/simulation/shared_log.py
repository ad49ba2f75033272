"""The log of one node on a simulated PostgreSQL: the product's writer, in a thread that the world turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

import psycopg

from ratscrew.errors import LogError
from ratscrew.log.group_commit import Queued
from ratscrew.log.postgres import writer
from ratscrew.log.postgres.fence import Append, Batch
from ratscrew.log.postgres.session import MAX_OUTAGE_S
from ratscrew.log.protocol import End
from ratscrew.log.rows import Packed
from ratscrew.table.record.entries import Entry
from tests.simulation.database import Database, DatabaseSession, Thread, as_appends
from tests.simulation.disk import ENTRIES
from tests.simulation.world import START_US, Process


class SharedLogOfNode:
    """See `SharedLog`. `owns` is asked before a batch is sent; a product that trusts its leases would look at them."""

    def __init__(self, database: Database, node: str, process: Process) -> None:
        """Raises: psycopg.OperationalError if the database cannot be reached."""
        self.node, self.process = node, process
        self.owns: Callable[[], bool] = lambda: True
        self._database, self._world = database, database.world
        self._queue = deque[Queued[Append]]()
        self._wake: Callable[[Any], None] | None = None
        self.alive = True
        self._writer = writer.PostgresWriter(self)  # type: ignore[arg-type]
        self._thread = Thread(self._world, process, self._run)
        self._thread.start()

    def session(self, now_s: Callable[[], float]) -> DatabaseSession:
        """A new connection. Raises: psycopg.OperationalError."""
        return DatabaseSession(self._database, self.node, now_s, lambda: self.owns())

    # Appends

    def append(self, game: str, after: int, events: Sequence[Entry]) -> int:
        """See `EventLog`: nobody waits for an append here."""
        raise NotImplementedError

    def append_soon(
        self, game: str, after: int, events: Sequence[Entry], behind: Future[int] | None = None
    ) -> Future[int]:
        """See `SharedLog`."""
        return self._submit(game, after, events, None, behind)

    def begin_soon(
        self, game: str, events: Sequence[Entry], ends: End, behind: Future[int] | None = None
    ) -> Future[int]:
        """See `SharedLog`."""
        return self._submit(game, 0, events, ends, behind)

    def _submit(
        self, game: str, after: int, events: Sequence[Entry], ends: End | None, behind: Future[int] | None
    ) -> Future[int]:
        bodies = [ENTRIES.encode(event) for event in events]
        done = Future[int]()
        if self.alive:
            append = Append(game, after, bodies, self.process.time() + MAX_OUTAGE_S, ends, behind)
            self._queue.append(Queued(append, done))
            if self._wake:
                wake, self._wake = self._wake, None
                self._world.later(self._world.between(1, 50), lambda: wake(None))
        return done

    def _run(self) -> None:
        """As `GroupCommit`: what is queued at a time is one group."""
        while True:
            while not self._queue:
                self._wake = self._thread.waker()
                self._thread.wait()
            group = list(self._queue)
            self._queue.clear()
            self._writer.commit(group)

    # Everything else

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        return [ENTRIES.decode(body) for body in self._bodies(game)[after:]]

    def read_packed(self, game: str) -> Packed:
        """See `EventLog`."""
        return Packed.of(self._bodies(game))

    def count(self, game: str) -> int:
        """See `EventLog`."""
        return len(self._bodies(game))

    def last(self, game: str) -> Entry | None:
        """See `EventLog`."""
        bodies = self._bodies(game)
        return ENTRIES.decode(bodies[-1]) if bodies else None

    def games(self, prefix: str = "") -> list[str]:
        """See `EventLog`."""
        self._reach()
        return [game for game in self._database.games if game.startswith(prefix)]

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """See `EventLog`."""
        self._reach()
        return self._database.values.setdefault(name, make())

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """See `EventLog`."""
        self._reach()
        return {name: value for name, value in self._database.values.items() if name.startswith(prefix)}

    def put(self, name: str, value: bytes) -> None:
        """See `EventLog`."""
        self._reach()
        self._database.values[name] = value

    def redact(self, game: str, change: Callable[[Entry], Entry]) -> None:
        """See `EventLog`."""
        raise NotImplementedError

    def delete_prefix(self, prefix: str) -> int:
        """See `EventLog`."""
        self._reach()
        found = list(self.get(prefix))
        for name in found:
            del self._database.values[name]
        return len(found)

    def purge(self) -> bool:
        """See `EventLog`."""
        return True

    def check(self) -> None:
        """See `EventLog`."""

    def close(self) -> None:
        """Kill the process: what it has not sent is not stored, and nothing is answered."""
        self.alive = False

    def _bodies(self, game: str) -> list[bytes]:
        self._reach()
        found = self._database.games.get(game)
        return found.bodies if found else []

    def _reach(self) -> None:
        if not self.alive or not self._database.reaches(self.node):
            raise LogError("PostgreSQL cannot be reached")


@contextmanager
def simulated_writers(database: Database) -> Iterator[None]:
    """A context in which the product's writers use the simulated database, and wait on the world's clock."""

    def now_s() -> float:
        return (database.world.now_us - START_US) / 1e6

    def connect(log: SharedLogOfNode, until_s: float = 0) -> DatabaseSession:
        return log.session(now_s)

    def sleep(seconds: float) -> None:
        if thread := Thread.current():
            thread.sleep(seconds)

    def store(session: DatabaseSession, batch: Batch, number: int) -> list[str]:
        if not (appends := as_appends(batch)):
            return []
        if not session.owns():
            raise psycopg.OperationalError("the lease has expired")
        found: list[str] = session.call(lambda: database.store(appends, number))
        return found

    def look_up(session: DatabaseSession, batch: Batch, number: int) -> Any:
        return session.call(lambda: database.look_up(batch, number))

    def is_lost(session: DatabaseSession, error: psycopg.Error) -> bool:
        return True

    clock = SimpleNamespace(monotonic=now_s, sleep=sleep)
    with mock.patch.multiple(writer, time=clock, connect=connect, store=store, look_up=look_up, is_lost=is_lost):
        yield
