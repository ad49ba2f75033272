"""The HTTP routes of moderation: reports and blocks. Part of the table in `routes.py`."""

from __future__ import annotations

from functools import partial

from ratscrew.web import moderation_schema as schema
from ratscrew.web.route import CONFLICT, FORBIDDEN, NOT_FOUND, UNPROCESSABLE, Route

_route = partial(Route, community=True)

MODERATION_ROUTES = (
    _route(
        "POST",
        "/api/rooms/{code}/reports",
        lambda to: to.moderation.report,
        "Report a player of this room to the operator.",
        schema.Reported,
        (FORBIDDEN, NOT_FOUND, CONFLICT),
        201,
        schema.NewReport,
        {"player_id": 0, "seat": 1, "reason": "stalling"},
        limit="reports",
    ),
    _route(
        "POST",
        "/api/rooms/{code}/blocks",
        lambda to: to.moderation.block,
        "Block the account of a player of this room, or no longer.",
        schema.Blocked,
        (FORBIDDEN, NOT_FOUND, CONFLICT, UNPROCESSABLE),
        200,
        schema.NewBlock,
        {"player_id": 0, "seat": 1, "on": True},
        limit="community",
    ),
    _route(
        "GET",
        "/api/rooms/{code}/blocks",
        lambda to: to.moderation.blocked_here,
        "The seats of this room whose players this account has blocked.",
        schema.BlockedSeats,
        (FORBIDDEN, NOT_FOUND),
        limit="community",
    ),
    _route(
        "GET",
        "/api/account/blocks",
        lambda to: to.moderation.blocked,
        "The players whom this account has blocked.",
        list[schema.BlockedPlayer],
        (FORBIDDEN,),
        limit="community",
    ),
    _route(
        "DELETE",
        "/api/account/blocks/{id}",
        lambda to: to.moderation.unblock,
        "Block a player no longer.",
        list[schema.BlockedPlayer],
        (FORBIDDEN,),
        limit="community",
    ),
)
