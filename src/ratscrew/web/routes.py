"""Every HTTP route in one table: its handler, request and response, errors, and what it costs.

`add_routes` registers the routes with aiohttp, `prices.py` takes their prices from here, `openapi.py` describes them.
Why this is no library: see "Our own instead of a library" in docs/design.md.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.accounts.passkeys import PasskeyAssertion, PasskeyRegistration
from ratscrew.game.bounds import InputCodec
from ratscrew.limits.limits import LimitName
from ratscrew.rules.describe import Described
from ratscrew.rules.link import MAX_LENGTH
from ratscrew.table.arenas.summary import ArenaSummary
from ratscrew.table.history.history import Finished
from ratscrew.web.access.name_screen import NameScreen, check_reserved
from ratscrew.web.api import activity
from ratscrew.web.api.arenas import ArenaHandlers
from ratscrew.web.api.community_accounts import AccountHandlers
from ratscrew.web.api.community_friends import FriendHandlers
from ratscrew.web.api.community_passkeys import PasskeyHandlers
from ratscrew.web.api.community_profiles import ProfileHandlers
from ratscrew.web.api.games import GameHandlers
from ratscrew.web.api.health import HealthHandlers
from ratscrew.web.api.learning import LearningHandlers
from ratscrew.web.api.link_previews import LinkPreviews
from ratscrew.web.api.moderation_handlers import ModerationHandlers
from ratscrew.web.api.rule_sets import HouseHandlers
from ratscrew.web.api.seats import SeatHandlers
from ratscrew.web.http.idempotency import Once
from ratscrew.web.http.node_check import QUESTION_MOST
from ratscrew.web.http.responses import LANGUAGE_MOST
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.rendering import CARDS_MOST, SEED_MOST
from ratscrew.web.schema import community_schema, moderation_schema
from ratscrew.web.schema import http_schema as schema
from ratscrew.web.schema.http_schema import BODY_MOST

DESCRIPTION = "/api/openapi.json"
SOCKET = "/api/rooms/{code}/socket"
STREAM, MESSAGES = "/api/rooms/{code}/stream", "/api/rooms/{code}/stream/{id}/{n}"

EVENTS = "text/event-stream"
LINES = "text/plain"
"""The type of bodies with messages: a page of another server of a cluster may send it without asking first (CORS)."""

HOUSE_QUERY, HOUSE_TEXT = 8000, 6000
"""Bytes of a query with a house: its text has 2,000 characters, each up to three bytes; a language besides. A text of
more characters than `HOUSE_TEXT` is not even parsed, for a sentence with what is wrong."""


FORBIDDEN, NOT_FOUND, CONFLICT, UNPROCESSABLE = 403, 404, 409, 422

NUMBER_MOST = 40
"""The most characters of a number in a query: a longer text is not even an attempt."""


class Route(NamedTuple):
    """One route.

    `response` is the type of its JSON body, or a media type for text, with `status`; `also` are other statuses with the
    same body. `errors` are statuses besides those of every route. `request` is the type of its body, or a media type
    for text, if it reads one; `example` is such a body. The handler gets the decoded body as its second argument,
    except text, and where the worker process decodes it. `query` describes the query parameters by name.

    A request takes one of `limit` besides one of `requests`; its query has at most `max_query` bytes. `worker`: it is
    handled in another process (`web/rendering/worker.py`). `idempotent`: it takes an `Idempotency-Key`. `community`:
    there is no such route where the community is off.
    """

    method: str
    path: str
    handler: Callable[[Any], Any]
    summary: str = ""
    response: Any = None
    errors: tuple[int, ...] = ()
    status: int = 200
    request: Any = None
    example: Any = None
    query: Mapping[str, Mapping[str, Any]] = {}
    also: Mapping[int, str] = {}
    limit: LimitName | None = None
    max_query: int = 1000
    worker: bool = False
    idempotent: bool = False
    community: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Method and path as aiohttp names it, without the patterns of its variables."""
        return self.method, re.sub(r":[^}]*", "", self.path)

    @property
    def parameters(self) -> Mapping[str, int]:
        """The most characters of each parameter of the query."""
        return {name: _most(about["schema"]) for name, about in self.query.items()}

    @property
    def decodes_body(self) -> bool:
        """Whether the handler gets a decoded body."""
        return not (self.request is None or isinstance(self.request, str) or self.worker)


def _most(schema: Mapping[str, Any]) -> int:
    """The longest text of a parameter. Raises: KeyError for a text without a bound."""
    return int(schema["maxLength"]) if schema["type"] == "string" else NUMBER_MOST


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
    stream: Handler
    messages: Handler
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

_community = partial(Route, community=True)
_account = partial(Route, limit="community", community=True)

ARENA_PAGES = ("/arena", "/arena/{code}")
"""The pages of arenas, all of them the client's."""

ARENA_ROUTES = (
    _community(
        "GET",
        "/api/arenas",
        lambda to: to.arenas.list_arenas,
        "List the arenas that are not over.",
        list[ArenaSummary],
    ),
    _community(
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
    _community(
        "GET",
        "/api/rooms/{code}/arena",
        lambda to: to.arenas.standings,
        "The standings of an arena.",
        schema.ArenaStandings,
        (NOT_FOUND,),
    ),
    _community(
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
    _community(
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

COMMUNITY_ROUTES = (
    Route(
        "GET",
        "/api/account",
        lambda to: to.accounts.state,
        "Whether this server keeps accounts, and the one of this browser.",
        community_schema.AccountState,
        limit="community",
    ),
    _account(
        "POST",
        "/api/account",
        lambda to: to.accounts.create,
        "Keep the games of this browser under a public name.",
        community_schema.AccountState,
        (UNPROCESSABLE,),
        201,
        community_schema.NewAccount,
        {"name": "Ana"},
        idempotent=True,
    ),
    _account(
        "POST",
        "/api/rooms/{code}/account",
        lambda to: to.accounts.link_seats,
        "Note that seats are this account's.",
        community_schema.AccountState,
        (FORBIDDEN, NOT_FOUND),
        200,
        community_schema.LinkedSeats,
        {"player_ids": [0]},
    ),
    _account(
        "POST",
        "/api/account/name",
        lambda to: to.accounts.rename,
        "Choose another public name.",
        community_schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        200,
        community_schema.NewName,
        {"name": "Zoë"},
    ),
    _account(
        "POST",
        "/api/account/pass",
        lambda to: to.accounts.make_pass,
        "Make a pass, with which another device can hold this account.",
        community_schema.AccountPass,
        (FORBIDDEN,),
        201,
    ),
    _account(
        "POST",
        "/api/account/device",
        lambda to: to.accounts.use_pass,
        "Hold the account of a pass.",
        community_schema.AccountState,
        (FORBIDDEN,),
        200,
        community_schema.AccountPass,
        {"text": "Zm9vYmFyYmF6"},
        idempotent=True,
    ),
    _account(
        "POST",
        "/api/account/passkey/options",
        lambda to: to.passkeys.creation_options,
        "The options with which a browser creates a passkey of this account.",
        community_schema.PasskeyCreationOptions,
        (FORBIDDEN, UNPROCESSABLE),
    ),
    _account(
        "POST",
        "/api/account/passkey",
        lambda to: to.passkeys.add,
        "Add a passkey to this account.",
        community_schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        201,
        PasskeyRegistration,
        {"id": "Zm9v", "client_data": "e30", "attestation": "oA"},
    ),
    _account(
        "DELETE",
        "/api/account/passkey",
        lambda to: to.passkeys.remove,
        "Remove all passkeys of this account.",
        community_schema.AccountState,
        (FORBIDDEN,),
    ),
    _account(
        "POST",
        "/api/sign-in/options",
        lambda to: to.passkeys.request_options,
        "The options with which a browser requests a passkey of any account.",
        community_schema.PasskeyRequestOptions,
        (UNPROCESSABLE,),
    ),
    _account(
        "POST",
        "/api/sign-in",
        lambda to: to.passkeys.sign_in,
        "Hold the account of a passkey.",
        community_schema.AccountState,
        (FORBIDDEN, UNPROCESSABLE),
        200,
        PasskeyAssertion,
        {"id": "Zm9v", "user": "YQ", "client_data": "e30", "authenticator_data": "AA", "signature": "AA"},
        idempotent=True,
    ),
    _account(
        "POST",
        "/api/account/sign-out",
        lambda to: to.accounts.sign_out,
        "Take this account from all other devices.",
        community_schema.AccountState,
        (FORBIDDEN,),
    ),
    _account(
        "GET",
        "/api/account/export",
        lambda to: to.accounts.export,
        "Everything that is stored under this account.",
        dict,
        (FORBIDDEN,),
        worker=True,
    ),
    _account(
        "DELETE",
        "/api/account",
        lambda to: to.accounts.delete,
        "Delete this account, and its names in all games.",
        community_schema.DeletedAccount,
        (FORBIDDEN,),
        also={202: "The account is deleted, but not yet cleared from the server's files."},
    ),
    _account(
        "GET",
        "/api/leaderboard",
        lambda to: to.profiles.leaderboard,
        "The best players of a season.",
        community_schema.Leaderboard,
        (NOT_FOUND,),
        query=_LEADERBOARD,
        limit="heavy",
    ),
    _account(
        "GET",
        "/api/players/{id}",
        lambda to: to.profiles.profile,
        "A player's profile.",
        community_schema.Profile,
        (NOT_FOUND,),
        limit="heavy",
        worker=True,
    ),
    _account(
        "GET",
        "/api/friends",
        lambda to: to.friends.list_friends,
        "The friends of this account, who of them is online, and its invitations.",
        community_schema.FriendList,
        (FORBIDDEN,),
    ),
    _account(
        "POST",
        "/api/friends",
        lambda to: to.friends.add,
        "Add a player; once they have added this account too, both are friends.",
        community_schema.FriendList,
        (FORBIDDEN, NOT_FOUND, UNPROCESSABLE),
        200,
        community_schema.NewFriend,
        {"id": "5f2c9a1b7d3e8046"},
    ),
    _account(
        "DELETE",
        "/api/friends/{id}",
        lambda to: to.friends.remove,
        "Remove a player from the friends.",
        community_schema.FriendList,
        (FORBIDDEN,),
    ),
    _account(
        "DELETE",
        "/api/invitations/{id}",
        lambda to: to.friends.dismiss,
        "Dismiss a player's invitation.",
        community_schema.FriendList,
        (FORBIDDEN,),
    ),
    _account(
        "POST",
        "/api/rooms/{code}/invitations",
        lambda to: to.friends.invite,
        "Invite friends, or the players of an earlier game, to a table.",
        community_schema.Invited,
        (FORBIDDEN, NOT_FOUND),
        200,
        community_schema.NewInvitations,
        {"players": ["5f2c9a1b7d3e8046"]},
    ),
)

MODERATION_ROUTES = (
    _community(
        "POST",
        "/api/rooms/{code}/reports",
        lambda to: to.moderation.report,
        "Report a player of this room to the operator.",
        moderation_schema.Reported,
        (FORBIDDEN, NOT_FOUND, CONFLICT),
        201,
        moderation_schema.NewReport,
        {"player_id": 0, "seat": 1, "reason": "stalling"},
        limit="reports",
    ),
    _community(
        "POST",
        "/api/rooms/{code}/blocks",
        lambda to: to.moderation.block,
        "Block the account of a player of this room, or no longer.",
        moderation_schema.Blocked,
        (FORBIDDEN, NOT_FOUND, CONFLICT, UNPROCESSABLE),
        200,
        moderation_schema.NewBlock,
        {"player_id": 0, "seat": 1, "on": True},
        limit="community",
    ),
    _community(
        "GET",
        "/api/rooms/{code}/blocks",
        lambda to: to.moderation.blocked_here,
        "The seats of this room whose players this account has blocked.",
        moderation_schema.BlockedSeats,
        (FORBIDDEN, NOT_FOUND),
        limit="community",
    ),
    _community(
        "GET",
        "/api/account/blocks",
        lambda to: to.moderation.blocked,
        "The players whom this account has blocked.",
        list[moderation_schema.BlockedPlayer],
        (FORBIDDEN,),
        limit="community",
    ),
    _community(
        "DELETE",
        "/api/account/blocks/{id}",
        lambda to: to.moderation.unblock,
        "Block a player no longer.",
        list[moderation_schema.BlockedPlayer],
        (FORBIDDEN,),
        limit="community",
    ),
)

CHANNEL_ROUTES = (
    Route("GET", SOCKET, lambda to: to.socket, "The WebSocket of the table.", None, (FORBIDDEN,), 101),
    Route(
        "POST",
        STREAM,
        lambda to: to.stream,
        "The messages of the table as events, where no WebSocket gets through; the body is the client's first message.",
        EVENTS,
        request=LINES,
        example='{"t":"hello","player_ids":[0]}',
    ),
    Route(
        "POST",
        MESSAGES,
        lambda to: to.messages,
        "Messages of the client with the event stream `id`, one a line; the `n`-th request, each of which counts once.",
        None,
        (NOT_FOUND,),
        204,
        LINES,
        '{"t":"act"}',
    ),
)
"""They take `sockets` by themselves (`channel_handlers.py`), because their refusal tells the page when to come back."""

API_ROUTES = (
    Route("GET", "/api/health", lambda to: to.health.health, "Whether the server is alive.", schema.Health),
    Route("GET", "/api/ready", lambda to: to.health.ready, _READY, schema.ReadyState, also={503: _READY}),
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
        list[schema.ListedRoom],
    ),
    Route(
        "GET",
        "/api/watch",
        lambda to: to.seats.list_games,
        "List the rooms with a game that anyone may watch: those that are listed, also full ones.",
        list[schema.ListedRoom],
    ),
    Route(
        "POST",
        "/api/rooms",
        lambda to: to.seats.open_room,
        "Open a room.",
        schema.JoinedRoom,
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
        schema.JoinedRoom,
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
        schema.JoinedRoom,
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
    *CHANNEL_ROUTES,
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
        schema.JoinedRoom,
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
"""The routes under `/api`, in the order of the description."""

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
    of the server thousands do so at once. Those of event streams follow: a page sends some requests a second.
    """
    for route in sorted(ROUTES, key=lambda route: route not in CHANNEL_ROUTES):
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
