"""What the judge may make up for over an event stream: the nearest of its ways, and nothing if one is not measured."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ratscrew.judge.constants import KERNEL_RTT_SLACK_US, SAMPLE_TTL_US
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.socket.stream_rtt import WAYS_MOST, StreamRttProbe


class Way(NamedTuple):
    """A connection whose kernel measures this."""

    rtt_us: int | None

    def min_rtt_us(self) -> int | None:
        return self.rtt_us

    def has_lost_packets(self) -> bool:
        return False


def counted(probe: StreamRttProbe, page_us: int = 300_000) -> int:
    """The round trip that is made up for if the page answers as late as this."""
    estimate = probe.bounded(RttEstimator().with_sample(0, page_us, 0)).link_estimate
    assert estimate
    return estimate.rtt_us


@pytest.mark.parametrize(
    ("stream", "reported", "request_by", "request_reported", "expected", "slap"),
    [
        (80_000, None, 80_000, None, 84_000, 84_000),
        (80_000, None, 20_000, None, 24_000, 24_000),
        (20_000, None, 80_000, None, 24_000, 84_000),
        (80_000, None, None, None, 0, 0),
        (None, None, 80_000, None, 0, 84_000),
        (None, None, None, None, 0, 0),
        (None, 80_000, None, 30_000, 34_000, 34_000),
        (None, 30_000, None, 80_000, 34_000, 84_000),
        (None, 80_000, None, None, 0, 0),
        (None, None, None, 80_000, 0, 84_000),
        (80_000, 50_000, 70_000, None, 54_000, 74_000),
    ],
)
@on_manual_clock
async def test_the_nearest_way_counts_and_nothing_if_one_is_not_measured(
    clock: ManualClock,
    stream: int | None,
    reported: int | None,
    request_by: int | None,
    request_reported: int | None,
    expected: int,
    slap: int,
) -> None:
    assert KERNEL_RTT_SLACK_US == 4000
    probe = StreamRttProbe(Way(stream) if stream else None, reported, clock)
    probe.note_request(Way(request_by) if request_by else None, request_reported)
    assert (counted(probe), probe.slap_most_us) == (expected, slap)
    assert (probe.kernel_us is None) is (stream is None or request_by is None), "only kernels vouch for rated games"


@on_manual_clock
async def test_a_page_that_is_quicker_than_its_packets_seem_is_believed(clock: ManualClock) -> None:
    assert counted(StreamRttProbe(Way(80_000), None, clock), page_us=50_000) == 50_000


@on_manual_clock
async def test_a_way_counts_as_long_as_a_ping_and_no_longer(clock: ManualClock) -> None:
    probe = StreamRttProbe(Way(80_000), None, clock)
    assert (counted(probe), probe.slap_most_us) == (84_000, None)
    probe.note_request(Way(10_000), None)
    clock.advance(SAMPLE_TTL_US)
    probe.note_request(Way(80_000), None)
    assert counted(probe) == 14_000
    clock.advance(1)
    probe.note_request(Way(80_000), None)
    assert counted(probe) == 84_000


@on_manual_clock
async def test_many_ways_are_kept_as_few_and_the_nearest_of_them_counts(clock: ManualClock) -> None:
    probe = StreamRttProbe(Way(80_000), None, clock)
    probe.note_request(Way(30_000), None)
    for number in range(10 * WAYS_MOST):
        clock.advance(1000)
        probe.note_request(Way(60_000 + number), None)
    assert len(probe._requests) == WAYS_MOST
    assert counted(probe) == 30_000 + KERNEL_RTT_SLACK_US
    probe.note_request(Way(None), None)
    for number in range(10 * WAYS_MOST):
        probe.note_request(Way(60_000 + number), None)
    assert counted(probe) == 0
