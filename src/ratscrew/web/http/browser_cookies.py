"""What this server stores in browsers. The only module that reads or sets cookies; the others say what is in them.

Browsers send a host's cookies to all servers there, whatever their ports. So each name has the identity of its server,
a random number in its log: a server reads, replaces and deletes only its own cookies. All have the same attributes. In
a frame of Discord they need others, or the browser would not store them (`SameSite=None; Partitioned; Secure`); such
a cookie has a name of its own, so a request that brings one is answered with the same attributes, also without an
`Origin`. Cookies of versions without an identity are not read: there was no release with them.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from typing import Protocol

from aiohttp import web

from ratscrew.web.http.proxy_policy import ProxyPolicy

IDENTITY = "server-identity"
"""The name under which the log stores the identity. The nodes of a cluster share it."""

FRAMED = "framed-"
"""The prefix of the names of cookies in a frame."""

READ_BYTES = 16 * 1024
"""How much of a `Cookie` header is read."""


class IdentityStore(Protocol):
    """Where the identity is, such as an `EventLog`."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value under a name; the first time, the value that `make` returns is stored."""
        ...


class BrowserCookies:
    """Reads, sets and deletes cookies."""

    def __init__(self, store: IdentityStore, proxy_policy: ProxyPolicy) -> None:
        """Raises: LogError."""
        self.identity = store.get_or_create(IDENTITY, lambda: secrets.token_hex(4).encode()).decode()
        self._proxy_policy = proxy_policy

    def set(
        self, request: web.Request, response: web.StreamResponse, name: str, value: str, path: str, lasts_s: int
    ) -> None:
        """Store a value in the browser under a `name`. Unit: `lasts_s` seconds."""
        framed = self._framed(request)
        response.set_cookie(
            FRAMED * framed + name,
            value,
            path=self._proxy_policy.base_path + path,
            max_age=lasts_s,
            httponly=True,
            secure=framed or self._proxy_policy.is_encrypted(request),
            samesite="None; Partitioned" if framed else "Strict",  # Python's cookies have `Partitioned` from 3.14 on
        )

    def delete(self, request: web.Request, response: web.StreamResponse, name: str, path: str) -> None:
        """Delete a value in the browser: with the attributes with which it was stored, or a browser may keep it."""
        self.set(request, response, name, "", path, 0)

    def find(self, request: web.Request, kind: str, value: str, number: str = "") -> Iterator[re.Match[str]]:
        """The cookies of a kind whose values, and what follows their names, match these patterns. One pass finds all:
        other cookies of the host, and junk, cost no more than their length.
        """
        pattern = rf"(?:^|; ?)(?:{FRAMED})?{self.name(kind)}{number}={value}(?=;|$)"
        return re.finditer(pattern, request.headers.get("Cookie", "")[:READ_BYTES], re.ASCII)

    def name(self, kind: str, number: int | None = None) -> str:
        """The name of a cookie of this server, outside of frames; those of a kind may be numbered."""
        return f"{kind}-{self.identity}" if number is None else f"{kind}-{self.identity}-{number}"

    def _framed(self, request: web.Request) -> bool:
        """Whether the page is in a frame of Discord. A client that pretends it gets cookies that it cannot use."""
        if self._proxy_policy.discord is None:
            return False
        own = rf"(?:^|; ?){FRAMED}[a-z]+-{self.identity}[-=]"
        brings_own = re.search(own, request.headers.get("Cookie", "")[:READ_BYTES], re.ASCII)
        return bool(brings_own) or self._proxy_policy.is_framed(request)
