"""Gives events their number and time in the log of the running game. No I/O: does not write the log itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ratscrew.game.view import View
from ratscrew.game.view_changes import ViewUpdate
from ratscrew.log.protocol import End
from ratscrew.table.effects import RevealTime, Store
from ratscrew.table.messages import EventMessage
from ratscrew.table.records.entries import Entry, LedgerSnapshot, Recorded, is_game_event
from ratscrew.table.records.log_budget import LogBudget
from ratscrew.table.records.redaction import redact


class LogWriter:
    """The log of a room's running game: `round` is the game's number (0: before the first), `version` its entries.

    `since` is the number of the newest entry with a snapshot of the table; 0 if there is none. `game` is the game's
    name in the log, `public` the one that clients get (`game_names.py`).
    """

    def __init__(self, room: str, public_name: Callable[[str], str] = str) -> None:
        self._room, self._public_name = room, public_name
        self._ahead_us = 0
        self._restored_us: int | None = None
        self.game, self.version = "", 0
        self.begin(0)

    def begin(self, number: int) -> None:
        """Begin an empty log for the room's game `number`; its first entries end the game before."""
        self._ends = End(self.game, self.version) if self.version else None
        self.round, self.version, self.since, self.budget = number, 0, 0, LogBudget()
        self.game = f"{self._room}-{number}"
        self.public = self._public_name(self.game)

    def resume(self, number: int, entries: Sequence[Entry], after: int = 0, spent: int = 0) -> None:
        """Continue after the entries of the room's game `number`, as they are in the log.

        If they are only those after entry `after`, `spent` is what the log's budget had spent by then.
        """
        self.begin(number)
        self.version, self.budget, self._ends = after + len(entries), LogBudget(after, spent), None
        self.budget.count([entry.event for entry in entries])
        if entries:
            self._restored_us, self.since = entries[-1].at_us, entries[-1].since

    def store(
        self,
        events: Sequence[Recorded],
        now_us: int,
        reveal: RevealTime | None = None,
        ledger: LedgerSnapshot | None = None,
        seen: Iterable[ViewUpdate] = (),
    ) -> Store:
        """The effect that stores these events; the first entry of a game gets the `ledger`. For `seen`, see `numbered`.

        The time in the log never goes back, not even if the clock was set back while the server was off: then it goes
        on from the last entry, as fast as the clock.
        """
        if self._restored_us is not None:
            self._ahead_us, self._restored_us = max(0, self._restored_us - now_us), None
        at_us, after = now_us + self._ahead_us, self.version
        entries = [Entry(at_us, event, since=self.since) for event in events]
        if ledger:
            entries[0] = Entry(at_us, events[0], ledger=ledger)
        messages = numbered(events, after + 1, seen)
        self.version += len(entries)
        self.budget.count(events)
        return Store(self.game, after, tuple(entries), messages, reveal, None if after else self._ends)


def numbered(events: Iterable[Recorded], first: int, seen: Iterable[ViewUpdate] = ()) -> tuple[EventMessage, ...]:
    """Messages of recorded events, redacted for the public, with their numbers in the log.

    `seen` has what each event of the game does to the view.
    """
    updates, messages = iter(seen), list[EventMessage]()
    for n, event in enumerate(events, first):
        update = next(updates) if is_game_event(event) else {}
        changes, whole = ({}, update) if isinstance(update, View) else (update, None)
        messages.append(EventMessage(n, redact(event), changes, whole))
    return tuple(messages)
