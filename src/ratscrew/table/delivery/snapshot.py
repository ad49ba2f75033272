"""What somebody who comes to a table is shown: all of it, as it is at that moment."""

from __future__ import annotations

from copy import copy

from ratscrew.game.view import view
from ratscrew.rules.link import to_link
from ratscrew.table.delivery.subscriber import TableSnapshot
from ratscrew.table.table import Table


def snapshot_of(table: Table, now_us: int) -> TableSnapshot:
    """A table as it stands; the scene may be shown later, when the table has gone on."""
    return TableSnapshot(
        table.id,
        table.version,
        tuple(map(copy, table.seats)),
        table.roster.host,
        to_link(table.rules),
        table.listed,
        table.locked,
        len(table.roster.removed),
        table.closed_us,
        view(table.game) if table.game else None,
        table.clock(now_us),
        table.dealer.promise,
        table.dealer.commitment,
    )
