"""The table of routes fits its handlers."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from aiohttp import web

from ratscrew.web.api.activity import ActivityHandlers
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
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.openapi import serve_description
from ratscrew.web.routes import API_ROUTES, MESSAGES, ROUTES, SOCKET, STREAM, Handlers, Route, add_routes

CLASSES: Any = (
    HealthHandlers,
    SeatHandlers,
    HouseHandlers,
    LearningHandlers,
    GameHandlers,
    ArenaHandlers,
    StaticFiles,
    LinkPreviews,
    ActivityHandlers,
    AccountHandlers,
    PasskeyHandlers,
    ProfileHandlers,
    FriendHandlers,
    ModerationHandlers,
)
UNBOUND = Handlers._make((*CLASSES, *[serve_description] * 4, lambda handler: handler, None))
"""The classes in the place of their instances: so a route leads to the function itself."""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_handler_takes_the_body_that_its_route_declares_and_no_other(route: Route) -> None:
    takes = get_type_hints(route.handler(UNBOUND)).get("body")
    assert takes is (route.request if route.decodes_body else None)


def test_only_what_the_worker_process_decodes_reaches_a_handler_undecoded() -> None:
    undecoded = [route for route in API_ROUTES if route.request and not route.decodes_body]
    assert [route.key for route in undecoded if route.worker] == [("POST", "/api/house")]
    assert [route.path for route in undecoded if not route.worker] == [STREAM, MESSAGES]


def test_no_two_routes_have_the_same_method_and_path() -> None:
    assert len({route.key for route in ROUTES}) == len(ROUTES)


def test_the_path_of_the_socket_is_tried_before_any_other_with_variables() -> None:
    app = web.Application()
    add_routes(app, UNBOUND)
    with_variables = [resource.canonical for resource in app.router.resources() if "{" in resource.canonical]
    assert len(with_variables) > 20
    assert with_variables[0] == SOCKET
