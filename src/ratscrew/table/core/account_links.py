"""Notes which players of a table have an account, and in which of the room's networks they are."""

from __future__ import annotations

from collections.abc import Collection

from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.entries import AccountLinked


def link_account(
    table: Table, now_us: int, player_ids: Collection[int], account: str | None, network: int | None
) -> Effects:
    """Note that these players have this account, or (None) that they have none any more.

    The log has it once more at the beginning of each later game.
    """
    numbers = [number for number in table.state.seats_of(player_ids) if table.seats[number].account != account]
    linked = [AccountLinked(number, account, network) for number in numbers]
    return table.record(linked, now_us) if linked else []
