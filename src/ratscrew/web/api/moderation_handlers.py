"""HTTP handlers of moderation: a player reports or blocks another."""

from __future__ import annotations

import asyncio

from aiohttp import web

from ratscrew.accounts.blocks import read_blocked, set_blocked
from ratscrew.accounts.reports import Report, file_report
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.rules.words import say
from ratscrew.table.room.room import Room
from ratscrew.table.session.seat import Seat
from ratscrew.web.access.community import Community
from ratscrew.web.api.community_handlers import CommunityHandlers
from ratscrew.web.api.seats import no_room, not_held
from ratscrew.web.http.responses import json_response
from ratscrew.web.schema import moderation_schema as schema
from ratscrew.web.socket.socket_session import ServerContext


class ModerationHandlers(CommunityHandlers):
    """Handlers of reports and blocks; their routes exist with a community only."""

    def __init__(self, context: ServerContext, community: Community | None) -> None:
        super().__init__(community)
        self._context = context

    async def report(self, request: web.Request, body: schema.NewReport) -> web.Response:
        """Report a player of this room."""
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not self._context.cookies.held(request, room, [body.player_id]):
            return not_held()
        other, own = _other(room, body.seat, body.player_id), room.table.state.seats_of([body.player_id])
        address = self._community.moderation.address_of(room, other.player_id)
        report = Report(
            self._context.clock.now_us(),
            room.table.log.game,
            room.table.state.version,
            body.player_id,
            other.player_id,
            body.reason,
            " ".join(body.text.split()),
            room.table.seats[own[0]].account if own else None,
            other.account,
            address.hash if address else None,
            neighbours=self._community.moderation.neighbours(room, other.player_id),
            framed=address is not None and address.framed,
        )
        await asyncio.to_thread(file_report, self._community.log, report)
        return json_response(schema.Reported(report.id), 201)

    async def block(self, request: web.Request, body: schema.NewBlock) -> web.Response:
        """Block a player of this room, or no longer."""
        account = await self._account(request)
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not self._context.cookies.held(request, room, [body.player_id]):
            return not_held()
        other = _other(room, body.seat, body.player_id)
        if other.account is None or other.account == account.id:
            return json_response(schema.Blocked(False))
        now_us = self._context.clock.now_us()
        await asyncio.to_thread(set_blocked, self._community.log, account.id, other.account, body.on, now_us)
        return json_response(schema.Blocked(True))

    async def blocked_here(self, request: web.Request) -> web.Response:
        """The seats of this room whose players this account has blocked."""
        account = await self._account(request)
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        blocked = await asyncio.to_thread(read_blocked, self._community.log, account.id)
        seats = (number for number, seat in enumerate(room.table.seats) if seat.account in blocked)
        return json_response(schema.BlockedSeats(tuple(seats)))

    async def blocked(self, request: web.Request) -> web.Response:
        """The players whom this account has blocked."""
        account = await self._account(request)
        return json_response(await asyncio.to_thread(self._list, account.id))

    async def unblock(self, request: web.Request) -> web.Response:
        """Block a player no longer."""
        account = await self._account(request)
        other, now_us = request.match_info["id"], self._context.clock.now_us()
        await asyncio.to_thread(set_blocked, self._community.log, account.id, other, False, now_us)
        return json_response(await asyncio.to_thread(self._list, account.id))

    def _list(self, account_id: str) -> list[schema.BlockedPlayer]:
        """The blocked players, without those whose accounts were deleted. Waits for the log."""
        found = [self._community.accounts.get(other) for other in sorted(read_blocked(self._community.log, account_id))]
        return [schema.BlockedPlayer(other.id, other.public_name) for other in found if other]


def _other(room: Room, seat: int, player_id: int) -> Seat:
    """The player at a seat, who is not the one with this id.

    Raises: Refusal (not_so_here).
    """
    seats = room.table.seats
    if seat in range(len(seats)) and seats[seat].bot_level is None and seats[seat].player_id != player_id:
        return seats[seat]
    raise Refusal(RefusalReason.NOT_SO_HERE, say("There is no other player at this seat"))
