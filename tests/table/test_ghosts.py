"""A seat without a connected page: it is free again within seconds, and nobody is matched with it."""

from __future__ import annotations

import asyncio

from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.table import COME_US
from ratscrew.table.registry.pairing import Seeker
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.room.room import Room
from ratscrew.table.session.timing import FILL_US
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person


def names(room: Room) -> list[str]:
    """The players who have a seat."""
    return [seat.name for seat in room.table.seats if seat.stays]


def come(room: Room, seat: int) -> Person:
    """The page of a seat connects."""
    room.enter(person := Person(seat))
    return person


@on_manual_clock
async def test_one_network_does_not_fill_a_table_with_seats_that_nobody_takes(clock: ManualClock) -> None:
    """A second player from elsewhere still finds the first one's table, and not the seats of those who never came."""
    registry = RoomRegistry(MemoryLog(), clock)
    room, seat = registry.quick("Ana", seeker=Seeker(network="hers"))
    come(room, seat)
    for number in "ABC":
        registry.quick(f"Ghost{number}", seeker=Seeker(network="theirs"))
    assert names(room) == ["Ana", "GhostA"]
    other, _ = registry.quick("Ben", seeker=Seeker(network="his"))
    assert other is room


@on_manual_clock
async def test_a_seat_that_nobody_comes_for_is_free_after_seconds(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room, seat = registry.quick("Ana", seeker=Seeker(network="hers"))
    come(room, seat)
    registry.quick("Ghost", seeker=Seeker(network="theirs"))
    _, bens = registry.quick("Ben", seeker=Seeker(network="his"))
    come(room, bens)
    await asyncio.sleep(COME_US / 1e6 + 0.1)
    assert names(room) == ["Ana", "Ben"]


@on_manual_clock
async def test_a_full_table_begins_with_those_who_came(clock: ManualClock) -> None:
    """Bots take the other seats; not even the host has to come."""
    registry = RoomRegistry(MemoryLog(), clock)
    room, _ = registry.quick("Ghost1", seeker=Seeker(network="1"))
    seats = [registry.quick(name, seeker=Seeker(network=name))[1] for name in ("Ana", "Ghost2", "Ghost3")]
    come(room, seats[0])
    await asyncio.sleep((FILL_US + COME_US) / 1e6 + 0.1)
    assert room.table.session is not None
    assert names(room) == ["Ana"]
    assert sum(seat.bot_level is not None for seat in room.table.seats) == 3


@on_manual_clock
async def test_those_who_are_there_are_matched_before_anybody_else(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    registry.quick("Ghost", seeker=Seeker(network="theirs"))
    room, seat = registry.quick("Ana", seeker=Seeker(network="theirs"))
    come(room, seat)
    assert registry.quick("Ben", seeker=Seeker(network="his"))[0] is room


@on_manual_clock
async def test_two_of_one_network_meet_if_nobody_else_waits(clock: ManualClock) -> None:
    """They may be a family."""
    registry = RoomRegistry(MemoryLog(), clock)
    room, seat = registry.quick("Ana", seeker=Seeker(network="home"))
    come(room, seat)
    elsewhere, seat = registry.quick("Cleo", seeker=Seeker(network="hers"))
    assert elsewhere is room
    other, _ = registry.quick("Ben", seeker=Seeker(network="home"))
    assert other is room


@on_manual_clock
async def test_a_listed_table_is_not_full_of_players_who_never_come(clock: ManualClock) -> None:
    """Only while it is full, and its host keeps the seat: nobody needs the others."""
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, house="1;classic;max_players=4", wait=True, listed=True))
    host = come(room, 0)
    registry.join(room, "GhostA")
    come(room, registry.join(room, "Ben"))
    await asyncio.sleep(60)
    assert names(room) == ["Ana", "GhostA", "Ben"]
    room.exit(host)
    registry.join(room, "GhostB")
    await asyncio.sleep(0.1)
    assert names(room) == ["Ana", "Ben", "GhostB"]
    registry.join(room, "GhostC")
    assert registry.listed() == []
    await asyncio.sleep(COME_US / 1e6 + 0.1)
    assert set(names(room)) == {"Ana", "Ben", "GhostC"}
    assert registry.listed() == [room]


@on_manual_clock
async def test_among_friends_a_seat_waits_for_its_player(clock: ManualClock) -> None:
    """Only rooms for strangers give it away: a phone that sleeps in the waiting room keeps its seat."""
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    come(room, 0)
    registry.join(room, "Ben")
    await asyncio.sleep(60)
    assert names(room) == ["Ana", "Ben"]
