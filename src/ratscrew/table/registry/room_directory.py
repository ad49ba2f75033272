"""The rooms in memory: by their codes, by the addresses that opened them, and those listed for strangers.

The number of rooms is bounded, for each address and in total. At a bound the oldest empty room makes space, rooms
without a game first. A room with a game is only unloaded: it is restored from its log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ratscrew.errors import Refusal, RefusalReason, ServerFull
from ratscrew.rules.words import say
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.code_registry import code_of
from ratscrew.table.registry.networks import network_of
from ratscrew.table.registry.public_rooms import PublicRooms
from ratscrew.table.room.listing import has_space
from ratscrew.table.room.room import Room
from ratscrew.table.room.room_events import ListingChanged, RoomEvents

OPEN_MOST = 5000
"""Rooms in memory. An empty one takes 5 to 8 kB."""

OPEN_KEPT, KEPT_FOR_FIRST, KEPT_FOR_NETWORK = 500, 2, 8
"""So many more, for the first rooms of addresses and of networks: a few with many rooms do not fill the server for
all."""

OPEN_MOST_OF_ADDRESS = 100
"""Rooms in memory that one address has opened, or one IPv6 network of 64 bits."""

TRY_AGAIN_S = 30.0
"""When a full server may have space again."""


class RoomDirectory:
    """All rooms in memory. The keys of `rooms` are their codes."""

    def __init__(self, clock: Clock, events: RoomEvents) -> None:
        self.rooms: dict[str, Room] = {}
        self._of_address: dict[str, dict[str, Room]] = {}
        self._of_network: Counter[str] = Counter()
        self._address_of: dict[str, str] = {}
        self._public = PublicRooms(clock)
        self._filling: dict[str, Room] = {}
        events.subscribe(ListingChanged, self._index_again)

    def add(self, room: Room, address: str | None = None) -> None:
        """Add a room, opened by this address; None if it was restored from the log."""
        code = code_of(room.table.room)
        self.remove(code)
        self.rooms[code] = room
        if address is not None:
            self._address_of[code] = address
            self._of_address.setdefault(address, {})[code] = room
            self._of_network[network_of(address)] += 1
            room.opener = address
        if room.table.state.fill_us is not None:
            self._filling[code] = room
        self._index(room)

    def remove(self, code: str) -> None:
        """Remove a room from memory."""
        self.rooms.pop(code, None)
        self._public.discard(code)
        self._filling.pop(code, None)
        if (address := self._address_of.pop(code, None)) is not None:
            rooms = self._of_address[address]
            del rooms[code]
            if not rooms:
                del self._of_address[address]
            self._of_network[network := network_of(address)] -= 1
            if not self._of_network[network]:
                del self._of_network[network]

    def to_evict(self, address: str | None = None) -> Room | None:
        """The room to unload so that an address can open another; None if there is space.

        Raises: Refusal (too_many_rooms) if all rooms of this address are in use; ServerFull if all rooms are.
        """
        own = self._of_address.get(address, {}) if address is not None else {}
        if len(own) >= OPEN_MOST_OF_ADDRESS:
            if room := _evictable(own.values()):
                return room
            sentence = say("{tables} tables of your network are open: leave one of them first", tables=len(own))
            raise Refusal(RefusalReason.TOO_MANY_ROOMS, sentence)
        near = self._of_network[network_of(address)] if address is not None else 0
        kept = OPEN_KEPT if len(own) < KEPT_FOR_FIRST and near < KEPT_FOR_NETWORK else 0
        if len(self.rooms) >= OPEN_MOST + kept:
            if room := _evictable(self.rooms.values()):
                return room
            raise ServerFull(TRY_AGAIN_S)
        return None

    @property
    def full(self) -> bool:
        """Whether no space is left but what is kept for first rooms of addresses."""
        return len(self.rooms) >= OPEN_MOST and _evictable(self.rooms.values()) is None

    def listed(self) -> list[Room]:
        """Some rooms that strangers may join, those that wait for players first; a few of each address."""
        return self._public.some(("waits",), ("plays",))

    def playing(self) -> list[Room]:
        """Some rooms that are listed and have a game, also full ones; a few of each address."""
        return self._public.some(("plays", "plays_full"))

    def is_playing(self, game: str) -> bool:
        """Whether a game, by the name of its log, is going on in a room in memory."""
        room = self.rooms.get(code_of(game))
        return room is not None and room.table.log.game == game and not (room.table.game and room.table.game.over)

    def filling(self, now_us: int) -> Iterator[Room]:
        """The rooms with a free seat that wait for strangers before bots fill them."""
        for code, room in list(self._filling.items()):
            if room.closed or room.table.state.round or (room.table.state.fill_us or 0) <= now_us:
                del self._filling[code]
            elif room.table.state.listed and not room.table.state.locked and has_space(room.table):
                yield room

    def _index_again(self, event: ListingChanged) -> None:
        room = self.rooms.get(code_of(event.room))
        if room and room.table.room == event.room:
            self._index(room)

    def _index(self, room: Room) -> None:
        """Update the index of the rooms that strangers find in lists."""
        code = code_of(room.table.room)
        if room.listing and not room.closed:
            self._public.put(code, room, room.listing)
        else:
            self._public.discard(code)


def _evictable(rooms: Iterable[Room]) -> Room | None:
    empty = [room for room in rooms if room.empty and room.settled]
    return next((room for room in empty if not room.played), next(iter(empty), None))
