"""Stops a table's clocks while the log does not store what has happened, and sends the players `saving`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import Future

from ratscrew.table.core.table import Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.messages import Message, Saving
from ratscrew.table.room.delivery import CommitQueue
from ratscrew.table.room.subscriber import Subscriber

CHECK_EVERY_S = 1.0
"""The clocks stop when an append has waited for so long, or at most twice as long behind another one."""


class LogWait:
    """Watches a room's queue while something waits there. `do` has its table do something, `send` sends a message."""

    def __init__(
        self,
        table: Table,
        queue: CommitQueue,
        clock: Clock,
        do: Callable[[Callable[[int], Effects], int], None],
        send: Callable[[Message, Collection[Subscriber]], None],
        subscribers: Callable[[], Collection[Subscriber]],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._table, self._queue, self._clock = table, queue, clock
        self._do, self._send, self._subscribers, self._loop = do, send, subscribers, loop
        self.timer: asyncio.TimerHandle | None = None
        """Runs while it watches."""
        self._oldest: Future[int] | None = None
        self._saving = False

    def watch(self) -> None:
        """Something waits for the log: look at it from time to time until nothing does."""
        if self.timer is None and (oldest := self._queue.oldest):
            self._oldest, self.timer = oldest, self._loop.call_later(CHECK_EVERY_S, self._check)

    def end(self) -> None:
        """Watch no longer."""
        if self.timer:
            self.timer.cancel()

    def _check(self) -> None:
        """Stop the clocks if the log has stored nothing since the last look, although something waits for it.

        They go on behind what waits. A race is decided first.
        """
        self.timer = None
        if self._oldest is self._queue.oldest and not self._table.racing:
            self._do(self._hold, self._clock.now_us())
            if not self._saving:
                self._saving = True
                self._send(Saving(True), list(self._subscribers()))
                self._queue.put(self._stored)
        self.watch()

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
