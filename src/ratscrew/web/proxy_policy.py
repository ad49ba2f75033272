"""How clients reach this server: directly, or through proxies that an operator trusts.

Without that trust nothing is believed that a client could write into a header.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from aiohttp import web

from ratscrew.web.addresses import client_key, forwarded_for, is_own_host

_journal = logging.getLogger(__name__)
_warned = set[str]()


@dataclass(frozen=True, slots=True)
class ProxyPolicy:
    """How clients reach this server: directly, or through proxies, which may send their round trip in a header.

    `header` names one with microseconds in it, such as nginx writes by `$tcpinfo_rtt`. `hosts` are the names of this
    server besides those that are known anyway; `proxies` is how many proxies stand one behind the other; `network` says
    that the server listens on more than loopback.
    """

    proxied: bool = False
    header: str | None = None
    hosts: frozenset[str] = frozenset()
    proxies: int = 1
    network: bool = False

    def address(self, request: web.BaseRequest) -> str:
        """The client, as far as limits go: one IPv4 address, or one /64 network of IPv6.

        Of the proxies' list only the last entries are the proxies' own; anything before them came with the request.
        """
        if self.proxied:
            told = forwarded_for(request.headers.getall("X-Forwarded-For", ()), self.proxies)
            if told and (key := client_key(told)):
                return key
            _warn_once("the proxy sends no usable X-Forwarded-For, so all clients share the limits of one address")
        return client_key(request.remote or "") or request.remote or ""

    def is_own_host(self, request: web.BaseRequest) -> bool:
        """Whether the request names this server as its host. Behind a proxy any name will do unless some are set:
        the proxy picks the names that it passes on.
        """
        if self.proxied and not self.hosts:
            return True
        host = self._host(request)
        return host is None or is_own_host(host, self.hosts, self.network)

    def same_origin(self, request: web.BaseRequest) -> bool:
        """Whether a request comes from a page of ours, or from no page at all."""
        origin = request.headers.get("Origin")
        if origin is None:
            return True
        scheme, _, host = origin.partition("://")
        outer = self._forwarded(request, "X-Forwarded-Proto")
        return host == self._host(request) and scheme in ({outer} if outer else {"http", "https"})

    def is_encrypted(self, request: web.BaseRequest) -> bool:
        """Whether the connection is encrypted, as far as the outermost proxy if there is one."""
        return (self._forwarded(request, "X-Forwarded-Proto") or request.scheme) == "https"

    def reported_rtt_us(self, request: web.BaseRequest) -> int | None:
        """The round trip that the operator's proxy sends; None if it sends none. Unit: microseconds."""
        told = request.headers.get(self.header, "") if self.proxied and self.header else ""
        return int(told) if told.isdecimal() and len(told) < 10 else None

    def _host(self, request: web.BaseRequest) -> str | None:
        """The host that the client asked for. `request.host` would look up our own name if there is no header."""
        return self._forwarded(request, "X-Forwarded-Host") or request.headers.get("Host")

    def _forwarded(self, request: web.BaseRequest, header: str) -> str | None:
        """The proxy's own entry in a header that others may have begun."""
        words = request.headers.getall(header, ()) if self.proxied else ()
        return words[-1].rpartition(",")[2].strip() if words else None


def _warn_once(sentence: str) -> None:
    if sentence not in _warned:
        _warned.add(sentence)
        _journal.warning("%s", sentence)
