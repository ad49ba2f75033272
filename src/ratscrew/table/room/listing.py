"""In which list strangers find a room. No I/O here."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ratscrew.table.core.table import Table

Listing: TypeAlias = Literal["waits", "plays", "plays_full"]
"""A room that anyone may join and that waits for players; one with a game, with and without a free seat."""


def listing_of(table: Table) -> Listing | None:
    """In which list a room is; None if in none: it is not listed, or locked, or nobody is there, or it waits full."""
    if not table.state.listed or table.state.locked or not table.attended:
        return None
    free = has_space(table)
    if table.state.playing:
        return "plays" if free else "plays_full"
    return "waits" if free else None


def has_space(table: Table) -> bool:
    """Whether another player may take a seat."""
    return table.state.closed_us is None and table.state.has_free_seat
