"""The role of host passes to another player while the host is away. No I/O here; unit: microseconds.

So nobody waits for a player who may not come back: in the waiting room only the host deals. It passes to the first
player who is here, and returns to the host with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.table.record.effects import Effects, Send
from ratscrew.table.record.entries import HostPassed
from ratscrew.table.record.messages import Countdown
from ratscrew.table.session.seat import Seat
from ratscrew.table.state.table_state import TableState

HOST_AWAY_US = 20_000_000
"""How long a host may be away before the role passes. A page that loads again, or changes its network, takes less."""


def heir(state: TableState, seats: Sequence[Seat]) -> int | None:
    """The seat to which the role passes while the host is away: of the players who are here, first those who act."""
    if not state.has_host or state.log_full or seats[state.host].page_state is not None:
        return None
    here = [number for number, seat in enumerate(seats) if seat.here]
    return min(here, key=lambda number: (seats[number].idle, number), default=None)


def passes_us(state: TableState, seats: Sequence[Seat]) -> int | None:
    """When the role of host passes; None if it does not."""
    return None if heir(state, seats) is None else (seats[state.host].absent_us or 0) + HOST_AWAY_US


def passed(state: TableState, seats: Sequence[Seat], now_us: int) -> list[HostPassed]:
    """The role passes on, if the host has been away for long enough."""
    at_us, to = passes_us(state, seats), heir(state, seats)
    return [HostPassed(to, away=True)] if to is not None and (at_us or 0) <= now_us else []


def given_back(state: TableState, seats: Sequence[Seat], seat: int) -> list[HostPassed]:
    """A player comes: they are the host again, if the role has passed from them because they were away."""
    is_host = seats[seat].player_id == state.away_host_id and not state.log_full
    return [HostPassed(seat)] if is_host else []


def countdown(state: TableState, seats: Sequence[Seat], now_us: int) -> Countdown | None:
    """The countdown that players see in the waiting room while the host is away."""
    at_us, to = passes_us(state, seats), heir(state, seats)
    return None if at_us is None or to is None else Countdown(to, "host", max(0, at_us - now_us) // 1000)


def countdown_messages(state: TableState, seats: Sequence[Seat], seat: int, now_us: int) -> Effects:
    """The countdown after a player at this seat has come or gone, or that there is none any more."""
    if shown := countdown(state, seats, now_us):
        return [Send(shown)]
    others_here = any(each.here for number, each in enumerate(seats) if number != seat)
    came_back = state.has_host and seat == state.host
    return [Send(Countdown(seat, "host", 0))] if came_back and others_here else []
