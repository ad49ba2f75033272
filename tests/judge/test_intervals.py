"""Bounds from a sample, against textbook examples."""

from __future__ import annotations

import pytest

from ratscrew.judge.intervals import quantile_bounds, slope_bounds, wilson_bounds


def test_a_median_of_100_values_lies_between_the_41st_and_the_61st() -> None:
    """At 1.96: 50 ± 9.8. That 40 or fewer of 100 coins fall heads has a probability of 2.8 %."""
    assert quantile_bounds(list(range(100, 0, -1)), 0.5, 1.96) == (41, 61)


def test_a_quartile_is_bounded_by_its_own_ranks() -> None:
    """At 2: 25 ± 2 · 4.33."""
    assert quantile_bounds(list(range(1, 101)), 0.25, 2) == (17, 35)


def test_too_few_values_have_no_bounds() -> None:
    """At 3.1, 14 values: 7 ± 5.8 are the ranks 1 and 13 from 0; of 13 values: 6.5 ± 5.6, and there is no rank 13."""
    assert quantile_bounds(list(range(14)), 0.5, 3.1) == (1, 13)
    assert quantile_bounds(list(range(13)), 0.5, 3.1) is None
    assert quantile_bounds([], 0.5, 3.1) is None


@pytest.mark.parametrize(
    ("many", "of", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]
)
def test_the_bounds_of_a_share_are_those_of_wilson(many: int, of: int, low: float, high: float) -> None:
    """Newcombe, *Two-sided confidence intervals for the single proportion*, 1998, table I, method 3."""
    assert wilson_bounds(many, of, 1.96) == pytest.approx((low, high), abs=0.0001)


def test_a_share_of_nothing_has_no_bounds() -> None:
    assert wilson_bounds(0, 0, 1.96) is None


def test_a_slope_is_that_of_least_squares() -> None:
    """Means 3 and 4; sums 6 and 10, so 0.6; residuals -0.8, 0.6, 1, -0.6, -0.2: variance 2.4 / 3, error 0.2828."""
    points = list(zip((1, 2, 3, 4, 5), (2, 4, 5, 4, 5), strict=True))
    assert slope_bounds(points, 1) == pytest.approx((0.6 - 0.08**0.5, 0.6 + 0.08**0.5))


def test_there_is_no_slope_without_a_difference_or_with_two_points() -> None:
    assert slope_bounds([(1, 1), (1, 2), (1, 3)], 1) is None
    assert slope_bounds([(1, 1), (2, 2)], 1) is None
