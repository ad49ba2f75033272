"""The role of host passes to another player while the host is away. No I/O here; unit: microseconds.

So nobody waits for a player who may not come back: in the waiting room only the host deals. It passes to the first
player who is here, and returns to the host with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratscrew.table.effects import Effects, Send
from ratscrew.table.messages import Clock
from ratscrew.table.records.entries import HostPassed

if TYPE_CHECKING:
    from ratscrew.table.table import Table

HOST_AWAY_US = 20_000_000
"""How long a host may be away before the role passes. A page that loads again, or changes its network, takes less."""


def heir(table: Table) -> int | None:
    """The seat to which the role passes while the host is away: of the players who are here, first those who act."""
    if not table.state.has_host or table.state.log_full or table.seats[table.state.host].page_state is not None:
        return None
    here = [number for number, seat in enumerate(table.seats) if seat.here]
    return min(here, key=lambda number: (table.seats[number].idle, number), default=None)


def passes_us(table: Table) -> int | None:
    """When the role of host passes; None if it does not."""
    return None if heir(table) is None else (table.seats[table.state.host].absent_us or 0) + HOST_AWAY_US


def pass_if_due(table: Table, now_us: int) -> Effects:
    """Pass the role on if the host has been away for long enough."""
    at_us, to = passes_us(table), heir(table)
    return table.record([HostPassed(to, away=True)], now_us) if to is not None and (at_us or 0) <= now_us else []


def give_back(table: Table, seat: int, now_us: int) -> Effects:
    """A player comes: they are the host again, if the role has passed from them because they were away."""
    if table.seats[seat].player_id != table.state.away_host_id or table.state.log_full:
        return []
    return table.record([HostPassed(seat)], now_us)


def countdown(table: Table, now_us: int) -> Clock | None:
    """The countdown that players see in the waiting room while the host is away, unless one to the deal is running."""
    at_us, to = passes_us(table), heir(table)
    if table.session is not None or table.rematch.deal_us is not None or at_us is None or to is None:
        return None
    return Clock(to, "host", max(0, at_us - now_us) // 1000)


def countdown_messages(table: Table, seat: int, now_us: int) -> Effects:
    """The countdown after a player at this seat has come or gone, or that there is none any more."""
    if shown := countdown(table, now_us):
        return [Send(shown)]
    others_here = any(each.here for number, each in enumerate(table.seats) if number != seat)
    came_back = (
        table.session is None and table.state.has_host and seat == table.state.host and not table.rematch.deal_us
    )
    return [Send(Clock(seat, "host", 0))] if came_back and others_here else []
