"""The final standings of past seasons. A season is rated once more, an hour after its end, and its best are stored."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from ratscrew.accounts.ratings import Ratings
from ratscrew.accounts.results import read_results, seasons
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec

ARCHIVED_MOST = 200
"""How many players of a season are stored for each of its rules."""


class SeasonStanding(Struct, frozen=True):
    """A player's final rating in a season, as players see it."""

    account: str
    points: int
    provisional: bool
    games: int


_STANDINGS = Codec[list[SeasonStanding]](list[SeasonStanding])


def archive_seasons(values: Values, before: str, rules: Collection[str], excluded: Collection[str]) -> None:
    """Store the standings of the seasons before one, unless they are stored.

    Raises: LogError; the call can be repeated.
    """
    for season in seasons(values):
        if season < before and not values.get(f"{PREFIX}archived/{season}/"):
            ratings = Ratings(rules, excluded)
            ratings.add(read_results(values, season))
            for house in rules:
                if found := standings(ratings, house, ARCHIVED_MOST):
                    values.put(f"{PREFIX}archive/{season}/{house}/", _STANDINGS.encode(found))
            values.put(f"{PREFIX}archived/{season}/", b"1")


def standings(ratings: Ratings, rules: str, most: int) -> list[SeasonStanding]:
    """The standings under these rules, the best first."""
    return [
        SeasonStanding(account, rating.points, rating.provisional, rating.games)
        for account, rating in ratings.leaders(rules)[:most]
    ]


def read_archive(values: Values, season: str, rules: str) -> list[SeasonStanding]:
    """The final standings of a season under these rules; none if nobody was rated."""
    found = values.get(f"{PREFIX}archive/{season}/{rules}/")
    return _STANDINGS.decode(next(iter(found.values()))) if found else []


def archived_standings(values: Values, account: str) -> dict[str, SeasonStanding]:
    """The standings of an account in past seasons, by season and rules."""
    prefix = f"{PREFIX}archive/"
    return {
        name[len(prefix) : -1]: each
        for name, value in values.get(prefix).items()
        for each in _STANDINGS.decode(value)
        if each.account == account
    }


def forget_in_archives(values: Values, account: str) -> None:
    """Delete an account from the standings of past seasons.

    Raises: LogError; the call can be repeated.
    """
    for name, value in values.get(f"{PREFIX}archive/").items():
        found = _STANDINGS.decode(value)
        left = [each for each in found if each.account != account]
        if len(left) < len(found):
            values.put(name, _STANDINGS.encode(left))
