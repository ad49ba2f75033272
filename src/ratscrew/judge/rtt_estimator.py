"""What is known of one connection: how far away its page is, and how its clock goes. No clock of its own.

Evidence belongs to one connection: a second, slower one of the same player proves nothing about the first.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ratscrew.judge.constants import KERNEL_RTT_SLACK_US, SAMPLE_AGING_US_PER_S, SAMPLE_TTL_US


class Sample(NamedTuple):
    """One ping and its answer: when it was sent, how long it took, and what the page's clock said."""

    sent_us: int
    rtt_us: int
    stamp_us: int


class LinkEstimate(NamedTuple):
    """What a connection is taken to be: its round trip, and how much its page's clock is ahead of the server's."""

    rtt_us: int
    clock_offset_us: int


@dataclass(frozen=True)
class RttEstimator:
    """The evidence of one connection; what follows from it is found once, as every stamp is held against it.

    `best` of the samples is the one of the least round trip, of nearly equal ones the newer. `control_us` is the least
    round trip of the browser's own answers, `kernel_us` that of the packets underneath; None where there is no such
    evidence.
    """

    samples: tuple[Sample, ...] = ()
    best: Sample | None = None
    control_us: int | None = None
    kernel_us: int | None = None

    @property
    def app_us(self) -> int | None:
        """The least round trip of the page's own answers, believed or not; None before the first."""
        return min((sample.rtt_us for sample in self.samples), default=None)

    def with_sample(self, sent_us: int, got_us: int, stamp_us: int) -> RttEstimator:
        """The link with one more answered ping, sent after those before it; what is too old is forgotten."""
        since_us, new = got_us - SAMPLE_TTL_US, Sample(sent_us, got_us - sent_us, stamp_us)
        old = next((i for i, sample in enumerate(self.samples) if sample.sent_us >= since_us), len(self.samples))
        samples = (*self.samples[old:], new)
        rivals = (self.best, new) if self.best and self.best.sent_us >= since_us else samples
        return RttEstimator(samples, min(rivals, key=_rank), self.control_us, self.kernel_us)

    def with_rtt_bounds(self, control_us: int | None, kernel_us: int | None) -> RttEstimator:
        """The link with what the browser and the kernel say of it now."""
        return RttEstimator(self.samples, self.best, control_us, kernel_us)

    @cached_property
    def max_rtt_us(self) -> int | None:
        """No round trip is longer than this, whatever the page says; None if nobody but the page says anything."""
        bounds = [] if self.control_us is None else [self.control_us]
        if self.kernel_us is not None:
            bounds.append(self.kernel_us + KERNEL_RTT_SLACK_US)
        return min(bounds, default=None)

    @cached_property
    def link_estimate(self) -> LinkEstimate | None:
        """What the link is; None before the first answer.

        The least sample is taken, and its round trip is believed no further than the browser and the kernel bear
        it out.
        """
        if self.best is None:
            return None
        sent_us, rtt_us, stamp_us = self.best
        if self.max_rtt_us is not None:
            rtt_us = min(rtt_us, self.max_rtt_us)
        return LinkEstimate(rtt_us, stamp_us - sent_us - rtt_us // 2)


def _rank(sample: Sample) -> int:
    """The better a sample, the less; age counts alike for all, so that the best stays it until a better one comes."""
    return sample.rtt_us * 1_000_000 - sample.sent_us * SAMPLE_AGING_US_PER_S
