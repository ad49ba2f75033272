"""Which rooms strangers find in the lists: a few clients cannot fill them for all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.public_rooms import (
    LISTED_KEPT,
    LISTED_MOST,
    LISTED_MOST_OF_ADDRESS,
    LISTED_MOST_OF_NETWORK,
    NEW_AGAIN_US,
)
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.room import listing
from ratscrew.table.room.room import Room
from ratscrew.table.state.table_state import TableState
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here


class Hall:
    """A server with rooms that are listed; `playing` says which list is looked at."""

    def __init__(self, clock: ManualClock, playing: bool) -> None:
        self.registry, self._playing = RoomRegistry(MemoryLog(), clock), playing

    def open(self, address: str) -> tuple[Room, Person]:
        """A listed room of this address, with a player in it."""
        bots = 1 if self._playing else 0
        room = self.registry.open(RoomRequest("Ana", bots, wait=not bots, listed=True, address=address))
        room.enter(host := Person(0))
        return room, host

    async def shown(self) -> list[str]:
        return await self.registry.open_rooms(lambda table: table.room, self._playing)


@pytest.fixture(params=["waiting", "playing"])
def playing(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "playing")


NETWORKS: dict[str, Callable[[int], str]] = {
    "in one network": lambda number: f"203.0.113.{number}",
    "in many": lambda number: f"198.{number}.7.9",
    "in one of IPv6": lambda number: f"2001:db8:0:{number:x}::",
    "in many of IPv6": lambda number: f"2001:db8:{number:x}::",
}


@pytest.mark.parametrize(("addresses", "strangers"), [(10, "in many"), *((100, each) for each in NETWORKS)])
@on_manual_clock
async def test_a_room_of_a_newcomer_is_listed_however_many_others_have_filled_the_list(
    clock: ManualClock, playing: bool, addresses: int, strangers: str
) -> None:
    hall = Hall(clock, playing)
    for _ in range(LISTED_MOST_OF_ADDRESS):
        for number in range(addresses):
            hall.open(NETWORKS[strangers](number))
    newcomers = [hall.open(f"192.0.{number}.1")[0].table.room for number in range(LISTED_KEPT)]
    for number in range(addresses):  # they open more afterwards
        hall.open(NETWORKS[strangers](number))
    shown = await hall.shown()
    assert set(newcomers) <= set(shown)
    assert len(shown) == len(set(shown)) <= LISTED_MOST


@on_manual_clock
async def test_a_network_does_not_become_new_by_leaving_the_list_for_a_moment(
    clock: ManualClock, playing: bool
) -> None:
    hall = Hall(clock, playing)
    others = [hall.open(f"198.{number}.7.9") for number in range(100)]
    newcomer, _ = hall.open("192.0.2.1")
    for room, host in others[50:]:
        room.request(host, requests.ListRoom(False))
        room.request(host, requests.ListRoom(True))
    assert newcomer.table.room in await hall.shown()


@on_manual_clock
async def test_a_network_is_new_again_after_it_has_been_out_of_the_list_for_an_hour(
    clock: ManualClock, playing: bool
) -> None:
    hall = Hall(clock, playing)
    room, host = hall.open("192.0.2.1")
    room.request(host, requests.ListRoom(False))
    for number in range(100):
        hall.open(f"198.{number}.7.9")
    clock.advance(NEW_AGAIN_US - 1)
    room.request(host, requests.ListRoom(True))
    assert room.table.room not in await hall.shown()
    room.request(host, requests.ListRoom(False))
    clock.advance(NEW_AGAIN_US)
    room.request(host, requests.ListRoom(True))
    assert room.table.room in await hall.shown()


@on_manual_clock
async def test_an_address_and_a_network_have_few_of_the_rooms_that_are_listed(
    clock: ManualClock, playing: bool
) -> None:
    hall = Hall(clock, playing)
    of_address = [hall.open("192.0.2.1")[0].table.room for _ in range(LISTED_KEPT)]
    of_network = [hall.open(f"198.51.100.{number}")[0].table.room for number in range(LISTED_KEPT)]
    assert await hall.shown() == of_address[:LISTED_MOST_OF_ADDRESS] + of_network[:LISTED_MOST_OF_NETWORK]


@on_manual_clock
async def test_rooms_that_wait_for_players_come_before_those_with_a_game(clock: ManualClock) -> None:
    hall, games = Hall(clock, False), Hall(clock, True)
    games.registry = hall.registry
    playing = [games.open(f"198.{number}.7.9")[0].table.room for number in range(40)]
    waiting = [hall.open(f"203.{number}.7.9")[0].table.room for number in range(25)]
    shown = await hall.shown()
    assert (len(shown), shown[:25]) == (LISTED_MOST, waiting)
    assert set(shown[25:]) < set(playing)


@on_manual_clock
async def test_a_room_that_was_restored_is_of_the_address_where_a_player_of_it_comes_back(clock: ManualClock) -> None:
    """Otherwise one address would have as many rooms in the list as it likes, after the server's restart."""
    log = MemoryLog[Entry]()
    before = RoomRegistry(log, clock)
    codes = [before.open(RoomRequest("Ana", 1, listed=True, address="198.51.100.9")).table.room for _ in range(5)]
    before.close()
    registry = RoomRegistry(log, clock)
    for code in codes:
        room = here(await registry.find(code.split("-")[0]))
        assert room
        room.note_address("198.51.100.9")
        room.enter(Person(0))
    assert len(await registry.open_rooms(lambda table: table.room, playing=True)) == LISTED_MOST_OF_ADDRESS


@on_manual_clock
async def test_the_lists_look_at_no_room_that_is_not_in_them(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full rooms, and those without anybody, cost nothing: which room is in which list is known before anybody asks."""
    registry = RoomRegistry(MemoryLog(), clock)
    for number in range(300):
        house = "1;classic;max_players=2"
        request = RoomRequest("Ana", number % 2, house=house, wait=True, listed=True, address=f"10.0.{number}.1")
        room = registry.open(request)
        if number % 2:
            room.enter(Person(0))
    (room := registry.open(RoomRequest("Bo", 0, wait=True, listed=True))).enter(Person(0))
    monkeypatch.delattr(listing, "has_space")
    monkeypatch.delattr(TableState, "has_free_seat")
    assert registry.listed() == [room]
