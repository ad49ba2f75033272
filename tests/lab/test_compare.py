"""Comparing two experiments with the same shuffles: common variation cancels out, and differences show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import compare as comparing
from ratscrew.lab.compare import MetricDifference, compare
from ratscrew.lab.experiment import make_experiment
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from tests.lab.small_experiments import small


def by_name(found: list[MetricDifference]) -> dict[str, MetricDifference]:
    """Differences by the names of their figures."""
    return {each.name: each for each in found}


def test_a_case_does_not_differ_from_itself() -> None:
    for each in compare(small(10), small(10)):
        assert (
            each.difference.value,
            each.difference.low,
            each.difference.high,
            each.significant,
            each.games_needed,
        ) == (0, 0, 0, False, None)


def test_a_player_who_misses_what_the_other_sees_wins_less_and_it_is_seen() -> None:
    heard: list[int] = []
    ours, theirs = small(20, bots="steady,steady"), small(20, bots="steady:miss=1,steady")
    found = by_name(compare(ours, theirs, on_progress=heard.append))
    wins = found["wins.0"]
    assert (wins.significant, wins.games_needed, wins.difference.high < 0, sum(heard)) == (True, 0, True, 40)
    assert found["good_slaps.0"].theirs == 0


def test_what_all_games_share_with_their_twins_cancels_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths scatter by thousands of cards, and each game is two or three cards longer than its twin.

    103 games are 100 pieces of one or two.
    """

    def made_up(rules: Rules, bots: object, cuts: list[int], *_: object, **__: object) -> Iterator[Tally]:
        for start, end in pairwise(cuts):
            games = range(start, end)
            more = sum(2 + game % 2 for game in games) if rules.turn_ms == 5000 else 0
            yield Tally(games=len(games), cards=sum(100 * (game * 37 % 101) for game in games) + more)

    monkeypatch.setattr(comparing, "play_chunks", made_up)
    ours, theirs = (make_experiment(house(turn_ms=ms), ["steady"], 2, 103, 1) for ms in (8000, 5000))
    cards = by_name(compare(ours, theirs))["cards"]
    assert cards.ours == pytest.approx(sum(100 * (game * 37 % 101) for game in range(103)) / 103)
    assert cards.difference.value == pytest.approx(cards.theirs - cards.ours) == pytest.approx(2 + 51 / 103)
    assert (cards.difference.high - cards.difference.low < 0.4, cards.significant, cards.games_needed) == (
        True,
        True,
        0,
    )


def test_what_is_not_seen_yet_needs_the_games_of_the_formula_beyond_those_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """200 games are 100 pieces of two. In 55 pieces both games are one card longer than their twins, in 45 one shorter.

    The mean difference is 0.1, and the variance of a chunk is (100 - 100 · 0.1²) / 99 = 1, so that of a game is 2.
    (1.95996 + 0.84162)² · 2 / 0.1² = 1569.8: 1,570 games see it, which is 1,370 more.
    """

    def made_up(rules: Rules, bots: object, cuts: list[int], *_: object, **__: object) -> Iterator[Tally]:
        for place, (start, end) in enumerate(pairwise(cuts)):
            each = (101 if place < 55 else 99) if rules.turn_ms == 5000 else 100
            yield Tally(games=end - start, cards=each * (end - start))

    monkeypatch.setattr(comparing, "play_chunks", made_up)
    ours, theirs = (make_experiment(house(turn_ms=ms), ["steady"], 2, 200, 1) for ms in (8000, 5000))
    cards = by_name(compare(ours, theirs))["cards"]
    assert (cards.ours, cards.theirs) == pytest.approx((100, 100.1))
    assert (cards.significant, cards.games_needed) == (False, 1370)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(RatscrewError, match="9 games: 10 at least are compared"):
        compare(small(9), small(9))
