"""What players see of an arena: a line in the list, the standings, and what a player needs to know. No I/O."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ratscrew.table.arenas.arena import Arena
from ratscrew.table.record.entries import Appearance


class ArenaSummary(Struct, frozen=True):
    """An arena in the list: its `code` is its address. Times are seconds since 1970. `hourly`: it opens by itself."""

    code: str
    title: str
    house: str
    begins_s: float
    ends_s: float
    players: int
    hourly: bool = False

    @classmethod
    def of(cls, arena: Arena, code: str) -> ArenaSummary:
        """The line of an arena."""
        return cls(code, arena.title, arena.house, arena.begins_s, arena.ends_s, len(arena.players), arena.hourly)


class ArenaRow(Struct, frozen=True):
    """A player in the standings. `doubles`: the next win counts twice; `room`: the code of the table they play at."""

    id: int
    name: str
    appearance: Appearance
    points: int
    games: int
    wins: int
    doubles: bool
    room: str | None


WaitReason: TypeAlias = Literal["start", "players", "tables", "slap_in", "games"]
"""Why a player waits: for the arena's beginning; for another player; for tables, which are made in a moment; to slap
in at a running table; or, where nobody can slap in, for the end of a game."""


class ArenaWait(Struct, frozen=True):
    """Why a player waits, how many seconds at most, and the code of a table to watch meanwhile."""

    why: WaitReason
    most_s: float
    watch: str | None = None


class PlayerState(NamedTuple):
    """What a player needs to know: the rank from 1, and the table to play at, or why there is none yet."""

    player: int
    rank: int
    points: int
    doubles: bool
    room: str | None
    seat: int | None
    room_name: str | None
    wait: ArenaWait | None = None
