"""The price of each route, from the table in `routes.py`.

Every request costs one of `requests` of its address and of all addresses, with any method, path and headers
(`web/middleware.py`). A price is charged in addition.
"""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from ratscrew.web.routes import ROUTES, Route

PRICES: Mapping[tuple[str, str], Route] = {route.key: route for route in ROUTES}
"""The routes by method and path as aiohttp names it; `HEAD` costs what `GET` costs."""

NO_ROUTE = Route("", "", lambda _: None)
"""For a request without a route: it costs nothing besides `requests`, and its body is not read."""


def route_of(request: web.Request) -> Route:
    """The route of a request, with its price besides `requests`."""
    resource = request.match_info.route.resource
    return NO_ROUTE if resource is None else PRICES[_key(request.method, resource.canonical)]


def check_prices(app: web.Application) -> None:
    """Check that every route of a server has a price, and every text in its query a bound.

    Raises: LookupError with the routes that have none, or for the bound.
    """
    for route in ROUTES:
        _ = route.parameters
    registered = {_key(route.method, route.resource.canonical) for route in app.router.routes() if route.resource}
    if missing := registered - PRICES.keys():
        names = ", ".join(sorted(" ".join(key) for key in missing))
        raise LookupError(f"{names}: a route needs a price, so it must be in ROUTES of ratscrew/web/routes.py")


def _key(method: str, path: str) -> tuple[str, str]:
    return ("GET" if method == "HEAD" else method, path)
