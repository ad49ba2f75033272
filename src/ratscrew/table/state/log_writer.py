"""Gives events their number and time in the log of the running game, and some of them a snapshot of the table.

No I/O: does not write the log itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from ratscrew.bots.memory import Memory
from ratscrew.game.state import Game
from ratscrew.game.view import View
from ratscrew.game.view_changes import ViewUpdate
from ratscrew.log.protocol import End
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import TABLE_EVENTS, Entry, Recorded, RequestId, Sat
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.record.redaction import redact
from ratscrew.table.state.evolve import evolve
from ratscrew.table.state.log_snapshot import Snapshot, encode_snapshot
from ratscrew.table.state.table_state import TableState

STATE_EVERY = 64
"""The entries from one snapshot to the next, or a few more. A snapshot takes as much space as some eight of them."""


class LogWriter:
    """The log of a room's running game.

    `game` is its name in the log, `public` the one that clients get (`game_names.py`).
    """

    def __init__(self, room: str, public_name: Callable[[str], str] = str, number: int = 0) -> None:
        """The log of the room's game `number`."""
        self._room, self._public_name = room, public_name
        self._ahead_us = 0
        self._restored_us: int | None = None
        self.game = self.public = ""
        self._request: RequestId | None = None
        self.state_every = STATE_EVERY
        self.begin(number)

    @contextmanager
    def signed(self, request: RequestId | None) -> Iterator[None]:
        """What is stored meanwhile is stored by this request."""
        self._request = request
        try:
            yield
        finally:
            self._request = None

    def begin(self, number: int, before: int = 0) -> None:
        """Begin the log of the room's game `number`; its first entries end the log before, with so many entries."""
        self._ends = End(self.game, before) if before else None
        self.game = f"{self._room}-{number}"
        self.public = self._public_name(self.game)

    def resume(self, number: int, last_us: int | None) -> None:
        """Continue the log of the room's game `number`, whose last entry is of this time."""
        self.begin(number)
        self._restored_us = last_us

    def store(
        self,
        state: TableState,
        events: Sequence[Recorded],
        now_us: int,
        after: Game | None = None,
        remembered: Callable[[], Memory | None] = lambda: None,
    ) -> tuple[TableState, Store]:
        """The table's state after these events, and the effect that stores them, without its messages.

        The first entry of a game has a snapshot, and the last of these if it is due, with what bots have `remembered`;
        for `after`, see `evolve`.
        The time in the log never goes back, not even if the clock was set back while the server was off: then it goes
        on from the last entry, as fast as the clock.
        """
        if self._restored_us is not None:
            self._ahead_us, self._restored_us = max(0, self._restored_us - now_us), None
        at_us, first, entries = now_us + self._ahead_us, state.version, list[Entry]()
        due = 0 if first == 0 else len(events) - 1 if first - state.since >= self.state_every else None
        signed: Sequence[int] = ()
        if self._request:
            signed = [place for place, event in enumerate(events) if first and isinstance(event, Sat)] or [0]
        for place, event in enumerate(events):
            since = state.version + 1 if place == due else state.since
            entry = Entry(at_us, event, self._request if place in signed else None, since=since)
            state = evolve(state, entry, after)
            if place == due:
                entry = replace(entry, state=encode_snapshot(Snapshot(state, remembered() if state.game else None)))
            entries.append(entry)
        return state, Store(self.game, first, tuple(entries), (), None, None if first else self._ends)


def numbered(events: Iterable[Recorded], first: int, seen: Iterable[ViewUpdate] = ()) -> tuple[EventMessage, ...]:
    """Messages of recorded events, redacted for the public, with their numbers in the log.

    `seen` has what each event of the game does to the view.
    """
    updates, messages = iter(seen), list[EventMessage]()
    for n, event in enumerate(events, first):
        update = {} if type(event) in TABLE_EVENTS else next(updates)
        changes, whole = ({}, update) if isinstance(update, View) else (update, None)
        messages.append(EventMessage(n, redact(event), changes, whole))
    return tuple(messages)
