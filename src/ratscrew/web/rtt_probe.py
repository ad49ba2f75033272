"""Round-trip times of a socket that its page cannot inflate: those of the browser's pongs and of the kernel.

Behind a proxy the kernel measures only the proxy. The operator configures that, and may name a header with the proxy's
measurement.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from statistics import median

from ratscrew.judge.constants import SAMPLE_TTL_US
from ratscrew.table.clock import Clock

_TOTAL_RETRANS_AT, _MIN_RTT_AT, _TCP_INFO_LONG = 100, 148, 256
"""Where `struct tcp_info` has `tcpi_total_retrans` (a count) and `tcpi_min_rtt` (microseconds, of the last five
minutes), and the bytes to read."""

_UNKNOWN = 2**32 - 1

UNANSWERED_MOST = 10
"""Pings that are remembered until their pong."""


class RttProbe:
    """Measures the round trip of one socket. Unit: microseconds of the table's clock."""

    __slots__ = ("_clock", "_count", "_kernel", "_reported_us", "_samples", "_send_ping", "_sent_us")

    def __init__(
        self,
        send_ping: Callable[[bytes], None],
        kernel: socket.socket | None,
        reported_us: int | None,
        clock: Clock,
    ) -> None:
        """`send_ping` sends a WebSocket ping. `kernel` is the system's socket, None if its other end is a proxy, whose
        own measurement is `reported_us`."""
        self._send_ping, self._kernel, self._reported_us, self._clock = send_ping, kernel, reported_us, clock
        self._sent_us: dict[bytes, int] = {}
        self._samples: dict[int, int] = {}  # by when they arrived: the collector does not track a dict of numbers
        self._count = 0

    def ping(self) -> None:
        """Send a WebSocket ping: the browser's network code answers it, not its page."""
        self._count += 1
        payload = b"%d" % self._count
        self._sent_us[payload] = self._clock.now_us()
        if len(self._sent_us) > UNANSWERED_MOST:
            del self._sent_us[next(iter(self._sent_us))]
        self._send_ping(payload)

    def receive(self, payload: bytes, arrived_us: int) -> None:
        """A pong has arrived."""
        if (sent_us := self._sent_us.get(payload)) is not None:
            self._sent_us = {other: us for other, us in self._sent_us.items() if other != payload}
            self._samples = {us: rtt_us for us, rtt_us in self._samples.items() if arrived_us - us <= SAMPLE_TTL_US}
            self._samples[arrived_us] = arrived_us - sent_us

    @property
    def control_us(self) -> int | None:
        """The shortest recent round trip of the browser's pongs; None without any."""
        return min(self._samples.values(), default=None)

    @property
    def jitter_us(self) -> int:
        """The median round trip of the browser's pongs less the shortest one."""
        rtts_us = self._samples.values()
        return int(median(rtts_us)) - min(rtts_us) if rtts_us else 0

    @property
    def kernel_us(self) -> int | None:
        """The shortest round trip of TCP packets; None if neither the kernel nor a proxy reports one."""
        real_us = self._reported_us if self._kernel is None else _kernel_us(self._kernel)
        return None if real_us is None else round(real_us * self._clock.speed)

    @property
    def may_lose_packets(self) -> bool:
        """Whether a packet to the client was lost before, or nobody knows."""
        return self._kernel is None or _tcp_info(self._kernel, _TOTAL_RETRANS_AT) != 0


def _kernel_us(end: socket.socket) -> int | None:
    least_us = _tcp_info(end, _MIN_RTT_AT)
    return None if least_us == _UNKNOWN else least_us


def _tcp_info(end: socket.socket, at: int) -> int | None:
    """A figure of the kernel's `struct tcp_info`, which only Linux provides."""
    if not hasattr(socket, "TCP_INFO"):
        return None
    try:
        info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_LONG)
    except (OSError, ValueError):  # it is closed: asyncio raises the former, uvloop the latter
        return None
    return int(struct.unpack_from("I", info, at)[0]) if len(info) >= at + 4 else None
