"""How many games lost on purpose `ratscrew ratings flags` finds among honest ones, and what the command costs.

    python -m benchmarks.sandbagging [--evenings N] [--games N] [--season N] [--json]

**What is found.** Eight players of different strengths play honest games of two and three, won in proportion to the
strengths, as by Bradley and Terry. Then one of them loses some games of two to another on purpose. The figure is the
share of evenings in which that pair is listed. With no such game it is the share of evenings in which any pair is
listed: all of them are honest.

**What it costs.** The whole command on a file with N games of N / 20 accounts in one season, and with four times as
many, in one run: the ratio of the CPU times is 4 if it is linear. The memory is the largest that Python had at once.
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from collections.abc import Sequence
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ratscrew.accounts.one_sided import one_sided
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result
from ratscrew.cli.people.ratings import print_flags
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry

CLASSIC = "1;classic"
STRENGTHS = dict(zip("abcdefgh", (1.0, 1.0, 1.5, 1.5, 2.0, 2.0, 3.0, 4.0), strict=True))
DELIBERATE = (0, 5, 10, 15, 20, 30, 40)
PAIRS = {"the strongest to the weakest": ("h", "a"), "the weakest to the strongest": ("a", "h"), "equals": ("c", "d")}
"""Who loses on purpose to whom."""

OCTOBER_US = 1_790_812_800_000_000
"""The beginning of a quarter of a year, and so of a season: 2026-10-01."""

MINUTE_US = 60 * 1_000_000
GAMES_OF_AN_ACCOUNT = 40
"""In the measurement of costs. A game has two accounts, so there are games / 20 of them."""

REACTIONS = {"double": (380,) * 6, "sandwich": (420,) * 4}
"""About as many as a result has."""


class Cost(NamedTuple):
    """What the command took. Units: s of CPU, MB."""

    games: int
    cpu_s: float
    memory_mb: float


def won(number: int, *order: str) -> GameResult:
    """A game that these accounts finish in this order; one each minute."""
    places = tuple(RankedPlayer(account, seat, seat) for seat, account in enumerate(order))
    return GameResult(f"G-{number}", OCTOBER_US + number * MINUTE_US, CLASSIC, places, (), REACTIONS)


def honest(seed: int, games: int) -> list[GameResult]:
    """Games of two or three of players drawn at random, won in proportion to their strengths."""
    random, played = Random(seed), []
    for number in range(games):
        table = random.sample(sorted(STRENGTHS), random.choice((2, 2, 3)))
        order = list[str]()
        while table:
            order.append(random.choices(table, [STRENGTHS[account] for account in table])[0])
            table.remove(order[-1])
        played.append(won(number, *order))
    return played


def is_listed(seed: int, games: int, deliberate: int, loser: str, winner: str) -> bool:
    """Whether a pair is listed after so many deliberate losses; without any, whether any pair is."""
    played = honest(seed, games) + [won(games + number, winner, loser) for number in range(deliberate)]
    listed = [(pair.loser, pair.winner) for pair in one_sided(played, [CLASSIC])]
    return (loser, winner) in listed if deliberate else bool(listed)


def shares(evenings: int, games: int, deliberate: Sequence[int] = DELIBERATE) -> dict[str, dict[int, float]]:
    """The share of evenings in which each pair is listed, by the number of games lost on purpose."""
    return {
        what: {
            number: sum(is_listed(seed, games, number, *pair) for seed in range(evenings)) / evenings
            for number in deliberate
        }
        for what, pair in PAIRS.items()
    }


def season(games: int) -> list[GameResult]:
    """Games of two accounts drawn at random, each of which plays about `GAMES_OF_AN_ACCOUNT` of them."""
    random, accounts = Random(games), range(2 * games // GAMES_OF_AN_ACCOUNT)
    return [won(number, *(f"{account:016x}" for account in random.sample(accounts, 2))) for number in range(games)]


def cost(games: int) -> Cost:
    """What `ratscrew ratings flags` takes with so many games."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        with closing(SqliteLog(file, Codec[Entry](Entry), "process")) as log:
            for result in season(games):
                put_result(log, result)
        with redirect_stdout(StringIO()):
            began = time.process_time()
            print_flags(file)
            cpu_s = time.process_time() - began
            tracemalloc.start()
            print_flags(file)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return Cost(games, cpu_s, peak / 1e6)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How many deliberate losses `ratings flags` finds, and at what cost.")
    parser.add_argument("--evenings", type=int, default=200, help="how many for each figure (200)")
    parser.add_argument("--games", type=int, default=400, help="honest games of an evening (400)")
    parser.add_argument("--season", type=int, default=10_000, help="games of the smaller season (10,000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    listed = shares(arguments.evenings, arguments.games)
    small, large = (cost(games) for games in (arguments.season, 4 * arguments.season))
    if arguments.json:
        print(json.dumps({"listed": listed, "costs": [small._asdict(), large._asdict()]}))
        return
    print(f"games lost on purpose beside {arguments.games} honest ones: the share of {arguments.evenings} evenings")
    print(f"{'in which the pair is listed':30}" + "".join(f"{deliberate:7}" for deliberate in DELIBERATE))
    for what, found in listed.items():
        print(f"{what:30}" + "".join(f"{found[deliberate]:7.1%}" for deliberate in DELIBERATE))
    for each in (small, large):
        print(f"{each.games:,} games: {each.cpu_s:.2f} s of CPU, {each.memory_mb:.0f} MB")
    print(f"four times as many games take {large.cpu_s / small.cpu_s:.1f} times as long")


if __name__ == "__main__":
    main()
