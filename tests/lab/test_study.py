"""The figures of a tally: rates, intervals, and lengths of games."""

from __future__ import annotations

import math

import msgspec
import pytest

from ratscrew.lab.provenance import provenance
from ratscrew.lab.statistics import Estimate, anytime_proportion_ci, wilson_ci
from ratscrew.lab.study import (
    Bin,
    Run,
    estimates,
    format_interval,
    format_metric,
    lengths,
    metric_label,
    rates,
    run,
    run_experiment,
    slappable_patterns,
)
from ratscrew.lab.tally import Tally
from ratscrew.rules.presets import house
from tests.lab.small_experiments import small, small_run

TALLY = Tally(
    games=4,
    wins=(3,),
    never_ended=1,
    cards=400,
    cards2=40_400,
    tricks=40,
    tricks2=402,
    time_us=480_000_000,
    time2_ms=4 * 120_000**2,
    slaps={"double": 6},
    good=(4, 2),
    wrong=(0, 1),
    comebacks=2,
    leader_wins=3,
    lengths=(0, 0, 0, 0, 0, 3, 0, 1),
)


def test_a_rate_is_the_mean_of_a_game() -> None:
    found = rates(TALLY, 2, slappable_patterns(house()))
    told = {"wins.0": 0.75, "wins.1": 0.0, "never_ended": 0.25, "cards": 100.0, "tricks": 10.0, "minutes": 2.0}
    told |= {"good_slaps": 1.5, "good_slaps.1": 0.5, "wrong_slaps": 0.25, "comebacks": 0.5}
    assert {name: found[name] for name in told} == told


def test_patterns_that_nobody_slapped_are_shown_and_impossible_ones_are_not() -> None:
    """There is no joker in classic, so nobody slaps one."""
    found = rates(TALLY, 2, slappable_patterns(house()))
    assert {name: rate for name, rate in found.items() if name.startswith("slapped")} == {
        "slapped.double": 1.5,
        "slapped.sandwich": 0.0,
    }


def test_means_and_shares_have_intervals() -> None:
    """Cards: variance 400 / 3, so 3.1824 times the root of 400 / 3 / 4 to each side."""
    found = estimates(TALLY, 2)
    half = 3.18245 * math.sqrt(400 / 3 / 4)
    assert (found["cards"].low, found["cards"].high) == pytest.approx((100 - half, 100 + half), abs=1e-3)
    assert found["minutes"].low == found["minutes"].high == 2.0
    assert found["wins.1"] == wilson_ci(0, 4)


def test_lengths_begin_with_the_shortest_game() -> None:
    assert lengths(TALLY) == (Bin(5, 6, 3), Bin(6, 7, 0), Bin(7, 8, 1))


def test_a_part_of_all_games_is_shorter_than_its_quantile() -> None:
    found = msgspec.structs.replace(small_run(4), games=4, lengths=(Bin(5, 6, 3), Bin(6, 7, 0), Bin(7, 8, 1)))
    assert [found.quantile(part) for part in (0.75, 1.0)] == [6, 8]


def test_within_a_bin_lengths_are_spread_evenly_over_their_logarithm() -> None:
    """Of eight games, four have 64 to 127 cards and four have 128 to 511: the axis of the picture is logarithmic.

    A quarter of all, half of the first bin, are shorter than 64 · 2^½; three quarters than 128 · 4^½.
    """
    found = msgspec.structs.replace(small_run(4), games=8, lengths=(Bin(64, 128, 4), Bin(128, 512, 4)))
    quantiles = [found.quantile(part) for part in (0.125, 0.25, 0.5, 0.625, 0.75, 1.0)]
    assert quantiles == pytest.approx([64 * 2**0.25, 64 * 2**0.5, 128, 128 * 2**0.5, 256, 512])


def test_a_run_says_what_was_asked_and_what_came_of_it() -> None:
    experiment = small(5)
    found = run(experiment, command="ratscrew lab run --games 5", engine=True)
    assert (found.experiment, found.games, found.backend, found.fallback_reason) == (
        experiment,
        5,
        "engine",
        "requested",
    )
    assert (sum(found.wins) + found.drawn + found.all_lose + found.never_ended, len(found.wins)) == (5, 2)
    assert found.provenance == provenance()
    assert found.games_per_second == pytest.approx(5 / found.cpu_s)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Run) == found


def test_an_answer_is_a_row_with_nothing_of_the_machine_in_it() -> None:
    row = run_experiment(small())
    assert row == run_experiment(small())
    assert {"cards", "cards.low", "cards.high", "wins.1.low", "slapped.double"} <= row.keys()
    assert all(row[f"{name}.low"] <= row[name] <= row[f"{name}.high"] for name in row if f"{name}.low" in row)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wins.1", "games won, seat 1"),
        ("slapped.top_bottom", "slaps per game: top bottom"),
        ("cards", "cards turned per game"),
    ],
)
def test_a_figure_has_words(name: str, words: str) -> None:
    assert metric_label(name) == words


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0, "0.0 %"),
        (22 / 200_000, "0.011 %"),
        (1 / 200_000, "0.00050 %"),
        (100 / 200_000, "0.1 %"),
        (199_978 / 200_000, "99.989 %"),
        (1, "100.0 %"),
        (1e-19, "0.0 %"),
    ],
)
def test_a_share_that_is_not_quite_none_or_all_does_not_look_like_it(share: float, says: str) -> None:
    assert format_metric("never_ended", share) == says
    assert format_metric("never_ended", -share, sign=True).lstrip("+-") == says


def test_a_share_is_written_in_percent_and_a_great_number_without_a_point() -> None:
    assert (format_metric("wins.0", 0.125), format_metric("cards", 1234.5), format_metric("cards", 1.5, True)) == (
        "12.5 %",
        "1,234",
        "+1.50",
    )
    assert format_interval("wins.0", wilson_ci(0, 20)) == "0.0 % and 16.1 %"


def test_the_length_of_games_has_only_a_lower_bound_if_some_were_given_up() -> None:
    found = Estimate(20, 15, 25)
    assert format_interval("minutes", found, given_up=True) == "at least 15.00"
    assert format_interval("minutes", found) == "15.00 and 25.00"
    assert format_interval("good_slaps", found, given_up=True) == "15.00 and 25.00"


def test_a_run_with_a_precision_plays_as_many_games_as_it_needs() -> None:
    """Wins of half of the games are known to 5.8 % on either side after 1,000 games, and to 4.3 % after 2,000."""
    found = run(small(8000, bots="steady,steady"), precision=0.05)
    plain = run(small(2000, bots="steady,steady"))
    assert (found.games, found.experiment.games, found.wins) == (2000, 2000, plain.wins)
    assert found.estimates["wins.0"] == anytime_proportion_ci(found.wins[0], 2000)
    assert 0.03 < found.estimates["wins.0"].half_width <= 0.05
    assert found.estimates["cards"].half_width > plain.estimates["cards"].half_width
    assert anytime_proportion_ci(*(run(small(1000, bots="steady,steady")).wins[0], 1000)).half_width > 0.05


def test_a_run_whose_precision_is_too_fine_ends_with_the_most_games() -> None:
    assert run(small(3000, bots="steady,steady"), precision=0.001).games == 2000
    assert run(small(40), precision=0.001).games == 40
