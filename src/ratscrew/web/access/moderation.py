"""Moderation of a server: which requests are banned, and the addresses of players who may be reported.

Bans are in memory, read anew every few seconds. Addresses of players are in memory only, as keyed hashes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.accounts.bans import ADDRESS_KEY, Ban, Bans, hash_address, read_bans, seat_name
from ratscrew.errors import Banned
from ratscrew.log.protocol import EventLog
from ratscrew.rules.words import say
from ratscrew.table.core.room_commands import remove
from ratscrew.table.core.table import Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.entries import Entry
from ratscrew.table.room.room import Room
from ratscrew.web.access.account_cookie import AccountCookie
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.proxy_policy import ProxyPolicy

MARK, MARK_PATH, MARK_LASTS_S = "ban", "/api", 400 * 24 * 3600
"""The cookie of a browser that holds a banned account or seat, which has the ban's id, and how long it is kept."""

_MARKED = web.RequestKey("marked", str)
"""Where a request stores the id of the ban with which its browser is to be marked."""


class KnownAddress(NamedTuple):
    """The keyed hash of a player's address, and whether their page said that it is in Discord."""

    hash: str
    framed: bool


class Moderation:
    """The bans of one server, and the addresses of its players.

    Raises: LogError if the store cannot be read.
    """

    def __init__(
        self,
        log: EventLog[Entry],
        clock: Clock,
        proxy_policy: ProxyPolicy,
        account_cookie: AccountCookie,
        cookies: BrowserCookies,
    ) -> None:
        self._log, self._clock, self._proxy_policy = log, clock, proxy_policy
        self._account_cookie, self._cookies = account_cookie, cookies
        self._secret = log.get_or_create(ADDRESS_KEY, lambda: secrets.token_bytes(32))
        self._addresses: WeakKeyDictionary[Room, dict[int, KnownAddress]] = WeakKeyDictionary()
        self._bans = Bans(read_bans(log))

    async def read(self) -> None:
        """Read the bans: the operator may have changed them.

        Raises: LogError.
        """
        self._bans = Bans(await asyncio.to_thread(read_bans, self._log))

    def check(self, request: web.Request, room: str = "", player_ids: Collection[int] = ()) -> None:
        """Check that a request is not from a banned player; its browser holds these seats of a room.

        Raises: Banned.
        """
        if own := self.note_mark(request, room, player_ids):
            raise Banned(_sentence(own))
        if ban := self._bans.of_network(self._address(request), self._clock.now_us()):
            raise Banned(_sentence(ban))

    def note_mark(self, request: web.Request, room: str, player_ids: Collection[int]) -> Ban | None:
        """The ban of a browser that holds these seats of a room, or of its account: the response will mark it."""
        if ban := self._bans.of_player(*self._known_by(request, room, player_ids), self._clock.now_us()):
            request[_MARKED] = ban.id
        return ban

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Mark browsers with the responses to their requests."""
        response = await handler(request)
        self.mark(request, response)
        return response

    def mark(self, request: web.Request, response: web.StreamResponse) -> None:
        """Mark the browser of a banned player, so that it is known without its seat."""
        if ban_id := request.get(_MARKED):
            self._cookies.set(request, response, self._cookies.name(MARK), ban_id, MARK_PATH, MARK_LASTS_S)

    def look_up(self, request: web.Request) -> Callable[[], Ban | None]:
        """Finds the ban of a request's sender, also one that is read later. Does not keep the request."""
        known_by, address = self._known_by(request), self._address(request)

        def find() -> Ban | None:
            now_us = self._clock.now_us()
            return self._bans.of_player(*known_by, now_us) or self._bans.of_network(address, now_us)

        return find

    def end_seats(self, rooms: Iterable[Room]) -> None:
        """End the seats of banned players in these rooms. They get the reason when they ask for another seat."""
        now_us = self._clock.now_us()
        for room in tuple(rooms):
            for player_id in [
                seat.player_id
                for seat in room.table.seats
                if seat.stays
                and self._bans.of_player(seat.account, (seat_name(room.table.room, seat.player_id),), (), now_us)
            ]:
                room.change(partial(_remove, player_id))

    def note_address(self, request: web.Request, room: Room, player_ids: Iterable[int]) -> None:
        """Remember the address of these players of a room, as long as the room is in memory.

        Players who come through Discord share the addresses of its proxy. But any client can say that it does: so the
        address is remembered all the same, and the operator learns what the page said.
        """
        address = KnownAddress(self._address(request), self._proxy_policy.through_discord(request))
        self._addresses.setdefault(room, {}).update(dict.fromkeys(player_ids, address))

    def address_of(self, room: Room, player_id: int) -> KnownAddress | None:
        """The address of a player of a room; None if it is not known."""
        return self._addresses.get(room, {}).get(player_id)

    def neighbours(self, room: Room, player_id: int) -> int:
        """How many other players came from this player's address to rooms that are in memory."""
        if (address := self.address_of(room, player_id)) is None:
            return 0
        found = set[str]()
        for other, addresses in self._addresses.items():
            accounts = {seat.player_id: seat.account for seat in other.table.seats}
            found |= {
                accounts.get(each) or seat_name(other.table.room, each)
                for each, its in addresses.items()
                if its.hash == address.hash
            }
        own = {seat.player_id: seat.account for seat in room.table.seats}.get(player_id)
        return len(found - {own, seat_name(room.table.room, player_id)})

    def _known_by(
        self, request: web.Request, room: str = "", player_ids: Collection[int] = ()
    ) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
        """By what a ban knows a request's sender: the account, the seats, and the marks of the browser."""
        device = self._account_cookie.device(request)
        marks = tuple(match[1] for match in self._cookies.find(request, MARK, r"([0-9a-f]{8})"))
        seats = tuple(seat_name(room, player_id) for player_id in player_ids)
        return device.account if device else None, seats, marks

    def _address(self, request: web.Request) -> str:
        return hash_address(self._secret, self._proxy_policy.address(request))


def _remove(player_id: int, table: Table, now_us: int) -> Effects:
    return [effect for seat in table.state.seats_of([player_id]) for effect in remove(table, seat, now_us)]


def _sentence(ban: Ban) -> str:
    if ban.until_us is None:
        return say("You can't play here any more. The reason: {reason}", reason=ban.reason)
    until = datetime.fromtimestamp(ban.until_us / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return say("You can't play here until {until}. The reason: {reason}", until=until, reason=ban.reason)
