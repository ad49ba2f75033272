"""Client addresses and host names in request headers, parsed strictly. No aiohttp here."""

from __future__ import annotations

import socket
import sys
from collections.abc import Collection, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

CLIENT_BITS = 64
"""An IPv6 customer has a whole /64 network, so all addresses of one count as one client."""

CACHED_MOST, LONGEST = 4096, 100
"""How many addresses are cached as they were parsed, because a handshake asks for its own some eight times; and the
most characters of one in a header."""

UNREGISTRABLE = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Suffixes that cannot be registered (RFC 6762, RFC 8375, common routers): these names are local."""


def client_key(text: str) -> str | None:
    """An address as rate limits count it: of IPv4, or the /64 network of an IPv6 one; None for other text.

    Accepts the forms of proxies: with a port (`192.0.2.1:5678`), in brackets (`[2001:db8::1]:443`), with a zone.
    Interned: all connections of an address keep one text.
    """
    return _parse(text) if len(text) <= LONGEST else None


@lru_cache(CACHED_MOST)
def _parse(text: str) -> str | None:
    text = text.strip(' "')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return sys.intern(str(address))
    if address.ipv4_mapped:
        return sys.intern(str(address.ipv4_mapped))
    return sys.intern(str(IPv6Address(int(address) >> CLIENT_BITS << CLIENT_BITS)))


def forwarded_for(lines: Sequence[str], proxies: int) -> str | None:
    """The entry of `X-Forwarded-For` that the outermost of `proxies` trusted proxies wrote; None without one.

    Each proxy appends the address that connected to it. Entries further to the left came with the request, and a
    client can forge those.
    """
    entries = [entry for line in lines[-proxies:] for entry in line.rsplit(",", proxies)]
    return entries[-proxies:][0] if entries else None


def host_name(host: str) -> str:
    """The name in a `Host` header: lower case, without the port and a trailing dot."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def is_own_host(host: str, names: Collection[str], network: bool) -> bool:
    """Whether a `Host` header names this server. This prevents DNS rebinding.

    Another site can point its own name at this machine, and its pages would then count as pages of this server. So a
    name is accepted only if an attacker cannot own it: `localhost`, any address, one of `names`, and for a server that
    listens on the `network` also this machine's name and the names of home networks.
    """
    name = host_name(host)
    if name == "localhost" or name.endswith(".localhost") or name in names:
        return True
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return network and (name == host_name(socket.gethostname()) or name.endswith(UNREGISTRABLE))
    return True
