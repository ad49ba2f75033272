"""Every HTTP route in one table: its handler, request and response, errors, and what it costs.

`add_routes` registers the routes with aiohttp, `prices.py` takes their prices from here, `openapi.py` describes them.
Why this is no library: see "Our own instead of a library" in docs/design.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.game.bounds import InputCodec
from ratscrew.rules.describe import Described
from ratscrew.table.records.history import Finished
from ratscrew.web import activity
from ratscrew.web import http_schema as schema
from ratscrew.web.arena_routes import ARENA_PAGES, ARENA_ROUTES
from ratscrew.web.arenas import ArenaHandlers
from ratscrew.web.community_accounts import AccountHandlers
from ratscrew.web.community_friends import FriendHandlers
from ratscrew.web.community_passkeys import PasskeyHandlers
from ratscrew.web.community_profiles import ProfileHandlers
from ratscrew.web.community_routes import COMMUNITY_PAGES, COMMUNITY_ROUTES
from ratscrew.web.games import GameHandlers
from ratscrew.web.health import HealthHandlers
from ratscrew.web.http_schema import BODY_MOST
from ratscrew.web.idempotency import Once
from ratscrew.web.learning import LearningHandlers
from ratscrew.web.link_previews import LinkPreviews
from ratscrew.web.moderation_handlers import ModerationHandlers
from ratscrew.web.moderation_routes import MODERATION_ROUTES
from ratscrew.web.name_screen import NameScreen, check_reserved
from ratscrew.web.node_check import QUESTION_MOST
from ratscrew.web.rendering import CARDS_MOST, SEED_MOST
from ratscrew.web.responses import LANGUAGE_MOST
from ratscrew.web.route import CONFLICT, FORBIDDEN, NOT_FOUND, UNPROCESSABLE, Route
from ratscrew.web.rule_sets import HouseHandlers
from ratscrew.web.seats import SeatHandlers
from ratscrew.web.static_files import StaticFiles

DESCRIPTION = "/api/openapi.json"
SOCKET = "/api/rooms/{code}/socket"

HOUSE_QUERY, HOUSE_TEXT = 8000, 6000
"""Bytes of a query with a house: its text has 2,000 characters, each up to three bytes; a language besides. A text of
more characters than `HOUSE_TEXT` is not even parsed, for a sentence with what is wrong."""


class Handlers(NamedTuple):
    """The objects with the handlers of one server, and the decorator of idempotent ones."""

    health: HealthHandlers
    seats: SeatHandlers
    houses: HouseHandlers
    learning: LearningHandlers
    games: GameHandlers
    arenas: ArenaHandlers
    pages: StaticFiles
    previews: LinkPreviews
    activity: activity.ActivityHandlers
    accounts: AccountHandlers
    passkeys: PasskeyHandlers
    profiles: ProfileHandlers
    friends: FriendHandlers
    moderation: ModerationHandlers
    socket: Handler
    description: Handler
    once: Once
    names: NameScreen | None = None


_HOUSE: Mapping[str, Any] = {
    "description": "The short text of a house.",
    "example": "1;classic",
    "schema": {"type": "string", "maxLength": HOUSE_TEXT},
}
_LANG: Mapping[str, Mapping[str, Any]] = {
    "lang": {
        "description": "The language of the response; by default that of `Accept-Language`.",
        "example": "de",
        "schema": {"type": "string", "maxLength": LANGUAGE_MOST},
    }
}
_TEXT: Mapping[str, Mapping[str, Any]] = {"text": {"required": True, **_HOUSE}, **_LANG}


def _number(least: int, most: int, example: int, description: str) -> Mapping[str, Any]:
    limits = {"type": "integer", "minimum": least, "maximum": most}
    return {"required": True, "description": description, "example": example, "schema": limits}


_DRILL: Mapping[str, Mapping[str, Any]] = {
    "house": {"required": True, **_HOUSE},
    "cards": _number(1, CARDS_MOST, 60, "The number of cards."),
    "seed": _number(0, SEED_MOST, 1, "The same seed gives the same cards."),
}
_QUESTION = {"type": "string", "maxLength": QUESTION_MOST}
_READY = "Whether clients may be sent here; 503 with the reason if not."

API_ROUTES = (
    Route("GET", "/api/health", lambda to: to.health.health, "Whether the server is alive.", schema.Health),
    Route("GET", "/api/ready", lambda to: to.health.ready, _READY, schema.Ready, also={503: _READY}),
    Route(
        "GET",
        "/api/node",
        lambda to: to.health.node,
        "The signed answer of a node of a cluster to its own question.",
        "text/plain",
        query={"question": {"description": "A random text.", "example": "5f2c", "schema": _QUESTION}},
    ),
    Route("GET", DESCRIPTION, lambda to: to.description, "This description.", dict),
    Route(
        "GET",
        "/api/rooms",
        lambda to: to.seats.list_rooms,
        "List the rooms that anyone may join.",
        list[schema.OpenRoom],
    ),
    Route(
        "GET",
        "/api/watch",
        lambda to: to.seats.list_games,
        "List the rooms with a game that anyone may watch: those that are listed, also full ones.",
        list[schema.OpenRoom],
    ),
    Route(
        "POST",
        "/api/rooms",
        lambda to: to.seats.open_room,
        "Open a room.",
        schema.Joined,
        (UNPROCESSABLE,),
        201,
        schema.NewRoom,
        {"name": "Ana", "bots": 2},
        limit="rooms",
        idempotent=True,
    ),
    Route(
        "POST",
        "/api/quick",
        lambda to: to.seats.quick_play,
        "Take a seat among strangers.",
        schema.Joined,
        (UNPROCESSABLE,),
        201,
        schema.Quick,
        {"name": "Ana"},
        limit="rooms",
        idempotent=True,
    ),
    Route(
        "POST",
        "/api/activity",
        lambda to: to.activity.enter,
        "Open the room of an instance of the Discord activity, or say which one it has.",
        schema.ActivityRoom,
        (NOT_FOUND, UNPROCESSABLE),
        201,
        schema.ActivityEntry,
        {"instance": "i-1-gc-2-3", "name": "Ana"},
        also={200: "The instance has a room already: take a seat there."},
        limit="rooms",
        idempotent=True,
    ),
    Route(
        "POST",
        "/api/rooms/{code}/seats",
        lambda to: to.seats.take_seat,
        "Take a seat.",
        schema.Joined,
        (NOT_FOUND, CONFLICT, UNPROCESSABLE),
        201,
        schema.NewSeat,
        {"name": "Zoë"},
        limit="seats",
        idempotent=True,
    ),
    Route(
        "POST",
        "/api/rooms/{code}/pass",
        lambda to: to.seats.make_pass,
        "Make a pass that moves seats to another device.",
        schema.Pass,
        (NOT_FOUND,),
        201,
        schema.NewPass,
        {"player_ids": [0]},
        limit="seats",
    ),
    Route(
        "POST",
        "/api/rooms/{code}/device",
        lambda to: to.seats.use_pass,
        "Take over the seats of a pass.",
        schema.Moved,
        (NOT_FOUND,),
        200,
        schema.Pass,
        {"text": "1.1700000000.signature"},
        limit="seats",
        idempotent=True,
    ),
    Route(
        "DELETE",
        "/api/rooms/{code}/name",
        lambda to: to.seats.delete_name,
        "Delete the names of seats from all games of the room.",
        schema.DeletedNames,
        (NOT_FOUND,),
        200,
        schema.OldNames,
        {"player_ids": [0]},
        also={202: "The names are deleted, but not yet cleared from the server's files."},
        limit="seats",
    ),
    *ARENA_ROUTES,
    Route("GET", SOCKET, lambda to: to.socket, "The WebSocket of the table.", None, (FORBIDDEN,), 101),
    Route("GET", "/api/rules", lambda to: to.houses.options, "Every option of a house.", Described, query=_LANG),
    Route(
        "GET",
        "/api/house",
        lambda to: to.houses.from_text,
        "A house from its short text.",
        schema.Chosen,
        (UNPROCESSABLE,),
        query=_TEXT,
        limit="heavy",
        max_query=HOUSE_QUERY,
        worker=True,
    ),
    Route(
        "POST",
        "/api/house",
        lambda to: to.houses.from_choices,
        "A house from choices.",
        schema.Chosen,
        (UNPROCESSABLE,),
        request=schema.Choices,
        example={"choices": {"turn_ms": 5000}},
        query=_LANG,
        limit="heavy",
        worker=True,
    ),
    Route(
        "POST",
        "/api/lessons",
        lambda to: to.learning.open_lesson,
        "Open a room for a lesson.",
        schema.Taught,
        (UNPROCESSABLE,),
        201,
        schema.NewLesson,
        {"name": "Ana", "lesson": "turn"},
        limit="rooms",
        idempotent=True,
    ),
    Route(
        "GET",
        "/api/drill",
        lambda to: to.learning.practice_cards,
        "Cards for practice.",
        schema.Drill,
        (UNPROCESSABLE,),
        query=_DRILL,
        limit="heavy",
        max_query=HOUSE_QUERY,
        worker=True,
    ),
    Route(
        "GET",
        "/api/games/{game}.txt",
        lambda to: to.games.as_text,
        "A finished game as text.",
        "text/plain",
        (NOT_FOUND, CONFLICT),
        limit="heavy",
        worker=True,
    ),
    Route(
        "GET",
        "/api/games/{game}",
        lambda to: to.games.as_data,
        "A finished game as JSON.",
        Finished,
        (NOT_FOUND, CONFLICT),
        limit="heavy",
        worker=True,
    ),
    Route(
        "POST",
        "/api/games/{game}/continue",
        lambda to: to.seats.continue_game,
        "Go on from a moment of a finished game, against bots.",
        schema.Joined,
        (NOT_FOUND, CONFLICT, UNPROCESSABLE),
        201,
        schema.Continue,
        {"name": "Ana", "v": 4, "seat": 0},
        limit="rooms",
        idempotent=True,
    ),
    Route(
        "GET",
        "/api/pictures/{code}",
        lambda to: to.previews.picture,
        "The picture of a room's link; does not say whether there is such a room.",
        "image/png",
        limit="heavy",
        worker=True,
    ),
    *COMMUNITY_ROUTES,
    *MODERATION_ROUTES,
)
"""The routes under `/api`, in the order of the description. The socket takes `sockets` by itself
(`web/socket_session.py`), because its refusal tells the page when to come back."""

PAGE_ROUTES = (
    Route("GET", "/", lambda to: to.activity.start),
    Route("GET", activity.PAGE, lambda to: to.activity.page),
    Route("GET", "/room/{code}", lambda to: to.previews.room),
    Route("GET", "/game/{game}", lambda to: to.previews.game, limit="heavy", worker=True),
    Route("GET", "/replay/{game}", lambda to: to.previews.game, limit="heavy", worker=True),
    Route("GET", "/tv/{code}", lambda to: to.pages.index),
    Route(
        "GET",
        "/rules",
        lambda to: to.previews.rules,
        query={"shared": _HOUSE, **_LANG},
        max_query=HOUSE_QUERY,
        limit="heavy",
        worker=True,
    ),
    Route("GET", "/judge", lambda to: to.pages.index),
    Route("GET", "/watch", lambda to: to.pages.index),
    Route("GET", "/learn", lambda to: to.pages.index),
    Route("GET", "/practice", lambda to: to.pages.index, max_query=HOUSE_QUERY),
    Route("GET", "/together", lambda to: to.pages.index),
    *(Route("GET", path, lambda to: to.pages.index, community=True) for path in (*ARENA_PAGES, *COMMUNITY_PAGES)),
    Route("GET", "/{path:(?!api/).+}", lambda to: to.pages.file),
)
"""The routes of the client: bytes from memory, with a preview in the heads of rooms, games and shared rules."""

ROUTES = (*API_ROUTES, *PAGE_ROUTES)


def add_routes(app: web.Application, handlers: Handlers, community: bool = True) -> None:
    """Register the table. Without a `community` it has no routes.

    aiohttp tries paths with variables in this order. The socket's comes first: each page opens two, and after a restart
    of the server thousands do so at once.
    """
    for route in sorted(ROUTES, key=lambda route: route.path != SOCKET):
        if route.community and not community:
            continue
        handler = route.handler(handlers)
        if route.decodes_body:
            handler = _decoding(handler, route.request, handlers.names)
        if route.idempotent:
            handler = handlers.once(handler)
        if route.method == "GET":
            app.router.add_get(route.path, handler, allow_head=route.path != SOCKET)
        else:
            app.router.add_route(route.method, route.path, handler)


def _decoding(
    handler: Callable[[web.Request, Any], Awaitable[web.Response]], kind: Any, names: NameScreen | None
) -> Handler:
    """Decorator: decode the body. A body that is not of this type raises InputError, which the client gets as 400.

    Names in it are screened.
    """
    codec = InputCodec[Any](kind, BODY_MOST)

    async def decode(request: web.Request) -> web.Response:
        body = codec.decode(await request.read())
        check_reserved(body)
        if names:
            names.check(body)
        return await handler(request, body)

    return decode
