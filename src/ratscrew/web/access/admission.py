"""Access to rooms: wrong codes are rate-limited, and removed players stay out."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from aiohttp import web

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.limits.guessing import Charge, GuessLimiter
from ratscrew.limits.limits import Limits
from ratscrew.rules.words import say
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.networks import home_of
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.room.room import Room
from ratscrew.web.access.community import Community
from ratscrew.web.http.cookies import Cookies
from ratscrew.web.http.proxy_policy import ProxyPolicy

NO_ROOM = "-0x0000000000000"
"""What follows the code in the full name of a room that cannot be: a name as long as any."""

_CHARGE = web.RequestKey("charge", Charge)
"""Where a request stores its charge, which two look-ups of the code share."""


class Admission:
    """Finds rooms by code and checks who may join. Every request with a room code goes through `find`.

    Until a request is charged, its time and its answer do not depend on whether its code leads to a room.
    """

    def __init__(
        self,
        registry: RoomRegistry,
        cookies: Cookies,
        proxy_policy: ProxyPolicy,
        limits: Limits,
        clock: Clock,
        community: Community | None = None,
    ) -> None:
        self.community = community
        self._registry, self._cookies, self._proxy_policy = registry, cookies, proxy_policy
        self._limits, self._guesses = limits, GuessLimiter(clock, limits.times, limits.shared)
        self._key = secrets.token_bytes(32)

    async def find(self, request: web.Request, wanted: Callable[[], bool] | None = None) -> Room | Elsewhere | None:
        """The room whose code is in a request's path, or where it is; None if there is none.

        A browser with a cookie of the room is not guessing, so the limit of its address does not apply to it. All
        others are charged before the code is looked up. A room is not restored for a client that has disconnected
        meanwhile; `wanted` tells that if the connection is no longer the request's.

        Raises: LimitExceeded if its address has to wait before it may try a code; the errors of `RoomRegistry.find`.
        """
        address = self._proxy_policy.address(request)
        wanted = wanted or (lambda: request.transport is not None)
        find = partial(self._registry.find, _code(request), address, wanted)
        if self.holds_seat(request):
            room = await find()
            if isinstance(room, Room) and self._is_newer(request, room):
                await self._registry.check_owner(room)
                room = await find()
            return room
        charge = self._charge(request)
        if room := await find():
            charge.refund()
        return room

    async def owner_of(self, look_up: Callable[[str], Awaitable[str | None]], request: web.Request) -> str | None:
        """The node that has the room of a request's path, as `look_up` finds it; charged as by `find`.

        Raises: LimitExceeded; the errors of `look_up`.
        """
        charge = None if self.holds_seat(request) else self._charge(request)
        if (owner := await look_up(_code(request))) and charge:
            charge.refund()
        return owner

    def _charge(self, request: web.Request) -> Charge:
        """Charge a request for a guess, once. Raises: LimitExceeded."""
        if (charge := request.get(_CHARGE)) is None:
            charge = request[_CHARGE] = self._guesses.charge(self._proxy_policy.address(request))
        return charge

    def holds_seat(self, request: web.Request) -> bool:
        """Whether the browser has a valid cookie of the room in the path. Does not read the log.

        It takes the same time whether or not there is such a room: cookies are verified for a room that cannot be.
        """
        return bool(self._cookies.all_held(request, self._name(request)))

    def _name(self, request: web.Request) -> str:
        """The full name of the room of a request's path, or of one that cannot be."""
        code = _code(request)
        return self._registry.name_of(code) or f"{code}{NO_ROOM}"

    def charge_new_room(self, request: web.Request) -> str:
        """Charge the client's address for opening a room, and return the address.

        Raises: Banned; LimitExceeded if the address has opened too many rooms in the last hours.
        """
        self.check_ban(request)
        address = self._proxy_policy.address(request)
        self._limits.take("rooms_hour", address)
        return address

    def check_admission(self, request: web.Request, room: Room) -> None:
        """Check that a new player may join: they were not removed, and their address has not taken too many seats.

        Raises: Banned; Refusal (removed); LimitExceeded.
        """
        self.check_ban(request, room)
        if self.is_removed(request, room):
            raise Refusal(RefusalReason.REMOVED, say("the host removed you from this table"))
        self._limits.take("room_seats", f"{room.table.room} {self._proxy_policy.address(request)}")

    def is_removed(self, request: web.Request, room: Room) -> bool:
        """Whether the host has removed a player with this browser, or from this network. They cannot watch either.

        Never true for the device with the host's seat: players around one tablet share it.
        """
        state, held = room.table.state, self._cookies.all_held(request, room.table.room)
        if state.seats[state.host].player_id in held:
            return False
        return not set(state.removed).isdisjoint(held) or room.table.networks.bans(self.network_of(request), state)

    def is_beside_player(self, request: web.Request, room: Room) -> bool:
        """Whether a client shares its network with a player at the table, such as a television in their room."""
        if self._proxy_policy.through_discord(request):  # all its players share the addresses of its proxy
            return False
        return room.table.networks.has_player(self.network_of(request), room.table.state)

    def record_network(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Remember the network that these players of a room use."""
        if player_ids := tuple(player_ids):
            room.note_address(self._proxy_policy.address(request))
        for player_id in player_ids:
            room.table.networks.note(player_id, self.network_of(request))
        if self.community:
            self.community.moderation.note_address(request, room, player_ids)

    def check_ban(self, request: web.Request, room: Room | None = None) -> None:
        """Check that a request, perhaps for a room, is not from a banned player.

        Raises: Banned.
        """
        if self.community:
            name = room.table.room if room else ""
            self.community.moderation.check(request, name, self._cookies.all_held(request, name) if room else ())

    def mark_banned(self, request: web.Request, response: web.StreamResponse) -> None:
        """Mark the browser of a banned player that asks for its room by a socket. Does not read the log."""
        if self.community:
            room = self._name(request)
            self.community.moderation.note_mark(request, room, self._cookies.all_held(request, room))
            self.community.moderation.mark(request, response)

    def _is_newer(self, request: web.Request, room: Room) -> bool:
        """Whether the browser holds a seat that was taken after the last entry that this process has of a room: then
        another node has gone on with it.
        """
        return max(self._cookies.all_held(request, room.table.room)) >= room.table.state.next_player_id

    async def link_account(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Note that these players of a room are the account of this browser, if it has one.

        Raises: LogError.
        """
        if self.community:
            await self.community.link(request, room, player_ids, self.network_of(request))

    def network_of(self, request: web.Request) -> str:
        """A hash of the network that a request comes from, the same as long as this process lives.

        A home has one address of IPv4, and as much as a /48 network of IPv6.
        """
        home = home_of(self._proxy_policy.address(request)).encode()
        return hashlib.blake2b(home, key=self._key, digest_size=16).hexdigest()


def _code(request: web.Request) -> str:
    return request.match_info["code"]
