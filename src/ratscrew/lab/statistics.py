"""What counted games allow one to say: shares, means and differences with their intervals, and how many games show one.

Nothing in this file knows what was counted. Every interval is one of 95 %, for one question asked by itself: of twenty
such intervals one misses. Sources: Wilson 1927 (a share), Student 1908 (a mean, and pairs), Newcombe 1998, method 10,
and Zou and Donner 2008 (a difference without pairs), Lehr 1992 before he rounds (how many games a difference needs).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from msgspec import Struct

Z = NormalDist().inv_cdf(0.975)
"""Of a normal quantity, 95 % lie no farther than so many standard deviations from its mean."""

POWER_Z = NormalDist().inv_cdf(0.8)
"""What a difference needs above that, so that four studies of five see it."""


MAX_T = 13
"""No quantile of Student's t is greater, for one degree of df and more."""


class Estimate(Struct, frozen=True):
    """What was found, and between which bounds the truth lies, by 95 %."""

    value: float
    low: float
    high: float


class Sample(Struct, frozen=True):
    """Numbers of which only how many, their sum and the sum of their squares are known; all three exact."""

    n: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / self.n

    @property
    def variance(self) -> float:
        """The variance of what they were drawn from."""
        # Whole numbers are multiplied before anything is divided: two big sums that nearly cancel stay exact.
        return max(0.0, (self.squares * self.n - self.total**2) / (self.n * (self.n - 1)))


def sample(values: Sequence[float]) -> Sample:
    """Numbers, as far as anything here looks at them."""
    return Sample(len(values), math.fsum(values), math.fsum(value * value for value in values))


def wilson_ci(successes: int, n: int) -> Estimate:
    """How likely something is that happened so often: Wilson's interval, which is sound near 0 and 1 too."""
    found, weight = successes / n, Z * Z / n
    middle = (found + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(found * (1 - found) / n + weight / (4 * n))
    return Estimate(
        found, max(0.0, middle - half) if successes else 0.0, min(1.0, middle + half) if successes < n else 1.0
    )


def t_ci(values: Sample) -> Estimate:
    """The mean of what a sample was drawn from: Student's interval. It needs two numbers at least."""
    return _symmetric(values.mean, t_quantile(values.n - 1) * math.sqrt(values.variance / values.n))


def paired_t_ci(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """How much greater ours are, where each belongs to one of theirs: what both share cancels out."""
    return t_ci(sample([our - their for our, their in zip(ours, theirs, strict=True)]))


def newcombe_ci(ours: Estimate, theirs: Estimate) -> Estimate:
    """How much greater one thing is than another that was found in other games, from the interval of each.

    Of two shares it is Newcombe's interval; Zou and Donner show that two means may be taken the same way.
    """
    below = math.hypot(ours.value - ours.low, theirs.high - theirs.value)
    above = math.hypot(ours.high - ours.value, theirs.value - theirs.low)
    difference = ours.value - theirs.value
    return Estimate(difference, difference - below, difference + above)


def sample_size(difference: float, variance: float) -> int | None:
    """How many games show a difference of this size in four studies of five; None if no number does.

    `variance` is that of one game's difference.
    """
    if not difference:
        return None
    return math.ceil(variance * ((Z + POWER_Z) / difference) ** 2)


@lru_cache(maxsize=1024)
def t_quantile(df: float) -> float:
    """The number such that 95 % of Student's t lie between it and its negative.

    With `t = √df · tan(angle)` its density is a power of the cosine, which Simpson's rule integrates well.
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
