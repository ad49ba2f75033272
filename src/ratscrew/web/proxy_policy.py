"""How clients reach this server: directly, or through proxies that the operator trusts.

Without a trusted proxy, headers that a client could forge are ignored.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import dataclass

from aiohttp import web

from ratscrew.web.addresses import client_key, forwarded_for, host_name, is_own_host
from ratscrew.web.cluster_peers import ClusterPeers
from ratscrew.web.discord import DiscordApplication

_logger = logging.getLogger(__name__)
_warned = set[str]()


@dataclass(frozen=True, slots=True)
class ProxyPolicy:
    """Whether to trust proxies, and which host names are this server's.

    `header` names the header with the client's round trip in microseconds, which nginx can set from `$tcpinfo_rtt`.
    `hosts` are further names of this server; `proxies` is the number of proxies in a chain; `network` says that the
    server listens on more than loopback. `peers` are the nodes of its cluster, `discord` its activity at Discord.
    """

    proxied: bool = False
    header: str | None = None
    hosts: frozenset[str] = frozenset()
    proxies: int = 1
    network: bool = False
    peers: ClusterPeers | None = None
    discord: DiscordApplication | None = None

    def address(self, request: web.BaseRequest) -> str:
        """The client's address for rate limits: an IPv4 address, or a /64 network of IPv6.

        Only the last entries of `X-Forwarded-For` are the proxies' own; earlier ones came with the request.
        """
        if self.peers and (client := self.peers.tokens.forwarded(request)):
            return client.address
        if self.proxied:
            entry = forwarded_for(request.headers.getall("X-Forwarded-For", ()), self.proxies)
            if entry and (key := client_key(entry)):
                return key
            _warn_once("the proxy sends no usable X-Forwarded-For, so all clients share the limits of one address")
        return client_key(request.remote or "") or request.remote or ""

    def is_own_host(self, request: web.BaseRequest) -> bool:
        """Whether the `Host` header names this server. Behind a proxy any name is accepted unless `hosts` are set: the
        proxy chooses which names it forwards.
        """
        if self.proxied and not self.hosts:
            return True
        host = self._host(request)
        if self.discord and host and host_name(host) == self.discord.host:
            return True
        return host is None or is_own_host(host, self.hosts, self.network)

    def same_origin(self, request: web.BaseRequest) -> bool:
        """Whether a request comes from a page of this server, or from no page (no `Origin` header).

        In a cluster pages of all nodes, and of the cluster's own names, are this server's.
        """
        origin = request.headers.get("Origin")
        if origin is None or self.through_discord(request):
            return True
        scheme, _, host = origin.partition("://")
        if self.peers and (self.peers.has_origin(origin) or host_name(host) in self.hosts):
            return True
        outer = self._forwarded(request, "X-Forwarded-Proto")
        return host == self._host(request) and scheme in ({outer} if outer else {"http", "https"})

    def through_discord(self, request: web.BaseRequest) -> bool:
        """Whether a request comes from a page in a frame of Discord, and so through Discord's proxy."""
        return self.discord is not None and request.headers.get("Origin") == self.discord.origin

    def same_site(self, request: web.BaseRequest) -> str:
        """The attribute of a cookie that says with which requests a browser sends it.

        In a frame a strict one is never sent. There cookies are partitioned, so that no other site can have them sent:
        an attribute that Python's cookies have only from 3.14 on.
        """
        return "None; Partitioned" if self.through_discord(request) else "Strict"

    def kernel(self, request: web.BaseRequest, transport: asyncio.BaseTransport | None) -> socket.socket | None:
        """The system's socket if its other end is the client, so that the kernel measures the client's round trip."""
        direct = not self.proxied and not self.through_discord(request)
        return transport.get_extra_info("socket") if direct and transport else None

    def is_encrypted(self, request: web.BaseRequest) -> bool:
        """Whether the client's connection is encrypted, up to the outermost proxy if there is one."""
        if self.peers and (client := self.peers.tokens.forwarded(request)):
            return client.encrypted
        return (
            self.through_discord(request)
            or (self._forwarded(request, "X-Forwarded-Proto") or request.scheme) == "https"
        )

    def origin(self, request: web.BaseRequest) -> str | None:
        """This server's address as the client named it, such as `https://example.org`; None if it named none."""
        host = self._host(request)
        return f"{'https' if self.is_encrypted(request) else 'http'}://{host}" if host else None

    def reported_rtt_us(self, request: web.BaseRequest) -> int | None:
        """The client's round trip as measured by the proxy; None without one. Unit: microseconds."""
        trusted = self.proxied and not self.through_discord(request)  # else it is that of Discord's proxy
        text = request.headers.get(self.header, "") if trusted and self.header else ""
        return int(text) if text.isdecimal() and len(text) < 10 else None

    def _host(self, request: web.BaseRequest) -> str | None:
        """The host that the client requested. `request.host` would fall back to this machine's name."""
        return self._forwarded(request, "X-Forwarded-Host") or request.headers.get("Host")

    def _forwarded(self, request: web.BaseRequest, header: str) -> str | None:
        """The proxy's own entry in a header, the last one; clients may have sent others."""
        words = request.headers.getall(header, ()) if self.proxied else ()
        return words[-1].rpartition(",")[2].strip() if words else None


def _warn_once(sentence: str) -> None:
    if sentence not in _warned:
        _warned.add(sentence)
        _logger.warning("%s", sentence)
