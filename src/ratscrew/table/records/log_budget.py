"""How much one game's log may hold, and what each request adds to it. Unit: about 100 bytes of the log.

The log of one game (game 0 is the time before the first) is read as a whole when its room is restored, so it is
bounded: `ENTRIES_MOST` entries, and `REQUESTS_MOST` units by what is not play. A request beyond that is refused with
`room_log_full`. Starting the next game begins a new log; leaving is always possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import get_args

from ratscrew.table.messages import RequestName
from ratscrew.table.records.entries import Judged, LateSlap, Measured, Recorded, RulesChanged, TableEvent

ENTRIES_MOST = 20_000
"""Entries of one game. A long game of people has some 3,000; at two cards a second this is more than an hour."""

REQUESTS_MOST = 4000
"""Units that requests may add to the log of one game: 100 houses, or some thousand of anything else."""

HOUSE_COST, ENTRY_COST = 40, 2
"""What an entry costs: one with a whole house has up to 4 kB, any other that is no play up to 200 bytes."""

_PLAYED = {Judged, Measured, LateSlap}
_COSTS = {kind: ENTRY_COST for kind in get_args(TableEvent) if kind not in _PLAYED} | {RulesChanged: HOUSE_COST}

PRICES: Mapping[RequestName, int] = {
    "play": 0,  # at most one card each half second, and one slap for each seat and card: the pace is the limit
    "slap": 0,
    "seen": 0,
    "beat": 0,
    "act": 2,
    "react": 2,  # not logged, but sent to everybody
    "leave": 2,
    "remove": 2,
    "mute": 2,
    "list": 2,
    "lock": 2,
    "readmit": 2,
    "lift": 2,
    "nonce": 2,
    "bot": 3,
    "house": HOUSE_COST,
    "start": 60,  # a deal: the house, every hand, and everybody who sits there
    "again": 60,
}
"""What a request costs: by how much it writes and sends."""


def price_unchanged(what: RequestName) -> int:
    """What a request costs that was refused or has changed nothing: that it was read."""
    return max(1, PRICES[what] // 8)


_ALWAYS: frozenset[RequestName] = frozenset(("leave", "remove", "react", "start", "again"))
_PLAY: frozenset[RequestName] = frozenset(("play", "slap", "act"))
_TOOLS: frozenset[RequestName] = frozenset(("lock", "readmit", "mute"))
_RESERVE = 400
"""Units that are left to the host's tools against others, who cannot use them up."""


class LogBudget:
    """What the log of the running game has had so far."""

    def __init__(self, events: Iterable[Recorded] = ()) -> None:
        self.entries = self.spent = 0
        self.count(tuple(events))

    def count(self, events: Sequence[Recorded]) -> None:
        """These have been written."""
        self.entries += len(events)
        self.spent += sum(map(_COSTS.get, map(type, events), repeat(0)))

    @property
    def full(self) -> bool:
        """Whether the game has to stop."""
        return self.entries >= ENTRIES_MOST

    def allows(self, what: RequestName) -> bool:
        """Whether what this asks for may still be written."""
        if what in _ALWAYS:
            return True
        if what in _PLAY:
            return not self.full
        return self.spent + PRICES[what] <= REQUESTS_MOST + (_RESERVE if what in _TOOLS else 0)
