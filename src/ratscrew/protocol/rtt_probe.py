"""Round-trip times of a socket that its page cannot inflate: those of the browser's pongs and of the kernel.

A proxy's figure is from the moment at which the socket was opened. A client can be slow just then, so that figure
bounds what the page says, but proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from ratscrew.judge.constants import SAMPLE_TTL_US
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.protocol.tcp_info import TcpConnection
from ratscrew.table.record.clock import Clock

UNANSWERED_MOST = 10
"""Pings that are remembered until their pong."""


class RttProbe:
    """Measures the round trip of one socket. Unit: microseconds of the table's clock."""

    __slots__ = ("_clock", "_connection", "_count", "_reported_us", "_samples", "_send_ping", "_sent_us")

    def __init__(
        self,
        send_ping: Callable[[bytes], None],
        connection: TcpConnection | None,
        reported_us: int | None,
        clock: Clock,
    ) -> None:
        """`send_ping` sends a WebSocket ping. `connection` is the client's, None if no kernel that can be asked has it;
        `reported_us` is what a proxy measured before the socket was opened."""
        self._send_ping, self._connection, self._reported_us, self._clock = send_ping, connection, reported_us, clock
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
        """The shortest round trip of TCP packets by now; None if no kernel tells it."""
        return self._scaled(self._connection.min_rtt_us() if self._connection else None)

    @property
    def reported_us(self) -> int | None:
        """The round trip that a proxy measured before the socket was opened; None without one."""
        return self._scaled(self._reported_us)

    @property
    def slap_most_us(self) -> int | None:
        """The longest round trip of the way by which the last slap came, if that may be another one than the cards'."""
        return None

    @property
    def may_lose_packets(self) -> bool:
        """Whether a packet to the client was lost before, or nobody knows."""
        return self._connection is None or self._connection.has_lost_packets()

    def bounded(self, rtt_estimator: RttEstimator) -> RttEstimator:
        """The estimator with the bounds that are known by now."""
        bounds = self.control_us, self.kernel_us, self.reported_us
        if bounds == (rtt_estimator.control_us, rtt_estimator.kernel_us, rtt_estimator.reported_us):
            return rtt_estimator
        return rtt_estimator.with_rtt_bounds(*bounds)

    def _scaled(self, us: int | None) -> int | None:
        return None if us is None else round(us * self._clock.speed)
