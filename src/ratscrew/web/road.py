"""How people reach this server: straight, or through a proxy whose word an operator believes.

Without that word nothing is believed that anybody could write into a header.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from aiohttp import web

_HOUSEHOLD_BITS = 64
"""Whoever has one address of the new kind has as many as these leave over: they count as one."""


@dataclass(frozen=True, slots=True)
class Road:
    """How people reach this server: straight, or through a proxy, which may tell their round trip in a header.

    `header` names one with microseconds in it, such as nginx writes by `$tcpinfo_rtt`.
    """

    proxied: bool = False
    header: str | None = None

    def address(self, request: web.BaseRequest) -> str:
        """Who asks, as far as limits go: one address, or one network of the new kind.

        Of a proxy's list only the last is the proxy's own word; whatever stands before it came with the request.
        """
        told = self._told(request, "X-Forwarded-For") or request.remote or ""
        try:
            address = ip_address(told.strip("[]"))
        except ValueError:
            return request.remote or ""
        if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
            return str(IPv6Address(int(address) >> _HOUSEHOLD_BITS << _HOUSEHOLD_BITS))
        return str(address)

    def ours(self, request: web.BaseRequest) -> bool:
        """Whether a request comes from a page of ours, or from no page at all."""
        origin = request.headers.get("Origin")
        if origin is None:
            return True
        scheme, _, host = origin.partition("://")
        outer = self._told(request, "X-Forwarded-Proto")
        own = self._told(request, "X-Forwarded-Host") or request.host
        return host == own and scheme in ({outer} if outer else {"http", "https"})

    def is_private(self, request: web.BaseRequest) -> bool:
        """Whether nobody on the way can read what is said: by https, as far as the proxy if there is one."""
        return (self._told(request, "X-Forwarded-Proto") or request.scheme) == "https"

    def told_us(self, request: web.BaseRequest) -> int | None:
        """The round trip that the operator's proxy tells; None if it tells none. Unit: microseconds."""
        told = request.headers.get(self.header, "") if self.proxied and self.header else ""
        return int(told) if told.isdecimal() and len(told) < 10 else None

    def _told(self, request: web.BaseRequest, header: str) -> str | None:
        """The proxy's own word in a header that others may have begun."""
        words = request.headers.getall(header, ()) if self.proxied else ()
        return words[-1].rpartition(",")[2].strip() if words else None
