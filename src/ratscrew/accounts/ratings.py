"""Ratings by openskill (Plackett-Luce), free-for-all: one fold over a season's results, in the order of their ends.

A rating is never stored: it follows from the results, which follow from the games' logs. So a server that was
restarted, another node and `ratscrew ratings rebuild` have the same numbers to the last digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from openskill.models import PlackettLuce

from ratscrew.accounts.results import GameResult
from ratscrew.game.codec import Codec

RATED = ("1;classic", "1;tournament")
"""The rules that are rated everywhere, by their short texts; the operator can add more."""

PLAYERS_MOST = 8
"""A table with more players is not rated."""

CERTAIN_SIGMA = 6.0
"""Below this a rating is no longer provisional: after about 15 games of two players."""

SAME_PLAYERS_MOST = 20
"""How many games of the same players are rated a day: two accounts cannot push each other up without end."""

_DAY_US = 24 * 3600 * 1_000_000
_MODEL = PlackettLuce(limit_sigma=True)
"""Without the limit a settled player becomes less certain with each game, and may lose points by a win."""


class Rating(NamedTuple):
    """A rating on openskill's scale: the estimate `mu`, its uncertainty `sigma`, and the number of rated games."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    games: int = 0

    @property
    def provisional(self) -> bool:
        """Whether it is still uncertain."""
        return self.sigma >= CERTAIN_SIGMA

    @property
    def points(self) -> int:
        """The rating as players see it: 1000 for a new one, and what is certain of it counts."""
        return max(0, round(1000 + 40 * (self.mu - 3 * self.sigma)))


NEW = Rating()


class Change(NamedTuple):
    """A player's rating after a game."""

    game: str
    end_us: int
    rating: Rating


class Ratings:
    """The ratings of one season under each of the rated rules, as results come in.

    `excluded` are the accounts whose games are not rated. A result that comes late, as from another node, is put at its
    place: the few after it are undone and rated again.
    """

    def __init__(self, rules: Collection[str], excluded: Collection[str] = ()) -> None:
        self._rules, self._excluded = frozenset(rules), frozenset(excluded)
        self._results: dict[str, GameResult] = {}
        self._games_of: dict[str, list[str]] = {}
        self._clear()

    @property
    def excluded(self) -> frozenset[str]:
        """The accounts whose games are not rated."""
        return self._excluded

    def add(self, results: Iterable[GameResult]) -> None:
        """Rate games; those that are known already change nothing."""
        unknown = {each.game: each for each in results if each.game not in self._results}
        new = sorted(unknown.values(), key=lambda result: result.order)
        self._results |= unknown
        for result in new:
            for place in result.places:
                self._games_of.setdefault(place.account, []).append(result.game)
        later = self._undo_after(new[0].order) if new else []
        for result in sorted([*later, *new], key=lambda result: result.order) if later else new:
            self._rate(result)

    def rename(self, account: str, pseudonym: str) -> None:
        """Put a pseudonym in place of a deleted account: the ratings of all others stay the same."""
        games = self._games_of.pop(account, [])
        self._games_of[pseudonym] = games
        for result in [self._results[game] for game in dict.fromkeys(games)]:
            for key in [key for key in [_together(result)] if key in self._together]:
                self._together[key[0], key[1] - {account} | {pseudonym}] = self._together.pop(key)
            places = tuple(
                replace(place, account=pseudonym) if place.account == account else place for place in result.places
            )
            self._results[result.game] = replace(result, places=places)
        for rules in self._rules:
            for known in (self._ratings, self._history):
                if (found := known.pop((rules, account), None)) is not None:
                    known[rules, pseudonym] = found  # type: ignore[assignment]
        if account in self._excluded:
            self._excluded = self._excluded - {account} | {pseudonym}

    def exclude(self, accounts: Collection[str]) -> None:
        """Change whose games are not rated; if that differs, every game is rated again."""
        if frozenset(accounts) != self._excluded:
            self._excluded = frozenset(accounts)
            self._rate_all()

    def rates(self, result: GameResult) -> bool:
        """Whether a game is rated, unless the same players have had too many that day."""
        accounts = [place.account for place in result.places]
        return (
            not result.unrated
            and result.rules in self._rules
            and 2 <= len(accounts) <= PLAYERS_MOST
            and self._excluded.isdisjoint(accounts)
        )

    def rating(self, rules: str, account: str) -> Rating:
        """The rating of an account under these rules; that of a new player if it has none."""
        return self._ratings.get((rules, account), NEW)

    def leaders(self, rules: str) -> list[tuple[str, Rating]]:
        """All rated accounts, the best first. May be called from any thread."""
        now = list(self._ratings.items())
        found = [(account, rating) for (house, account), rating in now if house == rules]
        return sorted(found, key=lambda item: (item[1].provisional, -item[1].points, item[0]))

    def history(self, rules: str, account: str) -> list[Change]:
        """The changes of an account's rating, oldest first."""
        return self._history.get((rules, account), [])

    def __contains__(self, game: object) -> bool:
        return game in self._results

    def __len__(self) -> int:
        return len(self._results)

    def _clear(self) -> None:
        self._ratings: dict[tuple[str, str], Rating] = {}
        self._history: dict[tuple[str, str], list[Change]] = {}
        self._together: Counter[tuple[int, frozenset[str]]] = Counter()
        self._order: list[tuple[int, str]] = []

    def _undo_after(self, order: tuple[int, str]) -> list[GameResult]:
        """Undo the games after a place in the order, and return them. A late result is seldom later than by seconds."""
        undone: list[GameResult] = []
        while self._order and self._order[-1] > order:
            result = self._results[self._order.pop()[1]]
            undone.append(result)
            if self.rates(result):
                self._together[_together(result)] -= 1
            for place in result.places:
                key = result.rules, place.account
                if (history := self._history.get(key)) and history[-1].game == result.game:
                    history.pop()
                    self._ratings[key] = history[-1].rating if history else NEW
                if not history:
                    self._history.pop(key, None)
                    self._ratings.pop(key, None)
        return undone

    def _rate_all(self) -> None:
        self._clear()
        for result in sorted(self._results.values(), key=lambda result: result.order):
            self._rate(result)

    def _rate(self, result: GameResult) -> None:
        self._order.append(result.order)
        if not self.rates(result):
            return
        accounts = [place.account for place in result.places]
        together = _together(result)
        self._together[together] += 1
        if self._together[together] > SAME_PLAYERS_MOST:
            return
        before = [self.rating(result.rules, account) for account in accounts]
        ranks = [place.rank for place in result.places]
        after = rated(before, ranks)
        if result.voters:
            after = [
                _as_last(before, number) if account in result.voters else old
                for number, (account, old) in enumerate(zip(accounts, before, strict=True))
            ]
        for account, old, rating in zip(accounts, before, after, strict=True):
            if rating is not old:
                self._ratings[result.rules, account] = rating
                self._history.setdefault((result.rules, account), []).append(Change(result.game, result.end_us, rating))


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings of players after a game that they finish with these ranks."""
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    found = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(new.mu, new.sigma, old.games + 1) for old, (new,) in zip(before, found, strict=True)]


def _as_last(before: Sequence[Rating], number: int) -> Rating:
    """The rating of a player who helped to vote another one out: that of the worst result, and never more points.

    The worst is to come last, after the others in the order of their strength. So no removal brings points.
    """
    others = sorted((other for other in range(len(before)) if other != number), key=lambda other: -before[other].mu)
    order = [*others, number]
    after, old = rated(before, [order.index(player) for player in range(len(before))])[number], before[number]
    gains = after.mu - 3 * after.sigma > old.mu - 3 * old.sigma
    return Rating(old.mu, old.sigma, after.games) if gains else after


def _together(result: GameResult) -> tuple[int, frozenset[str]]:
    """The day and the players of a game."""
    return result.end_us // _DAY_US, frozenset(place.account for place in result.places)


RATING = Codec[Rating](Rating)
