"""What Linux reports of TCP connections: of this process's own, and of those of a proxy on the same machine.

The figures go on while a connection lives, and no client can inflate them by what it sends: so the judge's bound holds
through a proxy too, if it is on this machine and says which connection is the client's. The kernel answers such a
question (sock_diag(7)) at once, to any user.
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from itertools import count
from typing import Protocol

_TOTAL_RETRANS_AT, _MIN_RTT_AT, _TCP_INFO_LONG = 100, 148, 256
"""Where `struct tcp_info` has `tcpi_total_retrans` (a count) and `tcpi_min_rtt` (microseconds, of the last five
minutes), and the bytes to read."""

_UNKNOWN = 2**32 - 1

_SOCK_DIAG, _NETLINK_REQUEST, _DIAG_BY_FAMILY, _DIAG_INFO = 4, 1, 20, 2
"""`NETLINK_SOCK_DIAG`, `NLM_F_REQUEST`, `SOCK_DIAG_BY_FAMILY` and `INET_DIAG_INFO`."""

_ANY_STATE, _ESTABLISHED, _NO_COOKIE = 0xFFFFFFFF, 1, 0xFFFFFFFF
_NETLINK_HEAD, _DIAG_MESSAGE_LONG, _ANSWER_MOST = 16, 72, 4096
_STATE_AT = 1
"""Where `struct inet_diag_msg` has the state of the connection."""


class TcpConnection(Protocol):
    """A connection to a client, as the kernel of this machine sees it."""

    def min_rtt_us(self) -> int | None:
        """The shortest round trip of its packets of the last five minutes, in microseconds; None if not known."""

    def has_lost_packets(self) -> bool:
        """Whether a packet to the client was lost before, or nobody knows."""


@dataclass(frozen=True, slots=True)
class OwnConnection:
    """A connection that ends in this process."""

    socket: socket.socket

    def min_rtt_us(self) -> int | None:
        return _known(_own_figure(self.socket, _MIN_RTT_AT))

    def has_lost_packets(self) -> bool:
        return _own_figure(self.socket, _TOTAL_RETRANS_AT) != 0


@dataclass(frozen=True, slots=True)
class NeighbourConnection:
    """A connection that ends in another program on this machine, by its addresses and ports."""

    family: int
    ends: bytes

    @classmethod
    def parse(cls, text: str) -> NeighbourConnection | None:
        """From "ADDRESS PORT ADDRESS PORT", the client's end first; None for any other text."""
        try:
            client, client_port, server, server_port = text.split()
            ends = [ip_address(address) for address in (client, server)]
            ends = [getattr(address, "ipv4_mapped", None) or address for address in ends]
            ports = struct.pack("!HH", int(server_port), int(client_port))
        except (ValueError, struct.error):
            return None
        if ends[0].version != ends[1].version:
            return None
        far, near = (address.packed.ljust(16, b"\0") for address in ends)
        return cls(socket.AF_INET if ends[0].version == 4 else socket.AF_INET6, ports + near + far)

    def min_rtt_us(self) -> int | None:
        info = _ask(self.family, self.ends)
        return _known(None if info is None else _figure(info, _MIN_RTT_AT))

    def has_lost_packets(self) -> bool:
        """See `TcpConnection`. Asked for each card: the kernel's answer would cost more than the frame it may save."""
        return True


def _known(us: int | None) -> int | None:
    return None if us == _UNKNOWN else us


def _own_figure(end: socket.socket, at: int) -> int | None:
    if not hasattr(socket, "TCP_INFO"):  # Linux only
        return None
    try:
        return _figure(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_LONG), at)
    except (OSError, ValueError):  # it is closed: asyncio raises the former, uvloop the latter
        return None


def _figure(info: bytes, at: int) -> int | None:
    return int(struct.unpack_from("I", info, at)[0]) if len(info) >= at + 4 else None


_numbers = count(1)


def _ask(family: int, ends: bytes) -> bytes | None:
    """The kernel's `struct tcp_info` of an established connection; None if it has none, or this is not Linux."""
    if (kernel := _diagnosis()) is None:
        return None
    number = next(_numbers) & 0xFFFFFFFF
    wanted = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 1 << (_DIAG_INFO - 1), 0, _ANY_STATE)
    body = wanted + ends + struct.pack("=III", 0, _NO_COOKIE, _NO_COOKIE)
    head = struct.pack("=IHHII", _NETLINK_HEAD + len(body), _DIAG_BY_FAMILY, _NETLINK_REQUEST, number, 0)
    try:
        kernel.send(head + body)  # the kernel answers within this call, so nothing waits here
        while True:
            answer = kernel.recv(_ANSWER_MOST)
            _, kind, _, answered = struct.unpack_from("=IHHI", answer)
            if answered == number:
                break
    except OSError:
        return None
    if kind != _DIAG_BY_FAMILY or answer[_NETLINK_HEAD + _STATE_AT] != _ESTABLISHED:  # or it is a listening one
        return None
    at = _NETLINK_HEAD + _DIAG_MESSAGE_LONG
    while at + 4 <= len(answer):
        long, kind = struct.unpack_from("=HH", answer, at)
        if kind == _DIAG_INFO:
            return answer[at + 4 : at + long]
        at += max(4, (long + 3) & ~3)
    return None


@cache
def _diagnosis() -> socket.socket | None:
    """The socket by which this process asks the kernel; None where there is no such thing."""
    try:
        return socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, _SOCK_DIAG)
    except (OSError, AttributeError):
        return None
