"""The OpenAPI 3.1 description of the HTTP interface, generated from `routes` and `http_schema`.

So is `docs/api.md`: after a change, `python -m ratscrew.web.openapi > docs/api.md`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias, get_args

from aiohttp import web
from msgspec.json import schema_components

from ratscrew import __version__
from ratscrew.cards import NAMES, Card
from ratscrew.game.codec import Codec
from ratscrew.web.http.static_files import File
from ratscrew.web.middleware import HEADER_BYTES_MOST
from ratscrew.web.routes import API_ROUTES, CONFLICT, DESCRIPTION, EVENTS, FORBIDDEN, NOT_FOUND, UNPROCESSABLE, Route
from ratscrew.web.schema import http_schema
from ratscrew.web.schema.http_schema import BODY_MOST

_REF = "#/components/schemas/"
_Document: TypeAlias = dict[str, Any]

EXAMPLES = {"code": "BEAR4821", "game": "BEAR4821-64c2f1b3a4d00-1", "id": "5f2c9a1b7d3e8046", "n": "1"}
"""Examples of the variables of a path: a room's code, a game's name, an account's id, the number of a request."""

COMMON_ERRORS: Mapping[int, str] = {
    400: "The request cannot be understood: it is not JSON, or fields are missing or wrong.",
    408: "The request took too long to arrive.",
    413: f"The body has more than {BODY_MOST} bytes, or the route takes none.",
    414: "The address is too long, or its query has too many parameters.",
    431: f"A header, such as `Origin`, has more than {HEADER_BYTES_MOST} bytes.",
    415: "The body is compressed: send it without Content-Encoding.",
    421: "`Host` is not a name of this server (`hosts` in its configuration).",
    429: "Too many requests: try again after `wait_s` seconds, which `Retry-After` repeats.",
    500: "An error of the server, or a damaged record (`damaged`).",
    503: "The games cannot be saved at the moment; nothing that was sent is lost. Or the server is `busy`: see 429.",
}
"""The errors of every route, by status."""

ROUTE_ERRORS: Mapping[int, str] = {
    FORBIDDEN: "The request comes from a page of another server, from a browser that does not hold this seat, or "
    "from a banned player (`banned`, with the reason).",
    NOT_FOUND: "There is no such room, game, player or season.",
    CONFLICT: "Not possible at the moment: the code says why.",
    UNPROCESSABLE: "The request breaks a rule: a sentence for each problem, in the requested language. Or it takes too "
    "long to compute (`too_costly`).",
}
"""The errors of some routes, by status (`Route.errors`)."""


async def serve_description(request: web.Request) -> web.Response:
    """Handler: the description, which is made and compressed once."""
    return _stored(True).response(request)


async def serve_description_alone(request: web.Request) -> web.Response:
    """Handler: the description of a server without a community."""
    return _stored(False).response(request)


@cache
def _stored(community: bool) -> File:
    return File.of_json(Codec[Any](Any).encode(description(community)))


@cache
def description(community: bool = True) -> _Document:
    """The whole description; without a `community` that of the other routes."""
    routes = [route for route in API_ROUTES if community or not route.community]
    types = [kind for route in routes for kind in (route.request, route.response) if not isinstance(kind, str | None)]
    types += [http_schema.Problem, http_schema.SlowDown]
    schemas, named = schema_components(types, schema_hook=_card, ref_template=_REF + "{name}")
    by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ratscrew", "version": __version__},
        "paths": paths,
        "components": {"schemas": {**named, "Card": {"type": "string", "enum": list(NAMES)}}},
    }


def errors_of(route: Route) -> dict[int, str]:
    """The errors of a route, by status. Only pages of this server may send anything but `GET`."""
    own = route.errors if route.method == "GET" else (FORBIDDEN, *route.errors)
    return dict(sorted({**COMMON_ERRORS, **{status: ROUTE_ERRORS[status] for status in own}}.items()))


def _operation(route: Route, by_type: Mapping[str, _Document]) -> _Document:
    told: _Document = {str(route.status): {"description": route.summary, **_content(route.response, by_type)}}
    for status, says in errors_of(route).items():
        kind = http_schema.SlowDown if status == 429 else http_schema.Problem
        told[str(status)] = {"description": says, **_content(kind, by_type)}
    for status, description in route.also.items():
        told[str(status)] = {"description": description, **_content(route.response, by_type)}
    parts: list[_Document] = [
        {"name": name, "in": "path", "required": True, "example": EXAMPLES[name], "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    parts += [{"name": name, "in": "query", **words} for name, words in route.query.items()]
    operation: _Document = {"summary": route.summary, "parameters": parts, "responses": told}
    if route.request:
        operation["requestBody"] = {"required": True, **_content(route.request, by_type, example=route.example)}
    return operation


def _content(kind: Any, by_type: Mapping[str, _Document], **more: Any) -> _Document:
    if kind is None:
        return {}
    if kind == EVENTS:
        return {"content": {kind: {}}}
    if isinstance(kind, str):
        return {"content": {kind: {"schema": {"type": "string"}}}}
    return {"content": {"application/json": {"schema": by_type[repr(kind)], **more}}}


def _card(kind: type) -> _Document:
    """Schema hook: msgspec does not know `Card`, which is a string over HTTP."""
    if kind is Card:
        return {"$ref": _REF + "Card"}
    raise NotImplementedError(f"no schema for {kind}")


def page() -> str:
    """The text of `docs/api.md`."""
    return _PAGE.format(
        routes="\n".join(map(_row, API_ROUTES)),
        faults=_faults(COMMON_ERRORS),
        own=_faults(ROUTE_ERRORS),
        description=DESCRIPTION,
    )


_PAGE = """\
# The HTTP interface

Generated by `python -m ratscrew.web.openapi`: do not edit. A running server serves the full description, with every
type, at `{description}` (OpenAPI 3.1).

Bodies are JSON. An error response has a `code` and `problems`, a sentence for each. A response with a seat sets the
cookie `seat-IDENTITY-WHO`, by which the other routes of the room know the player.

| request | body | response | errors | |
|---|---|---|---|---|
{routes}

| status | errors of every route |
|---|---|
{faults}

| status | errors of some routes |
|---|---|
{own}
"""


def _row(route: Route) -> str:
    words = "".join(f"{'&' if number else '?'}{name}=" for number, name in enumerate(route.query))
    own = ", ".join(str(status) for status in errors_of(route) if status not in COMMON_ERRORS)
    cells = (
        f"`{route.method} {route.path}{words}`",
        _name(route.request),
        f"{route.status} {_name(route.response)}",
        own,
    )
    return f"| {' | '.join(cell.strip() for cell in cells)} | {route.summary} |"


def _faults(faults: Mapping[int, str]) -> str:
    return "\n".join(f"| {status} | {says} |" for status, says in faults.items())


def _name(kind: Any) -> str:
    if kind is None or isinstance(kind, str):
        return kind or ""
    inner = get_args(kind)
    return f"a list of {_name(inner[0])}" if inner else f"`{kind.__name__}`"


if __name__ == "__main__":
    sys.stdout.write(page())
