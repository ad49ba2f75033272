"""Pairs of accounts that have often played each other in one network: one person with two accounts, or one home.

Such games are not rated. Only games of two that one of them won are counted: a larger one does not say whose network
was the same. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ratscrew.accounts.one_sided import FOUND_MOST, GAMES_LEAST
from ratscrew.accounts.results import GameResult


class OneNetwork(NamedTuple):
    """`loser` was behind `winner` in `lost` of `games` in one network, in as many as the other way round or more."""

    loser: str
    winner: str
    lost: int
    games: int


def one_network(results: Iterable[GameResult]) -> list[OneNetwork]:
    """The pairs with so many games in one network that an operator may want to look, those with the most first."""
    behind = Counter[tuple[str, str]]()
    for result in results:
        if "same_network" in result.unrated and len({place.rank for place in result.places}) == len(result.places) == 2:
            winner, loser = (place.account for place in sorted(result.places, key=lambda place: place.rank))
            behind[loser, winner] += 1
    found = []
    for (loser, winner), lost in behind.items():
        won = behind.get((winner, loser), 0)
        if lost + won >= GAMES_LEAST and (lost, winner) > (won, loser):
            found.append(OneNetwork(loser, winner, lost, lost + won))
    return sorted(found, key=lambda pair: (-pair.games, pair))[:FOUND_MOST]
