"""Deletes players' names: at their table, for every client, and in all games of their room in the log."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from ratscrew.log.protocol import EventLog
from ratscrew.table.core.table import Table
from ratscrew.table.names.names import NO_NAME
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.entries import Entry, NameDeleted, Sat
from ratscrew.table.state.log_snapshot import change_events

SatFilter: TypeAlias = Callable[[Sat], bool]
"""Whether this seat was taken by one of the players whose names are deleted."""

T = TypeVar("T")


def delete_names_at_table(table: Table, player_ids: Collection[int], now_us: int) -> Effects:
    """Delete these players' names at their table."""
    effects: Effects = []
    for number, seat in enumerate(table.seats):
        if seat.player_id in player_ids and seat.name != NO_NAME:
            effects += table.record([NameDeleted(number)], now_us)
    return effects


def delete_names_in_log(log: EventLog[Entry], room: str, matches: SatFilter) -> int:
    """Delete names in every game of a room, given by its full name. Returns in how many games there were any.

    Raises: Corrupt for a game that cannot be read; LogError if they cannot be deleted now.
    """
    found = set[str]()
    for game in log.games(f"{room}-"):

        def change(entry: Entry, game: str = game) -> Entry:
            changed = change_events(entry, lambda event: without_name(event, matches))
            if changed != entry:
                found.add(game)
            return changed

        log.redact(game, change)
    return len(found)


def without_name(event: T, matches: SatFilter) -> T | Sat:
    """The event, without the name if one of these players took a seat."""
    return replace(event, name=NO_NAME) if isinstance(event, Sat) and matches(event) else event


def seated_by(player_ids: Collection[int]) -> SatFilter:
    """Matches the seats taken by these players; in an imported game a player's id is the number of their seat."""
    return lambda sat: (sat.seat if sat.player_id is None else sat.player_id) in player_ids
