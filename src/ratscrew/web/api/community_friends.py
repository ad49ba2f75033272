"""HTTP handlers of friends: who was added, who is online, and invitations to a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from ratscrew.accounts.accounts import Account
from ratscrew.accounts.blocks import read_blocked, set_blocked
from ratscrew.accounts.device_keys import is_id
from ratscrew.accounts.friends import (
    FRIENDS_MOST,
    Invitation,
    add_friend,
    added_by,
    are_friends,
    dismiss,
    have_added,
    invitations,
    invite,
    remove_friend,
)
from ratscrew.accounts.played import find_played
from ratscrew.rules.words import say
from ratscrew.table.registry.room_registry import code_of
from ratscrew.table.room.room import Room
from ratscrew.web.access.community import Community
from ratscrew.web.api.community_handlers import CommunityHandlers
from ratscrew.web.api.seats import no_room, not_held
from ratscrew.web.http.responses import ProblemResponse, json_response
from ratscrew.web.schema import community_schema as schema
from ratscrew.web.socket.socket_session import ServerContext

ASKING_MOST = 50
"""How many players who have added an account are shown to it."""

AGAIN_US = 24 * 3600 * 1_000_000
"""How long after a game its players can be invited to another one."""


class FriendHandlers(CommunityHandlers):
    """Handlers under `/api/friends`, and of invitations."""

    def __init__(self, context: ServerContext, community: Community | None) -> None:
        super().__init__(community)
        self._context = context

    async def list_friends(self, request: web.Request) -> web.Response:
        """The friends of this account, and its invitations."""
        account = await self._account(request)
        return await self._friends(account)

    async def add(self, request: web.Request, body: schema.NewFriend) -> web.Response:
        """Add a player to the friends of this account."""
        account = await self._account(request)
        other = await asyncio.to_thread(self._community.accounts.get, body.id) if is_id(body.id) else None
        if other is None or other.id == account.id:
            return ProblemResponse(404, "no_player", say("There is no such player"))
        await asyncio.to_thread(self._add, account.id, body.id)
        return await self._friends(account)

    def _add(self, account: str, other: str) -> None:
        """Add a player, who is blocked no longer then: so no friend is ever blocked."""
        set_blocked(self._community.log, account, other, False, self._community.clock.now_us())
        add_friend(self._community.log, account, other)

    async def remove(self, request: web.Request) -> web.Response:
        """Remove a player from the friends of this account."""
        return await self._without(request, remove_friend)

    async def dismiss(self, request: web.Request) -> web.Response:
        """Dismiss the invitation of a player."""
        return await self._without(request, dismiss)

    async def invite(self, request: web.Request, body: schema.NewInvitations) -> web.Response:
        """Invite friends to a table, or the players of an earlier game."""
        account = await self._account(request)
        if not isinstance(room := await self._context.admission.find(request), Room):
            return no_room(room)
        if not self._context.admission.holds_seat(request):
            return not_held()
        players = await asyncio.to_thread(self._invite, account.id, code_of(room.table.room), body)
        return json_response(schema.Invited(tuple(players)))

    def _invite(self, account: str, room: str, body: schema.NewInvitations) -> list[str]:
        values, now_us = self._community.log, self._community.clock.now_us()
        wanted = [each for each in body.players if is_id(each) and are_friends(values, account, each)]
        if body.again and body.again.end_us > now_us - AGAIN_US:
            stored = self._context.registry.game_names.in_log(body.again.game)
            played = find_played(values, account, stored, body.again.end_us) if stored else None
            wanted += [each for each in played.others if is_id(each)] if played else []
        found = [
            each
            for each in dict.fromkeys(wanted)
            if self._community.accounts.get(each) and account not in read_blocked(values, each)
        ]
        for each in found:
            invite(values, account, each, Invitation(room, now_us))
        return found

    async def _without(self, request: web.Request, change: Callable[[Any, str, str], None]) -> web.Response:
        account = await self._account(request)
        if is_id(request.match_info["id"]):
            await asyncio.to_thread(change, self._community.log, account.id, request.match_info["id"])
        return await self._friends(account)

    async def _friends(self, account: Account) -> web.Response:
        """The response with everything that the page shows. Its account counts as online."""
        self._community.online.note(account.id)
        found = await asyncio.to_thread(self._read, account.id, self._community.online.online())
        return json_response(found)

    def _read(self, account: str, online: Mapping[str, schema.Presence]) -> schema.FriendList:
        community, values = self._community, self._community.log
        mine, theirs = added_by(values, account), have_added(values, account)
        invited = invitations(values, account, community.clock.now_us())
        asking = sorted(theirs - mine - read_blocked(values, account))[:ASKING_MOST]
        names = community.names([*sorted(mine)[:FRIENDS_MOST], *asking, *invited])
        friends = [
            schema.Friend(each, names[each], each in theirs, online.get(each) if each in theirs else None)
            for each in mine
            if each in names
        ]
        return schema.FriendList(
            tuple(sorted(friends, key=lambda friend: (not friend.online, not friend.mutual, friend.name.casefold()))),
            tuple(schema.PlayerName(each, names[each]) for each in asking if each in names),
            tuple(
                schema.TableInvitation(each, names[each], invitation.room, invitation.at_us)
                for each, invitation in sorted(invited.items(), key=lambda item: -item[1].at_us)
                if each in names
            ),
        )
