"""Figures that other people's programs have published, beside ours: python -m benchmarks.published [games]

Camicia is Beggar-My-Neighbour with 40 cards, where an ace, a two and a three ask for one, two and three cards. The
program KevinDeNotariis/Beggar-my-neighbour counts *turns* in ten million games: one for each time that a player begins
to turn cards, however many these are. It starts at one, and also counts the turn at which a player has no card to
answer with.

djpitzele/SlapjackSimulator plays two players of whom the first is the faster hand at a given share of all doubles and
sandwiches, never misses one and never errs. The player next to the one of the last card leads after every pile, which
no house here does.
"""

from __future__ import annotations

import sys

import numpy as np

from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.runner import Kernel, run
from ratscrew.rules.presets import house

GAMES = 50_000
MOST_CARDS = 5_000
"""A longer game of Camicia is an error; the longest that was published has fewer."""

CAMICIA = {"mean": 155.3, "median": 117, "90 %": 319, "99 %": 608}
"""Of the ten million games in the program's `stat.txt`."""

SHARES = {0.5: 0.498, 0.55: 0.630, 0.6: 0.765, 0.7: 0.910}
"""Wins of the first player, by the share of slaps in which that player is first."""


def camicia_turns(games: int) -> np.ndarray:
    """How many turns each game of Camicia has, as that program counts them."""
    off = dict.fromkeys("JQKA", 0)
    paying = {"A": 1, "2": 2, "3": 3}
    rules = house("beggar", without=["8", "9", "T"], chances=off | paying, run_out="challenger_takes")
    kernel = Kernel.of(rules, [hand(1.0)] * 2, MOST_CARDS)
    return np.array([turns(kernel.trace(1, number)[0]) for number in range(games)])


def turns(rows: np.ndarray) -> int:
    """The turns of a game by its rows (time, kind, seat, card, count)."""
    rows = np.array(rows.tolist())
    seats, winner = rows[rows[:, 1] == trace.PLAYED, 2], rows[rows[:, 1] == trace.WON, 2][0]
    return int(2 + np.count_nonzero(np.diff(seats)) + (seats[-1] == winner))


def hand(slowness: float) -> ReflexBot:
    """A player who never errs: beyond 250 ms, reactions are exponential, with a mean of 20 ms times the slowness."""
    return ReflexBot(Reflexes(250_000, 0, round(20_000 * slowness), 0, 800_000, 0, 0, 0))


def wins(share: float, games: int) -> tuple[float, float]:
    """The share of games that a player wins who is first at such a share of the slaps, and the share of slaps."""
    rules = house(slaps={"instant": []}, slap_in="no", endgame="sole_holder", run_out="challenger_takes")
    tally = run(rules, [hand(1.0), hand(share / (1 - share))], games, 1)
    return tally.wins[0] / sum(tally.wins), tally.good[0] / sum(tally.good)


def main(games: int) -> None:
    """Print both comparisons."""
    counted = camicia_turns(games)
    ours = {"mean": counted.mean()} | {
        name: np.quantile(counted, share) for name, share in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99))
    }
    error = 1.96 * counted.std() / games**0.5
    print(f"Camicia, turns of a game ({games:,} games; the mean is known to {error:.1f})")
    for name, published in CAMICIA.items():
        print(f"{name:8} published {published:6} ours {ours[name]:6.1f}")
    print("share of slaps: wins of the first of two players")
    for share, published in SHARES.items():
        won, slapped = wins(share, games)
        print(
            f"{share:<8} published {published:.3f} ours {won:.3f} (+-{1.96 * (won * (1 - won) / games) ** 0.5:.3f}), ",
            end="",
        )
        print(f"with {slapped:.3f} of the slaps")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
