"""Confidence intervals and tests: published examples, their coverage, and their errors where there is no difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from ratscrew.lab.statistics import (
    Difference,
    Estimate,
    adjust,
    newcombe_ci,
    paired_difference,
    sample,
    t_ci,
    wilson_ci,
)

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
SLEEP = [second - first for first, second in zip(FIRST, SECOND, strict=True)]


def test_a_mean_has_the_interval_of_students_own_example() -> None:
    """Hours of sleep gained by ten patients with two drugs, Biometrika 6, 20; the bounds as every textbook has them."""
    found = t_ci(sample(SLEEP))
    assert [round(bound, 4) for bound in (found.value, found.low, found.high)] == [1.58, 0.7001, 2.4599]


def test_sums_of_great_numbers_lose_nothing() -> None:
    """The variance of 1, 2 and 3, far from zero: floats of such sums would have lost it."""
    far = 10**12
    values = [far + 1, far + 2, far + 3]
    exact = sample([1, 2, 3])
    found = type(exact)(3, sum(values), sum(value * value for value in values))
    assert (exact.variance, found.variance) == (1.0, 1.0)


def of_a_share(draw: Random) -> tuple[Estimate, float]:
    """A share that may be anything."""
    truth = draw.random()
    return wilson_ci(sum(draw.random() < truth for _ in range(60)), 60), truth


def of_a_skewed_mean(draw: Random) -> tuple[Estimate, float]:
    """The mean of times that are mostly short."""
    return t_ci(sample([draw.expovariate(0.5) for _ in range(250)])), 2.0


def of_two_shares(draw: Random) -> tuple[Estimate, float]:
    """Two shares, found in different games."""
    ours, theirs = draw.uniform(0.1, 0.9), draw.uniform(0.1, 0.9)
    found = [wilson_ci(sum(draw.random() < truth for _ in range(50)), 50) for truth in (ours, theirs)]
    return newcombe_ci(*found), ours - theirs


def of_two_means(draw: Random) -> tuple[Estimate, float]:
    """Two means, found in different games, one of them more scattered."""
    ours = t_ci(sample([draw.gauss(2, 1) for _ in range(40)]))
    return newcombe_ci(ours, t_ci(sample([draw.gauss(5, 4) for _ in range(40)]))), -3.0


@pytest.mark.parametrize("drawn", [of_a_share, of_a_skewed_mean, of_two_shares, of_two_means])
def test_the_truth_lies_within_the_bounds_in_95_of_100_trials(
    drawn: Callable[[Random], tuple[Estimate, float]],
) -> None:
    draw = Random(11)
    trials = [drawn(draw) for _ in range(TRIALS)]
    within = sum(found.low <= truth <= found.high for found, truth in trials) / TRIALS
    assert abs(within - 0.95) < CHANCE


# At any number of games

STUDIES = 200
LOOKS = (10, 20, 50, 100, 200, 500, 1000, 2000)
"""The numbers of games at which a study is looked at; each contains the games before."""

Games = NDArray[np.float64]


def looked_at(differences: Games, proportion: bool) -> list[Difference]:
    """The paired difference at each look, from chunks as `compare` plays them: a hundred at most."""
    found = []
    for games in LOOKS:
        bounds = [games * chunk // min(games, 100) for chunk in range(min(games, 100))]
        sums = np.add.reduceat(differences[:games], bounds) * len(bounds) / games
        found.append(paired_difference(sums.tolist(), games, proportion))
    return found


def without_difference(draw: np.random.Generator) -> list[tuple[Games, bool]]:
    """The figures of a study in which nothing differs: wins, rare events, lengths, and slaps that depend on them."""
    games = LOOKS[-1]
    wins, rare = (np.subtract(*(draw.random((2, games)) < chance).astype(np.float64)) for chance in (0.5, 0.02))
    lengths = np.subtract(*draw.exponential(300, (2, games)))
    return [(wins, True), (rare, True), (lengths, False), (lengths / 10 + draw.normal(0, 5, games), False)]


def test_of_studies_without_a_difference_one_in_twenty_finds_any_however_often_one_looks() -> None:
    """Four figures, eight looks. Student's t at each look and for each figure would find one in most studies."""
    draw, found, outside = np.random.default_rng(1), 0, 0
    for _ in range(STUDIES):
        figures = [looked_at(differences, proportion) for differences, proportion in without_difference(draw)]
        ps = ([each.p for each in look] for look in zip(*figures, strict=True))
        found += any(min(adjust(look)) <= 0.05 for look in ps if min(look) <= 0.05)  # none is less after it
        outside += any(not each.estimate.low <= 0 <= each.estimate.high for each in figures[0])
    assert found <= 0.05 * STUDIES
    assert outside <= 0.05 * STUDIES


def test_a_difference_is_found_and_lies_within_its_bounds_at_every_look() -> None:
    """Wins of 60 % against 50 %: 2,000 games show them, and 100 games rarely."""
    draw, early, late, found = np.random.default_rng(2), 0, 0, 0
    for _ in range(50):
        ours, theirs = ((draw.random(LOOKS[-1]) < chance).astype(np.float64) for chance in (0.6, 0.5))
        looks = looked_at(ours - theirs, proportion=True)
        early += looks[3].p <= 0.05
        late += looks[-1].p <= 0.05
        found += all(each.estimate.low <= 0.1 <= each.estimate.high for each in looks)
    assert early <= 5
    assert late >= 48
    assert found >= 45


def test_an_interval_at_any_time_is_robbins_mixture() -> None:
    """At 1,000 games the mixture has a weight of 7.94, so the bounds are 3.035 standard errors away, not 1.96.

    The root of (1 + 1 / 7.936) · (ln 8.936 + 5.991) = 9.214 is 3.035. A hundred chunks, 3 above or below the mean.
    """
    chunks = [0.1 + sign * 3 for sign in (-1, 1) for _ in range(50)]
    found = paired_difference(chunks, 1000, proportion=False)
    error = math.sqrt(9 * 100 / 99 / 100)
    assert found.estimate.high - 0.1 == pytest.approx(3.0354 * error, rel=1e-4)
    assert 0.1 - found.estimate.low == pytest.approx(3.0354 * error, rel=1e-4)
    assert found.p == 1.0


def test_a_bound_at_zero_has_a_p_of_five_percent() -> None:
    error = 1 / math.sqrt(99)
    chunks = [3.03541 * error + sign for sign in (-1, 1) for _ in range(50)]
    found = paired_difference(chunks, 1000, proportion=False)
    assert found.estimate.low == pytest.approx(0, abs=1e-4)
    assert found.p == pytest.approx(0.05, abs=1e-3)


def test_pairs_that_never_differed_leave_a_proportion_uncertain() -> None:
    """20 games of 20 in both: with two pairs added the variance is 1 / 22, as Agresti and Min have it."""
    found = paired_difference([0.0] * 20, 20, proportion=True)
    assert (found.estimate.value, found.p) == (0, 1)
    assert found.estimate.high == -found.estimate.low > 1.96 / 22
    exact = paired_difference([0.0] * 20, 20, proportion=False)
    assert (exact.estimate, exact.p) == (Estimate(0, 0, 0), 1)


def test_what_differs_alike_in_all_games_is_found() -> None:
    found = paired_difference([2.0] * 20, 20, proportion=False)
    assert (found.estimate, found.p) == (Estimate(2, 2, 2), 0)


def test_many_figures_are_corrected_as_in_holms_paper() -> None:
    """Four figures: the smallest p counts four times, the next three times, and none less than the one before."""
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust([]) == []
