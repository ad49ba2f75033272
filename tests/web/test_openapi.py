"""The OpenAPI description: it is complete, and holds for any request."""

from __future__ import annotations

import json
from pathlib import Path

from aiohttp import web

from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.openapi import description, page
from ratscrew.web.routes import API_ROUTES, CHANNEL_ROUTES, DESCRIPTION, FORBIDDEN
from tests.fuzz.served import ask
from tests.web.http_requests import Client, get

DOCS = Path(__file__).parents[2] / "docs"
WITH_A_COOKIE = {
    f"{what} /api/rooms/{{code}}/{part}"
    for what, part in (("POST", "pass"), ("POST", "device"), ("DELETE", "name"), ("POST", "arena/ask"))
} | {f"{route.method} {route.path}" for route in API_ROUTES if route.community and FORBIDDEN in route.errors}
WITH_A_COOKIE.add("POST /api/sign-in/options")
"""What nobody is given who brings no cookie, or no pass that was made for him, or who opens the server by number."""


def test_every_route_of_the_server_is_described_and_no_other() -> None:
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(Path("nowhere")), community=CommunityOptions())
    there = {
        (route.method, route.resource.canonical)
        for route in app.router.routes()
        if route.resource and route.resource.canonical.startswith("/api/") and route.method != "HEAD"
    }
    assert {(route.method, route.path) for route in API_ROUTES} == there


async def test_a_server_tells_its_description(client: Client) -> None:
    assert await get(client, DESCRIPTION) == (200, json.loads(json.dumps(description(community=True))))


def test_the_page_is_the_printed_one() -> None:
    assert (DOCS / "api.md").read_text() == page(), "python -m ratscrew.web.openapi > docs/api.md"


async def test_whatever_is_asked_is_answered_as_described(tmp_path: Path) -> None:
    """Each route is met at least once, but those of channels, which aiohttp does not answer.

    `python -m tests.fuzz http` goes on for as long as one likes.
    """
    code, said, told = await ask(tmp_path, "--phases=examples,coverage", "--generation-deterministic")
    assert code == 0, said
    good = {(f"{route.method} {route.path}", route.status) for route in API_ROUTES if route not in CHANNEL_ROUTES}
    assert {(path, status) for path, status in good if path not in WITH_A_COOKIE} <= told
    assert [(path, status) for path, status in told if status >= 500] == []


def test_an_unknown_method_is_told_which_there_are() -> None:
    """The page of all other addresses does not stand in its way."""
    assert web
