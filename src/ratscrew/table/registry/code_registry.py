"""Which codes lead to rooms, and when each room was used last. In memory, so that no request waits for the log.

A code belongs to its room for `KEPT_US` after the last use: a visit with a seat, or a log entry. That is two days more
than a seat's cookie lasts, so a code never leads elsewhere while a browser can still hold a seat of the room. Visits
that write no entry are noted in the log once a day, which takes one of the two days; the other is slack. If no card
was ever turned in a room, its code is free `UNPLAYED_KEPT_US` after the last player left.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import NamedTuple

from ratscrew.errors import Corrupt
from ratscrew.game.events import Dealt
from ratscrew.log.protocol import EventLog, LogReader
from ratscrew.table.record.entries import Entry, Promised
from ratscrew.table.registry.codes import LETTERS
from ratscrew.table.registry.tokens import LASTS_S

DAY_US = 24 * 3600 * 1_000_000
KEPT_US = LASTS_S["seat"] * 1_000_000 + 2 * DAY_US
UNPLAYED_KEPT_US = 3600 * 1_000_000

NOTED = "room-used-"
"""The prefix of the names under which the log keeps the last visits of rooms, by their full names."""


class CodeUse(NamedTuple):
    """The room that a code leads to, by its full name, its last use, and whether a card was ever turned there.

    Unit: microseconds since 1970.
    """

    room: str
    used_us: int
    played: bool = True


class CodeRegistry:
    """All codes of one server, also those of rooms that are in the log only."""

    def __init__(self, log: LogReader[Entry], now_us: int = 0) -> None:
        """Reads the names of all games and the last entry of each code's newest game: call it off the event loop.

        Rooms opened in the last day, without a game yet, count as used now: players may wait for this server there.

        Raises: LogError if the log cannot be read.
        """
        newest = {code_of(game): game for game in log.games()}
        noted = {name.removeprefix(NOTED): int(us) for name, us in log.get(NOTED).items()}
        uses = [_last_use(log, game, noted.get(room_of(game), 0)) for game in newest.values()]
        self._uses: dict[str, CodeUse] = {}
        self._unplayed: dict[str, CodeUse] = {}
        self._lengths = Counter[int]()
        for use in sorted(uses, key=lambda use: use.used_us):
            waits = not use.played and now_us - use.used_us < DAY_US
            self._put(use._replace(used_us=max(now_us, use.used_us)) if waits else use)
        self._noted = {use.room: use.used_us for use in uses}
        self.release_unused(now_us)

    def get(self, code: str) -> CodeUse | None:
        """The room that a code leads to."""
        return self._uses.get(code) or self._unplayed.get(code)

    def use(self, room: str, now_us: int, played: bool = True) -> None:
        """Give a room its code, or note that it was used again."""
        self._remove(code_of(room))
        self._put(CodeUse(room, now_us, played))
        self._noted.setdefault(room, now_us)

    def release(self, code: str) -> None:
        """Let other rooms have a code, as after a room that was never kept."""
        if use := self._remove(code):
            self._noted.pop(use.room, None)

    def release_unused(self, now_us: int) -> None:
        """Release the codes that have not been used for long. Takes time only for those."""
        for uses, kept_us in ((self._uses, KEPT_US), (self._unplayed, UNPLAYED_KEPT_US)):
            while uses and now_us - (oldest := next(iter(uses.values()))).used_us > kept_us:
                self.release(code_of(oldest.room))

    def in_use(self, digits: int) -> int:
        """How many codes with so many digits lead to a room."""
        return self._lengths[LETTERS + digits]

    def note(self, log: EventLog[Entry], room: str, now_us: int) -> None:
        """Keep in the log, once a day, that a room was visited: call it off the event loop.

        Raises: LogError.
        """
        if now_us - self._noted.get(room, 0) >= DAY_US:
            log.put(NOTED + room, str(now_us).encode())
            self._noted[room] = now_us

    def __len__(self) -> int:
        return len(self._uses) + len(self._unplayed)

    def _put(self, use: CodeUse) -> None:
        """Add a use behind all others, which are older."""
        code = code_of(use.room)
        (self._uses if use.played else self._unplayed)[code] = use
        self._lengths[len(code)] += 1

    def _remove(self, code: str) -> CodeUse | None:
        use = self._uses.pop(code, None) or self._unplayed.pop(code, None)
        if use:
            self._lengths[len(code)] -= 1
        return use


def code_of(game: str) -> str:
    """The code of a room, of its or a game's full name."""
    return game.partition("-")[0]


def room_of(game: str) -> str:
    """The full name of a game's room."""
    return game.rpartition("-")[0]


def _last_use(log: LogReader[Entry], game: str, noted_us: int) -> CodeUse:
    """The last use of a room by its newest game: by its last entry; if that is damaged, by the time of its opening."""
    room, number = room_of(game), game.rpartition("-")[2]
    with suppress(Corrupt):
        if entry := log.last(game):
            unplayed = number == "0" or (number == "1" and isinstance(entry.event, Dealt | Promised))
            return CodeUse(room, max(entry.at_us, noted_us), not unplayed)
    with suppress(ValueError, IndexError):
        return CodeUse(room, max(int(game.split("-")[1], 16), noted_us))
    return CodeUse(room, noted_us)
