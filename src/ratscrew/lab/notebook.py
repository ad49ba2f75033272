"""The lab for notebooks: results that show themselves as tables, pictures on white, and polars frames.

`from ratscrew import lab` is enough: `lab.new_experiment`, `lab.run_games`, `lab.compare_games`, `lab.run_grid`,
`lab.list_games`. examples/lab.ipynb shows them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path

import polars as pl
from matplotlib.figure import Figure
from msgspec import Struct

from ratscrew.bots.user_modules import load_all
from ratscrew.errors import RatscrewError
from ratscrew.lab import compare as comparing
from ratscrew.lab import run_plots, style, sweep, sweep_plots
from ratscrew.lab.compare import MetricDifference
from ratscrew.lab.executors import process_pool
from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.game_rows import game_rows
from ratscrew.lab.grid import parse_grid
from ratscrew.lab.pieces import play_all
from ratscrew.lab.report import metric_rows, seat_rows
from ratscrew.lab.statistics import ALPHA, Estimate
from ratscrew.lab.study import (
    LEAST_PERCENT,
    MOST_PERCENT,
    Run,
    figures,
    format_interval,
    format_metric,
    metric_label,
    precision_reached,
    run,
)
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house


class Picture:
    """A plot that a notebook shows, and that can be saved."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def _repr_svg_(self) -> str:
        with style.use(style.LIGHT):
            return style.svg(self.figure)

    def save(self, file: str) -> None:
        """Write it as PNG or SVG, by the file's suffix.

        Raises: RatscrewError for another suffix, or if the file cannot be written.
        """
        with style.use(style.LIGHT):
            style.save(self.figure, Path(file))


class GamesRun(Struct, frozen=True):
    """The results of an experiment, and the precision in percent if it was played until wins were known so well."""

    run: Run
    precision: float | None = None

    def to_polars(self) -> pl.DataFrame:
        """One row for each figure, with its interval where it has one."""
        none = (None, None)
        bounds = {name: (found.low, found.high) for name, found in self.run.estimates.items()}
        rows = [(name, rate, *bounds.get(name, none)) for name, rate in self.run.rates.items()]
        return pl.DataFrame(rows, schema=["figure", "value", "low", "high"], orient="row")

    def plot(self, picture: str = "wins") -> Picture:
        """One of the pictures: wins, lengths, slaps.

        Raises: RatscrewError if there is no such picture.
        """
        with style.use(style.LIGHT):
            drawn = run_plots.plot_all(self.run)
        if picture not in drawn:
            raise RatscrewError(f"{picture}: there is no such picture of a run; there are {', '.join(drawn)}")
        return Picture(drawn[picture])

    def _repr_html_(self) -> str:
        asked = self.run.experiment
        title = f"{asked.house}, {', '.join(asked.bots)}: {self.run.games:,} games, seed {asked.seed}"
        reached = _reached(self.run.wins_estimates, self.precision)
        return f"<p>{escape(title)}</p>{_table(seat_rows(self.run))}{_table(metric_rows(self.run))}{reached}"


class Comparison(Struct, frozen=True):
    """What differs between two experiments with the same shuffles, after so many games each."""

    games: int
    differences: list[MetricDifference]
    precision: float | None = None

    def to_polars(self) -> pl.DataFrame:
        """One row for each figure; p is after Holm's correction for all of them."""
        rows = [
            (each.name, each.ours, each.theirs, more.value, more.low, more.high, each.p)
            for each in self.differences
            if (more := each.difference)
        ]
        return pl.DataFrame(rows, schema=["figure", "a", "b", "more", "low", "high", "p"], orient="row")

    def _repr_html_(self) -> str:
        rows: list[Sequence[str]] = [("", "A", "B", "B has more", "between", "p, adjusted")]
        for one in self.differences:
            if not (one.ours or one.theirs):
                continue
            values = [format_metric(one.name, value) for value in (one.ours, one.theirs)]
            more = format_metric(one.name, one.difference.value, sign=True)
            between = format_interval(one.name, one.difference, True)
            p = "< 0.001" if one.p < 0.001 else f"{one.p:.3f}"
            rows.append((metric_label(one.name), *values, more, between, p))
        found = ", ".join(metric_label(one.name) for one in self.differences if one.significant)
        count = len(self.differences)
        says = f"Different (p below {ALPHA} after Holm's correction for {count} figures): {found or 'none detected'}"
        reached = _reached(comparing.wins_differences(self.differences), self.precision)
        return f"<p>{self.games:,} games each of the same shuffles</p>{_table(rows)}<p>{escape(says)}</p>{reached}"


class GridRun(Struct, frozen=True):
    """The table of a sweep, one row for each cell."""

    table: pl.DataFrame

    def to_polars(self) -> pl.DataFrame:
        """The table."""
        return self.table

    def plot(self, figure: str = "wins.0") -> Picture:
        """A figure over the axes of the grid.

        Raises: RatscrewError if there is no such figure.
        """
        with style.use(style.LIGHT):
            return Picture(sweep_plots.plot_sweep(self.table, figure))

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


def new_experiment(
    rules: str | Rules = "classic",
    bots: Sequence[str] | None = None,
    *,
    players: int | None = None,
    games: int = 1000,
    seed: int = 1,
    modules: Sequence[str] = (),
) -> Experiment:
    """An experiment with a house, a preset or the text of a link.

    Raises: RulesError if the house or a bot is not known; RatscrewError if a module cannot be imported.
    """
    load_all(modules)
    return make_experiment(_rules(rules), bots, players, games, seed, modules)


def run_games(
    asked: Experiment, *, precision: float | None = None, threads: int = 1, scheduler: str | None = None
) -> GamesRun:
    """Play the games of an experiment, on threads of this machine or on a Dask cluster.

    With a precision in percent, only until each seat's wins are known to so much on either side, as with `--precision`;
    the games of the experiment are then the most. The intervals hold however often one looks.

    Raises: RatscrewError if the precision is not within its bounds, or there is no such scheduler.
    """
    share = _share(precision)
    with _workers(scheduler, asked) as executor, _progress("games", asked.games) as on_progress:
        found = run(asked, threads=threads, executor=executor, on_progress=on_progress, precision=share)
    return GamesRun(found, precision)


def compare_games(
    ours: Experiment,
    theirs: Experiment,
    *,
    precision: float | None = None,
    threads: int = 1,
    scheduler: str | None = None,
) -> Comparison:
    """Play two experiments with the same shuffles.

    With a precision in percent, only until the differences of wins are known to so much on either side; the games of
    the experiments are then the most.

    Raises: RatscrewError if there are too few games, the precision is not within its bounds, or there is no such
    scheduler.
    """
    share, total = _share(precision), ours.games + theirs.games
    with _workers(scheduler, ours, theirs) as executor, _progress("games", total) as on_progress:
        games, found = comparing.compare_until(
            share, ours, theirs, threads=threads, executor=executor, on_progress=on_progress
        )
    return Comparison(games, found, precision)


def run_grid(grid: str, out: str | Path, *, threads: int = 1, scheduler: str | None = None) -> GridRun:
    """Play the cells of a grid, given as the text of its file, that the table `out` does not have yet.

    Raises: RulesError with every problem of the grid; RatscrewError if a file cannot be used.
    """
    cells = parse_grid(grid, _rules)
    experiments = [cell.experiment for cell in cells]
    with ExitStack() as stack:
        found = stack.enter_context(_workers(scheduler, *experiments))
        executor = found or stack.enter_context(process_pool(threads))
        on_progress = stack.enter_context(_progress("cells", len({*experiments})))

        def runner(missing: Sequence[Experiment]) -> Iterator[tuple[Experiment, sweep.Row]]:
            for each, result in play_all(executor, missing):
                yield each, {sweep.ERROR: repr(result)} if isinstance(result, Exception) else figures(each, result)

        before = 0
        for finished in sweep.sweep(cells, Path(out), runner):
            on_progress(finished - before)
            before = finished
    return GridRun(sweep.read(Path(out)))


def list_games(asked: Experiment, *, scheduler: str | None = None) -> pl.DataFrame:
    """One row for each game of an experiment.

    Raises: RatscrewError if there is no such scheduler.
    """
    with _workers(scheduler, asked) as executor, _progress("games", asked.games) as on_progress:
        return game_rows(asked, executor=executor, on_progress=on_progress)


def _share(percent: float | None) -> float | None:
    """A precision in percent as a share.

    Raises: RatscrewError if it is not within the bounds of `--precision`.
    """
    if percent is not None and not LEAST_PERCENT <= percent <= MOST_PERCENT:
        raise RatscrewError(f"precision = {percent:g}: it is in percent, from {LEAST_PERCENT:g} to {MOST_PERCENT:g}")
    return None if percent is None else percent / 100


def _rules(rules: str | Rules) -> Rules:
    if isinstance(rules, Rules):
        return rules
    return from_link(rules) if ";" in rules else house(rules)


@contextmanager
def _workers(scheduler: str | None, *asked: Experiment) -> Iterator[Executor | None]:
    if scheduler is None:
        yield None
        return
    from ratscrew.lab.cluster import workers  # it takes half a second to import

    with workers(scheduler, sorted({name for each in asked for name in each.user_modules})) as executor:
        yield executor


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], object]]:
    """A line that counts, where somebody sees it: in a notebook or on a terminal."""
    done, shown = 0, "IPython" in sys.modules or sys.stderr.isatty()

    def on_progress(more: int) -> None:
        nonlocal done
        done += more
        if shown:
            print(f"\r{done:,} of {total:,} {what}", end="", file=sys.stderr, flush=True)

    yield on_progress
    if shown:
        print("\r" + " " * 40, end="\r", file=sys.stderr, flush=True)


def _reached(wins: Sequence[Estimate], percent: float | None) -> str:
    """How well wins are known, if a precision was asked for."""
    if percent is None:
        return ""
    return f"<p>{escape(precision_reached(wins, percent))} Intervals hold however often one looks.</p>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = ([escape(cell) for cell in row] for row in rows)
    lines = ["".join(f"<th>{cell}</th>" for cell in head)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in body]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
