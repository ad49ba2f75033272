"""Serving below a path of a host, such as `https://example.org/ratscrew/`.

The rest of the server does not depend on that: a request loses the path before it is routed. Redirections
get it when they leave, cookies when they are set (`browser_cookies.py`), and pages have it in the links to their parts
(`static_files.py`) and in their first tag, for their scripts. A proxy may remove the path or pass it on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from aiohttp import hdrs, web

from ratscrew.errors import RatscrewError

BASE_PATH = web.AppKey("base_path", str)

_PATH = re.compile(r"(/[\w.~-]+)*", re.ASCII)
_OWN = ("/api", "/assets")
"""What begins so is the server's own."""

RequestFactory: TypeAlias = Callable[..., web.BaseRequest]


def parse_base_path(text: str) -> str:
    """The base path as every address of the server begins: without a slash at its end, `""` for the top of the host.

    Raises: RatscrewError.
    """
    path = f"/{text.strip('/')}" if text.strip("/") else ""
    if not _PATH.fullmatch(path) or "/." in path or f"{path}/".startswith(tuple(f"{own}/" for own in _OWN)):
        raise RatscrewError(
            f"--base-path {text}: this is no path such as /ratscrew (letters, digits, - and _; not /api or /assets)"
        )
    return path


def below(base: str, make: RequestFactory) -> RequestFactory:
    """The factory of a server's requests, without the base path in their addresses."""

    def make_without_base(message: Any, *more: Any) -> web.BaseRequest:
        path, mark, query = message.path.partition("?")
        if path == base or path.startswith(f"{base}/"):
            path = path[len(base) :] or "/"
            url = message.url.build(path=path, query_string=query, encoded=True)
            message = message._replace(path=f"{path}{mark}{query}", url=url)
        return make(message, *more)

    return make_without_base if base else make


def add_base_path(base: str, response: web.StreamResponse) -> None:
    """Put the base path before the address to which a response redirects."""
    if base and (where := response.headers.get(hdrs.LOCATION, "")).startswith("/"):
        response.headers[hdrs.LOCATION] = base + where
