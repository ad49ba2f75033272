"""Estimates one connection's round trip and its page's clock offset. Reads no clock itself.

Samples belong to one connection: a second, slower one of the same player proves nothing about the first.
The garbage collector does not track any of this (`gc=False`): each answer to a ping replaces what a page had, and
beside 10,000 pages its collections of young objects would visit tens of thousands of them.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import force_setattr

from ratscrew.judge.constants import KERNEL_RTT_SLACK_US, SAMPLE_AGING_US_PER_S, SAMPLE_TTL_US


class RttSample(Struct, frozen=True, gc=False):
    """One answered ping: when it was sent, its round trip, and the page's clock in the answer."""

    sent_us: int
    rtt_us: int
    stamp_us: int


class LinkEstimate(Struct, frozen=True, gc=False):
    """The estimate for a connection: its round trip, and how far its page's clock is ahead of the server's."""

    rtt_us: int
    clock_offset_us: int


class RttEstimator(Struct, frozen=True, gc=False):
    """The RTT samples of one connection. Immutable; the estimate is computed at once, because it is read very often.

    `samples` are those that are, or may become, the shortest: oldest and shortest first, without those that a newer one
    is as short as. `best` is the sample with the shortest round trip, or a newer one that is nearly as short.
    `control_us` is the shortest round trip of the browser's own pong frames, `kernel_us` that of the TCP packets; None
    if not measured. `reported_us` is what a proxy measured before the connection was opened: a bound, too, but one that
    the client could choose.
    """

    samples: tuple[RttSample, ...] = ()
    best: RttSample | None = None
    control_us: int | None = None
    kernel_us: int | None = None
    reported_us: int | None = None
    link_estimate: LinkEstimate | None = None
    """Computed, and not an argument: the best sample, its round trip limited by the bounds of browser and kernel."""

    def __post_init__(self) -> None:
        force_setattr(self, "link_estimate", self._estimate())

    @property
    def app_us(self) -> int | None:
        """The shortest round trip of the page's own answers, before any bound; None before the first."""
        return self.samples[0].rtt_us if self.samples else None

    def with_sample(self, sent_us: int, got_us: int, stamp_us: int) -> RttEstimator:
        """The estimator with one more answered ping, newer than the others; samples that are too old are dropped."""
        since_us, new = got_us - SAMPLE_TTL_US, RttSample(sent_us, got_us - sent_us, stamp_us)
        shorter = [each for each in self.samples if each.sent_us >= since_us and each.rtt_us < new.rtt_us]
        samples = (*shorter, new)
        rivals = (self.best, new) if self.best and self.best.sent_us >= since_us else samples
        return RttEstimator(samples, min(rivals, key=_rank), self.control_us, self.kernel_us, self.reported_us)

    def with_rtt_bounds(
        self, control_us: int | None, kernel_us: int | None, reported_us: int | None = None
    ) -> RttEstimator:
        """The estimator with the round trips that the browser, the kernel and a proxy report now."""
        return RttEstimator(self.samples, self.best, control_us, kernel_us, reported_us)

    @property
    def max_rtt_us(self) -> int | None:
        """Upper bound of the round trip, whatever the page says; None if only the page has been measured."""
        bounds = [] if self.control_us is None else [self.control_us]
        if self.kernel_us is not None:
            bounds.append(self.kernel_us + KERNEL_RTT_SLACK_US)
        if self.reported_us is not None:
            bounds.append(self.reported_us + KERNEL_RTT_SLACK_US)
        return min(bounds, default=None)

    def _estimate(self) -> LinkEstimate | None:
        if self.best is None:
            return None
        rtt_us, max_rtt_us = self.best.rtt_us, self.max_rtt_us
        if max_rtt_us is not None and max_rtt_us < rtt_us:
            rtt_us = max_rtt_us
        return LinkEstimate(rtt_us, self.best.stamp_us - self.best.sent_us - rtt_us // 2)


def _rank(sample: RttSample) -> int:
    """Sort key: the lower the better. Age adds the same to every sample, so the best stays best until a better one."""
    return sample.rtt_us * 1_000_000 - sample.sent_us * SAMPLE_AGING_US_PER_S
