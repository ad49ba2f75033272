"""How clients reach this server: directly, or through proxies that the operator trusts.

A header counts only from where it can come: those of a proxy on connections from the operator's own network, and never
without a proxy. What a browser sends, such as `Origin`, decides nothing that a client could gain by.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from aiohttp import web

from ratscrew.protocol.tcp_info import NeighbourConnection, OwnConnection, TcpConnection
from ratscrew.web.http.addresses import client_key, forwarded_for, host_name, is_own_host
from ratscrew.web.http.cluster_peers import ClusterPeers
from ratscrew.web.http.discord import DiscordApplication

Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]

OWN_NETWORKS: Networks = tuple(
    ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""From where a proxy's connections come, unless the operator says otherwise: this machine and networks that are not
public (RFC 1918, 3927, 4193, 6598)."""

_logger = logging.getLogger(__name__)
_warned = set[str]()


@dataclass(frozen=True, slots=True)
class ProxyPolicy:
    """Whether to trust proxies, and which host names are this server's.

    `proxied`: connections from `trusted` networks are a proxy's, whose headers count. `header` names the one with the
    client's round trip in microseconds when the socket was opened, which nginx can set from `$tcpinfo_rtt`;
    `socket_header` the one that says which connection on this machine is the client's (`NeighbourConnection.parse`).
    `base_path` is the path of the host below which clients reach the server.
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
    trusted: Networks = OWN_NETWORKS
    socket_header: str | None = None
    base_path: str = ""

    def address(self, request: web.BaseRequest) -> str:
        """The client's address for rate limits: an IPv4 address, or a /64 network of IPv6.

        Only the last entries of `X-Forwarded-For` are the proxies' own; earlier ones came with the request.
        """
        if self.peers and (client := self.peers.tokens.forwarded(request)):
            return client.address
        if self._from_proxy(request):
            entry = forwarded_for(request.headers.getall("X-Forwarded-For", ()), self.proxies)
            if entry and (key := client_key(entry)):
                return key
            warn_once(
                "forwarded_for",
                "the proxy sends no usable X-Forwarded-For, so all clients share the limits of one address",
            )
        return client_key(request.remote or "") or request.remote or ""

    def is_own_host(self, request: web.BaseRequest) -> bool:
        """Whether the `Host` header names this server. Behind a proxy any name is accepted unless `hosts` are set: the
        proxy chooses which names it forwards.
        """
        if self._from_proxy(request) and not self.hosts:
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
        outer = self._last(request, "X-Forwarded-Proto")
        return host == self._host(request) and scheme in ({outer} if outer else {"http", "https"})

    def warn_of_origin(self, request: web.BaseRequest) -> None:
        """Tell the operator, once, of a page that was refused because it seems to be another site's."""
        origin, host = request.headers.get("Origin", "")[:100], (self._host(request) or "")[:100]
        if origin.partition("://")[2] == host:
            mend = "let the proxy pass on the scheme (X-Forwarded-Proto), or leave that header away"
        else:
            mend = "let the proxy pass on their Host (nginx: `proxy_set_header Host $http_host;`)"
        warn_once(
            "origin",
            f"a page of {origin!r} was refused, as its request named the host {host!r}: if players open this server at "
            f"{origin!r}, {mend}",
        )

    def through_discord(self, request: web.BaseRequest) -> bool:
        """Whether a request comes from a page in a frame of Discord, and so through Discord's proxy."""
        return self.discord is not None and request.headers.get("Origin") == self.discord.origin

    def is_framed(self, request: web.BaseRequest) -> bool:
        """Whether a request says that its page is in a frame of Discord, also without an `Origin`, as a GET has none.

        Only cookies depend on it: a client that pretends it changes only what its own browser stores.
        """
        host = self._host(request)
        return self.through_discord(request) or bool(self.discord and host and host_name(host) == self.discord.host)

    def connection(self, request: web.BaseRequest, transport: asyncio.BaseTransport | None) -> TcpConnection | None:
        """The client's TCP connection, if the kernel of this machine has it; None behind a proxy that is elsewhere.

        Of an activity it is the one of Discord's proxy. That is no reason to ignore it: any client could send Discord's
        `Origin`, and be as far away as it likes.
        """
        if self._from_proxy(request):
            return self._neighbour(request)
        end = transport.get_extra_info("socket") if transport else None
        return OwnConnection(end) if end else None

    def _neighbour(self, request: web.BaseRequest) -> TcpConnection | None:
        """The connection between the client and a proxy on this machine, as the proxy's header names it."""
        text = self._last(request, self.socket_header) if self.socket_header else None
        if text is None:
            return None
        if client_key(text.partition(" ")[0]) != self.address(request):
            warn_once(
                "socket_address",
                f"the proxy's {self.socket_header} names another address than its X-Forwarded-For, so no round trip is "
                "measured and no game is rated; write both in the proxy that players connect to",
            )
            return None
        found = NeighbourConnection.parse(text)
        if found is None or found.min_rtt_us() is None:
            warn_once(
                "socket_header",
                f"{self.socket_header} names no connection of this machine, so no round trip is measured and no game "
                "is rated; it is the client's address and port, then the proxy's own, and the proxy has to share this "
                "server's network",
            )
        return found

    def is_encrypted(self, request: web.BaseRequest) -> bool:
        """Whether the client's connection is encrypted, up to the outermost proxy if there is one."""
        if self.peers and (client := self.peers.tokens.forwarded(request)):
            return client.encrypted
        return self.through_discord(request) or (self._last(request, "X-Forwarded-Proto") or request.scheme) == "https"

    def origin(self, request: web.BaseRequest) -> str | None:
        """This server's address as the client named it, such as `https://example.org`; None if it named none."""
        host = self._host(request)
        return f"{'https' if self.is_encrypted(request) else 'http'}://{host}" if host else None

    def site(self, request: web.BaseRequest) -> str | None:
        """The address below which all pages of this server are, without a slash at its end; None as for `origin`."""
        origin = self.origin(request)
        return None if origin is None else origin + self.base_path

    def reported_rtt_us(self, request: web.BaseRequest) -> int | None:
        """The client's round trip as a proxy measured it before this request; None without one. Unit: microseconds."""
        text = self._last(request, self.header) if self.header else None
        return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None

    def _host(self, request: web.BaseRequest) -> str | None:
        """The host that the client requested. `request.host` would fall back to this machine's name."""
        return self._last(request, "X-Forwarded-Host") or request.headers.get("Host")

    def _last(self, request: web.BaseRequest, header: str) -> str | None:
        """The proxy's own entry in a header, the last one; clients may have sent others."""
        words = request.headers.getall(header, ()) if self._from_proxy(request) else ()
        return words[-1].rpartition(",")[2].strip() if words else None

    def _from_proxy(self, request: web.BaseRequest) -> bool:
        """Whether a request came by a proxy's connection. Others have passed it by, and may write any header."""
        if not self.proxied:
            return False
        if not request.remote or _is_in(request.remote, self.trusted):  # a Unix socket has no address
            return True
        warn_once(
            "untrusted",
            f"a connection from {request.remote} is none of a trusted proxy, so its X-Forwarded-… headers are ignored; "
            "if it is your proxy, add its network with --trusted-proxies; if not, let clients reach only the proxy",
        )
        return False


@lru_cache(1024)
def _is_in(address: str, networks: Networks) -> bool:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in networks)


def warn_once(kind: str, sentence: str) -> None:
    """Log a warning for the operator, unless one of its kind was logged before."""
    if kind not in _warned:
        _warned.add(kind)
        _logger.warning("%s", sentence)
