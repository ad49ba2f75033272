"""HTTP handlers of rooms and seats: open a room, take a seat, move it to another device, delete a name."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Awaitable, Callable, Collection

from aiohttp import web

from ratscrew.accounts.blocks import read_blocked
from ratscrew.accounts.ratings import Rating
from ratscrew.limits.fair_lock import FairLock
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.rules.words import say
from ratscrew.table.core.table import Table
from ratscrew.table.record.moment import decode_moment
from ratscrew.table.registry.pairing import Seeker
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRequest, code_of
from ratscrew.table.room.room import Room
from ratscrew.web.api.games import DeleteNames
from ratscrew.web.edge.connections import was_passed_for_room
from ratscrew.web.http.idempotency import key_of
from ratscrew.web.http.node_tokens import FORWARDED
from ratscrew.web.http.responses import ElsewhereResponse, ProblemResponse, json_response
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.rendering import game_moment
from ratscrew.web.rendering.stored_games import StoredGames
from ratscrew.web.schema import http_schema
from ratscrew.web.socket.socket_session import ServerContext

PASS_OVER = say("This pass was used, or is over: the other device shows a new one")

_logger = logging.getLogger(__name__)


class SeatHandlers:
    """Handlers of rooms and seats under `/api`."""

    def __init__(
        self,
        context: ServerContext,
        games: StoredGames,
        renderer: Renderer,
        delete_names: DeleteNames,
        delete_in_arena: Callable[[Room, Collection[int]], Awaitable[None]],
        erasing: FairLock,
    ) -> None:
        """`delete_in_arena` deletes the names of players of the arena that a room may be; `erasing` is taken to delete
        names in the log.
        """
        self._erasing = erasing
        self._context, self._games, self._renderer = context, games, renderer
        self._delete_names, self._delete_in_arena = delete_names, delete_in_arena

    async def joined(self, request: web.Request, room: Room, seat: int) -> web.Response:
        """The response for a new seat, with its cookie, once the log has the seat."""
        await room.stored()
        _logger.info("a seat is taken", extra={"room": code_of(room.table.room), "seats": len(room.table.seats)})
        player_id = room.table.seats[seat].player_id
        self._context.admission.record_network(request, room, [player_id])
        await self._context.admission.link_account(request, room, [player_id])
        response = json_response(http_schema.JoinedRoom(code_of(room.table.room), seat, player_id), 201)
        self._context.cookies.issue(request, response, room.table.room, [player_id])
        return response

    async def open_room(self, request: web.Request, body: http_schema.NewRoom) -> web.Response:
        """Open a room with a seat for this player."""
        address = self._context.admission.charge_new_room(request)
        asked = RoomRequest(
            body.name, body.bots, body.strength, body.house, body.wait, body.listed, body.appearance, address=address
        )
        asked = asked._replace(nonce=body.nonce, daily=body.daily)
        async with self._context.opening.hold(asked.address):
            room = self._context.registry.open(asked)
        return await self.joined(request, room, room.table.state.host)

    async def continue_game(self, request: web.Request, body: http_schema.Continue) -> web.Response:
        """Open a room whose game goes on from a moment of a finished one, against bots."""
        game = request.match_info["game"]
        address = self._context.admission.charge_new_room(request)
        try:
            rendered = await self._games.render(request, game_moment, game, str(body.v))
        except LookupError:
            return no_game(game)
        if rendered.status != 200:
            return self._renderer.response(request, rendered, "application/json")
        moment = decode_moment(gzip.decompress(rendered.packed))
        async with self._context.opening.hold(address):
            room = self._context.registry.continue_game(body.name, body.seat, moment, body.appearance, address)
        return await self.joined(request, room, body.seat)

    async def list_rooms(self, _: web.Request) -> web.Response:
        """The rooms that anyone may join."""
        return json_response(await self._context.registry.open_rooms(row))

    async def list_games(self, _: web.Request) -> web.Response:
        """The rooms with a game that anyone may watch."""
        return json_response(await self._context.registry.open_rooms(row, playing=True))

    async def quick_play(self, request: web.Request, body: http_schema.Quick) -> web.Response:
        """Take a seat in a room that waits for players, or in a new one."""
        address = self._context.admission.charge_new_room(request)
        direct = FORWARDED not in request.headers and not was_passed_for_room(request)
        if direct and (place := await self._context.registry.find_strangers()):
            return ElsewhereResponse(place)
        seeker = await self._seeker(request)
        async with self._context.opening.hold(address):
            room, seat = self._context.registry.quick(body.name, body.appearance, address, seeker)
        return await self.joined(request, room, seat)

    async def _seeker(self, request: web.Request) -> Seeker:
        """What pairing knows of a player: their rating, if they have one, and how far away they are."""
        community = self._context.admission.community
        account = await community.cookie.account(request) if community else None
        rating = community.rating(account) if community else Rating()
        blocked = frozenset[str]()
        if community and account:
            blocked = await asyncio.to_thread(read_blocked, community.log, account.id)
        policy = self._context.proxy_policy
        probe = RttProbe(
            lambda _: None,
            policy.connection(request, request.transport),
            policy.reported_rtt_us(request),
            self._context.clock,
        )
        rtt_ms = (probe.kernel_us or probe.reported_us or 0) / self._context.clock.speed / 1e3
        network = self._context.admission.network_of(request)
        return Seeker(rating.mu, rtt_ms, account.id if account else None, blocked, network)

    async def take_seat(self, request: web.Request, body: http_schema.NewSeat) -> web.Response:
        """Take a seat in a room."""
        key = key_of(request)
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if key and (seat := room.joined_before(key)) is not None:
            return await self.joined(request, room, seat)
        self._context.admission.check_admission(request, room)
        async with self._context.opening.hold(self._context.proxy_policy.address(request)):
            seat = self._context.registry.join(room, body.name, body.appearance, key)
        return await self.joined(request, room, seat)

    async def make_pass(self, request: web.Request, body: http_schema.NewPass) -> web.Response:
        """Make a pass, with which another device can take over seats of this browser."""
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not (player_ids := room.table.state.present(self._context.cookies.held(request, room, body.player_ids))):
            return not_held()
        return json_response(http_schema.Pass(room.passes.create(player_ids, self._context.clock.now_us())), 201)

    async def use_pass(self, request: web.Request, body: http_schema.Pass) -> web.Response:
        """Take over the seats of a pass, which is used up by this."""
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not (player_ids := room.table.state.present(room.passes.redeem(body.text, self._context.clock.now_us()))):
            return ProblemResponse(403, "pass_over", PASS_OVER)
        self._context.admission.record_network(request, room, player_ids)
        response = json_response(http_schema.Moved(code_of(room.table.room), player_ids))
        self._context.cookies.issue(request, response, room.table.room, player_ids)
        return response

    async def delete_name(self, request: web.Request, body: http_schema.OldNames) -> web.Response:
        """Delete the names of seats of this browser from all games of the room."""
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not (player_ids := self._context.cookies.held(request, room, body.player_ids)):
            return not_held()
        if room.delete_names(player_ids):  # once for each name, or players could keep watchers from seeing anything
            self._context.spectators.restart(room)
        await self._delete_in_arena(room, player_ids)
        await room.stored()
        async with self._erasing.hold(self._context.proxy_policy.address(request)):
            done = await self._delete_names(room.table.room, player_ids)
        _logger.info("names are deleted", extra={"room": code_of(room.table.room), "names": len(player_ids)})
        return json_response(http_schema.DeletedNames(player_ids, done), 200 if done else 202)


def no_room(place: Elsewhere | None = None) -> web.Response:
    """The response for a code that belongs to no room, or to one elsewhere."""
    return (
        ElsewhereResponse(place) if place else ProblemResponse(404, "no_room", say("there is no room with this code"))
    )


def no_game(game: str) -> web.Response:
    """The response for a name that belongs to no game."""
    return ProblemResponse(404, "no_such_game", say("there is no game {game!r} here", game=game))


def not_held() -> web.Response:
    """The response to a browser without a cookie for the seats in its request."""
    return ProblemResponse(403, "not_held", say("this browser holds no such seat in this room"))


def row(table: Table) -> http_schema.ListedRoom:
    """A room as the list of open rooms shows it."""
    staying = table.state.staying
    bots = sum(seat.bot_level is not None for seat in staying)
    host = table.seats[table.state.host].name
    room, house = code_of(table.room), table.link
    return http_schema.ListedRoom(room, host, house, len(staying) - bots, bots, table.state.most, table.state.playing)
