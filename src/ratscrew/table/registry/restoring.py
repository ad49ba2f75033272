"""Restore rooms from the log, off the event loop: each room once, for each address in turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import reduce
from typing import Any, Generic, NamedTuple, TypeVar

from ratscrew.errors import Corrupt, LimitExceeded, Overloaded
from ratscrew.log.protocol import LogReader
from ratscrew.table.core.table import Table
from ratscrew.table.record.entries import Entry, is_game_event
from ratscrew.table.room.recent_events import RecentEvents
from ratscrew.table.state.log_snapshot import Snapshot, decode_snapshot
from ratscrew.table.state.log_writer import numbered
from ratscrew.table.state.rejudge import FRESH, Ledger
from ratscrew.turns import FairQueue

WAITING_MOST = 1500
"""How many rooms may wait to be restored; a request for another is refused. A room takes some 2 ms, and all rooms are
asked for at once after a restart of the server."""

OF_ADDRESS_MOST = 64
"""How many of these one address may wait for. Addresses take turns, so one that asks for much delays only itself."""

RECENT = 8
"""How many events a restored room keeps for clients that come back. They have missed only what was stored in the last
moment of the server before; any other client gets a snapshot. With 32 events, comparing the views before and after each
took almost half of a room's time."""

AT_ONCE = 4
"""How many rooms are given to the thread that restores them, one after the other: it need not wait for a busy loop."""

TRY_AGAIN_S = 1.0

LOOP_SHARE = 1 / 3
"""The share of the time that is left to the event loop while rooms are restored: both need the interpreter's lock."""

T = TypeVar("T")


class Restored(NamedTuple):
    """A table as its log describes it, and the last events of its game."""

    table: Table
    recent: RecentEvents


class Breaks:
    """The breaks that a thread takes between two pieces of work, so that the event loop has its share."""

    def __init__(self, loop_share: float = LOOP_SHARE, sleep: Callable[[float], None] = time.sleep) -> None:
        """A `loop_share` of 0 means no breaks."""
        self._owed, self._sleep = loop_share / (1 - loop_share), sleep
        self._worked_s, self._ended_s = 0.0, time.perf_counter()

    def take(self) -> None:
        """Sleep, unless the thread has been idle for long enough since its last piece of work."""
        if (left_s := self._owed * self._worked_s - (time.perf_counter() - self._ended_s)) > 0:
            self._sleep(left_s)

    def run(self, work: Callable[[], T]) -> T:
        """Do a piece of work, after the break that the last one requires. Its time is the thread's processor time."""
        self.take()
        began_s = time.thread_time()
        try:
            return work()
        finally:
            self._worked_s, self._ended_s = time.thread_time() - began_s, time.perf_counter()


class _Job(Generic[T]):
    """Work that waits or is being done, and what tells of each caller whether it still wants the result."""

    __slots__ = ("result", "start", "started", "wanted")

    def __init__(self, start: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.start, self.started = start, False
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.wanted: list[Callable[[], bool]] = []


class RestoreQueue(Generic[T]):
    """Does one piece of work for each key, a bounded number at once; callers that ask meanwhile share its result.

    Addresses take turns. Work that no caller wants any more is not done.
    """

    def __init__(self, waiting_most: int = WAITING_MOST, of_address_most: int = OF_ADDRESS_MOST) -> None:
        self._waiting_most, self._of_address_most = waiting_most, of_address_most
        self._jobs: dict[str, _Job[T]] = {}
        self._waiting = FairQueue[str]()
        self._tasks = set[asyncio.Task[None] | None]()

    def __len__(self) -> int:
        """How many pieces of work wait or are being done."""
        return len(self._jobs)

    async def run(
        self,
        key: str,
        start: Callable[[], Coroutine[Any, Any, T]],
        address: str = "",
        wanted: Callable[[], bool] = lambda: True,
    ) -> T:
        """Wait for the work of this key and return its result, or raise its error; `start` begins it if there is none.

        `wanted` tells whether the client at this address is still there: a lost connection does not cancel its request.

        Raises: LimitExceeded if too many wait already, at this address or in all.
        """
        job = self._jobs.get(key)
        if job is None or not job.started:
            own = self._waiting.of(address)
            if key not in own and len(own) >= self._of_address_most:
                raise LimitExceeded(TRY_AGAIN_S)
            if job is None and len(self._jobs) >= self._waiting_most:
                raise Overloaded(TRY_AGAIN_S)
            self._waiting.put(address, key)
        if job is None:
            job = self._jobs[key] = _Job(start)
            self._begin()
        job.wanted.append(wanted)
        try:
            return await asyncio.shield(job.result)
        finally:
            job.wanted.remove(wanted)

    def _begin(self) -> None:
        """Begin work that waits, up to `AT_ONCE`."""
        while self._waiting and len(self._tasks) < AT_ONCE:
            key = self._waiting.pop()
            job = self._jobs.get(key)
            if job and not job.started:  # or another address has asked for the same
                job.started = True
                self._tasks.add(asyncio.create_task(self._do(key, job)))

    async def _do(self, key: str, job: _Job[T]) -> None:
        try:
            if not any(wanted() for wanted in job.wanted):
                raise LimitExceeded(TRY_AGAIN_S)
            job.result.set_result(await job.start())
        except Exception as error:
            job.result.set_exception(error)
            job.result.exception()  # every caller may be gone, and asyncio reports exceptions that nobody retrieved
        except asyncio.CancelledError:  # the event loop ends
            job.result.cancel()
            self._waiting.clear()
            raise
        finally:
            del self._jobs[key]
            self._tasks.discard(asyncio.current_task())
            self._begin()


def restore(
    log: LogReader[Entry], room: str, table: Table, alive_us: int, breaks: Breaks | None = None
) -> Restored | None:
    """Restore a new table to the last game of a room, given by its full name; None if the log has none of it.

    `alive_us` is when the server was last alive.

    Raises: LogError if the log cannot be read; Corrupt if an entry is damaged.
    """
    breaks = breaks or Breaks(0)
    if not (games := log.games(f"{room}-")):
        return None
    entries, snapshot = breaks.run(lambda: _read(log, games[-1]))

    def restored() -> Restored:
        """All that a room needs of its log, so that nothing is left to the event loop."""
        seen = table.restore(int(games[-1].rpartition("-")[2]), entries, snapshot, alive_us, RECENT)
        recent = [entry.event for entry in entries[1 if snapshot else 0 :][-RECENT:]]
        of_game = sum(map(is_game_event, recent))
        messages = numbered(recent, table.state.version - len(recent) + 1, seen[len(seen) - of_game :])
        return Restored(table, RecentEvents(messages))

    return breaks.run(restored)


def _read(log: LogReader[Entry], game: str) -> tuple[Sequence[Entry], Snapshot | None]:
    """The entries of a game from its newest snapshot on that can be read, with that; a log of another program has none.

    Raises: Corrupt if even the first entry has one that this version cannot read.
    """
    if (last := log.last(game)) and last.since:
        entries = log.read(game, last.since - 1)
        if entries and (snapshot := decode_snapshot(entries[0])) and snapshot.state.version == last.since:
            return entries, snapshot
    entries = log.read(game)
    snapshot = decode_snapshot(entries[0]) if entries else None
    if snapshot is None and entries and entries[0].state is not None:
        raise Corrupt(f"game {game}: its first entry has a snapshot of the table that this version cannot read")
    return entries, snapshot


def ledger_before(log: LogReader[Entry], game: str) -> Ledger:
    """The ledger of a room before this game, computed from the entries of its earlier games."""
    games = log.games(f"{game.rpartition('-')[0]}-")
    before = games[: games.index(game)]  # one is in memory at a time
    return reduce(Ledger.after, (entry.event for name in before for entry in log.read(name)), FRESH)
