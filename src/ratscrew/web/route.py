"""One HTTP route: its handler, request and response, errors, and what it costs. The table is in `routes.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ratscrew.web.limits import LimitName

FORBIDDEN, NOT_FOUND, CONFLICT, UNPROCESSABLE = 403, 404, 409, 422


NUMBER_MOST = 40
"""The most characters of a number in a query: a longer text is not even an attempt."""


class Route(NamedTuple):
    """One route.

    `response` is the type of its JSON body, or a media type for text, with `status`; `also` are other statuses with the
    same body. `errors` are statuses besides those of every route. `request` is the type of its body, if it reads one;
    `example` is such a body. The handler gets the decoded body as its second argument, except where the worker process
    decodes it. `query` describes the query parameters by name.

    A request takes one of `limit` besides one of `requests`; its query has at most `max_query` bytes. `worker`: it is
    handled in another process (`web/worker.py`). `idempotent`: it takes an `Idempotency-Key`. `community`: there is no
    such route where the community is off.
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
        return self.request is not None and not self.worker


def _most(schema: Mapping[str, Any]) -> int:
    """The longest text of a parameter. Raises: KeyError for a text without a bound."""
    return int(schema["maxLength"]) if schema["type"] == "string" else NUMBER_MOST
