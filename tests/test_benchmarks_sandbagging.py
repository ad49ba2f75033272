"""The benchmark of deliberate losses, and what it shows: many are found, a few are not. Its figures are in the docs."""

from __future__ import annotations

from benchmarks.sandbagging import MINUTE_US, OCTOBER_US, PAIRS, STRENGTHS, cost, honest, shares, won
from ratscrew.accounts.results import season_of


def test_many_deliberate_losses_are_found_and_a_few_are_not() -> None:
    found = shares(5, 400, (5, 40))
    assert found["the strongest to the weakest"] == {5: 0, 40: 1}
    assert found["the weakest to the strongest"][5] == 0


def test_an_evenings_games_are_won_in_proportion_to_the_strengths() -> None:
    """Of games of two between h (4) and a (1), h wins four of five: within five standard deviations."""
    orders = [[place.account for place in game.places] for game in honest(1, 20_000)]
    duels = [order[0] for order in orders if sorted(order) == ["a", "h"]]
    expected = len(duels) * STRENGTHS["h"] / (STRENGTHS["h"] + STRENGTHS["a"])
    assert abs(duels.count("h") - expected) < 5 * (expected * 0.2) ** 0.5
    assert set(PAIRS["equals"]) <= set(STRENGTHS)


def test_the_games_of_the_larger_season_are_in_one_season() -> None:
    assert season_of(OCTOBER_US) == season_of(won(40_000, "a", "b").end_us) == "2026-4"
    assert season_of(OCTOBER_US - MINUTE_US) == "2026-3"


def test_the_command_is_measured() -> None:
    measured = cost(100)
    assert measured.games == 100
    assert measured.cpu_s > 0
    assert measured.memory_mb > 0
