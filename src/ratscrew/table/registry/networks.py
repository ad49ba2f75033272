"""The network of a client's address: /24 of IPv4, /48 of IPv6. Pure.

One customer may have a whole /48 of IPv6, with 65,536 addresses as rate limits count them (/64).
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address, ip_network

NETWORK_BITS = {4: 24, 6: 48}
"""The prefix of the network whose clients together have limits, too."""

CACHED_MOST = 4096
"""How many networks are cached, because a handshake asks for its own some eight times."""


@lru_cache(CACHED_MOST)
def network_of(address: str) -> str:
    """The network of a client's address; a text that is not an address is its own network."""
    try:
        version = ip_address(address).version
    except ValueError:
        return address
    return str(ip_network(f"{address}/{NETWORK_BITS[version]}", strict=False))


def home_of(address: str) -> str:
    """Where a person may have several addresses: the address itself of IPv4, which a home has one of, else its /48."""
    return network_of(address) if ":" in address else address
