"""Moderation of a server: which requests are banned, and the addresses of players who may be reported.

Bans are in memory, read anew every few seconds. Addresses of players are in memory only, as keyed hashes.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from weakref import WeakKeyDictionary

from aiohttp import web

from ratscrew.community.bans import ADDRESS_KEY, Ban, Bans, hash_address, read_bans
from ratscrew.errors import Banned
from ratscrew.log.protocol import EventLog
from ratscrew.rules.words import say
from ratscrew.table.clock import Clock
from ratscrew.table.effects import Effects
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.entries import Entry
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_commands import remove
from ratscrew.table.table import Table
from ratscrew.web.account_cookie import AccountCookie
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.responses import MARK

_MARKS = re.compile(rf"(?:^|; ?){MARK}=([0-9a-f]{{8}})(?=;|$)", re.ASCII)


class Moderation:
    """The bans of one server, and the addresses of its players.

    Raises: LogError if the store cannot be read.
    """

    def __init__(self, log: EventLog[Entry], clock: Clock, proxy_policy: ProxyPolicy, cookie: AccountCookie) -> None:
        self._log, self._clock, self._proxy_policy, self._cookie = log, clock, proxy_policy, cookie
        self._secret = log.get_or_create(ADDRESS_KEY, lambda: secrets.token_bytes(32))
        self._addresses: WeakKeyDictionary[Room, dict[int, str]] = WeakKeyDictionary()
        self._bans = Bans(read_bans(log))

    async def read(self) -> None:
        """Read the bans: the operator may have changed them.

        Raises: LogError.
        """
        self._bans = Bans(await asyncio.to_thread(read_bans, self._log))

    def check(self, request: web.Request) -> None:
        """Check that a request is not from a banned player.

        Raises: Banned.
        """
        if ban := self.look_up(request)():
            raise Banned(_sentence(ban), ban.id)

    def look_up(self, request: web.Request) -> Callable[[], Ban | None]:
        """Finds the ban of a request's sender, also one that is read later. Does not keep the request."""
        device, address = self._cookie.device(request), self._address(request)
        account = device.account if device else None
        marks = _MARKS.findall(request.headers.get("Cookie", ""))
        return lambda: self._bans.find(account, address, marks, self._clock.now_us())

    def end_seats(self, rooms: Iterable[Room]) -> None:
        """End the seats of banned players in these rooms. They get the reason when they ask for another seat."""
        for room in tuple(rooms):
            for player_id in [
                seat.player_id for seat in room.table.seats if seat.stays and self._is_banned(room, seat)
            ]:
                room.change(partial(_remove, player_id))

    def _is_banned(self, room: Room, seat: Seat) -> bool:
        address = self.address_of(room, seat.player_id)
        return self._bans.may_concern(seat.account, address) and bool(
            self._bans.find(seat.account, address, (), self._clock.now_us())
        )

    def note_address(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Remember the address of these players of a room, as long as the room is in memory."""
        self._addresses.setdefault(room, {}).update(dict.fromkeys(player_ids, self._address(request)))

    def address_of(self, room: Room, player_id: int) -> str | None:
        """The hashed address of a player of a room."""
        return self._addresses.get(room, {}).get(player_id)

    def _address(self, request: web.Request) -> str:
        return hash_address(self._secret, self._proxy_policy.address(request))


def _remove(player_id: int, table: Table, now_us: int) -> Effects:
    return [effect for seat in table.roster.seats_of([player_id]) for effect in remove(table, seat, now_us)]


def _sentence(ban: Ban) -> str:
    if ban.until_us is None:
        return say("You can't play here any more. The reason: {reason}", reason=ban.reason)
    until = datetime.fromtimestamp(ban.until_us / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return say("You can't play here until {until}. The reason: {reason}", until=until, reason=ban.reason)
