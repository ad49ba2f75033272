"""Confidence intervals: published examples, and their coverage."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from ratscrew.lab.statistics import Estimate, newcombe_ci, paired_t_ci, sample, sample_size, t_ci, t_quantile, wilson_ci

TRIALS = 2000
CHANCE = 4 * math.sqrt(0.95 * 0.05 / TRIALS)
"""How far from 95 % that many trials may lie: four standard deviations."""


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_a_share_has_the_interval_of_newcombes_first_paper(hits: int, of: int, low: float, high: float) -> None:
    """Statistics in Medicine 17, 857, table I: Wilson's score interval without correction."""
    found = wilson_ci(hits, of)
    assert (found.value, round(found.low, 4), round(found.high, 4)) == (hits / of, low, high)


def test_what_always_happened_may_be_certain() -> None:
    assert wilson_ci(20, 20).high == 1.0
    assert wilson_ci(20, 20).low == pytest.approx(1 - wilson_ci(0, 20).high)


@pytest.mark.parametrize(
    ("ours", "theirs", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((5, 56), (0, 29), -0.0381, 0.1926),
    ],
)
def test_two_shares_differ_as_in_newcombes_second_paper(
    ours: tuple[int, int], theirs: tuple[int, int], low: float, high: float
) -> None:
    """Statistics in Medicine 17, 873, table II, method 10."""
    found = newcombe_ci(wilson_ci(*ours), wilson_ci(*theirs))
    assert found.value == pytest.approx(ours[0] / ours[1] - theirs[0] / theirs[1])
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_pairs_differ_as_in_students_own_example() -> None:
    """Hours of sleep gained by ten patients with two drugs, Biometrika 6, 20; the bounds as every textbook has them."""
    found = paired_t_ci(SECOND, FIRST)
    assert [round(bound, 4) for bound in (found.value, found.low, found.high)] == [1.58, 0.7001, 2.4599]


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (30, 2.0423), (99, 1.9842), (1e6, 1.96)],
)
def test_students_t_is_that_of_the_tables(freedom: float, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=6e-5)


def test_sums_of_great_numbers_lose_nothing() -> None:
    """The variance of 1, 2 and 3, far from zero: floats of such sums would have lost it."""
    far = 10**12
    values = [far + 1, far + 2, far + 3]
    exact = sample([1, 2, 3])
    found = type(exact)(3, sum(values), sum(value * value for value in values))
    assert (exact.variance, found.variance) == (1.0, 1.0)


@pytest.mark.parametrize(("difference", "games"), [(0.5, 32), (-0.5, 32), (0.1, 785), (0.0, None)])
def test_a_difference_needs_the_games_of_the_formula(difference: float, games: int | None) -> None:
    """(1.95996 + 0.84162)² = 7.849 times the variance, by the square of the difference."""
    assert sample_size(difference, 1.0) == games


def test_so_many_games_show_a_difference_in_four_studies_of_five() -> None:
    draw = Random(5)
    games = sample_size(0.4, 1.0) or 0
    seen = sum(t_ci(sample([draw.gauss(0.4, 1) for _ in range(games)])).low > 0 for _ in range(1000))
    assert 0.8 - 0.06 < seen / 1000 < 0.8 + 0.06


def of_a_share(draw: Random) -> tuple[Estimate, float]:
    """A share that may be anything."""
    truth = draw.random()
    return wilson_ci(sum(draw.random() < truth for _ in range(60)), 60), truth


def of_a_skewed_mean(draw: Random) -> tuple[Estimate, float]:
    """The mean of times that are mostly short."""
    return t_ci(sample([draw.expovariate(0.5) for _ in range(250)])), 2.0


def of_few_pairs(draw: Random) -> tuple[Estimate, float]:
    """Five pairs with a large common part and a small difference."""
    common = [draw.gauss(0, 100) for _ in range(5)]
    return paired_t_ci([each + draw.gauss(3, 1) for each in common], common), 3.0


def of_two_shares(draw: Random) -> tuple[Estimate, float]:
    """Two shares, found in different games."""
    ours, theirs = draw.uniform(0.1, 0.9), draw.uniform(0.1, 0.9)
    found = [wilson_ci(sum(draw.random() < truth for _ in range(50)), 50) for truth in (ours, theirs)]
    return newcombe_ci(*found), ours - theirs


def of_two_means(draw: Random) -> tuple[Estimate, float]:
    """Two means, found in different games, one of them more scattered."""
    ours = t_ci(sample([draw.gauss(2, 1) for _ in range(40)]))
    return newcombe_ci(ours, t_ci(sample([draw.gauss(5, 4) for _ in range(40)]))), -3.0


@pytest.mark.parametrize("drawn", [of_a_share, of_a_skewed_mean, of_few_pairs, of_two_shares, of_two_means])
def test_the_truth_lies_within_the_bounds_in_95_of_100_trials(
    drawn: Callable[[Random], tuple[Estimate, float]],
) -> None:
    draw = Random(11)
    trials = [drawn(draw) for _ in range(TRIALS)]
    within = sum(found.low <= truth <= found.high for found, truth in trials) / TRIALS
    assert abs(within - 0.95) < CHANCE
