"""The HTTP interface as data, in the form of OpenAPI 3.1, made from `bodies`. A test compares it with the router.

`docs/api.md` is printed from here: after a change, `python -m ratscrew.web.openapi > docs/api.md`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias, get_args

from aiohttp import web
from msgspec.json import schema_components

from ratscrew import __version__
from ratscrew.cards import NAMES, Card
from ratscrew.game.codec import Codec
from ratscrew.rules.describe import Described
from ratscrew.table.records.history import Finished
from ratscrew.web import http_schema
from ratscrew.web.rendering import CARDS_MOST, SEED_MOST
from ratscrew.web.responses import BODY_MOST
from ratscrew.web.static_files import File

DESCRIPTION = "/api/openapi.json"

_REF = "#/components/schemas/"
_Document: TypeAlias = dict[str, Any]

_BASE = "/api/rooms/{code}"

FAULTS: Mapping[int, str] = {
    400: "It is no request that is understood here: no JSON, or fields that are missing or wrong.",
    408: "The request took too long to arrive.",
    413: f"The body has more than {BODY_MOST} bytes, or there is one where none belongs.",
    414: "The address is too long, or its query has too many parts.",
    415: "The body is compressed: send it as it is.",
    421: "The `Host` is not a name of this server (`hosts` in its configuration).",
    429: "Too much at once: try again after `wait_s` seconds, as `Retry-After` says too.",
    500: "A fault of the server, or a record that is damaged (`damaged`).",
    503: "The games cannot be kept at the moment; nothing that was told is lost. Or the server is `busy`: see 429.",
}
"""How any request may fail."""

FOREIGN, NO_SUCH, NOT_NOW, BREAKS = 403, 404, 409, 422
OWN_FAULTS: Mapping[int, str] = {
    FOREIGN: "It comes from a page of another server, or from a browser that holds no such seat.",
    NO_SUCH: "There is no such room, or no such game.",
    NOT_NOW: "Not now: the code says why.",
    BREAKS: "It breaks a rule: each problem in a sentence, in the language that is asked for. Or it takes too long to "
    "work out (`too_costly`).",
}
"""How some may fail besides."""


class Route(NamedTuple):
    """One thing to ask: what it brings (`gives`, a type or a kind of text), and how it may fail besides `FAULTS`.

    `takes` is the type of its body, `example` such a body.
    """

    method: str
    path: str
    says: str
    gives: Any
    faults: tuple[int, ...] = ()
    status: int = 200
    takes: Any = None
    example: Any = None
    query: Mapping[str, _Document] = {}


_HOUSE: _Document = {"description": "A house by its short text.", "example": "1;classic", "schema": {"type": "string"}}
_LANG: _Document = {
    "description": "Else `Accept-Language`.",
    "example": "de",
    "schema": {"type": "string"},
}
_TEXT = {"text": {"required": True, **_HOUSE}, "lang": _LANG}


def _number(least: int, most: int, example: int, says: str) -> _Document:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return {"required": True, "description": says, "example": example, "schema": schema}


_DRILL = {
    "house": {"required": True, **_HOUSE},
    "cards": _number(1, CARDS_MOST, 60, "How many."),
    "seed": _number(0, SEED_MOST, 1, "The same seed brings the same cards."),
}

EXAMPLES = {"code": "BEAR4821", "game": "BEAR4821-64c2f1b3a4d00-1"}
"""What stands for the parts of an address: a room's code, a game's name."""

_ROOM, _ANA, _LESSON = {"name": "Ana", "bots": 2}, {"name": "Ana"}, {"name": "Ana", "lesson": "turn"}
_SEAT, _PASS, _CHOICES = {"name": "Zoë"}, {"text": "1.1700000000.signature"}, {"choices": {"turn_ms": 5000}}
_THERE = (NO_SUCH, NOT_NOW)

ROUTES = (
    Route("GET", "/api/health", "Whether the server is alive.", http_schema.Health),
    Route("GET", "/api/ready", "Whether people may be sent here; 503 with the reason if not.", http_schema.Ready),
    Route("GET", DESCRIPTION, "This description.", dict),
    Route("GET", "/api/rooms", "The rooms that strangers may come to.", list[http_schema.OpenRoom]),
    Route("POST", "/api/rooms", "Open a room.", http_schema.Joined, (BREAKS,), 201, http_schema.NewRoom, _ROOM),
    Route(
        "POST", "/api/quick", "Sit down among strangers.", http_schema.Joined, (BREAKS,), 201, http_schema.Quick, _ANA
    ),
    Route(
        "POST", f"{_BASE}/seats", "Sit down.", http_schema.Joined, (*_THERE, BREAKS), 201, http_schema.NewSeat, _SEAT
    ),
    Route(
        "POST", f"{_BASE}/pass", "Move a seat.", http_schema.Pass, (NO_SUCH,), 201, http_schema.NewPass, {"who": [0]}
    ),
    Route("POST", f"{_BASE}/device", "Take over a seat.", http_schema.Moved, (NO_SUCH,), 200, http_schema.Pass, _PASS),
    Route(
        "DELETE",
        f"{_BASE}/name",
        "Delete a name.",
        http_schema.DeletedNames,
        (NO_SUCH,),
        200,
        http_schema.OldNames,
        {"who": [0]},
    ),
    Route("GET", f"{_BASE}/socket", "The table itself, as a WebSocket.", None, (FOREIGN,), 101),
    Route("GET", "/api/rules", "All that a house may choose.", Described, query={"lang": _LANG}),
    Route("GET", "/api/house", "A house by its text.", http_schema.Chosen, (BREAKS,), query=_TEXT),
    Route(
        "POST",
        "/api/house",
        "A house by its choices.",
        http_schema.Chosen,
        (BREAKS,),
        takes=http_schema.Choices,
        example=_CHOICES,
        query={"lang": _LANG},
    ),
    Route(
        "POST", "/api/lessons", "Begin a lesson.", http_schema.Taught, (BREAKS,), 201, http_schema.NewLesson, _LESSON
    ),
    Route("GET", "/api/drill", "Cards to practise with.", http_schema.Drill, (BREAKS,), query=_DRILL),
    Route("GET", "/api/games/{game}.txt", "A game that is over, as text.", "text/plain", _THERE),
    Route("GET", "/api/games/{game}", "A game that is over, as data.", Finished, _THERE),
)


def add_openapi(app: web.Application) -> None:
    """Answer with the description, which is made and compressed once."""

    async def tell(request: web.Request) -> web.Response:
        return _stored().answer(request)

    app.router.add_get(DESCRIPTION, tell)


@cache
def _stored() -> File:
    return File.of_json(Codec[Any](Any).encode(description()))


@cache
def description() -> _Document:
    """The whole description."""
    types = [kind for route in ROUTES for kind in (route.takes, route.gives) if not isinstance(kind, str | None)]
    types += [http_schema.Problem, http_schema.SlowDown]
    schemas, named = schema_components(types, schema_hook=_card, ref_template=_REF + "{name}")
    by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ratscrew", "version": __version__},
        "paths": paths,
        "components": {"schemas": {**named, "Card": {"type": "string", "enum": list(NAMES)}}},
    }


def faults_of(route: Route) -> dict[int, str]:
    """How a request may fail, by status."""
    foreign = (FOREIGN,) if route.method != "GET" else ()
    return dict(sorted({**FAULTS, **{status: OWN_FAULTS[status] for status in (*foreign, *route.faults)}}.items()))


def _operation(route: Route, by_type: Mapping[str, _Document]) -> _Document:
    told: _Document = {str(route.status): {"description": route.says, **_content(route.gives, by_type)}}
    for status, says in faults_of(route).items():
        kind = http_schema.SlowDown if status == 429 else http_schema.Problem
        told[str(status)] = {"description": says, **_content(kind, by_type)}
    if route.gives is http_schema.DeletedNames:
        told["202"] = {"description": "The name is deleted, but not yet cleared from the files.", **told["200"]}
    if route.gives is http_schema.Ready:
        told["503"] = {"description": route.says, **_content(route.gives, by_type)}
    parts: list[_Document] = [
        {"name": name, "in": "path", "required": True, "example": EXAMPLES[name], "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    parts += [{"name": name, "in": "query", **words} for name, words in route.query.items()]
    operation: _Document = {"summary": route.says, "parameters": parts, "responses": told}
    if route.takes:
        operation["requestBody"] = {"required": True, **_content(route.takes, by_type, example=route.example)}
    return operation


def _content(kind: Any, by_type: Mapping[str, _Document], **more: Any) -> _Document:
    if kind is None:
        return {}
    if isinstance(kind, str):
        return {"content": {kind: {"schema": {"type": "string"}}}}
    return {"content": {"application/json": {"schema": by_type[repr(kind)], **more}}}


def _card(kind: type) -> _Document:
    """msgspec does not know `Card`; over HTTP it is a text."""
    if kind is Card:
        return {"$ref": _REF + "Card"}
    raise NotImplementedError(f"no schema for {kind}")


def page() -> str:
    """The text of `docs/api.md`."""
    return _PAGE.format(
        routes="\n".join(map(_row, ROUTES)), faults=_faults(FAULTS), own=_faults(OWN_FAULTS), description=DESCRIPTION
    )


_PAGE = """\
# The HTTP interface

Printed by `python -m ratscrew.web.openapi`: do not edit. A running server tells it with every type at `{description}`.

Bodies are JSON. A request that cannot be met is answered with a `code` and `problems`, a sentence each. With a seat
comes a cookie `seat-WHO`, which opens the other addresses of its room.

| ask | with | answer | may fail with | |
|---|---|---|---|---|
{routes}

| status | any request may fail with |
|---|---|
{faults}

| status | some may fail with |
|---|---|
{own}
"""


def _row(route: Route) -> str:
    words = "".join(f"{'&' if number else '?'}{name}=" for number, name in enumerate(route.query))
    own = ", ".join(str(status) for status in faults_of(route) if status not in FAULTS)
    cells = (f"`{route.method} {route.path}{words}`", _name(route.takes), f"{route.status} {_name(route.gives)}", own)
    return f"| {' | '.join(cell.strip() for cell in cells)} | {route.says} |"


def _faults(faults: Mapping[int, str]) -> str:
    return "\n".join(f"| {status} | {says} |" for status, says in faults.items())


def _name(kind: Any) -> str:
    if kind is None or isinstance(kind, str):
        return kind or ""
    inner = get_args(kind)
    return f"a list of {_name(inner[0])}" if inner else f"`{kind.__name__}`"


if __name__ == "__main__":
    sys.stdout.write(page())
