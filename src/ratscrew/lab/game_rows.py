"""One row for each game of an experiment, for questions that its totals cannot answer.

The games are those of a run: game 7 of a seed is the same game. Each row names its house, bots, seed and sources.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import pairwise
from typing import Any

import polars as pl

from ratscrew.bots.user_modules import load_all
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.pieces import check_sources
from ratscrew.lab.play import chunk_bounds, play_singly
from ratscrew.lab.provenance import Provenance, provenance
from ratscrew.lab.study import MINUTE_US, pad_to_seats, slappable_patterns
from ratscrew.lab.tally import Tally


def game_rows(
    experiment: Experiment,
    *,
    executor: Executor | None = None,
    engine: bool = False,
    on_progress: Callable[[int], object] = lambda games: None,
) -> pl.DataFrame:
    """The games of an experiment, here or on the workers of an executor.

    Raises: RatscrewError if a worker has other sources.
    """
    pieces = list(pairwise(chunk_bounds(experiment.games)))
    tables = []
    if executor is None:
        for first, last in pieces:
            tables.append(_rows(experiment, first, last - first, engine))
            on_progress(last - first)
        return pl.concat(tables)
    futures = [executor.submit(rows_on_worker, experiment, first, last - first, engine) for first, last in pieces]
    try:
        for (first, last), future in zip(pieces, futures, strict=True):
            table, played = future.result()
            check_sources(played, experiment)
            tables.append(table)
            on_progress(last - first)
    finally:
        for future in futures:
            future.cancel()
    return pl.concat(tables)


def rows_on_worker(experiment: Experiment, first: int, games: int, engine: bool) -> tuple[pl.DataFrame, Provenance]:
    """Some games of an experiment, and the sources that played them. This runs on a worker."""
    load_all(experiment.modules)
    return _rows(experiment, first, games, engine), provenance(experiment.user_modules)


def _rows(experiment: Experiment, first: int, games: int, engine: bool) -> pl.DataFrame:
    rules, seats = experiment.rules, len(experiment.bots)
    patterns, played = slappable_patterns(rules), provenance(experiment.user_modules)
    same = {
        "house": experiment.house,
        "lineup": ",".join(experiment.bots),
        "seed": experiment.seed,
        "version": played.version,
        "source": played.source,
    }
    tallies = play_singly(rules, experiment.lineup, games, experiment.seed, first=first, engine=engine)
    rows = [
        {"game": number, **_row(tally, seats), **{f"slapped.{name}": tally.slaps.get(name, 0) for name in patterns}}
        for number, tally in enumerate(tallies, first)
    ]
    table = pl.DataFrame(rows, schema_overrides={"winner": pl.Int64})
    return table.with_columns(pl.lit(value).alias(name) for name, value in same.items())


def _row(tally: Tally, seats: int) -> dict[str, Any]:
    """A game; without a winner it was drawn, or lost by everybody, or given up."""
    return {
        "winner": tally.wins.index(1) if any(tally.wins) else None,
        "all_lose": bool(tally.all_lose),
        "never_ended": bool(tally.never_ended),
        "comeback": bool(tally.comebacks),
        "cards": tally.cards,
        "tricks": tally.tricks,
        "minutes": tally.time_us / MINUTE_US,
        **{f"good_slaps.{seat}": count for seat, count in enumerate(pad_to_seats(tally.good, seats))},
        **{f"wrong_slaps.{seat}": count for seat, count in enumerate(pad_to_seats(tally.wrong, seats))},
    }
