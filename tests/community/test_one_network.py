"""Pairs of accounts that play each other in one network are listed, with who loses."""

from __future__ import annotations

from ratscrew.accounts.one_network import OneNetwork, one_network
from ratscrew.accounts.results import GameResult, RankedPlayer, Unrated
from tests.community.rated_games import NOVEMBER_US


def games(count: int, *order: str, unrated: tuple[Unrated, ...] = ("same_network",)) -> list[GameResult]:
    """So many games that these accounts finish in this order."""
    places = tuple(RankedPlayer(account, seat, seat) for seat, account in enumerate(order))
    return [GameResult(f"{order}-{n}", NOVEMBER_US + n, "1;classic", places, unrated) for n in range(count)]


def test_a_pair_is_listed_from_ten_games_in_one_network() -> None:
    assert one_network(games(9, "main", "second")) == []
    assert one_network(games(9, "main", "second") + games(1, "second", "main")) == [OneNetwork("second", "main", 9, 10)]


def test_a_pair_that_wins_as_often_as_it_loses_is_listed_once() -> None:
    assert one_network(games(5, "a", "b") + games(5, "b", "a")) == [OneNetwork("a", "b", 5, 10)]


def test_rated_games_and_games_of_three_do_not_count() -> None:
    assert one_network(games(20, "a", "b", unrated=()) + games(20, "a", "b", "c")) == []


def test_the_pair_with_the_most_games_is_first() -> None:
    assert [each.games for each in one_network(games(10, "a", "b") + games(30, "c", "d"))] == [30, 10]
