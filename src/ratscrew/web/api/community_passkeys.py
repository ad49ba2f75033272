"""HTTP handlers of passkeys: the way back into an account whose devices are lost."""

from __future__ import annotations

import asyncio

from aiohttp import web

from ratscrew.accounts.passkeys import PasskeyAssertion, PasskeyRegistration, RelyingParty, algorithms
from ratscrew.errors import NoAccount, RulesError
from ratscrew.rules.words import say
from ratscrew.web.access.community import Community
from ratscrew.web.api.community_accounts import AccountHandlers
from ratscrew.web.api.community_handlers import CommunityHandlers
from ratscrew.web.http.addresses import client_key, host_name
from ratscrew.web.http.responses import json_response, language_of
from ratscrew.web.schema import community_schema as schema
from ratscrew.web.schema.problems import broken_rules
from ratscrew.web.socket.socket_session import ServerContext


class PasskeyHandlers(CommunityHandlers):
    """Handlers of `/api/account/passkey` and `/api/sign-in`, which exist only with a community."""

    def __init__(self, context: ServerContext, community: Community | None, accounts: AccountHandlers) -> None:
        super().__init__(community)
        self._context, self._accounts = context, accounts

    async def creation_options(self, request: web.Request) -> web.Response:
        """The options with which a browser creates a passkey of this account."""
        party, community = self._party(request), self._community
        account = await self._account(request)
        challenge = community.passkeys.challenge(account.id, self._context.clock.now_us())
        known = await asyncio.to_thread(community.passkeys.ids, account.id)
        numbers = await asyncio.to_thread(algorithms)
        body = schema.PasskeyCreationOptions(challenge, party.id, account.id, account.public_name, numbers, known)
        return json_response(body)

    async def add(self, request: web.Request, body: PasskeyRegistration) -> web.Response:
        """Add a passkey to this account."""
        party, community = self._party(request), self._community
        account = await self._account(request)
        await asyncio.to_thread(community.passkeys.register, party, account.id, body, self._context.clock.now_us())
        return json_response(await self._accounts.state_of(account), 201)

    async def remove(self, request: web.Request) -> web.Response:
        """Remove all passkeys of this account."""
        community = self._community
        account = await self._account(request)
        await asyncio.to_thread(community.passkeys.remove, account.id)
        return json_response(await self._accounts.state_of(account))

    async def request_options(self, request: web.Request) -> web.Response:
        """The options with which a browser requests a passkey of any account."""
        party = self._party(request)
        challenge = self._community.passkeys.challenge("", self._context.clock.now_us())
        return json_response(schema.PasskeyRequestOptions(challenge, party.id))

    async def sign_in(self, request: web.Request, body: PasskeyAssertion) -> web.Response:
        """Let this browser hold the account of a passkey."""
        party, community = self._party(request), self._community
        now_us = self._context.clock.now_us()
        try:
            account_id = await asyncio.to_thread(community.passkeys.authenticate, party, body, now_us)
        except RulesError as error:
            return json_response(broken_rules(language_of(request), error, "passkey"), 403)
        if (account := await asyncio.to_thread(community.accounts.get, account_id)) is None:
            raise NoAccount
        return await self._accounts.hold(request, account)

    def _party(self, request: web.Request) -> RelyingParty:
        """This server, by the name under which the browser has opened it.

        Raises: RulesError, because a passkey belongs to a name.
        """
        origin = self._context.proxy_policy.origin(request) or ""
        host = host_name(origin.partition("://")[2])
        if not host or client_key(host):
            raise RulesError(
                [say("Passkeys need a name in this server's address, such as localhost, and not a number")]
            )
        return RelyingParty(host, origin)
