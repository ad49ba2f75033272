"""A simulated PostgreSQL that several nodes share: its rows, the statements of the log's fence, and its connections.

It stands for the statements of `log/postgres/fence.py`; the classes above them are the product's. Statements travel:
they can come late, also after their sender has given them up, and their answers can be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from greenlet import getcurrent, greenlet

from ratscrew.log.postgres import fence
from ratscrew.log.postgres.fence import Batch, Outcome
from ratscrew.table.record.entries import Entry
from tests.simulation.disk import ENTRIES
from tests.simulation.world import Process, World

LEASE_US = 3_000_000
AHEAD_US = 240_000_000
"""The database's clock is so far ahead of the nodes'."""


@dataclass
class Trouble:
    """The faults between the nodes and the database: how often an answer is lost, how often a statement is late, and
    by how much at most.
    """

    loses: float = 0.0
    delays: float = 0.0
    late_us: int = 8_000_000


@dataclass
class Mistakes:
    """What is wrong on purpose: the fence, or what is done after a lost answer."""

    no_fence: bool = False
    repeats_blindly: bool = False


@dataclass
class _Game:
    bodies: list[bytes] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    ended: bool = False


@dataclass
class NodeRow:
    """A row of the table of nodes; times by the database's clock."""

    url: str
    instance: str
    version: str
    epoch: int = 1
    alive_until_us: int = 0
    load: float = 0.0
    draining: bool = False


@dataclass
class RoomRow:
    """A row of the table of rooms."""

    code: str
    owner: str | None = None
    epoch: int = 1
    lease_until_us: int = -1
    active: bool = True


class Database:
    """The shared state. `watch` is called with entries once they are stored; `cut` are nodes that cannot reach it."""

    def __init__(self, world: World, trouble: Trouble, watch: Callable[[str, Sequence[Entry]], None]) -> None:
        self.world, self.trouble, self.mistakes = world, trouble, Mistakes()
        self.cut, self.down = set[str](), False
        self.games: dict[str, _Game] = {}
        self.values: dict[str, bytes] = {}
        self.nodes: dict[str, NodeRow] = {}
        self.rooms: dict[str, RoomRow] = {}
        self._watch = watch
        self._batch = 0
        self._sent = set[int]()

    def reaches(self, node: str) -> bool:
        """Whether a node can reach it now."""
        return not self.down and node not in self.cut

    def next_batch(self) -> int:
        """The numbers of a process's batches begin here."""
        self._batch += 1_000_000
        return self._batch

    @property
    def now_us(self) -> int:
        """What time it is, by the database's clock."""
        return self.world.now_us + AHEAD_US

    # The log

    def store(self, asked: Sequence[fence.Append], number: int) -> list[str]:
        """See `fence.store`: the chains of one batch, each as one append."""
        free = self.mistakes.no_fence or (self.mistakes.repeats_blindly and number in self._sent)
        self._sent.add(number)
        ended = set[str]()
        for append in asked:
            other = self.games.get(append.ends.game) if append.ends else None
            if append.ends and other and len(other.bodies) == append.ends.last and not other.ended:
                other.ended = True
                ended.add(append.ends.game)
        return [append.game for append in asked if self._append(append, number, ended, free)]

    def look_up(self, batch: Batch, number: int) -> Mapping[str, tuple[Outcome, int]]:
        """See `fence.look_up`."""
        found = {}
        for name, chain in batch.items():
            game, after, ends = self.games.get(name, _Game()), chain[0].write.after, chain[0].write.ends
            wrote = game.batches[after] if after < len(game.batches) else None
            other = self.games.get(ends.game) if ends else None
            fenced = game.ended or (
                ends is not None and (other is None or other.ended or len(other.bodies) != ends.last)
            )
            found[name] = (fence._outcome(chain, number, len(game.bodies), wrote, fenced), len(game.bodies))
        return (
            {name: (Outcome.OPEN, last) for name, (_, last) in found.items()}
            if (self.mistakes.repeats_blindly or self.mistakes.no_fence)
            else found
        )

    def _append(self, append: fence.Append, number: int, ended: set[str], free: bool) -> bool:
        game = self.games.get(append.game)
        if append.after == 0:
            allowed = game is None and (append.ends is None or append.ends.game in ended)
        else:
            allowed = game is not None and len(game.bodies) == append.after and not game.ended
        if not (allowed or free):
            return False
        game = self.games.setdefault(append.game, _Game())
        game.bodies += append.bodies
        game.batches += [number] * len(append.bodies)
        self._watch(append.game, [ENTRIES.decode(body) for body in append.bodies])
        return True


def as_appends(batch: Batch) -> list[fence.Append]:
    """Each chain of a batch as one append; those without entries write nothing."""
    return [
        chain[0].write._replace(bodies=[body for queued in chain for body in queued.write.bodies])
        for chain in batch.values()
        if any(queued.write.bodies for queued in chain)
    ]


class Thread:
    """A thread of a simulated process that can wait for something, as the one that appends to the log."""

    def __init__(self, world: World, process: Process, work: Callable[[], None]) -> None:
        self._world, self._process = world, process
        self._greenlet = greenlet(work)
        self._turn = 0

    @staticmethod
    def current() -> Thread | None:
        """The thread that runs now; None outside of all."""
        return getattr(getcurrent(), "thread", None)

    def start(self) -> None:
        """Run it until it waits for the first time."""
        self._greenlet.thread = self
        self._greenlet.switch()

    def wait(self) -> Any:
        """Wait, in this thread, until `wake`; returns its answer.

        Raises: the answer, if it is an error.
        """
        parent = self._greenlet.parent
        assert parent
        answer = parent.switch()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def waker(self) -> Callable[[Any], None]:
        """What ends the next wait, with an answer or an error: once, and only if the process runs."""
        self._turn += 1
        turn = self._turn

        def wake(answer: Any) -> None:
            if self._process.paused:
                self._process.held.append(lambda: wake(answer))
            elif not self._process.is_closed() and turn == self._turn and not self._greenlet.dead:
                self._turn += 1
                self._greenlet.switch(answer)

        return wake

    def sleep(self, seconds: float) -> None:
        """Sleep, in this thread."""
        wake = self.waker()
        self._world.later(max(1, round(seconds * 1e6)), lambda: wake(None))
        self.wait()


class DatabaseSession:
    """A connection of one node; see `log/postgres/session.py`."""

    def __init__(
        self, database: Database, node: str, now_s: Callable[[], float], owns: Callable[[], bool] = lambda: True
    ) -> None:
        """`owns` is asked before a batch is sent.

        Raises: psycopg.OperationalError if the database cannot be reached.
        """
        self.closed, self.until_s, self.owns = False, float("inf"), owns
        self._database, self._node, self._now_s = database, node, now_s
        if not database.reaches(node):
            raise psycopg.OperationalError("connection refused")

    def execute(self, _: str) -> DatabaseSession:
        """Ask for the first number of this process's batches."""
        return self

    def fetchone(self) -> tuple[int]:
        """That number."""
        return (self._database.next_batch(),)

    def close(self) -> None:
        """See `psycopg.Connection`."""
        self.closed = True

    def call(self, statement: Callable[[], Any]) -> Any:
        """Have a statement executed, and wait for its answer.

        Raises: psycopg.OperationalError if none comes; the statement may be executed nevertheless, also later.
        """
        database, world, trouble = self._database, self._database.world, self._database.trouble
        thread = Thread.current()
        assert thread
        wake = thread.waker()
        late = trouble.late_us if world.happens(trouble.delays) else 3000
        loses = world.happens(trouble.loses)

        def arrive() -> None:
            if database.down:
                return
            answer = statement()
            if not loses and database.reaches(self._node):
                world.later(world.between(100, 2000), lambda: wake(answer))
            elif loses:
                self.closed = True
                world.later(world.between(0, 500_000), lambda: wake(psycopg.OperationalError("connection lost")))

        if database.reaches(self._node):
            world.later(world.between(100, late), arrive)
        left_us = max(1, round((self.until_s - self._now_s()) * 1e6))
        world.later(min(left_us, 5_000_000), lambda: wake(psycopg.OperationalError("no answer in time")))
        try:
            return thread.wait()
        except psycopg.OperationalError:
            self.closed = True
            raise
