"""Round-trip times of an event stream and of the requests that answer it, as far as a client cannot inflate them.

No browser answers pings here, and the page's own answers prove nothing. What counts is the way of the packets: that of
the stream, and that of each request, which may come by another connection. A card goes by the one and a slap by the
other, so the nearest of them is the bound; and where one of them is not measured, no round trip is made up for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ratscrew.judge.constants import KERNEL_RTT_SLACK_US, SAMPLE_TTL_US
from ratscrew.table.clock import Clock
from ratscrew.web.rtt_probe import RttProbe
from ratscrew.web.tcp_info import TcpConnection


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


class StreamRttProbe(RttProbe):
    """Measures the round trip of one event stream with its requests. Unit: microseconds of the table's clock."""

    __slots__ = ("_requests",)

    def __init__(self, connection: TcpConnection | None, reported_us: int | None, clock: Clock) -> None:
        """`connection` and `reported_us` are those of the stream itself, as in `RttProbe`."""
        super().__init__(lambda _: None, connection, reported_us, clock)
        self._requests: dict[int, WayRtt] = {}

    def note_request(self, connection: TcpConnection | None, reported_us: int | None) -> None:
        """A request with messages has arrived by this connection."""
        now_us = self._clock.now_us()
        found = WayRtt(
            self._scaled(connection.min_rtt_us() if connection else None),
            self._scaled(reported_us),
        )
        self._requests = {us: rtt for us, rtt in self._requests.items() if now_us - us <= SAMPLE_TTL_US}
        self._requests[now_us] = found

    def ping(self) -> None:
        """See `RttProbe`: there is nothing to send."""

    @property
    def slap_most_us(self) -> int | None:
        """The longest round trip of the connection by which the last request came."""
        newest = next(reversed(self._requests.values()), None)
        return None if newest is None else newest.most_us

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
        yield from self._requests.values()
