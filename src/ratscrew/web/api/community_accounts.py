"""HTTP handlers of accounts: keep my games, the public name, another device, export, delete."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Collection
from functools import partial

import msgspec
from aiohttp import web

from ratscrew.accounts.accounts import Account
from ratscrew.accounts.blocks import forget_blocks
from ratscrew.accounts.device_keys import new_id
from ratscrew.accounts.export import ACCOUNT, read_stored
from ratscrew.accounts.friends import forget_friends
from ratscrew.accounts.passes import create_pass, redeem_pass
from ratscrew.accounts.reports import forget_in_reports
from ratscrew.errors import RulesError
from ratscrew.table.arenas.arena_registry import ArenaRegistry
from ratscrew.table.core.account_links import link_account
from ratscrew.table.names import names
from ratscrew.table.room.room import Room
from ratscrew.web.access.account_erasure import (
    delete_from_rooms,
    delete_games_of,
    hash_id,
    mark_deleted,
    read_deleted,
    rooms_of,
)
from ratscrew.web.access.community import Community
from ratscrew.web.api.community_handlers import CommunityHandlers
from ratscrew.web.api.games import GameHandlers
from ratscrew.web.api.seats import PASS_OVER, no_room, not_held
from ratscrew.web.http.responses import ProblemResponse, json_response
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.rendering import Rendered, account_export
from ratscrew.web.rendering.worker import Execute
from ratscrew.web.schema import community_schema as schema
from ratscrew.web.socket.socket_session import ServerContext


class AccountHandlers(CommunityHandlers):
    """Handlers under `/api/account`."""

    def __init__(
        self,
        context: ServerContext,
        community: Community | None,
        games: GameHandlers,
        arenas: ArenaRegistry,
        renderer: Renderer,
    ) -> None:
        super().__init__(community)
        self._context, self._games, self._arenas, self._renderer = context, games, arenas, renderer

    async def state(self, request: web.Request) -> web.Response:
        """Whether there are accounts here, and the one of this browser."""
        if (community := self._community_or_none) is None:
            return json_response(schema.AccountState(False))
        if (account := await community.cookie.account(request)) is None:
            return json_response(schema.AccountState(True))
        response = json_response(await self.state_of(account))
        if device := community.cookie.device(request):  # it lasts its full time again
            community.cookie.issue(request, response, *device)
        return response

    async def create(self, request: web.Request, body: schema.NewAccount) -> web.Response:
        """Keep the games of this browser under a public name."""
        community, now_us = self._community, self._context.clock.now_us()
        account = await community.cookie.account(request)
        if account is None:
            name = self._checked(body.name)
            community.moderation.check(request)
            self._context.limits.take("accounts", self._context.proxy_policy.address(request))
            account_id, device = new_id(), new_id()
            account = await asyncio.to_thread(community.accounts.create, name, account_id, now_us, secrets.randbelow)
            await asyncio.to_thread(community.accounts.add_device, account_id, device, now_us)
            response = json_response(await self.state_of(account), 201)
            community.cookie.issue(request, response, account_id, device)
        else:
            response = json_response(await self.state_of(account), 201)
        return response

    async def link_seats(self, request: web.Request, body: schema.LinkedSeats) -> web.Response:
        """Note that seats of this browser are its account's: games that are dealt from now on count for it."""
        account = await self._account(request)
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not (player_ids := self._context.cookies.held(request, room, body.player_ids)):
            return not_held()
        await self._context.admission.link_account(request, room, player_ids)
        await room.stored()
        return json_response(await self.state_of(account))

    async def rename(self, request: web.Request, body: schema.NewName) -> web.Response:
        """Choose another public name."""
        account = await self._account(request)
        account = await asyncio.to_thread(
            self._community.accounts.rename, account, self._checked(body.name), secrets.randbelow
        )
        self._community.cookie.forget(account.id)
        self._community.forget_name(account.id)
        return json_response(await self.state_of(account))

    async def make_pass(self, request: web.Request) -> web.Response:
        """Make a pass, with which another device can hold this account too."""
        account = await self._account(request)
        text = secrets.token_urlsafe(24)
        await asyncio.to_thread(create_pass, self._community.log, text, account.id, self._context.clock.now_us())
        return json_response(schema.AccountPass(text), 201)

    async def use_pass(self, request: web.Request, body: schema.AccountPass) -> web.Response:
        """Hold the account of a pass, which is used up by this."""
        community, now_us = self._community, self._context.clock.now_us()
        account_id = await asyncio.to_thread(redeem_pass, community.log, body.text, now_us)
        account = await asyncio.to_thread(community.accounts.get, account_id) if account_id else None
        if account is None:
            return ProblemResponse(403, "pass_over", PASS_OVER)
        return await self.hold(request, account)

    async def hold(self, request: web.Request, account: Account) -> web.Response:
        """Let this browser hold an account: something else has proved that it may."""
        community, device = self._community, new_id()
        await asyncio.to_thread(community.accounts.add_device, account.id, device, self._context.clock.now_us())
        response = json_response(await self.state_of(account))
        community.cookie.issue(request, response, account.id, device)
        return response

    async def sign_out(self, request: web.Request) -> web.Response:
        """Take the account from all other devices."""
        account, cookie = await self._account(request), self._community.cookie
        if device := cookie.device(request):
            await asyncio.to_thread(self._community.accounts.remove_devices, account.id, device.device)
        cookie.forget(account.id)
        return json_response(await self.state_of(account))

    async def export(self, request: web.Request) -> web.Response:
        """Everything that is stored under this account, as JSON."""
        account = await self._account(request)
        stored = await asyncio.to_thread(read_stored, self._community.log, account)
        values = msgspec.msgpack.encode(stored)

        async def job(execute: Execute) -> Rendered:
            return await execute(account_export, ACCOUNT.encode(account), values)

        key = (account_export.__name__, account.id, hashlib.blake2b(values, digest_size=16).digest())
        response = self._renderer.response(request, await self._renderer.render(request, key, job), "application/json")
        response.headers["Content-Disposition"] = 'attachment; filename="ratscrew-account.json"'
        return response

    async def delete(self, request: web.Request) -> web.Response:
        """Delete this account: its names in all games, and everything stored under it."""
        community = self._community
        account = await self._account(request)
        async with self._games.erasing.hold(self._context.proxy_policy.address(request)):
            games = await self._delete(account)
        cleared = await self._games.purge()
        response = json_response(schema.DeletedAccount(games, cleared), 200 if cleared else 202)
        community.cookie.remove(request, response)
        return response

    async def _delete(self, account: Account) -> int:
        """Delete an account. Returns: from how many games.

        Raises: LogError; the call can be repeated.
        """
        community, pseudonym = self._community, f"gone-{new_id()}"
        for room in list(self._context.registry):
            await self._leave_account(room, account.id)
        rooms: list[str] = []
        try:
            rooms = await asyncio.to_thread(rooms_of, community.log, account.id)
            await asyncio.to_thread(mark_deleted, community.log, account.id, pseudonym, community.clock.now_us())
            await self._leave_arenas([hash_id(account.id)])
            await self._arenas.tidy([hash_id(account.id)])
            games = await asyncio.to_thread(delete_games_of, community.log, account.id, pseudonym)
            for forget in (forget_friends, forget_blocks, forget_in_reports):
                await asyncio.to_thread(forget, community.log, account.id)
            await asyncio.to_thread(community.accounts.delete, account)
        finally:
            for name in rooms:
                self._games.forget(name)
            community.cookie.forget(account.id)
            community.online.forget(account.id)
            community.rename(account.id, pseudonym)
        return games

    async def leave_deleted(self) -> None:
        """Delete from the rooms of this node, and from their logs, the accounts that were deleted at another one.

        Raises: LogError.
        """
        community = self._community
        deleted = await asyncio.to_thread(read_deleted, community.log, community.clock.now_us())
        await self._leave_arenas(deleted.keys())
        for room in list(self._context.registry) if deleted else []:
            for account in {seat.account for seat in room.table.seats if seat.account}:
                if (pseudonym := deleted.get(hash_id(account))) is None:
                    continue
                await self._leave_account(room, account)
                rooms = (room.table.room,)
                await asyncio.to_thread(delete_from_rooms, community.log, rooms, account, pseudonym)
                self._games.forget(room.table.room)
                community.cookie.forget(account)
                community.online.forget(account)
                community.rename(account, pseudonym)

    async def tidy_arenas(self) -> None:
        """Delete old arenas, and deleted accounts from those that nobody has looked at since.

        Raises: LogError.
        """
        community = self._community
        await self._arenas.tidy(await asyncio.to_thread(read_deleted, community.log, community.clock.now_us()))

    async def _leave_arenas(self, accounts: Collection[str]) -> None:
        """Delete the names of players with these hashes of accounts from the arenas that run here, and from the seats
        that they gave them: one for which the page has not asked yet is not linked to the account."""
        for name, player_id in self._arenas.seats_of(accounts):
            if isinstance(room := await self._arenas.room(name), Room):
                await self._delete_names(room, [player_id])
            await self._games.delete_names(name, [player_id])
        await self._arenas.forget_accounts(accounts)

    async def _delete_names(self, room: Room, player_ids: Collection[int]) -> None:
        if room.delete_names(player_ids):
            self._context.spectators.restart(room)
        await room.stored()

    async def _leave_account(self, room: Room, account_id: str) -> None:
        player_ids = [seat.player_id for seat in room.table.seats if seat.account == account_id]
        if player_ids:
            await self._delete_names(room, player_ids)
            room.change(partial(link_account, player_ids=player_ids, account=None, network=None))
            await room.stored()

    async def state_of(self, account: Account) -> schema.AccountState:
        """The response for an account's owner."""
        community = self._community
        devices = await asyncio.to_thread(community.accounts.devices, account.id)
        passkeys = await asyncio.to_thread(community.passkeys.ids, account.id)
        own = schema.OwnAccount(
            account.id,
            account.public_name,
            account.since_us,
            len(devices),
            len(passkeys),
            community.rows(account.id),
        )
        return schema.AccountState(True, own)

    def _checked(self, typed: str) -> str:
        """A valid public name.

        Raises: RulesError.
        """
        name = names.tidy(typed)
        if problems := names.faults(name):
            raise RulesError(problems)
        return name
