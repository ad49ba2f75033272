"""Confidence intervals, tests and corrections. Independent of what is counted.

`wilson_ci`, `t_ci` and `newcombe_ci` hold for one look at a number of games that was chosen before, at a single figure.
`paired_difference` holds at any number of games, however often it is looked at while games are added, and `adjust`
corrects for many figures. Sources: Wilson 1927, Student 1908, Newcombe 1998, method 10, and Zou and Donner 2008
(unpaired differences), Robbins 1970 and Waudby-Smith and others 2024 (intervals at any time), Agresti and Min 2005
(paired proportions), Holm 1979 (many figures).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from scipy.special import stdtrit

ALPHA = 0.05
"""The probability of an error: all intervals are 95 % confidence intervals."""

BEST_GAMES = 1000
"""The number of games at which intervals at any time are narrowest: 1.55 times as wide as for a single look."""

MIXTURE = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA) + 1)) / BEST_GAMES
"""The variance of Robbins' normal mixture that is best at `BEST_GAMES`. It must not depend on the number of games."""


class Estimate(Struct, frozen=True):
    """A point estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Difference(Struct, frozen=True):
    """A difference with its interval, and the p-value of no difference; both hold at any number of games."""

    estimate: Estimate
    p: float


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
    from statsmodels.stats.proportion import proportion_confint  # it takes a second to import

    low, high = proportion_confint(successes, n, ALPHA, method="wilson")
    return Estimate(
        successes / n, max(0.0, float(low)) if successes else 0.0, min(1.0, float(high)) if successes < n else 1.0
    )


def t_ci(values: Sample) -> Estimate:
    """A mean with Student's t interval. It needs at least two values."""
    half = float(stdtrit(values.n - 1, 1 - ALPHA / 2)) * math.sqrt(values.variance / values.n)
    return Estimate(values.mean, values.mean - half, values.mean + half)


def newcombe_ci(ours: Estimate, theirs: Estimate) -> Estimate:
    """The difference `ours` minus `theirs` of two independent estimates, from the interval of each.

    For two proportions this is Newcombe's interval; Zou and Donner show that it works for two means too.
    """
    below = math.hypot(ours.value - ours.low, theirs.high - theirs.value)
    above = math.hypot(ours.high - ours.value, theirs.value - theirs.low)
    difference = ours.value - theirs.value
    return Estimate(difference, difference - below, difference + above)


def paired_difference(differences: Sequence[float], games: int, proportion: bool) -> Difference:
    """The mean difference per game of pairs of games, from its means over chunks of equally many games.

    It holds at any number of games, however often it is looked at: the interval contains the true difference at all
    looks together, and p falls below 0.05 at any of them, with a probability of error of 5 %. Both are asymptotic in
    the number of games; below a hundred they are much wider than they need be. The mean difference of two proportions
    is computed with two pairs added, one for each direction, so that it is never certain where no pair differs.
    """
    found = sample(differences)
    middle, variance, n = found.mean, found.variance * games / found.n, float(games)
    if proportion:
        squares = n * (variance + middle**2) + 1
        middle, n = middle * n / (n + 2), n + 2
        variance = squares / n - middle**2
    weight = MIXTURE * n
    half = math.sqrt((1 + 1 / weight) * (math.log1p(weight) - 2 * math.log(ALPHA)) * variance / n)
    bound = 1.0 if proportion else math.inf
    estimate = Estimate(found.mean, max(-bound, middle - half), min(bound, middle + half))
    if not variance:
        return Difference(estimate, 0.0 if middle else 1.0)
    evidence = middle**2 * n / variance * weight / (1 + weight) - math.log1p(weight)
    return Difference(estimate, math.exp(-max(0.0, evidence) / 2))


def adjust(ps: Sequence[float]) -> list[float]:
    """The p-values of many figures after Holm's correction: the chance of one false finding among all is at most 5 %.

    It holds whatever the figures have to do with each other, and at any number of games if each p does.
    """
    from statsmodels.stats.multitest import multipletests  # it takes a second to import

    return [float(p) for p in multipletests(ps, ALPHA, method="holm")[1]] if ps else []
