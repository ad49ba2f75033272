"""What each route costs. A route that is not in `PRICES` cannot be served: `make_app` refuses to start.

Every request costs one of `requests` of its address and of all addresses, whatever its method, path and headers
(`web/middleware.py`). A price here is what a route takes besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from aiohttp import web

from ratscrew.web.limits import What

SOCKET = "/api/rooms/{code}/socket"


class Price(NamedTuple):
    """What a route takes besides `requests` (`limit`), whether it reads a body, and how many bytes of query it takes.

    `worker`: it is worked out in another process (`web/worker.py`).
    """

    limit: What | None = None
    body: bool = False
    query: int = 1000
    worker: bool = False


_HOUSE_TEXT = 8000
"""A house's text has 2,000 characters, each up to three bytes in an address; a language besides."""

PRICES: Mapping[tuple[str, str], Price] = {
    ("GET", "/api/health"): Price(),
    ("GET", "/api/ready"): Price(),
    ("GET", "/api/openapi.json"): Price(),
    ("GET", "/api/rules"): Price(),
    ("GET", "/api/house"): Price("heavy", query=_HOUSE_TEXT, worker=True),
    ("POST", "/api/house"): Price("heavy", body=True, worker=True),
    ("GET", "/api/drill"): Price("heavy", query=_HOUSE_TEXT, worker=True),
    ("GET", "/api/games/{game}"): Price("heavy", worker=True),
    ("GET", "/api/games/{game}.txt"): Price("heavy", worker=True),
    ("GET", "/api/rooms"): Price(),
    ("POST", "/api/rooms"): Price("rooms", body=True),
    ("POST", "/api/quick"): Price("rooms", body=True),
    ("POST", "/api/lessons"): Price("rooms", body=True),
    ("POST", "/api/rooms/{code}/seats"): Price("seats", body=True),
    ("POST", "/api/rooms/{code}/pass"): Price("seats", body=True),
    ("POST", "/api/rooms/{code}/device"): Price("seats", body=True),
    ("DELETE", "/api/rooms/{code}/name"): Price("seats", body=True),
    ("GET", SOCKET): Price(),  # `sockets`, which `web/socket.py` takes: it tells the page when to come back
    # the page: fixed bytes from memory
    ("GET", "/"): Price(),
    ("GET", "/room/{code}"): Price(),
    ("GET", "/game/{game}"): Price(),
    ("GET", "/replay/{game}"): Price(),
    ("GET", "/tv/{code}"): Price(),
    ("GET", "/rules"): Price(query=_HOUSE_TEXT),
    ("GET", "/judge"): Price(),
    ("GET", "/learn"): Price(),
    ("GET", "/practice"): Price(query=_HOUSE_TEXT),
    ("GET", "/together"): Price(),
    ("GET", "/{path}"): Price(),
}
"""By method and path as aiohttp names it; `HEAD` costs what `GET` costs."""

NOTHING_THERE = Price()
"""What a path or a method that leads nowhere takes besides: nothing, and it reads no body."""


def price_of(request: web.Request) -> Price:
    """What a request takes besides `requests`."""
    resource = request.match_info.route.resource
    return NOTHING_THERE if resource is None else PRICES[_key(request.method, resource.canonical)]


def check_prices(app: web.Application) -> None:
    """Every route of a server has a price.

    Raises: LookupError with the routes that have none.
    """
    there = {_key(route.method, route.resource.canonical) for route in app.router.routes() if route.resource}
    if missing := there - PRICES.keys():
        names = ", ".join(sorted(" ".join(key) for key in missing))
        raise LookupError(f"{names}: a route needs a price in PRICES of ratscrew/web/prices.py")


def _key(method: str, path: str) -> tuple[str, str]:
    return ("GET" if method == "HEAD" else method, path)
