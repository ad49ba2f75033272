"""Reaction times and error rates: the draws match the declared distributions."""

from __future__ import annotations

from itertools import product, repeat
from math import exp, sqrt
from random import Random
from statistics import NormalDist, fmean, median, pstdev, pvariance

import pytest

from ratscrew.bots.reflexes import FASTEST_US, STRENGTHS, Reflexes
from ratscrew.testing.bot_checks import EDGE_CHANCES

MANY = 10_000


def reflexes(mu_ms: int = 2000, sigma_ms: int = 0, tau_ms: int = 0, glance_ms: int = 0, pace_ms: int = 800) -> Reflexes:
    """Reflexes that never err; slow ones, so that the floor of 200 ms cuts nothing off."""
    return Reflexes(mu_ms * 1000, sigma_ms * 1000, tau_ms * 1000, glance_ms * 1000, pace_ms * 1000, 0, 0, 0)


def drawn(some: Reflexes, size: int = 2, seed: int = 1) -> list[int]:
    """Many reactions, in microseconds."""
    chance = Random(seed).random
    return [some.reaction_us(size, chance) for _ in range(MANY)]


# Reactions


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_reaction_is_ex_gaussian_as_declared(strength: str) -> None:
    """Its mean is mu + tau and its variance sigma² + tau²; mu is put so high that the floor plays no part.

    The bounds are four standard errors of 10,000 draws; that of a variance comes from the fourth moment,
    3(sigma² + tau²)² + 6 tau⁴.
    """
    kind = STRENGTHS[strength]
    times = drawn(Reflexes(5_000_000, kind.sigma_us, kind.tau_us, 0, 0, 0, 0, 0))
    variance = kind.sigma_us**2 + kind.tau_us**2
    assert abs(fmean(times) - 5_000_000 - kind.tau_us) < 4 * sqrt(variance / MANY)
    assert abs(pvariance(times) - variance) < 4 * sqrt((2 * variance**2 + 6 * kind.tau_us**4) / MANY)


@pytest.mark.parametrize(("sigma_ms", "tau_ms"), [(100, 0), (0, 100)])
def test_each_part_of_a_reaction_has_its_own_spread(sigma_ms: int, tau_ms: int) -> None:
    """A normal part alone, then an exponential one alone: the spread is sigma, then tau."""
    times = drawn(reflexes(sigma_ms=sigma_ms, tau_ms=tau_ms))
    assert fmean(times) / 1000 == pytest.approx(2000 + tau_ms, abs=4)
    assert pstdev(times) / 1000 == pytest.approx(100, abs=3 if sigma_ms else 6)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_reaction_has_the_long_tail_to_the_right_that_people_have(strength: str) -> None:
    """The skewness of an ex-Gaussian is 2 tau³ / (sigma² + tau²)^(3/2); a normal distribution has none."""
    kind = STRENGTHS[strength]
    times = drawn(Reflexes(5_000_000, kind.sigma_us, kind.tau_us, 0, 0, 0, 0, 0))
    mean, spread = fmean(times), pstdev(times)
    skew = fmean(((us - mean) / spread) ** 3 for us in times)
    assert skew == pytest.approx(2 * kind.tau_us**3 / (kind.sigma_us**2 + kind.tau_us**2) ** 1.5, abs=0.25)


def test_nobody_reacts_faster_than_200_ms() -> None:
    times = drawn(reflexes(mu_ms=210, sigma_ms=40))
    assert min(times) == FASTEST_US == 200_000
    floored = sum(us == FASTEST_US for us in times) / MANY
    assert floored == pytest.approx(NormalDist(210, 40).cdf(200), abs=0.015)  # 40 % of them


def test_no_chance_breaks_a_reaction_or_a_pause() -> None:
    for kind, edge in product(STRENGTHS.values(), EDGE_CHANCES):
        chance = repeat(edge).__next__
        assert 200_000 <= kind.reaction_us(3, chance) < 20_000_000
        assert 200_000 <= kind.pause_us(chance) < 20_000_000


@pytest.mark.parametrize("strength", STRENGTHS)
def test_each_card_more_takes_one_glance_longer(strength: str) -> None:
    kind = STRENGTHS[strength]
    two, three, five = (kind.reaction_us(size, lambda: 0.5) for size in (2, 3, 5))
    assert three - two == kind.scan_time_us > 0
    assert five - two == 3 * kind.scan_time_us


def test_a_pattern_of_one_card_is_seen_as_fast_as_one_of_two() -> None:
    kind = STRENGTHS["sharp"]
    assert kind.reaction_us(1, lambda: 0.5) == kind.reaction_us(2, lambda: 0.5)


# Pauses


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_pause_before_a_card_is_log_normal_around_the_pace(strength: str) -> None:
    kind, chance = STRENGTHS[strength], Random(2).random
    pauses = [kind.pause_us(chance) for _ in range(MANY)]
    assert median(pauses) == pytest.approx(kind.pace_us, rel=0.01)
    assert fmean(pauses) == pytest.approx(kind.pace_us * exp(0.22**2 / 2), rel=0.01)
    assert pstdev(pauses) / fmean(pauses) == pytest.approx(sqrt(exp(0.22**2) - 1), rel=0.05)


def test_nobody_turns_a_card_faster_than_200_ms() -> None:
    assert reflexes(pace_ms=100).pause_us(lambda: 0.5) == FASTEST_US


# Strengths


def test_a_stronger_bot_is_quicker_steadier_and_errs_less_in_everything() -> None:
    weak, middle, strong = STRENGTHS.values()
    assert list(STRENGTHS) == ["gentle", "steady", "sharp"]
    for less, more in ((weak, middle), (middle, strong)):
        for name in (
            "mu_us",
            "sigma_us",
            "tau_us",
            "scan_time_us",
            "pace_us",
            "miss",
            "false_alarm",
            "lure_false_alarm",
        ):
            assert getattr(less, name) > getattr(more, name), name


def test_sharp_is_the_practised_person_that_its_docstring_declares() -> None:
    kind = STRENGTHS["sharp"]
    assert (kind.mu_us, kind.sigma_us, kind.tau_us) == (300_000, 30_000, 70_000)


@pytest.mark.parametrize(("strength", "beaten_by"), [("gentle", "steady"), ("steady", "sharp")])
def test_the_stronger_bot_wins_most_races(strength: str, beaten_by: str) -> None:
    slow, fast = drawn(STRENGTHS[strength], seed=3), drawn(STRENGTHS[beaten_by], seed=4)
    assert sum(quick < slack for quick, slack in zip(fast, slow, strict=True)) > 0.75 * MANY
