"""Confidence intervals and tests: published examples, their coverage, and their errors where there is no difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from ratscrew.lab.statistics import (
    Difference,
    Estimate,
    adjust,
    anytime_mean_ci,
    anytime_proportion_ci,
    difference_ci,
    equivalence_p,
    means_p,
    newcombe_ci,
    paired_difference,
    proportion_p,
    proportions_p,
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
    found = newcombe_ci(*ours, *theirs)
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
    found = [sum(draw.random() < truth for _ in range(50)) for truth in (ours, theirs)]
    return newcombe_ci(found[0], 50, found[1], 50), ours - theirs


def of_two_means(draw: Random) -> tuple[Estimate, float]:
    """Two means, found in different games, one of them more scattered."""
    ours = t_ci(sample([draw.gauss(2, 1) for _ in range(40)]))
    return difference_ci(ours, t_ci(sample([draw.gauss(5, 4) for _ in range(40)]))), -3.0


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


def test_the_share_of_false_findings_is_corrected_as_by_benjamini_and_hochberg() -> None:
    """Four figures: the largest p counts once, the next 4/3 times, the smallest four times, none more than a larger."""
    assert adjust([0.01, 0.04, 0.03, 0.005], false_share=True) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_a_share_is_tested_by_counting_all_outcomes() -> None:
    """8 of 10 heads: (45 + 10 + 1) / 1024 on each side."""
    assert proportion_p(8, 10, 0.5) == pytest.approx(112 / 1024)


def test_two_shares_are_tested_as_by_pearson() -> None:
    """15 of 25 and 5 of 25: 10 of 50 apart with a pooled 0.4, z = 0.4 / sqrt(0.24 * 2 / 25) = 2.887, p = 0.0039.

    The score test divides by n - 1 of n in all: z is smaller by the root of 49/50.
    """
    assert proportions_p(15, 25, 5, 25) == pytest.approx(0.00427, abs=2e-4)
    assert proportions_p(0, 25, 0, 30) == proportions_p(25, 25, 30, 30) == 1


def test_two_means_are_tested_as_by_welch() -> None:
    """Student's patients as two groups: t = -1.8608 with 17.776 degrees of freedom, as every textbook has it."""
    found = means_p(t_ci(sample(FIRST)), 10, t_ci(sample(SECOND)), 10)
    assert found == pytest.approx(0.07939, abs=1e-5)
    same = Estimate(2, 2, 2)
    assert (means_p(same, 5, same, 5), means_p(same, 5, Estimate(3, 3, 3), 5)) == (1, 0)


def test_no_effect_is_what_both_tests_exclude() -> None:
    """50 of 100 against 0.5 with a margin of 0.2: P(X >= 50) for 0.3, and as much for 0.7."""
    assert equivalence_p(50, 100, 0.5, 0.2) == pytest.approx(2.2e-5, rel=0.05)
    assert equivalence_p(50, 100, 0.5, 0.05) > 0.05


def test_of_studies_of_equal_players_one_in_twenty_finds_a_winner() -> None:
    """Twenty shares a study, tested exactly and corrected by Holm; and two shares of different games by the score test.

    Holm finds something where the smallest p times twenty is at most 0.05. Allowed are three standard deviations.
    """
    draw, studies, pairs = np.random.default_rng(3), 2000, 400
    exact = [proportion_p(wins, 150, 0.25) for wins in range(151)]
    smallest = [min(exact[wins] for wins in study) for study in draw.binomial(150, 0.25, (studies, 20)).tolist()]
    assert sum(20 * p <= 0.05 for p in smallest) <= most(studies)
    near = sorted(set(smallest), key=lambda p: abs(20 * p - 0.05))[:6]  # where a wrong factor would decide otherwise
    assert {20 * p <= 0.05 for p in near} == {True, False}
    assert [min(adjust([p] + [1.0] * 19)) <= 0.05 for p in near] == [20 * p <= 0.05 for p in near]
    apart = [proportions_p(ours, 150, theirs, 150) for ours, theirs in draw.binomial(150, 0.3, (pairs, 2)).tolist()]
    assert sum(p <= 0.05 for p in apart) <= most(pairs)


def most(trials: int) -> float:
    """How many of so many trials may be false findings: one in twenty, and three standard deviations."""
    return 0.05 * trials + 3 * math.sqrt(0.05 * 0.95 * trials)


def test_an_effect_of_the_margin_is_called_none_one_time_in_twenty() -> None:
    draw = np.random.default_rng(4)
    for truth in (0.45, 0.55):
        found = [equivalence_p(int(wins), 600, 0.5, 0.05) <= 0.05 for wins in draw.binomial(600, truth, 1000)]
        assert sum(found) <= 50 + 21  # three standard deviations
    assert sum(equivalence_p(int(wins), 2000, 0.5, 0.05) <= 0.05 for wins in draw.binomial(2000, 0.5, 200)) > 180


def test_an_interval_of_a_proportion_at_any_time_is_robbins_mixture() -> None:
    """5 of 10: the mixture is B(6, 6) = 1/2772, so p(1 - p) = (1 / 55440)^(1/5) = 0.11252 at the bounds.

    10 of 10: B(11, 1) = 1/11, so the lower bound is (1 / 220)^(1/10) = 0.58314.
    """
    half = anytime_proportion_ci(5, 10)
    assert [round(each, 4) for each in (half.value, half.low, half.high)] == [0.5, 0.1292, 0.8708]
    every, none = anytime_proportion_ci(10, 10), anytime_proportion_ci(0, 10)
    assert [round(each, 4) for each in (every.value, every.low, every.high)] == [1, 0.5831, 1]
    assert [round(each, 4) for each in (none.value, none.low, none.high)] == [0, 0, 0.4169]


@pytest.mark.parametrize("truth", [0.5, 0.25, 0.02])
def test_a_proportion_lies_within_its_bounds_at_every_look(truth: float) -> None:
    """Studies that look after every third of 400 games: the truth is ever outside in one of twenty at most."""
    draw, outside, interval = np.random.default_rng(5), 0, cache(anytime_proportion_ci)  # studies have counts in common
    for _ in range(STUDIES):
        found = np.cumsum(draw.random(400) < truth).tolist()
        looks = (interval(found[games - 1], games) for games in range(1, 401, 3))
        outside += any(not each.low <= truth <= each.high for each in looks)
    assert outside <= 0.05 * STUDIES


def test_a_mean_lies_within_its_bounds_at_every_look() -> None:
    """Skewed lengths, looked at whenever the games have doubled; Student's intervals lose the truth oftener."""
    draw, outside, student = np.random.default_rng(6), 0, 0
    for _ in range(STUDIES):
        values = draw.exponential(300, 8000)
        looks = [sample(values[:games].tolist()) for games in (1000, 2000, 4000, 8000)]
        outside += not all(found.low <= 300 <= found.high for found in map(anytime_mean_ci, looks))
        student += not all(found.low <= 300 <= found.high for found in map(t_ci, looks))
    assert outside <= 0.05 * STUDIES
    assert student > 0.05 * STUDIES
