"""Access to rooms: wrong codes are rate-limited, and removed players stay out."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from functools import partial

from aiohttp import web

from ratscrew.errors import Refusal, RefusalReason, RoomElsewhere
from ratscrew.table.clock import Clock
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry
from ratscrew.web.cookies import Cookies
from ratscrew.web.guessing import GuessLimiter
from ratscrew.web.limits import Limits
from ratscrew.web.proxy_policy import ProxyPolicy


class Admission:
    """Finds rooms by code and checks who may join. Every request with a room code goes through `find`."""

    def __init__(
        self, registry: RoomRegistry, cookies: Cookies, proxy_policy: ProxyPolicy, limits: Limits, clock: Clock
    ) -> None:
        self._registry, self._cookies, self._proxy_policy = registry, cookies, proxy_policy
        self._limits, self._guesses = limits, GuessLimiter(clock, limits.times)
        self._key = secrets.token_bytes(32)

    async def find(self, request: web.Request, wanted: Callable[[], bool] | None = None) -> Room | None:
        """The room whose code is in a request's path; None if there is none.

        A browser with a cookie of the room is not guessing, so the limit of its address does not apply to it. A room is
        not restored for a client that has disconnected meanwhile; `wanted` tells that if the connection is no longer
        the request's.

        Raises: LimitExceeded if its address has to wait before it may try a code; the errors of `RoomRegistry.find`.
        """
        address = self._proxy_policy.address(request)
        wanted = wanted or (lambda: request.transport is not None)
        find = partial(self._registry.find, _code(request), address, wanted)
        if self.holds_seat(request):
            return await find()
        charge = self._guesses.charge(address)
        try:
            room = await find()
        except RoomElsewhere:
            charge.refund()
            raise
        if room:
            charge.refund()
        return room

    def holds_seat(self, request: web.Request) -> bool:
        """Whether the browser has a valid cookie of the room in the path. Does not read the log."""
        room = self._registry.name_of(_code(request))
        return room is not None and bool(self._cookies.all_held(request, room))

    def charge_new_room(self, request: web.Request) -> str:
        """Charge the client's address for opening a room, and return the address.

        Raises: LimitExceeded if the address has opened too many rooms in the last hours.
        """
        address = self._proxy_policy.address(request)
        self._limits.take("rooms_hour", address)
        return address

    def check_admission(self, request: web.Request, room: Room) -> None:
        """Check that a new player may join: they were not removed, and their address has not taken too many seats.

        Raises: Refusal (removed); LimitExceeded.
        """
        if self.is_removed(request, room):
            raise Refusal(RefusalReason.REMOVED, "the host removed you from this table")
        self._limits.take("room_seats", f"{room.table.room} {self._proxy_policy.address(request)}")

    def is_removed(self, request: web.Request, room: Room) -> bool:
        """Whether the host has removed a player with this browser, or from this network. They cannot watch either.

        Never true for the device with the host's seat: players around one tablet share it.
        """
        roster, held = room.table.roster, self._cookies.all_held(request, room.table.room)
        if roster.seats[roster.host].player_id in held:
            return False
        return not set(roster.removed).isdisjoint(held) or room.networks.bans(self._network(request), roster)

    def record_network(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Remember the network that these players of a room use."""
        for player_id in player_ids:
            room.networks.note(player_id, self._network(request))

    def _network(self, request: web.Request) -> str:
        address = self._proxy_policy.address(request).encode()
        return hashlib.blake2b(address, key=self._key, digest_size=16).hexdigest()


def _code(request: web.Request) -> str:
    return request.match_info["code"]
