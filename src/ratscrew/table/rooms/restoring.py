"""Restore rooms from the log, off the event loop: each room once at a time, and a bounded number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import reduce
from typing import Any, Generic, NamedTuple, TypeVar

from ratscrew.errors import LimitExceeded
from ratscrew.log.protocol import LogReader
from ratscrew.table.records.entries import Entry
from ratscrew.table.records.rejudge import FRESH, Ledger
from ratscrew.table.table import Table

WAITING_MOST = 64
"""How many rooms may wait to be restored; a request for another is refused."""

TRY_AGAIN_S = 1.0

T = TypeVar("T")


class Restored(NamedTuple):
    """A table as its log describes it, and the entries of its last game."""

    table: Table
    entries: Sequence[Entry]


class SingleFlight(Generic[T]):
    """Runs one task for each key at a time, a bounded number in all; callers that ask meanwhile share its result."""

    def __init__(self, waiting_most: int = WAITING_MOST) -> None:
        self._waiting_most = waiting_most
        self._flights: dict[str, asyncio.Task[T]] = {}

    async def run(self, key: str, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Wait for the task of this key and return its result, or raise its error; `start` makes one if there is none.

        Raises: LimitExceeded if too many wait already.
        """
        if (flight := self._flights.get(key)) is None:
            if len(self._flights) >= self._waiting_most:
                raise LimitExceeded(TRY_AGAIN_S)
            flight = self._flights[key] = asyncio.create_task(start())
            flight.add_done_callback(lambda done: self._land(key, done))
        return await asyncio.shield(flight)

    def _land(self, key: str, done: asyncio.Task[T]) -> None:
        del self._flights[key]
        if not done.cancelled():
            done.exception()  # every caller may be gone, and asyncio reports exceptions that were never retrieved


def restore(log: LogReader[Entry], room: str, table: Table, alive_us: int) -> Restored | None:
    """Restore a new table to the last game of a room, given by its full name; None if the log has none of it.

    `alive_us` is when the server was last alive.

    Raises: LogError if the log cannot be read; Corrupt if an entry is damaged.
    """
    if not (games := log.games(f"{room}-")):
        return None
    entries = log.read(games[-1])
    table.restore(int(games[-1].rpartition("-")[2]), entries, _past(log, games, entries), alive_us)
    return Restored(table, entries)


def ledger_before(log: LogReader[Entry], game: str) -> Ledger:
    """The ledger of a room before this game, computed from the entries of its earlier games."""
    games = log.games(f"{game.rpartition('-')[0]}-")
    return _counted(log, games[: games.index(game)])


def _past(log: LogReader[Entry], games: Sequence[str], entries: Sequence[Entry]) -> Ledger:
    """The ledger at the start of the last game: from its snapshot, or, in a log without one, from the games before."""
    if entries and (snapshot := entries[0].ledger):
        return Ledger(credits=snapshot.credits, next_player_id=snapshot.next_player_id)
    return _counted(log, games[:-1])


def _counted(log: LogReader[Entry], games: Sequence[str]) -> Ledger:
    return reduce(Ledger.after, (entry.event for game in games for entry in log.read(game)), FRESH)
