"""The watchers of one room who are somewhere else: they see its table some seconds later. Imports no sockets.

The delay protects the game: what a watcher knows, the judge has long decided and every player has seen. While no game
is running there is none, so that a visitor sees the waiting room as it is. An `Audience`
is one subscriber of its room, however many watch. What is due is encoded once, and sent to a few watchers in each
iteration of the event loop, so that players are served in between.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from ratscrew.judge.page_state import PageState
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.messages import (
    Countdown,
    EventMessage,
    Message,
    Presence,
    Reacted,
    ReadySeats,
    TurnCancelled,
    Turning,
)
from ratscrew.table.room.subscriber import Broadcast, TableSnapshot

DELAY_S = 3.0
"""How much later watchers see the table, by the time of day: a race is decided within a second."""

GATHER_S = 0.1
"""Messages that come within this time go to watchers as one."""

PIECE = 16
"""Watchers who are sent something in one iteration of the event loop: it takes some 0.2 ms."""

FRESH_AFTER = 40
"""After so many messages the audience gets a new snapshot, so that a watcher who comes gets few messages after it."""

ALIVE_EVERY_S = 8.0
"""How often each watcher is pinged, in turns."""

_TURN_S = 0.25

_LASTING = EventMessage | Countdown | Presence | ReadySeats | Turning | TurnCancelled
"""The messages that a watcher who comes later needs too."""


class Watcher(Protocol):
    """A watcher's connection. None of these calls waits."""

    def send_frame(self, frame: bytes) -> None:
        """Send an encoded frame."""

    def ping(self) -> None:
        """Ask for an answer, or end a connection that gives none."""

    def disconnect(self, why: str) -> None:
        """End the connection."""


class Encoding(NamedTuple):
    """Encodes a frame of messages, or of a snapshot."""

    messages: Callable[[Sequence[Message]], bytes]
    snapshot: Callable[[TableSnapshot], bytes]


class _Due(NamedTuple):
    """What watchers see from a moment on. Unit: microseconds of the table's clock."""

    at_us: int
    seen: TableSnapshot | list[Message]


class Audience:
    """The watchers of one room: a `Subscriber` without seats."""

    def __init__(
        self, enter: Callable[[Audience], None], playing: Callable[[], bool], clock: Clock, encoding: Encoding
    ) -> None:
        """`enter` lets it into its room, which sends it a snapshot; it is called again for each newer one. `playing`
        tells whether a game is running there.
        """
        self.seats: tuple[int, ...] = ()
        self.page_state = PageState()
        self.ended = False
        self._enter, self._playing, self._clock, self._encoding = enter, playing, clock, encoding
        self._loop = asyncio.get_running_loop()
        self._watchers: dict[Watcher, None] = {}
        self._pinged: deque[Watcher] = deque()
        self._to_ping = 0.0
        self._due: deque[_Due] = deque()
        self._alarm: asyncio.TimerHandle | None = None
        self._alive: asyncio.TimerHandle | None = None
        self._shown: list[bytes] = []
        self._since: list[Message] = []
        self._game = ""
        self._count = 0
        self._jobs: deque[Callable[[], list[Callable[[], None]]]] = deque()
        self._sending: deque[Callable[[], None]] = deque()
        self._running = False

    def __len__(self) -> int:
        """How many watch."""
        return len(self._watchers)

    # Watchers come and go

    def come(self, watcher: Watcher) -> None:
        """A watcher comes: it sees the table as the others do, or, if it is the first one, when its delay is over."""
        first = not self._watchers
        self._watchers[watcher] = None
        if self._shown:
            for frame in self._frames():
                watcher.send_frame(frame)
        if first:
            self._set_alive()
            if not self._shown and not self._due:
                self._enter(self)

    def go(self, watcher: Watcher) -> None:
        """A watcher has gone."""
        self._watchers.pop(watcher, None)

    def restart(self) -> None:
        """Forget what watchers have not seen yet: a name in it has been deleted. They get a new snapshot."""
        self._due.clear()
        self._shown, self._since, self._game = [], [], ""
        self._enter(self)

    # From the room, see `Subscriber`

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        self._count = 0
        self._put(snapshot)

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        self.send_snapshot(snapshot)

    def send(self, broadcast: Broadcast) -> None:
        messages: list[Message] = [message for message in broadcast.messages if isinstance(message, _LASTING | Reacted)]
        if not messages:
            return
        self._count += len(messages)
        if self._count >= FRESH_AFTER:
            self._count = 0
            self._loop.call_soon(self._refresh)
        last = self._due[-1] if self._due else None
        if last and isinstance(last.seen, list) and last.at_us > self._clock.now_us() + self._us(DELAY_S):
            last.seen.extend(messages)
        else:
            self._put(messages)

    def announce(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""

    def ping(self) -> None:
        """See `Subscriber`."""

    def probe(self, playing: bool) -> None:
        """See `Subscriber`."""

    def disconnect(self, why: str) -> None:
        """See `Subscriber`: the room has closed, or goes elsewhere."""
        self.ended = True
        self._due.clear()
        for timer in (self._alarm, self._alive):
            if timer:
                timer.cancel()
        self._run(lambda: [partial(watcher.disconnect, why) for watcher in self._watchers])

    # Inside

    def _us(self, seconds: float) -> int:
        return round(seconds * self._clock.speed * 1e6)

    def _refresh(self) -> None:
        if not self.ended and self._watchers:
            self._enter(self)

    def _put(self, seen: TableSnapshot | list[Message]) -> None:
        at_us = self._clock.now_us() + (self._us(DELAY_S + GATHER_S) if self._playing() else 0)
        self._due.append(_Due(max(at_us, self._due[-1].at_us if self._due else 0), seen))
        if self._alarm is None and not self.ended:
            self._set_alarm()

    def _set_alarm(self) -> None:
        self._alarm = self._loop.call_later(self._clock.until_s(self._due[0].at_us), self._show_due)

    def _show_due(self) -> None:
        self._alarm = None
        now_us = self._clock.now_us()
        while self._due and self._due[0].at_us <= now_us:
            self._run(partial(self._show, self._due.popleft().seen))
        if self._due:
            self._set_alarm()

    def _show(self, seen: TableSnapshot | list[Message]) -> list[Callable[[], None]]:
        """Show something to all watchers, and to those who come later: what is to be sent."""
        if isinstance(seen, list):
            if not self._shown:
                return []
            self._since += [message for message in seen if isinstance(message, _LASTING)]
            frame = self._encoding.messages(seen)
        else:
            known, self._game = seen.game == self._game and bool(self._shown), seen.game
            frame = self._encoding.snapshot(seen)
            self._shown, self._since = [frame], []
            if known:
                return []
        return [partial(watcher.send_frame, frame) for watcher in self._watchers]

    def _frames(self) -> list[bytes]:
        """What a watcher gets who comes now: the snapshot, and what watchers have seen since."""
        if self._since:
            self._shown[1:] = [self._encoding.messages(self._since)]
        return self._shown

    def _run(self, job: Callable[[], list[Callable[[], None]]]) -> None:
        self._jobs.append(job)
        if not self._running:
            self._running = True
            self._send_piece()

    def _send_piece(self) -> None:
        while not self._sending and self._jobs:
            self._sending.extend(self._jobs.popleft()())
        for _ in range(min(PIECE, len(self._sending))):
            self._sending.popleft()()
        self._running = bool(self._sending or self._jobs)
        if self._running:
            self._loop.call_soon(self._send_piece)

    def _set_alive(self) -> None:
        if not self.ended:
            self._alive = self._loop.call_later(_TURN_S, self._ping_some)

    def _ping_some(self) -> None:
        if not self._watchers:
            return
        if not self._pinged:
            self._pinged.extend(self._watchers)
        self._to_ping += len(self._watchers) * _TURN_S / ALIVE_EVERY_S
        while self._to_ping >= 1 and self._pinged:
            self._to_ping -= 1
            if (watcher := self._pinged.popleft()) in self._watchers:
                watcher.ping()
        self._set_alive()
