"""What the pages of a cluster were told, compared with the log: missing, different, repeated or split events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from benchmarks.stress_client import ReceivedEvents
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry

_CODEC = Codec[Entry](Entry)


class Told(NamedTuple):
    """All events that pages received, compared with the log.

    `told` counts every event of every page. `missing` counts events that are not in the log, and events that a page
    skipped. `different` are events whose contents are not those in the log. `twice` counts events that a page received
    again, and entries that the log has twice. `split` are events that two owners broadcast with different contents.
    """

    told: int
    missing: int
    different: int
    twice: int
    split: int


class ToldEvents(ReceivedEvents):
    """All events that any page received, with the epoch of the owner that sent them."""

    def __init__(self) -> None:
        super().__init__()
        self.told = self.again = 0
        self._owners: dict[tuple[str, int], tuple[int, Any]] = {}
        self._split: set[tuple[str, int]] = set()

    def receive(self, game: str, version: int, event: Any, epoch: int, known: int) -> None:
        """Record an event that the owner of this epoch has sent to a page that knew `known` events of the game."""
        self.told += 1
        self.again += version <= known
        self.gaps += version > known + 1
        self.add(game, version, event)
        first_epoch, first = self._owners.setdefault((game, version), (epoch, event))
        if first_epoch != epoch and first != event:
            self._split.add((game, version))

    def compare_all(self, log: EventLog[Entry]) -> Told:
        """Compare with the log. Raises: LogError."""
        found, names = self.compare(log), GameNames.read(log)
        repeated = sum(repeated_entries(log.read(names.in_log(game) or game)) for game in self.upto)
        return Told(self.told, found.missing + self.gaps, found.different, self.again + repeated, len(self._split))


def repeated_entries(entries: Iterable[Entry]) -> int:
    """How many of a game's entries equal an earlier one of the same microsecond: a commit that was done twice."""
    found = Counter(_CODEC.encode(entry) for entry in entries)
    return found.total() - len(found)
