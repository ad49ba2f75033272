"""The price of each route, from the table in `routes.py`.

Every request costs one of `requests` of its address and of all addresses, with any method, path and headers
(`web/middleware.py`). A price is charged in addition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from aiohttp import web

from ratscrew.web.limits import LimitName
from ratscrew.web.routes import ROUTES


class Price(NamedTuple):
    """The limit that a route charges besides `requests`, whether it reads a body, and the longest query in bytes.

    `worker`: the response is rendered in another process (`web/worker.py`). `parameters`: the most characters of each.
    """

    limit: LimitName | None = None
    body: bool = False
    query: int = 1000
    worker: bool = False
    parameters: Mapping[str, int] = {}


PRICES: Mapping[tuple[str, str], Price] = {
    route.key: Price(route.limit, route.request is not None, route.max_query, route.worker, route.parameters)
    for route in ROUTES
}
"""By method and path as aiohttp names it; `HEAD` costs what `GET` costs."""

NO_ROUTE = Price()
"""The price without a route: nothing besides `requests`, and the body is not read."""


def price_of(request: web.Request) -> Price:
    """The price of a request besides `requests`."""
    resource = request.match_info.route.resource
    return NO_ROUTE if resource is None else PRICES[_key(request.method, resource.canonical)]


def check_prices(app: web.Application) -> None:
    """Check that every route of a server has a price.

    Raises: LookupError with the routes that have none.
    """
    registered = {_key(route.method, route.resource.canonical) for route in app.router.routes() if route.resource}
    if missing := registered - PRICES.keys():
        names = ", ".join(sorted(" ".join(key) for key in missing))
        raise LookupError(f"{names}: a route needs a price, so it must be in ROUTES of ratscrew/web/routes.py")


def _key(method: str, path: str) -> tuple[str, str]:
    return ("GET" if method == "HEAD" else method, path)
