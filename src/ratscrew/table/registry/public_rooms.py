"""The rooms that strangers find in lists: few of each address and network, and places that are kept for newcomers.

A list has few places, and a room may stay in it for hours: a few clients could take them all, and nobody would find any
other room. So some places are for the networks that have come into the list last, each with one room. A network comes
anew only if it has been out of the list for an hour. No I/O here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import merge
from itertools import chain, islice
from typing import NamedTuple, get_args

from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.networks import network_of
from ratscrew.table.room.listing import Listing
from ratscrew.table.room.room import Room

LISTED_MOST, LISTED_KEPT = 30, 10
"""How many rooms are listed for strangers at once, and how many of these places are kept for newcomers."""

LISTED_MOST_OF_ADDRESS, LISTED_MOST_OF_NETWORK = 3, 6
"""How many of these one address, and one network, may have opened."""

NEW_AGAIN_US = 3600 * 1_000_000
"""How long a network has to be out of the list until it is new again."""

REMEMBERED_MOST = 10_000
"""How many networks are remembered. Beyond that, those that are out of the list are new again."""


class _PublicRoom(NamedTuple):
    """A public room; `number` rises with each one."""

    number: int
    room: Room
    listing: Listing
    address: str
    network: str


class _Network:
    """The public rooms of a network, and when it last had one."""

    def __init__(self) -> None:
        self.rooms: dict[str, _PublicRoom] = {}
        self.left_us = 0

    def is_over(self, now_us: int) -> bool:
        """Whether it has been out of the list for so long that it is new again."""
        return not self.rooms and now_us - self.left_us >= NEW_AGAIN_US


class PublicRooms:
    """All public rooms, by their codes; those that became public first come first."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._count = clock, 0
        self._rooms: dict[str, _PublicRoom] = {}
        self._listed: dict[Listing, dict[str, _PublicRoom]] = {each: {} for each in get_args(Listing)}
        self._networks: dict[str, _Network] = {}
        """Those that came into the list last are at the end."""

    def put(self, code: str, room: Room, listing: Listing) -> None:
        """List a public room, or move it to another list."""
        address = room.opener or code  # one that nobody is known to have opened is alone in its network
        if (before := self._rooms.get(code)) and (before.room, before.listing, before.address) == (
            room,
            listing,
            address,
        ):
            return
        self.discard(code)
        self._count += 1
        public = self._rooms[code] = _PublicRoom(self._count, room, listing, address, f"{network_of(address)}/")
        self._listed[listing][code] = public
        self._get_or_create_network(public.network).rooms[code] = public

    def discard(self, code: str) -> None:
        """Remove a room that is not public any more, if it was."""
        if public := self._rooms.pop(code, None):
            del self._listed[public.listing][code]
            network = self._networks[public.network]
            del network.rooms[code]
            network.left_us = self._clock.now_us()

    def some(self, *wanted: tuple[Listing, ...]) -> list[Room]:
        """At most `LISTED_MOST` rooms: those of the first lists together, then those of the second ones, and so on."""
        found, shown = list[Room](), Counter[str]()
        for listings in wanted:
            chosen: dict[int, Room] = {}
            newest = islice(self._newest(listings), LISTED_KEPT)
            oldest = merge(*(self._listed[each].values() for each in listings), key=lambda each: each.number)
            for number, room, _, address, network in chain(newest, oldest):
                if len(found) + len(chosen) >= LISTED_MOST:
                    break
                many = shown[address] >= LISTED_MOST_OF_ADDRESS or shown[network] >= LISTED_MOST_OF_NETWORK
                if many or number in chosen:
                    continue
                chosen[number] = room
                shown.update((address, network))
            found += [chosen[number] for number in sorted(chosen)]
        return found

    def _newest(self, listings: tuple[Listing, ...]) -> Iterator[_PublicRoom]:
        """The first room in these lists of each network, those networks first that came into the list last."""
        for network in reversed(self._networks.values()):
            if first := next((each for each in network.rooms.values() if each.listing in listings), None):
                yield first

    def _get_or_create_network(self, name: str) -> _Network:
        """The network with this name, which is about to have a room in the list."""
        now_us = self._clock.now_us()
        if (network := self._networks.get(name)) and not network.is_over(now_us):
            return network
        if len(self._networks) >= REMEMBERED_MOST:
            self._networks = {name: each for name, each in self._networks.items() if each.rooms}
        self._networks.pop(name, None)
        network = self._networks[name] = _Network()
        return network
