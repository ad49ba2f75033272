"""Comparing two experiments with the same shuffles: common variation cancels out, and differences show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import compare as comparing
from ratscrew.lab.compare import MetricDifference, compare, compare_until
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
        assert (each.difference.value, each.p, each.significant) == (0, 1, False)
        assert each.difference.low <= 0 <= each.difference.high


def test_a_player_who_misses_what_the_other_sees_wins_less_and_it_is_seen() -> None:
    heard: list[int] = []
    ours, theirs = small(60, bots="steady,steady"), small(60, bots="steady:miss=1,steady")
    found = by_name(compare(ours, theirs, on_progress=heard.append))
    wins = found["wins.0"]
    assert (wins.significant, wins.difference.high < 0, sum(heard)) == (True, True, 120)
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
    assert (cards.difference.high - cards.difference.low < 0.8, cards.significant) == (True, True)


def test_a_difference_is_significant_after_the_correction_for_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,000 games are 100 chunks of ten. In B a game is 0.33 ± 1 cards longer: 3.3 standard errors of its chunks.

    By itself that is a p of 0.025; Holm's correction multiplies the smallest one by the number of figures.
    """

    def made_up(rules: Rules, bots: object, cuts: list[int], *_: object, **__: object) -> Iterator[Tally]:
        for place, (start, end) in enumerate(pairwise(cuts)):
            each = 100 + (133 if place % 2 else -67) / 100 * (rules.turn_ms == 5000)
            yield Tally(games=end - start, cards=each * (end - start))  # type: ignore[arg-type]

    monkeypatch.setattr(comparing, "play_chunks", made_up)
    ours, theirs = (make_experiment(house(turn_ms=ms), ["steady"], 2, 1000, 1) for ms in (8000, 5000))
    found = compare(ours, theirs)
    cards = by_name(found)["cards"]
    assert cards.difference.low > 0
    assert not cards.significant
    assert cards.p == pytest.approx(len(found) * 0.0249, rel=0.01)


def test_the_leader_is_compared_once() -> None:
    """Seat 0 leads, so the wins of the leader and of seat 0 are one figure."""
    found = by_name(compare(small(10), small(10)))
    assert "wins.0" in found
    assert "leader_wins" not in found


def test_too_few_games_are_refused() -> None:
    with pytest.raises(RatscrewError, match="9 games: 10 at least are compared"):
        compare(small(9), small(9))


def test_a_comparison_with_a_precision_is_that_of_as_many_games() -> None:
    """It looks at 1,000, 2,000 and 4,000 games; pairs of chunks are the chunks of twice as many games."""
    ours, theirs = "steady,steady", "steady:miss=0.3,steady"
    games, found = compare_until(0.04, small(9000, bots=ours), small(9000, bots=theirs))
    assert games in (2000, 4000)
    assert found == compare(small(games, bots=ours), small(games, bots=theirs))
    half = small(games // 2, bots=ours), small(games // 2, bots=theirs)
    widths = [each.difference.half_width for each in found if each.name.startswith("wins.")]
    before = [each.difference.half_width for each in compare(*half) if each.name.startswith("wins.")]
    assert max(widths) <= 0.04 < max(before)
    assert compare_until(0.0001, *half)[0] == games // 2
