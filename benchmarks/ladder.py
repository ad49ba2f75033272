"""The strength of the ladder's opponents: they play each other and are rated; checks that they are in order.

    python -m benchmarks.ladder [--games 100] [--preset classic] [--seed 1] [--json] [--winners FILE]

Each plays the next two above it, two at a table, and leads in every other game; in simulated time.
The games are rated as they came (openskill's Plackett-Luce), and again in many draws of as many of them with
replacement: between the bounds lies the rating in 95 % of these. The exit code is 0 if every opponent beats the one
below it by more than chance would in 1 of 40 times. `--winners` writes the winner of every game to a CSV file:
docs/studies/ladder.csv has those of the page, so that a test can replay some of them.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from ratscrew.bots.ladder import BOTS, LADDER
from ratscrew.lab.simulation import run
from ratscrew.rules.presets import house

NEAR = 2
"""How many steps above each opponent plays."""

DRAWS = 100
PROCESSES = 2


class GameResult(NamedTuple):
    """The result of a game: the winner is 0 for the lower opponent, 1 for the higher, None for a draw."""

    lower: str
    higher: str
    winner: int | None


class Fixture(NamedTuple):
    """Games to be played between two opponents."""

    lower: str
    higher: str
    preset: str
    seed: int
    games: int


def play(fixture: Fixture, numbers: Sequence[int] | None = None) -> list[GameResult]:
    """The games of a fixture, or those with these numbers, from 0."""
    rules, pair = house(fixture.preset), (fixture.lower, fixture.higher)
    results = []
    for number in range(fixture.games) if numbers is None else numbers:
        swapped = number % 2
        seats = [BOTS[pair[swapped]], BOTS[pair[1 - swapped]]]
        wins = run(rules, seats, 1, fixture.seed, first=number).wins
        winner = wins.index(1) ^ swapped if 1 in wins else None
        results.append(GameResult(*pair, winner))
    return results


def fixtures(names: Sequence[str], preset: str, games: int, seed: int) -> Iterable[Fixture]:
    """The pairings; each pair has games of its own."""
    for far in range(1, NEAR + 1):
        for place, (lower, higher) in enumerate(zip(names, names[far:], strict=False)):
            yield Fixture(lower, higher, preset, seed * 1000 + far * 100 + place, games)


def rate(results: Iterable[GameResult], names: Iterable[str]) -> dict[str, float]:
    """The rating of each opponent after these games."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    for result in results:
        if result.winner is not None:
            pair = (result.lower, result.higher)
            first, second = pair[result.winner], pair[1 - result.winner]
            ((ratings[first],), (ratings[second],)) = model.rate([[ratings[first]], [ratings[second]]])
    return {name: rating.mu for name, rating in ratings.items()}


def bounds(values: Iterable[float]) -> tuple[float, float]:
    """The bounds of the middle 95 % of the values."""
    ordered = sorted(values)
    cut = len(ordered) // 40
    return ordered[cut], ordered[-1 - cut]


def write_winners(file: Path, results: Iterable[GameResult]) -> None:
    """Write one row for each pair, with a digit for each game: 0 if the lower won, 1 for the higher, - for a draw."""
    winners: dict[tuple[str, str], str] = {}
    for result in results:
        pair = result.lower, result.higher
        winners[pair] = winners.get(pair, "") + ("-" if result.winner is None else str(result.winner))
    with file.open("w", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([("lower", "higher", "winners"), *((*pair, row) for pair, row in winners.items())])


def read_winners(file: Path) -> dict[tuple[str, str], str]:
    """The rows of `write_winners`, by pair: the lower opponent and the higher."""
    with file.open(encoding="utf-8", newline="") as text:
        return {(row["lower"], row["higher"]): row["winners"] for row in csv.DictReader(text)}


def report(preset: str, games: int, seed: int, winners: Path | None = None) -> dict[str, Any]:
    """The results, as `--json` prints them."""
    names, chance = [*LADDER], Random(seed)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        results = [result for some in pool.map(play, fixtures(names, preset, games, seed)) for result in some]
    if winners:
        write_winners(winners, results)
    chance.shuffle(results)
    draws = [rate(chance.choices(results, k=len(results)), names) for _ in range(DRAWS)]
    ratings, steps = rate(results, names), dict[str, Any]()
    for lower, name in pairwise(names):
        wins = [float(result.winner == 1) for result in results if (result.lower, result.higher) == (lower, name)]
        shares = (sum(chance.choices(wins, k=len(wins))) / len(wins) for _ in range(DRAWS * 10))
        low, high = bounds(shares)
        steps[name] = {"over": lower, "games": len(wins), "share": sum(wins) / len(wins), "low": low, "high": high}
    found = {
        name: {"rating": ratings[name], "low": low, "high": high}
        for name in names
        for low, high in [bounds(draw[name] for draw in draws)]
    }
    return {"preset": preset, "ratings": found, "steps": steps, "ordered": all(s["low"] > 0.5 for s in steps.values())}


def show(found: dict[str, Any]) -> None:
    """Print the report as a Markdown table."""
    print(f"house {found['preset']}; ratings and shares with 95 % bounds\n")
    print("| opponent | rating | wins over the one below, % |\n|---|---|---|")
    for name, each in found["ratings"].items():
        step = found["steps"].get(name)
        share = f"{step['share']:.0%} ({step['low']:.0%} to {step['high']:.0%})" if step else "–"
        print(f"| {name.capitalize()} | {each['rating']:.1f} ({each['low']:.1f} to {each['high']:.1f}) | {share} |")
    print("\nin order" if found["ordered"] else "\nNOT in order: a bound lies below a half")


def main() -> int:
    """Measure and print; 1 if the ladder is not in order."""
    parser = argparse.ArgumentParser(description="How strong the opponents of the ladder are.")
    parser.add_argument("--games", type=int, default=100, help="how many games each pair plays")
    parser.add_argument("--preset", default="classic", help="the house they play")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same games")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--winners", type=Path, help="write the winner of every game to this CSV file")
    arguments = parser.parse_args()
    found = report(arguments.preset, arguments.games, arguments.seed, arguments.winners)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
    return 0 if found["ordered"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
