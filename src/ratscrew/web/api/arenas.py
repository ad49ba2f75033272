"""HTTP handlers of arenas: list them, open one, join one, ask for a table, see the standings.

An arena has the code of a room, so requests reach its node as those for a room do, and a cookie proves which player a
browser is.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from aiohttp import web

from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.rules.words import say
from ratscrew.table.arenas.arena import Arena, Player
from ratscrew.table.arenas.arena_registry import ArenaRegistry, RunningArena
from ratscrew.table.arenas.summary import ArenaRow, ArenaSummary
from ratscrew.table.names import names
from ratscrew.table.names.guest_names import free_name
from ratscrew.table.registry.networks import network_of
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import code_of
from ratscrew.table.room.room import Room
from ratscrew.table.room.secure_draw import SecureDraw
from ratscrew.web.access.account_erasure import hash_id
from ratscrew.web.access.community import Community
from ratscrew.web.api.seats import no_room, not_held
from ratscrew.web.http.responses import json_response
from ratscrew.web.schema import http_schema
from ratscrew.web.socket.socket_session import ServerContext

FRESH_S = 1.0
"""For so long the same standings are sent to all who ask."""

_draw = SecureDraw()


class ArenaHandlers:
    """Handlers of arenas under `/api`."""

    def __init__(self, context: ServerContext, arenas: ArenaRegistry, community: Community | None) -> None:
        self._context, self._arenas, self._community = context, arenas, community
        self._listed: tuple[float, list[ArenaSummary]] = (-1e9, [])
        self._standings: dict[str, tuple[float, bytes]] = {}

    async def list_arenas(self, _: web.Request) -> web.Response:
        """The arenas that are not over."""
        now_s = self._arenas.now_s()
        if now_s - self._listed[0] >= FRESH_S:
            self._listed = now_s, await self._arenas.listed()
        return json_response(self._listed[1])

    async def open_arena(self, request: web.Request, body: http_schema.NewArena) -> web.Response:
        address = self._context.admission.charge_new_room(request)
        title = names.tidy(body.title)
        if problems := names.faults(title):
            raise RulesError(problems)
        elsewhere = await self._arenas.elsewhere()
        async with self._context.opening.hold(address):
            found = self._arenas.open(
                title, body.house, body.minutes, body.starts_in_s, address, network_of(address), elsewhere
            )
        await found.save()
        return json_response(ArenaSummary.of(found.arena, code_of(found.arena.room)), 201)

    async def join_arena(self, request: web.Request, body: http_schema.NewPlayer) -> web.Response:
        """Join an arena, once. Another device of the same account gets its player there."""
        if not isinstance(found := await self._find(request), tuple):
            return no_room(found)
        room, running = found
        self._context.admission.check_ban(request)
        if self._player(request, running) is not None:
            raise Refusal(RefusalReason.TWICE, say("This browser plays in this arena already"))
        arena, account = running.arena, await self._account(request)
        if (player := arena.player_of(account)) is None:
            player = await self._new_player(request, body, room, running, account)
        response = json_response(http_schema.ArenaPlayer(player.id, player.name), 201)
        self._context.cookies.issue(request, response, arena.room, [player.id])
        return response

    async def _new_player(
        self, request: web.Request, body: http_schema.NewPlayer, room: Room, running: RunningArena, account: str
    ) -> Player:
        arena = running.arena
        name = names.tidy(body.name) or free_name(arena.has_name, _draw)
        if problems := names.faults(name):
            raise RulesError(problems)
        self._context.admission.check_admission(request, room)
        network = network_of(self._context.proxy_policy.address(request))
        running.check_join(network)
        player = arena.join(name, body.appearance, self._arenas.now_s(), account)
        running.note_joined(player.id, network)
        await running.save()
        return player

    async def _account(self, request: web.Request) -> str:
        """The hash by which an arena knows the account of this browser; '' without one."""
        account = await self._community.cookie.account(request) if self._community else None
        return hash_id(account.id) if account else ""

    async def ask(self, request: web.Request, body: http_schema.ArenaAsk) -> web.Response:
        """A player of this browser is here: it gets a table when there is one."""
        if not isinstance(found := await self._find(request), tuple):
            return no_room(found)
        running, admission = found[1], self._context.admission
        admission.check_ban(request)
        if (player := self._player(request, running)) is None:
            return not_held()
        if account := await self._account(request):
            player = running.player_of(player, account)
        state = running.ask(player, self._ban_of(request), admission.network_of(request))
        if state is None:
            return not_held()
        told = http_schema.ArenaState(
            state.player, state.rank, state.points, state.doubles, state.room, state.seat, state.wait
        )
        response = json_response(told)
        if state.room_name is not None and state.seat is not None:
            self._context.cookies.issue(request, response, state.room_name, [state.seat])
            room = await self._arenas.room(state.room_name)
            if isinstance(room, Room):  # if it has gone on at another node, that has both already
                admission.record_network(request, room, [state.seat])
                seats = room.table.state.seats_of([state.seat])
                if any(room.table.seats[seat].account is None for seat in seats):
                    await admission.link_account(request, room, [state.seat])
        return response

    def _ban_of(self, request: web.Request) -> Callable[[], bool]:
        if self._community is None:
            return lambda: False
        look_up = self._community.moderation.look_up(request)
        return lambda: look_up() is not None

    async def standings(self, request: web.Request) -> web.Response:
        """The standings; encoded once a second for all who ask."""
        if not isinstance(found := await self._find(request), tuple):
            return no_room(found)
        arena, now_s = found[1].arena, self._arenas.now_s()
        kept_s, body = self._standings.get(arena.room, (-1e9, b""))
        if now_s - kept_s >= FRESH_S:
            self._standings = {room: kept for room, kept in self._standings.items() if now_s - kept[0] < 60}
            body = msgspec.json.encode(standings_of(arena, now_s))
            self._standings[arena.room] = now_s, body
        return web.Response(body=body, content_type="application/json")

    async def _find(self, request: web.Request) -> tuple[Room, RunningArena] | Elsewhere | None:
        if not isinstance(room := await self._context.admission.find(request), Room):
            return room
        running = await self._arenas.find(room)
        return (room, running) if running else None

    def _player(self, request: web.Request, running: RunningArena) -> int | None:
        """The player of this browser."""
        held = self._context.cookies.all_held(request, running.arena.room)
        return next((player for player in sorted(held) if player in running.arena.players), None)


def standings_of(arena: Arena, now_s: float) -> http_schema.ArenaStandings:
    """The standings as they are sent."""
    rooms = {player: code_of(room) for room, players in arena.tables.items() for player in players}
    rows = tuple(
        ArenaRow(
            each.id, each.name, each.appearance, each.points, each.games, each.wins, each.doubles, rooms.get(each.id)
        )
        for each in arena.standings()
    )
    summary = ArenaSummary.of(arena, code_of(arena.room))
    return http_schema.ArenaStandings(summary, max(0.0, arena.begins_s - now_s), max(0.0, arena.ends_s - now_s), rows)
