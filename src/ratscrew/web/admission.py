"""Who finds a room, and who may come in: wrong codes have budgets, and removed players stay out."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

from aiohttp import web

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.table.clock import Clock
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry
from ratscrew.web.cookies import Cookies
from ratscrew.web.guessing import GuessLimiter
from ratscrew.web.limits import Limits
from ratscrew.web.proxy_policy import ProxyPolicy


class Admission:
    """Every way to ask for a room by its code leads through `find`."""

    def __init__(
        self, registry: RoomRegistry, cookies: Cookies, proxy_policy: ProxyPolicy, limits: Limits, clock: Clock
    ) -> None:
        self._registry, self._cookies, self._proxy_policy = registry, cookies, proxy_policy
        self._limits, self._guesses = limits, GuessLimiter(clock, limits.times)
        self._key = secrets.token_bytes(32)

    async def find(self, request: web.Request) -> Room | None:
        """The room of the code in a request's path.

        A browser with a cookie of the room guesses nothing, so it is never refused because of its neighbours.

        Raises: LimitExceeded if its address has to wait before it asks for a code; what `RoomRegistry.find` raises.
        """
        if self.holds_seat(request):
            return await self._registry.find(_code(request))
        charge = self._guesses.charge(self._proxy_policy.address(request))
        if room := await self._registry.find(_code(request)):
            charge.refund()
        return room

    def holds_seat(self, request: web.Request) -> bool:
        """Whether the browser has a valid cookie of the room that the path names. Reads nothing from the log."""
        room = self._registry.name_of(_code(request))
        return room is not None and bool(self._cookies.all_held(request, room))

    def charge_new_room(self, request: web.Request) -> str:
        """The address of somebody who opens a room.

        Raises: LimitExceeded if it has opened too many within the last hours.
        """
        address = self._proxy_policy.address(request)
        self._limits.take("rooms_hour", address)
        return address

    def check_admission(self, request: web.Request, room: Room) -> None:
        """Whether somebody may join: a removed player may not, and one network may not fill a room again and again.

        Raises: Refusal (removed); LimitExceeded.
        """
        if self.is_removed(request, room):
            raise Refusal(RefusalReason.REMOVED, "the host removed you from this table")
        self._limits.take("room_seats", f"{room.table.room} {self._proxy_policy.address(request)}")

    def is_removed(self, request: web.Request, room: Room) -> bool:
        """Whether the host has removed somebody with this browser, or from this network. They cannot watch either.

        The device with the host's seat is never meant: around one tablet all players share it.
        """
        roster, held = room.table.roster, self._cookies.all_held(request, room.table.room)
        if roster.seats[roster.host].player_id in held:
            return False
        return not set(roster.removed).isdisjoint(held) or room.networks.bans(self._network(request), roster)

    def record_network(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Remember the network that these people of a room came from."""
        for player_id in player_ids:
            room.networks.note(player_id, self._network(request))

    def _network(self, request: web.Request) -> str:
        address = self._proxy_policy.address(request).encode()
        return hashlib.blake2b(address, key=self._key, digest_size=16).hexdigest()


def _code(request: web.Request) -> str:
    return request.match_info["code"]
