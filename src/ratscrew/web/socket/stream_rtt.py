"""Round-trip times of an event stream and of the requests that answer it, as far as a client cannot inflate them.

No browser answers pings here, and the page's own answers prove nothing. What counts is the way of the packets: that of
the stream, and that of each request, which may come by another connection. A card goes by the one and a slap by the
other, so the nearest of them is the bound; and where one of them is not measured, no round trip is made up for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ratscrew.judge.constants import KERNEL_RTT_SLACK_US, SAMPLE_TTL_US
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.protocol.tcp_info import TcpConnection
from ratscrew.table.record.clock import Clock

WAYS_MOST = 16
"""How many ways are kept apart. A browser uses some six connections; of more, the oldest count as one, the nearest."""


class WayRtt(NamedTuple):
    """What the kernel and a proxy say of the connection of one request; None if they say nothing. Unit: microseconds of
    the table's clock.
    """

    kernel_us: int | None
    reported_us: int | None

    @property
    def most_us(self) -> int:
        """The round trip that is made up for at most: 0 if it was not measured."""
        known_us = [us + KERNEL_RTT_SLACK_US for us in self if us is not None]
        return min(known_us, default=0)

    def least(self, other: WayRtt) -> WayRtt:
        """A way that is made up for no more than either; what one of them does not have is unknown."""
        pairs = zip(self, other, strict=True)
        return WayRtt(*(None if ours is None or theirs is None else min(ours, theirs) for ours, theirs in pairs))


class StreamRttProbe(RttProbe):
    """Measures the round trip of one event stream with its requests. Unit: microseconds of the table's clock."""

    __slots__ = ("_requests",)

    def __init__(self, connection: TcpConnection | None, reported_us: int | None, clock: Clock) -> None:
        """`connection` and `reported_us` are those of the stream itself, as in `RttProbe`."""
        super().__init__(lambda _: None, connection, reported_us, clock)
        self._requests: list[tuple[int, WayRtt]] = []
        """The ways of the last requests, each with the time of its newest one, in the order of these."""

    def note_request(self, connection: TcpConnection | None, reported_us: int | None) -> None:
        """A request with messages has arrived by this connection."""
        now_us = self._clock.now_us()
        found = WayRtt(
            self._scaled(connection.min_rtt_us() if connection else None),
            self._scaled(reported_us),
        )
        fresh = [(us, way) for us, way in self._requests if now_us - us <= SAMPLE_TTL_US and way != found]
        if len(fresh) == WAYS_MOST:
            fresh[:2] = [(fresh[1][0], fresh[0][1].least(fresh[1][1]))]
        self._requests = [*fresh, (now_us, found)]

    def ping(self) -> None:
        """See `RttProbe`: there is nothing to send."""

    @property
    def slap_most_us(self) -> int | None:
        """The longest round trip of the connection by which the last request came."""
        return self._requests[-1][1].most_us if self._requests else None

    @property
    def control_us(self) -> int | None:
        """0 where a way is not measured, so that nothing is made up for; otherwise None."""
        return None if all(way.most_us for way in self._ways()) else 0

    @property
    def kernel_us(self) -> int | None:
        """The shortest round trip of TCP packets on any of the ways; None if no kernel tells one of them."""
        found = [way.kernel_us for way in self._ways()]
        known = [us for us in found if us is not None]
        return min(known) if len(known) == len(found) else None

    @property
    def reported_us(self) -> int | None:
        """The shortest round trip that a proxy measured; None without one."""
        return min((way.reported_us for way in self._ways() if way.reported_us is not None), default=None)

    def _ways(self) -> Iterator[WayRtt]:
        yield WayRtt(super().kernel_us, super().reported_us)
        yield from (way for _, way in self._requests)
