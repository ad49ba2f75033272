"""Stops a table's clocks while the log does not store what has happened, and sends the players `saving`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future

from ratscrew.table.core.table import Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.messages import Message, Saving
from ratscrew.table.room.delivery import CommitQueue
from ratscrew.table.room.subscriber import Subscriber

CHECK_EVERY_S = 1.0
"""How often `check` is to be called: the clocks stop when an append has waited for one to two times as long."""


class LogWait:
    """Watches a room's queue. `do` has its table do something, `send` sends a message to clients."""

    def __init__(
        self,
        table: Table,
        queue: CommitQueue,
        clock: Clock,
        do: Callable[[Callable[[int], Effects], int], None],
        send: Callable[[Message, Collection[Subscriber]], None],
        subscribers: Callable[[], Collection[Subscriber]],
    ) -> None:
        self._table, self._queue, self._clock = table, queue, clock
        self._do, self._send, self._subscribers = do, send, subscribers
        self._oldest: Future[int] | None = None
        self._saving = False

    def check(self) -> None:
        """Stop the clocks if the log has stored nothing since the last call, although something waits for it.

        They go on behind what waits. A race is decided first.
        """
        before, self._oldest = self._oldest, self._queue.oldest
        if before is None or before is not self._oldest or self._table.racing:
            return
        self._do(self._hold, self._clock.now_us())
        if not self._saving:
            self._saving = True
            self._send(Saving(True), list(self._subscribers()))
            self._queue.put(self._stored)

    def _stored(self) -> None:
        self._saving = False
        self._send(Saving(False), list(self._subscribers()))
        self._do(self._go_on, self._clock.now_us())

    def _hold(self, now_us: int) -> Effects:
        session = self._table.session
        return session.stop(now_us) if session and self._table.state.playing and not session.schedule.held else []

    def _go_on(self, now_us: int) -> Effects:
        """As after a pause: with a countdown, and the seat that has to act has the rest of its time."""
        table, session = self._table, self._table.session
        stopped = session and table.state.playing and session.schedule.held
        return table.count_in(now_us) if stopped and not table.pause.on and not table.pause.wanted else []
