"""A name is deleted: at its table, which tells everybody, and in all that the log has of its room."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from ratscrew.log.protocol import EventLog
from ratscrew.table.effects import Effects
from ratscrew.table.players.names import NO_NAME
from ratscrew.table.records.entries import Entry, NameDeleted, Sat
from ratscrew.table.table import Table

SatFilter: TypeAlias = Callable[[Sat], bool]
"""Whether it is one of those whose names are deleted who sat down there."""

T = TypeVar("T")


def delete_names_at_table(table: Table, player_ids: Collection[int], now_us: int) -> Effects:
    """These have no name at their table any more."""
    effects: Effects = []
    for number, seat in enumerate(table.seats):
        if seat.player_id in player_ids and seat.name != NO_NAME:
            table.roster.apply(deleted := NameDeleted(number))
            effects += table.record([deleted], now_us)
    return effects


def delete_names_in_log(log: EventLog[Entry], room: str, matches: SatFilter) -> int:
    """Delete names in every game of a room, which is given by its full name; from how many games they were deleted.

    Raises: Corrupt for a game that cannot be read; LogError if they cannot be deleted now.
    """
    found = set[str]()
    for game in log.games(f"{room}-"):

        def change(entry: Entry, game: str = game) -> Entry:
            changed = replace(entry, event=without_name(entry.event, matches))
            if changed != entry:
                found.add(game)
            return changed

        log.redact(game, change)
    return len(found)


def without_name(event: T, matches: SatFilter) -> T | Sat:
    """What happened, without the name if it is one of these who sat down."""
    return replace(event, name=NO_NAME) if isinstance(event, Sat) and matches(event) else event


def seated_by(player_ids: Collection[int]) -> SatFilter:
    """Those who have these numbers in the room; early ones had the number of their seat."""
    return lambda sat: (sat.seat if sat.player_id is None else sat.player_id) in player_ids
