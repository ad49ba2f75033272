"""Pairs of players of whom one loses to the other far more often than all their other games explain.

A player who loses on purpose to a second account looks like this, but so may a beginner who plays only with one friend:
so such a pair is listed for the operator, and its games are rated all the same. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import permutations
from math import exp, lgamma, log, log1p
from typing import NamedTuple

from ratscrew.accounts.ratings import Ratings
from ratscrew.accounts.results import GameResult

GAMES_LEAST = 10
"""Fewer games of a pair say nothing."""

CHANCE_MOST = 1e-4
"""A pair is listed if honest players had so many losses with at most this probability."""

FOUND_MOST = 50


class OneSided(NamedTuple):
    """`loser` was behind `winner` in `lost` of `games`; their other games make `expected` likely.

    `chance` is the probability of so many losses or more, if only their strengths decided.
    """

    rules: str
    loser: str
    winner: str
    lost: int
    games: int
    expected: float
    chance: float


def one_sided(results: Sequence[GameResult], rules: Collection[str], excluded: Collection[str] = ()) -> list[OneSided]:
    """The one-sided pairs among the rated games of a season, the least likely first.

    How often one player is behind the other follows from how often each is behind everyone else, as by Bradley and
    Terry: the odds are the product of theirs. The order of the games does not matter, unlike in ratings, which a series
    of deliberate losses would have moved.
    """
    ratings = Ratings(rules, excluded)
    behind = Counter[tuple[str, str, str]]()
    lost_in_all, won_in_all = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for result in filter(ratings.rates, results):
        for one, other in permutations(result.places, 2):
            if other.rank < one.rank:
                behind[result.rules, one.account, other.account] += 1
                lost_in_all[result.rules, one.account] += 1
                won_in_all[result.rules, other.account] += 1
    found = []
    for (house, loser, winner), lost in behind.items():
        won = behind.get((house, winner, loser), 0)
        if (games := lost + won) < GAMES_LEAST:
            continue
        odds = _odds(lost_in_all[house, loser] - lost, won_in_all[house, loser] - won)
        odds *= _odds(won_in_all[house, winner] - lost, lost_in_all[house, winner] - won)
        chance = odds / (1 + odds)
        if (tail := _tail(lost, games, chance)) <= CHANCE_MOST:
            found.append(OneSided(house, loser, winner, lost, games, games * chance, tail))
    return sorted(found, key=lambda pair: pair.chance)[:FOUND_MOST]


def _odds(times: int, times_not: int) -> float:
    """The odds of something that has happened so often, and so often not; even without any experience."""
    return (times + 1) / (times_not + 1)


def _tail(lost: int, games: int, chance: float) -> float:
    """The probability of so many losses or more, each with this probability."""
    ways = lgamma(games + 1)  # logarithms, because of a thousand games the factors have no floating-point number
    return sum(
        exp(ways - lgamma(n + 1) - lgamma(games - n + 1) + n * log(chance) + (games - n) * log1p(-chance))
        for n in range(lost, games + 1)
    )
