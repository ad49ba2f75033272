"""The HTTP routes of arenas. Part of the table in `routes.py`."""

from __future__ import annotations

from functools import partial

from ratscrew.table.arenas.summary import ArenaSummary
from ratscrew.web import http_schema as schema
from ratscrew.web.route import CONFLICT, FORBIDDEN, NOT_FOUND, UNPROCESSABLE
from ratscrew.web.route import Route as _Route

ARENA_PAGES = ("/arena", "/arena/{code}")
"""The pages of arenas, all of them the client's."""

_route = partial(_Route, community=True)

ARENA_ROUTES = (
    _route(
        "GET",
        "/api/arenas",
        lambda to: to.arenas.list_arenas,
        "List the arenas that are not over.",
        list[ArenaSummary],
    ),
    _route(
        "POST",
        "/api/arenas",
        lambda to: to.arenas.open_arena,
        "Open an arena.",
        ArenaSummary,
        (CONFLICT, UNPROCESSABLE),
        201,
        schema.NewArena,
        {"title": "Friday night", "minutes": 30},
        limit="rooms",
        idempotent=True,
    ),
    _route(
        "GET",
        "/api/rooms/{code}/arena",
        lambda to: to.arenas.standings,
        "The standings of an arena.",
        schema.ArenaStandings,
        (NOT_FOUND,),
    ),
    _route(
        "POST",
        "/api/rooms/{code}/arena/players",
        lambda to: to.arenas.join_arena,
        "Join an arena.",
        schema.ArenaPlayer,
        (NOT_FOUND, CONFLICT, UNPROCESSABLE),
        201,
        schema.NewPlayer,
        {"name": "Ana", "appearance": {"hue": 1, "shape": "paw"}},
        limit="seats",
        idempotent=True,
    ),
    _route(
        "POST",
        "/api/rooms/{code}/arena/ask",
        lambda to: to.arenas.ask,
        "Ask for a table in an arena; every few seconds, as long as the player is here.",
        schema.ArenaState,
        (FORBIDDEN, NOT_FOUND),
        request=schema.ArenaAsk,
        example={},
    ),
)
