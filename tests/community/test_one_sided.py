"""A player who loses on purpose to a second account is listed; honest players of any strengths are not."""

from __future__ import annotations

from random import Random

import pytest

from ratscrew.accounts.one_sided import one_sided
from ratscrew.accounts.ratings import SAME_PLAYERS_MOST
from ratscrew.accounts.results import GameResult, RankedPlayer
from tests.community.rated_games import NOVEMBER_US

CLASSIC = "1;classic"
STRENGTHS = dict(zip("abcdefgh", (1.0, 1.0, 1.5, 1.5, 2.0, 2.0, 3.0, 4.0), strict=True))
"""How often each of these wins: a game of two is won in proportion to the strengths, as by Bradley and Terry."""


def won(number: int, *order: str) -> GameResult:
    """A game that these accounts finish in this order."""
    places = tuple(RankedPlayer(account, seat, seat) for seat, account in enumerate(order))
    return GameResult(f"G-{number}", NOVEMBER_US + number * 10_000_000_000, CLASSIC, places)


def evening(seed: int, games: int = 400) -> list[GameResult]:
    """Honest games of two or three."""
    random, played = Random(seed), []
    for number in range(games):
        table = random.sample(sorted(STRENGTHS), random.choice((2, 2, 3)))
        order = []
        while table:
            first = random.choices(table, [STRENGTHS[account] for account in table])[0]
            table.remove(first)
            order.append(first)
        played.append(won(number, *order))
    return played


@pytest.mark.parametrize("seed", range(5))
def test_honest_players_of_different_strengths_are_not_listed(seed: int) -> None:
    assert one_sided(evening(seed), [CLASSIC]) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_strong_player_who_loses_on_purpose_to_a_weak_account_is_listed_and_nobody_else(seed: int) -> None:
    """Among 400 honest games are forty that are not: as many as count on two days."""
    games = evening(seed) + [won(1000 + number, "a", "h") for number in range(2 * SAME_PLAYERS_MOST)]
    (pair,) = one_sided(games, [CLASSIC])
    assert (pair.loser, pair.winner) == ("h", "a")
    assert pair.lost >= 2 * SAME_PLAYERS_MOST
    assert pair.expected < pair.games / 2


def test_an_account_that_only_ever_loses_to_another_one_is_listed() -> None:
    """The second account plays nobody else; the first is of ordinary strength."""
    games = evening(2) + [won(1000 + number, "c", "second") for number in range(15)]
    (pair,) = one_sided(games, [CLASSIC])
    assert (pair.loser, pair.winner, pair.lost, pair.games) == ("second", "c", 15, 15)


def test_by_hand() -> None:
    """Two accounts without other games: each game is even, so 14 losses of 14 have the probability 2 ** -14."""
    games = [won(number, "x", "y") for number in range(14)]
    (pair,) = one_sided(games, [CLASSIC])
    assert (pair.loser, pair.winner, pair.games) == ("y", "x", 14)
    assert pair.expected == pytest.approx(7)
    assert pair.chance == pytest.approx(2**-14)
    assert one_sided(games[:13], [CLASSIC]) == []


def test_by_hand_with_other_games() -> None:
    """Behind the others in 4 of 9 and ahead of the others in 2 of 7: the odds are 5/6 · 3/6, the chance 5/17."""
    games = [won(number, "x", "y") for number in range(12)]
    games += [won(100 + n, "o", "y") for n in range(4)] + [won(200 + n, "y", "o") for n in range(5)]
    games += [won(300 + n, "x", "p") for n in range(2)] + [won(400 + n, "p", "x") for n in range(5)]
    (pair,) = one_sided(games, [CLASSIC])
    assert pair.expected == pytest.approx(12 * 5 / 17)
    assert pair.chance == pytest.approx((5 / 17) ** 12)


def test_games_that_are_not_rated_do_not_count() -> None:
    games = [won(number, "x", "y") for number in range(14)]
    assert one_sided(games, ["1;tournament"]) == []
    assert one_sided(games, [CLASSIC], excluded=["y"]) == []


def test_pairs_may_have_thousands_of_games() -> None:
    """Even games, of which 1,100 of 2,000 are lost, are 4.45 standard deviations off: by the normal law 4.3e-6."""
    games = [won(number, *("xy" if number % 20 < 11 else "yx")) for number in range(2000)]
    (pair,) = one_sided(games, [CLASSIC])
    assert (pair.loser, pair.lost, pair.games) == ("y", 1100, 2000)
    assert pair.chance == pytest.approx(4.3e-6, rel=0.1)
