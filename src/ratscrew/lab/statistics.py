"""Confidence intervals, tests and corrections. Independent of what is counted.

`wilson_ci`, `t_ci` and `newcombe_ci` hold for one look at a number of games that was chosen before, at a single figure.
`anytime_proportion_ci`, `anytime_mean_ci` and `paired_difference` hold at any number of games, however often they are
looked at while games are added, and `adjust` corrects for many figures. Sources: Wilson 1927, Student 1908, Newcombe
1998, method 10, and Zou and Donner 2008 (unpaired differences), Ville 1939, Robbins 1970 and Waudby-Smith and others
2024 (intervals at any time), Agresti and Min 2005 (paired proportions), Holm 1979 and Benjamini and Hochberg 1995 (many
figures), Schuirmann 1987 (equivalence).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from scipy.special import betaln, stdtrit, xlog1py, xlogy

ALPHA = 0.05
"""The probability of an error: all intervals are 95 % confidence intervals."""

BEST_GAMES = 1000
"""The number of games at which intervals at any time are narrowest: 1.55 times as wide as for a single look."""

MIXTURE = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA) + 1)) / BEST_GAMES
"""The variance of Robbins' normal mixture that is best at `BEST_GAMES`. It must not depend on the number of games."""


OUTSIDE = 1 - 1e-9
"""A factor that puts a bracket of a root safely outside it."""


class Estimate(Struct, frozen=True):
    """A point estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


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


def anytime_proportion_ci(successes: int, n: int) -> Estimate:
    """A proportion with an interval that contains the true one at all numbers of games together.

    Robbins' mixture of binomial likelihoods over a uniform prior: its ratio to the likelihood of the true proportion is
    a martingale, which exceeds 20 at any time with a probability of 5 % at most (Ville's inequality). It is exact.
    """
    from scipy.optimize import brentq  # it takes a second to import

    found, failures = successes / n, n - successes
    limit = float(betaln(successes + 1, failures + 1)) + math.log(ALPHA)

    def excess(p: float) -> float:
        return limit - float(xlogy(successes, p)) - float(xlog1py(failures, -p))

    # Where one outcome alone would be too unlikely, the bounds are further in.
    low = brentq(excess, math.exp(limit / successes) * OUTSIDE, found) if successes else 0.0
    high = brentq(excess, found, 1 - math.exp(limit / failures) * OUTSIDE) if failures else 1.0
    return Estimate(found, float(low), float(high))


def anytime_mean_ci(values: Sample) -> Estimate:
    """A mean with an interval that contains the true one at all numbers of games together, asymptotically (Robbins)."""
    half = _anytime_half(values.variance, values.n)
    return Estimate(values.mean, values.mean - half, values.mean + half)


def newcombe_ci(ours: int, our_n: int, theirs: int, their_n: int) -> Estimate:
    """The difference `ours` minus `theirs` of two proportions in different games, with Newcombe's interval."""
    from statsmodels.stats.proportion import confint_proportions_2indep  # it takes a second to import

    low, high = confint_proportions_2indep(ours, our_n, theirs, their_n, method="newcomb", alpha=ALPHA)
    return Estimate(ours / our_n - theirs / their_n, float(low), float(high))


def difference_ci(ours: Estimate, theirs: Estimate) -> Estimate:
    """The difference `ours` minus `theirs` of two independent means, from the interval of each (Zou and Donner)."""
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
    weight, half = MIXTURE * n, _anytime_half(variance, n)
    bound = 1.0 if proportion else math.inf
    estimate = Estimate(found.mean, max(-bound, middle - half), min(bound, middle + half))
    if not variance:
        return Difference(estimate, 0.0 if middle else 1.0)
    evidence = middle**2 * n / variance * weight / (1 + weight) - math.log1p(weight)
    return Difference(estimate, math.exp(-max(0.0, evidence) / 2))


def _anytime_half(variance: float, n: float) -> float:
    """Half the width of Robbins' interval of a mean of `n` values."""
    weight = MIXTURE * n
    return math.sqrt((1 + 1 / weight) * (math.log1p(weight) - 2 * math.log(ALPHA)) * variance / n)


def adjust(ps: Sequence[float], false_share: bool = False) -> list[float]:
    """The p-values of many figures after Holm's correction: the chance of one false finding among all is at most 5 %.

    It holds whatever the figures have to do with each other, and at any number of games if each p does. With
    `false_share` the correction is that of Benjamini and Hochberg: of all findings, at most 5 % are false on average.
    It holds for figures that are independent, or that rise and fall together.
    """
    from statsmodels.stats.multitest import multipletests  # it takes a second to import

    return [float(p) for p in multipletests(ps, ALPHA, method="fdr_bh" if false_share else "holm")[1]] if ps else []


def proportion_p(successes: int, n: int, expected: float) -> float:
    """The p-value of an expected proportion, by the exact binomial test, for one number of games, chosen before."""
    from scipy.stats import binomtest  # it takes a second to import

    return float(binomtest(successes, n, expected).pvalue)


def proportions_p(ours: int, our_n: int, theirs: int, their_n: int) -> float:
    """The p-value of two equal proportions in different games, by the score test, for one number of games each."""
    from statsmodels.stats.proportion import test_proportions_2indep  # it takes a second to import

    if ours == theirs == 0 or (ours == our_n and theirs == their_n):
        return 1.0
    return float(test_proportions_2indep(ours, our_n, theirs, their_n, method="score").pvalue)


def means_p(ours: Estimate, our_n: int, theirs: Estimate, their_n: int) -> float:
    """The p-value of two equal means in different games, by Welch's test, from Student's interval of each."""
    from scipy.stats import ttest_ind_from_stats  # it takes a second to import

    both = ((ours, our_n), (theirs, their_n))
    spreads = [(found.high - found.value) / float(stdtrit(n - 1, 1 - ALPHA / 2)) * math.sqrt(n) for found, n in both]
    if not any(spreads):
        return float(ours.value == theirs.value)
    first, second = ((found.value, spread, n) for (found, n), spread in zip(both, spreads, strict=True))
    return float(ttest_ind_from_stats(*first, *second, equal_var=False).pvalue)


def equivalence_p(successes: int, n: int, expected: float, margin: float) -> float:
    """The p-value of a proportion that is off by the margin or more: where it is small, there is no such effect.

    Two one-sided exact binomial tests (Schuirmann 1987).
    """
    from scipy.stats import binomtest  # it takes a second to import

    above = binomtest(successes, n, max(0.0, expected - margin), alternative="greater").pvalue
    below = binomtest(successes, n, min(1.0, expected + margin), alternative="less").pvalue
    return float(max(above, below))
