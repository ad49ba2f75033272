"""The benchmark of the ratings' order: on made-up games, and a few played ones."""

from __future__ import annotations

from itertools import combinations

from benchmarks.rating_order import HOUR_US, in_order_from, play
from ratscrew.accounts.ratings import RATED
from ratscrew.accounts.results import GameResult, RankedPlayer
from ratscrew.bots.ladder import LADDER

STRONGEST_FIRST = [*LADDER][::-1]


def season(rounds: int) -> list[GameResult]:
    """Everyone meets everyone in each round, and the stronger one always wins."""
    pairs = [pair for _ in range(rounds) for pair in combinations(STRONGEST_FIRST, 2)]
    return [result(number, *pair) for number, pair in enumerate(pairs)]


def result(number: int, winner: str, loser: str) -> GameResult:
    """A game between two."""
    return GameResult(str(number), number * HOUR_US, RATED[0], (RankedPlayer(winner, 0, 0), RankedPlayer(loser, 1, 1)))


def test_where_the_stronger_always_wins_the_order_is_soon_right_and_stays_so() -> None:
    since = in_order_from(season(8))
    assert since is not None
    assert 9 <= since < 8 * 45  # ten players have met after nine games at the earliest


def test_an_order_that_is_lost_again_does_not_count() -> None:
    games = season(8)
    weakest = STRONGEST_FIRST[-1]
    upsets = [result(len(games) + number, weakest, other) for number, other in enumerate(STRONGEST_FIRST[:-1] * 3)]
    assert in_order_from([*games, *upsets]) is None


def test_the_played_games_have_one_winner_each_and_can_be_played_again() -> None:
    games = play(0, 6, seed=3)
    assert games == play(0, 6, seed=3)
    assert {tuple(sorted(place.rank for place in each.places)) for each in games} == {(0, 1)}
    assert {place.account for each in games for place in each.places} <= set(LADDER)
