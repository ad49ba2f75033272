"""Confidence intervals of proportions, means and differences, and sample sizes.

Independent of what is counted. All are 95 % intervals for a single question: of twenty, one is expected to miss.
Sources: Wilson 1927 (proportions), Student 1908 (means and pairs), Newcombe 1998, method 10, and Zou and Donner 2008
(unpaired differences), Lehr 1992 before rounding (sample sizes).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from msgspec import Struct

Z = NormalDist().inv_cdf(0.975)
"""95 % of a normal distribution lie within so many standard deviations of the mean."""

POWER_Z = NormalDist().inv_cdf(0.8)
"""The additional quantile for a power of 80 %: four studies of five show the difference."""


MAX_T = 13
"""An upper bound of the quantiles of Student's t, for one degree of freedom and more."""


class Estimate(Struct, frozen=True):
    """A point estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Sample(Struct, frozen=True):
    """A sample as its size, sum and sum of squares; all three exact."""

    n: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """The sample mean."""
        return self.total / self.n

    @property
    def variance(self) -> float:
        """The unbiased estimate of the variance."""
        # Integers are multiplied before the division: two big sums that nearly cancel stay exact.
        return max(0.0, (self.squares * self.n - self.total**2) / (self.n * (self.n - 1)))


def sample(values: Sequence[float]) -> Sample:
    """The `Sample` of these values."""
    return Sample(len(values), math.fsum(values), math.fsum(value * value for value in values))


def wilson_ci(successes: int, n: int) -> Estimate:
    """A proportion with Wilson's score interval, which is sound near 0 and 1 too."""
    found, weight = successes / n, Z * Z / n
    middle = (found + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(found * (1 - found) / n + weight / (4 * n))
    return Estimate(
        found, max(0.0, middle - half) if successes else 0.0, min(1.0, middle + half) if successes < n else 1.0
    )


def t_ci(values: Sample) -> Estimate:
    """A mean with Student's t interval. It needs at least two values."""
    return _symmetric(values.mean, t_quantile(values.n - 1) * math.sqrt(values.variance / values.n))


def paired_t_ci(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """The mean of `ours` minus `theirs`, value by value, with the t interval of pairs: common variation cancels out."""
    return t_ci(sample([our - their for our, their in zip(ours, theirs, strict=True)]))


def newcombe_ci(ours: Estimate, theirs: Estimate) -> Estimate:
    """The difference `ours` minus `theirs` of two independent estimates, from the interval of each.

    For two proportions this is Newcombe's interval; Zou and Donner show that it works for two means too.
    """
    below = math.hypot(ours.value - ours.low, theirs.high - theirs.value)
    above = math.hypot(ours.high - ours.value, theirs.value - theirs.low)
    difference = ours.value - theirs.value
    return Estimate(difference, difference - below, difference + above)


def sample_size(difference: float, variance: float) -> int | None:
    """The number of games that shows a difference of this size with a power of 80 %; None if the difference is 0.

    `variance` is that of the difference in one game.
    """
    if not difference:
        return None
    return math.ceil(variance * ((Z + POWER_Z) / difference) ** 2)


@lru_cache(maxsize=1024)
def t_quantile(df: float) -> float:
    """The two-sided 95 % quantile of Student's t.

    With `t = √df · tan(angle)` the density is a power of the cosine, which Simpson's rule integrates well.
    """
    scale = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    low, high = 0.0, math.atan(MAX_T / math.sqrt(df))
    for _ in range(50):
        angle = (low + high) / 2
        steps = [math.cos(angle * step / 64) ** (df - 1) for step in range(65)]
        inside = scale * angle / 192 * (steps[0] + 4 * sum(steps[1:-1:2]) + 2 * sum(steps[2:-1:2]) + steps[-1])
        low, high = (angle, high) if inside < 0.95 else (low, angle)
    return math.sqrt(df) * math.tan(low)


def _symmetric(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half)
