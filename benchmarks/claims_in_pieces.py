"""The results of the claims' games, ten games at a time, so that a test can replay some of them.

    python -m benchmarks.claims_in_pieces [--threads 2]     # play all of them and write the table

The bots of the claims play by the engine, where a thousand games take minutes. The sums of the pieces must be the rows
of docs/studies/claims.csv, and each piece must come out the same when it is played again.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from ratscrew.cli.rules import find
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import parse_grid
from ratscrew.lab.play import chunk_bounds, play_chunks
from ratscrew.lab.tally import Tally

STUDIES = Path(__file__).resolve().parent.parent / "docs" / "studies"
GRID, FILE = STUDIES / "claims.toml", STUDIES / "claims-in-pieces.csv"
FIGURES = ("wins", "cards", "tricks", "time_us", "good", "wrong")
"""The figures of a piece; for counts by seat, those of seat 0 and seat 1 separated by a space."""


def experiments() -> list[Experiment]:
    """The experiments of the claims, in their order."""
    return [cell.experiment for cell in parse_grid(GRID.read_text(encoding="utf-8"), find)]


def row(experiment: Experiment, first: int, tally: Tally) -> dict[str, str]:
    """A piece as a row of the table: its line-up, its first game, how many games it has, and its figures."""
    named = {"lineup": ",".join(experiment.bots), "first": str(first), "games": str(tally.games)}
    return named | {name: _text(getattr(tally, name)) for name in FIGURES}


def play(experiment: Experiment, first: int, last: int) -> dict[str, str]:
    """Play the games from `first` up to, but without, `last`."""
    (tally,) = play_chunks(experiment.rules, experiment.lineup, [first, last], experiment.seed)
    return row(experiment, first, tally)


def play_all(threads: int) -> Iterator[dict[str, str]]:
    """Play every piece of every claim."""
    for experiment in experiments():
        places = chunk_bounds(experiment.games)
        played = play_chunks(experiment.rules, experiment.lineup, places, experiment.seed, threads=threads)
        for (first, _), tally in zip(pairwise(places), played, strict=True):
            yield row(experiment, first, tally)


def _text(figure: Any) -> str:
    return " ".join(map(str, figure)) if isinstance(figure, tuple) else str(figure)


def main() -> None:
    """Play everything and write the table, row by row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.claims_in_pieces", description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["lineup", "first", "games", *FIGURES], lineterminator="\n")
        writer.writeheader()
        for each in play_all(parser.parse_args().threads):
            writer.writerow(each)
            file.flush()


if __name__ == "__main__":
    main()
