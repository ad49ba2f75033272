"""Quick play: among the rooms that wait for strangers, those that suit a player; a room that is full begins soon."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from ratscrew.table.core.table import BOTS_FILL, Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.effects import Effects, Send
from ratscrew.table.record.entries import FillScheduled
from ratscrew.table.registry.pairing import Arrivals, Seeker, WaitingTable
from ratscrew.table.room.room import Room
from ratscrew.table.session.timing import FULL_US


class QuickPlay:
    """Who plays where among strangers. What it knows of players is in memory only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._arrivals = Arrivals()
        self._seekers: WeakKeyDictionary[Room, dict[int, Seeker]] = WeakKeyDictionary()

    def ranked(self, rooms: Iterable[Room], seeker: Seeker) -> list[Room]:
        """The rooms that take a player who comes now, the one that suits best first."""
        now_s = self._now_s()
        self._arrivals.note(seeker, now_s)
        waiting = [(room, self._waiting(room)) for room in rooms]
        suited = [(room, table) for room, table in waiting if not any(map(seeker.avoids, table.there))]
        return self._arrivals.ranked(suited, seeker, now_s)

    def note_joined(self, room: Room, seat: int, seeker: Seeker) -> None:
        """A player has joined; with the last one the game begins soon."""
        self._seekers.setdefault(room, {})[room.table.seats[seat].player_id] = seeker
        if self._waiting(room).wanted == 0:
            room.change(begin_soon)

    def _now_s(self) -> float:
        return self._clock.now_us() / self._clock.speed / 1e6

    def _waiting(self, room: Room) -> WaitingTable:
        known, table = self._seekers.get(room, {}), room.table
        staying = [seat for seat in table.seats if not seat.gone]
        there = [known.get(seat.player_id, Seeker())._replace(account=seat.account, here=seat.here) for seat in staying]
        begins_s = (table.state.fill_us or 0) / self._clock.speed / 1e6
        return WaitingTable(there, max(0, min(BOTS_FILL, table.state.most) - len(there)), begins_s)


def begin_soon(table: Table, now_us: int) -> Effects:
    """A room for strangers is full: it begins when everybody has seen who is there."""
    if table.state.fill_us is None or table.state.fill_us <= now_us + FULL_US:
        return []
    effects = table.record([FillScheduled(now_us + FULL_US)], now_us)
    countdown = table.clock(now_us)
    return effects + ([Send(countdown)] if countdown else [])
