"""Round-trip times of a socket that its page cannot inflate: those of the browser's pongs and of the kernel.

Behind a proxy the kernel measures only the proxy. The operator configures that, and may name a header with the proxy's
measurement.
"""

from __future__ import annotations

import socket
import struct
from collections import deque
from statistics import median

from aiohttp import web

from ratscrew.judge.constants import SAMPLE_TTL_US
from ratscrew.table.clock import Clock
from ratscrew.web.proxy_policy import ProxyPolicy

_MIN_RTT_AT, _TCP_INFO_LONG = 148, 256
"""The offset of `tcpi_min_rtt` in `struct tcp_info` (microseconds, of the last five minutes), and the bytes to read."""

_UNKNOWN = 2**32 - 1


class RttProbe:
    """Measures the round trip of one socket. Unit: microseconds of the table's clock."""

    def __init__(
        self, response: web.WebSocketResponse, request: web.Request, clock: Clock, proxy_policy: ProxyPolicy
    ) -> None:
        self._response, self._clock = response, clock
        self._reported_us = proxy_policy.reported_rtt_us(request)
        transport = request.transport
        self._socket = None if proxy_policy.proxied or transport is None else transport.get_extra_info("socket")
        self._sent_us: dict[bytes, int] = {}
        self._samples: deque[tuple[int, int]] = deque()
        self._count = 0

    async def ping(self) -> None:
        """Send a WebSocket ping, unless the socket is closed: the browser's network code answers it, not its page."""
        if self._response.closed:
            return
        self._count += 1
        payload = b"%d" % self._count
        self._sent_us = {**dict(list(self._sent_us.items())[-9:]), payload: self._clock.now_us()}
        await self._response.ping(payload)

    def receive(self, payload: bytes, arrived_us: int) -> None:
        """A pong has arrived."""
        if (sent_us := self._sent_us.pop(bytes(payload), None)) is not None:
            self._samples.append((arrived_us, arrived_us - sent_us))
        while self._samples and arrived_us - self._samples[0][0] > SAMPLE_TTL_US:
            self._samples.popleft()

    @property
    def control_us(self) -> int | None:
        """The shortest recent round trip of the browser's pongs; None without any."""
        return min((rtt_us for _, rtt_us in self._samples), default=None)

    @property
    def jitter_us(self) -> int:
        """The median round trip of the browser's pongs less the shortest one."""
        rtts_us = [rtt_us for _, rtt_us in self._samples]
        return int(median(rtts_us)) - min(rtts_us) if rtts_us else 0

    @property
    def kernel_us(self) -> int | None:
        """The shortest round trip of TCP packets; None if neither the kernel nor a proxy reports one."""
        real_us = self._reported_us if self._socket is None else _kernel_us(self._socket)
        return None if real_us is None else round(real_us * self._clock.speed)


def _kernel_us(end: socket.socket) -> int | None:
    """The kernel's measurement, which only Linux provides."""
    if not hasattr(socket, "TCP_INFO"):
        return None
    try:
        info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_LONG)
    except (OSError, ValueError):  # it is closed: asyncio raises the former, uvloop the latter
        return None
    if len(info) < _MIN_RTT_AT + 4:
        return None
    least_us: int = struct.unpack_from("I", info, _MIN_RTT_AT)[0]
    return None if least_us == _UNKNOWN else least_us
