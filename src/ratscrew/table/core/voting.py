"""Votes to remove a player: more than half of the others, and at least two. No I/O here.

A vote brings nobody anything: in a rated game those who voted for it are rated as the last, and nobody else is; in an
arena such a game gives no points (`accounts/ratings.py`, `table/arenas/arena_registry.py`).
"""

from __future__ import annotations

from ratscrew.errors import RefusalReason
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effects, Send, require
from ratscrew.table.record.messages import Votes
from ratscrew.table.session.seat import Seat

VOTES_LEAST = 2
"""One player alone removes nobody."""


def votes_needed(table: Table, seat: int) -> int:
    """How many of the others have to vote for the removal of this seat."""
    others = [each for number, each in enumerate(table.seats) if number != seat and each.stays]
    return max(VOTES_LEAST, len(others) // 2 + 1)


def vote(table: Table, seat: int, other: int, on: bool, now_us: int) -> tuple[tuple[int, ...], Effects]:
    """A seat votes for the removal of another one, or takes its vote back. Returns the voters if the vote has passed.

    Raises: Refusal (not_so_here: there is no such player; too_few: there are not enough others to vote).
    """
    require(other != seat and table.state.has(other), RefusalReason.NOT_SO_HERE)
    others = [each for number, each in enumerate(table.seats) if number != other and each.stays]
    require(len(others) >= VOTES_LEAST, RefusalReason.TOO_FEW)
    voters = table.votes.setdefault(table.seats[other].player_id, set())
    own = table.seats[seat].player_id
    voters.add(own) if on else voters.discard(own)
    counted = _counted(table, [each for each in others if each.player_id in voters])
    seats = tuple(number for number, each in enumerate(table.seats) if each in counted)
    needed = votes_needed(table, other)
    return seats if len(seats) >= needed else (), [Send(Votes(other, seats, needed))]


def _counted(table: Table, voters: list[Seat]) -> list[Seat]:
    """The voters without those who share a page, or a network, with an earlier one: they may be one person."""
    counted: list[Seat] = []
    for seat in voters:
        if not any(_may_be_one(table, seat, other) for other in counted):
            counted.append(seat)
    return counted


def _may_be_one(table: Table, seat: Seat, other: Seat) -> bool:
    """Whether two players share a page, or a network: of those with accounts the log has it, also after a restart."""
    same_page = seat.page_state is not None and seat.page_state is other.page_state
    same_network = seat.network is not None and seat.network == other.network
    return same_page or same_network or table.networks.are_shared(seat.player_id, other.player_id)
