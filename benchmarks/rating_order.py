"""After how many games the ratings of ten bots are in the order of their known strength, and stay so.

    python -m benchmarks.rating_order [--games 1500] [--seasons 6] [--seed 1] [--json]

The bots are the opponents of the ladder, whose order `python -m benchmarks.ladder` has measured without these ratings.
In each season they start as new players. Two of them drawn at random play a game in `classic` in simulated time, and
its result is rated as the server rates it. A season is in order from the game on after which the leaderboard shows the
bots by their strength until its last game. The exit code is 1 if a season ends out of order.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import median

from ratscrew.accounts.ratings import RATED, Ratings
from ratscrew.accounts.results import GameResult, RankedPlayer
from ratscrew.bots.ladder import BOTS, LADDER
from ratscrew.lab.simulation import run
from ratscrew.rules.presets import house

HOUR_US = 3600 * 1_000_000
"""The time between two games: so few of one pair are on one day that all of them are rated."""

PROCESSES = 2


def play(season: int, games: int, seed: int) -> list[GameResult]:
    """The results of a season's games, without draws."""
    chance, rules, results = Random(f"{seed} {season}"), house("classic"), []
    for number in range(games):
        pair = chance.sample([*LADDER], 2)
        wins = run(rules, [BOTS[name] for name in pair], 1, seed * 1000 + season, first=number).wins
        if 1 in wins:
            places = tuple(RankedPlayer(name, seat, int(seat != wins.index(1))) for seat, name in enumerate(pair))
            results.append(GameResult(f"{season}-{number}", number * HOUR_US, RATED[0], places))
    return results


def in_order_from(results: Sequence[GameResult]) -> int | None:
    """The game from which on the leaderboard is in order; None if it is not at the end."""
    ratings, strongest_first = Ratings(RATED), [*LADDER][::-1]
    since: int | None = None
    for number, result in enumerate(results, 1):
        ratings.add([result])
        if [account for account, _ in ratings.leaders(RATED[0])] != strongest_first:
            since = None
        elif since is None:
            since = number
    return since


def main() -> int:
    """Measure and print; 1 if a season ends out of order."""
    parser = argparse.ArgumentParser(description="After how many games ratings show the true order of ten bots.")
    parser.add_argument("--games", type=int, default=1500, help="the games of a season (1500)")
    parser.add_argument("--seasons", type=int, default=6, help="how many seasons (6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        seasons = pool.map(partial(play, games=arguments.games, seed=arguments.seed), range(arguments.seasons))
        found = [in_order_from(results) for results in seasons]
    ordered = [since for since in found if since is not None]
    if arguments.json:
        print(json.dumps({"games": arguments.games, "in_order_from": found}))
    else:
        each = ", ".join("never" if since is None else str(since) for since in found)
        print(f"of {arguments.games} games between ten bots, in order from game {each}")
        print(f"median {median(ordered):.0f}, at most {max(ordered)}" if ordered else "never in order")
    return 0 if len(ordered) == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
