"""The HTTP routes of the community: accounts and what belongs to them. Part of the table in `routes.py`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ratscrew.rules.link import MAX_LENGTH
from ratscrew.table.players.passkeys import PasskeyAssertion, PasskeyRegistration
from ratscrew.web import community_schema as schema
from ratscrew.web.route import FORBIDDEN, NOT_FOUND, UNPROCESSABLE
from ratscrew.web.route import Route as _Route

COMMUNITY_PAGES = ("/me", "/me/friends", "/players", "/players/{id}")
"""The pages of accounts and players, all of them the client's."""

_LEADERBOARD: Mapping[str, Mapping[str, Any]] = {
    "rules": {
        "description": "The short text of rated rules; by default the first of them.",
        "example": "1;classic",
        "schema": {"type": "string", "maxLength": MAX_LENGTH},
    },
    "season": {
        "description": "A quarter of a year; by default this one.",
        "example": "2026-4",
        "schema": {"type": "string", "maxLength": 20},
    },
}

_route = partial(_Route, limit="community", community=True)

COMMUNITY_ROUTES = (
    _Route(
        "GET",
        "/api/account",
        lambda to: to.accounts.state,
        "Whether this server keeps accounts, and the one of this browser.",
        schema.AccountState,
        limit="community",
    ),
    _route(
        "POST",
        "/api/account",
        lambda to: to.accounts.create,
        "Keep the games of this browser under a public name.",
        schema.AccountState,
        (UNPROCESSABLE,),
        201,
        schema.NewAccount,
        {"name": "Ana"},
        idempotent=True,
    ),
    _route(
        "POST",
        "/api/rooms/{code}/account",
        lambda to: to.accounts.link_seats,
        "Note that seats are this account's.",
        schema.AccountState,
        (FORBIDDEN, NOT_FOUND),
        200,
        schema.LinkedSeats,
        {"player_ids": [0]},
    ),
    _route(
        "POST",
        "/api/account/name",
        lambda to: to.accounts.rename,
        "Choose another public name.",
        schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        200,
        schema.NewName,
        {"name": "Zoë"},
    ),
    _route(
        "POST",
        "/api/account/pass",
        lambda to: to.accounts.make_pass,
        "Make a pass, with which another device can hold this account.",
        schema.AccountPass,
        (FORBIDDEN,),
        201,
    ),
    _route(
        "POST",
        "/api/account/device",
        lambda to: to.accounts.use_pass,
        "Hold the account of a pass.",
        schema.AccountState,
        (FORBIDDEN,),
        200,
        schema.AccountPass,
        {"text": "Zm9vYmFyYmF6"},
        idempotent=True,
    ),
    _route(
        "POST",
        "/api/account/passkey/options",
        lambda to: to.passkeys.creation_options,
        "The options with which a browser creates a passkey of this account.",
        schema.PasskeyCreationOptions,
        (FORBIDDEN, UNPROCESSABLE),
    ),
    _route(
        "POST",
        "/api/account/passkey",
        lambda to: to.passkeys.add,
        "Add a passkey to this account.",
        schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        201,
        PasskeyRegistration,
        {"id": "Zm9v", "client_data": "e30", "attestation": "oA"},
    ),
    _route(
        "DELETE",
        "/api/account/passkey",
        lambda to: to.passkeys.remove,
        "Remove all passkeys of this account.",
        schema.AccountState,
        (FORBIDDEN,),
    ),
    _route(
        "POST",
        "/api/sign-in/options",
        lambda to: to.passkeys.request_options,
        "The options with which a browser requests a passkey of any account.",
        schema.PasskeyRequestOptions,
        (UNPROCESSABLE,),
    ),
    _route(
        "POST",
        "/api/sign-in",
        lambda to: to.passkeys.sign_in,
        "Hold the account of a passkey.",
        schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        200,
        PasskeyAssertion,
        {"id": "Zm9v", "user": "YQ", "client_data": "e30", "authenticator_data": "AA", "signature": "AA"},
        idempotent=True,
    ),
    _route(
        "POST",
        "/api/account/sign-out",
        lambda to: to.accounts.sign_out,
        "Take this account from all other devices.",
        schema.AccountState,
        (FORBIDDEN,),
    ),
    _route(
        "GET",
        "/api/account/export",
        lambda to: to.accounts.export,
        "Everything that is stored under this account.",
        dict,
        (FORBIDDEN,),
        worker=True,
    ),
    _route(
        "DELETE",
        "/api/account",
        lambda to: to.accounts.delete,
        "Delete this account, and its names in all games.",
        schema.DeletedAccount,
        (FORBIDDEN,),
        also={202: "The account is deleted, but not yet cleared from the server's files."},
    ),
    _route(
        "GET",
        "/api/leaderboard",
        lambda to: to.profiles.leaderboard,
        "The best players of a season.",
        schema.Leaderboard,
        (NOT_FOUND,),
        query=_LEADERBOARD,
        limit="heavy",
    ),
    _route(
        "GET",
        "/api/players/{id}",
        lambda to: to.profiles.profile,
        "A player's profile.",
        schema.Profile,
        (NOT_FOUND,),
        limit="heavy",
        worker=True,
    ),
    _route(
        "GET",
        "/api/friends",
        lambda to: to.friends.list_friends,
        "The friends of this account, who of them is online, and its invitations.",
        schema.FriendList,
        (FORBIDDEN,),
    ),
    _route(
        "POST",
        "/api/friends",
        lambda to: to.friends.add,
        "Add a player; once they have added this account too, both are friends.",
        schema.FriendList,
        (FORBIDDEN, NOT_FOUND, UNPROCESSABLE),
        200,
        schema.NewFriend,
        {"id": "5f2c9a1b7d3e8046"},
    ),
    _route(
        "DELETE",
        "/api/friends/{id}",
        lambda to: to.friends.remove,
        "Remove a player from the friends.",
        schema.FriendList,
        (FORBIDDEN,),
    ),
    _route(
        "DELETE",
        "/api/invitations/{id}",
        lambda to: to.friends.dismiss,
        "Dismiss a player's invitation.",
        schema.FriendList,
        (FORBIDDEN,),
    ),
    _route(
        "POST",
        "/api/rooms/{code}/invitations",
        lambda to: to.friends.invite,
        "Invite friends, or the players of an earlier game, to a table.",
        schema.Invited,
        (FORBIDDEN, NOT_FOUND),
        200,
        schema.NewInvitations,
        {"players": ["5f2c9a1b7d3e8046"]},
    ),
)
