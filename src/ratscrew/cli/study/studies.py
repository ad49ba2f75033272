"""`ratscrew lab run` and `compare`: print statistics with their confidence intervals, or JSON."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import structs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ratscrew.bots.user_modules import load_all
from ratscrew.cli.games.rules import find
from ratscrew.cli.terminal import echo
from ratscrew.errors import RatscrewError
from ratscrew.lab import compare as comparing
from ratscrew.lab import study
from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.game_rows import game_rows
from ratscrew.lab.provenance import provenance
from ratscrew.lab.simulation import MAX_CARDS
from ratscrew.lab.statistics import ALPHA
from ratscrew.lab.sweep import write
from ratscrew.rules.rule_sheet import nearest

OnProgress: TypeAlias = Callable[[int], object]

FILE_WIDTH = 140
"""The width of the output in columns, if it is not a terminal."""

HOLDS = "Intervals are 95 % for each figure by itself. Intervals and p hold however often you look while you add games."

_LESS = ("drawn", "all_lose", "limited")
"""Rates that are left out if they are zero."""


def asked(
    preset: str, bots: str | None, players: int | None, games: int, seed: int, modules: Sequence[str] = ()
) -> Experiment:
    """The experiment that the command line describes.

    Raises: RulesError with every problem of the house or the bots; RatscrewError if a module cannot be imported.
    """
    load_all(modules)
    words = [word.strip() for word in bots.split(",")] if bots else None
    return make_experiment(find(preset), words, players, games, seed, modules)


def run(
    experiment: Experiment,
    threads: int,
    engine: bool,
    json: bool,
    scheduler: str | None = None,
    percent: float | None = None,
) -> None:
    """Run an experiment and print its results; if wins need only be known to so many percent, until they are.

    Raises: RatscrewError if there is no such scheduler.
    """
    modules = experiment.user_modules
    with progress("games", experiment.games) as on_progress, cluster(scheduler, modules) as executor:
        done = study.run(
            experiment,
            threads=threads,
            engine=engine,
            command=command(),
            executor=executor,
            on_progress=on_progress,
            precision=None if percent is None else percent / 100,
        )
    if json:
        echo(msgspec.json.encode(done).decode())
        return
    out = console()
    out.print(Text(f"{title(experiment)}, {done.games:,} games, seed {experiment.seed}", "bold"))
    out.print(Text(f"played by the {done.backend}, {done.games_per_second:,.0f} games a second of CPU", "dim"))
    if done.backend == "engine" and not engine:
        out.print(Text(f"the kernel cannot play this: {done.fallback_reason}", "dim"))
    out.print()
    out.print(_seats(done))
    out.print()
    out.print(_figures(done))
    if percent is not None:
        known = study.precision_reached(done.wins_estimates, percent)
        out.print(Text(f"{known} Intervals hold however often one looks.", "dim"))


def games(experiment: Experiment, out: Path, engine: bool, scheduler: str | None = None) -> None:
    """Write one row for each game of an experiment.

    Raises: RatscrewError if the file cannot be written, or there is no such scheduler.
    """
    if out.suffix != ".parquet":
        raise RatscrewError(f"{out}: a table of games must be a file of type .parquet")
    modules = experiment.user_modules
    with progress("games", experiment.games) as on_progress, cluster(scheduler, modules) as executor:
        table = game_rows(experiment, executor=executor, engine=engine, on_progress=on_progress)
    write(out, table)
    console().print(f"{out} holds {len(table):,} games")


def compare(
    ours: Experiment,
    theirs: Experiment,
    threads: int,
    engine: bool,
    json: bool,
    scheduler: str | None = None,
    percent: float | None = None,
) -> None:
    """Play two experiments and print what differs; if wins need only be known to so many percent, until they are.

    Raises: RatscrewError if there are too few games, or there is no such scheduler.
    """
    modules = tuple(sorted({*ours.user_modules, *theirs.user_modules}))
    with progress("games", ours.games + theirs.games) as on_progress, cluster(scheduler, modules) as executor:
        played, found = comparing.compare_until(
            None if percent is None else percent / 100,
            ours,
            theirs,
            threads=threads,
            engine=engine,
            executor=executor,
            on_progress=on_progress,
        )
    ours, theirs = (structs.replace(each, games=played) for each in (ours, theirs))
    if json:
        text = {
            "command": command(),
            "provenance": provenance(modules),
            "ours": ours,
            "theirs": theirs,
            "figures": found,
        }
        echo(msgspec.json.encode(text).decode())
        return
    out = console()
    for name, each in (("A", ours), ("B", theirs)):
        out.print(Text(f"{name}: {title(each)}", "bold"))
    out.print(Text(f"{ours.games:,} games each of the same shuffles, seed {ours.seed}\n", "dim"))
    table = _table("", "A", "B", "B has more", "between", "p, adjusted")
    for one in found:
        if one.ours or one.theirs:
            name, more = one.name, study.format_metric(one.name, one.difference.value, sign=True)
            table.add_row(
                study.metric_label(name),
                study.format_metric(name, one.ours),
                study.format_metric(name, one.theirs),
                Text(more, "bold green" if one.significant else ""),
                study.format_interval(name, one.difference, sign=True),
                "< 0.001" if one.p < 0.001 else f"{one.p:.3f}",
            )
    out.print(table)
    seen = [study.metric_label(one.name) for one in found if one.significant]
    out.print(Text(f"\nDifferent (p below {ALPHA} after Holm's correction for {len(found)} figures): ", "dim"), end="")
    out.print(Text(", ".join(seen) or "none detected"))
    out.print(Text(HOLDS, "dim"))
    if percent is not None:
        out.print(Text(study.precision_reached(comparing.wins_differences(found), percent), "dim"))
    if any(one.name == "never_ended" and (one.ours or one.theirs) for one in found):
        out.print(Text(f"Lengths are those up to {MAX_CARDS:,} cards, after which games are given up.", "dim"))


def title(experiment: Experiment) -> str:
    """An experiment in one line: its house and its bots."""
    named = nearest(rules := experiment.rules)
    own = "" if rules == find(named) else f" ({experiment.house})"
    return f"{named}{own}, {len(experiment.bots)} players: {', '.join(experiment.bots)}"


def command() -> str:
    """The command as typed, so that the results can be reproduced."""
    return shlex.join(["ratscrew", *sys.argv[1:]])


def console() -> Console:
    """The console for the output of the lab's commands."""
    out = Console(highlight=False, soft_wrap=True)
    return out if out.is_terminal else Console(highlight=False, soft_wrap=True, width=FILE_WIDTH)


@contextmanager
def progress(what: str, total: int) -> Iterator[OnProgress]:
    """A progress bar, shown only on a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    err = Console(stderr=True)
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


@contextmanager
def cluster(scheduler: str | None, modules: Sequence[str] = ()) -> Iterator[Executor | None]:
    """The workers of a scheduler; none if none is named."""
    if scheduler is None:
        yield None
        return
    from ratscrew.lab.cluster import workers  # takes half a second, which studies on this machine save

    with workers(scheduler, modules) as executor:
        yield executor


def _seats(done: study.Run) -> Table:
    table = _table("seat", "bot", "wins", "between", "valid slaps", "wrong slaps", left=2)
    for seat, bot in enumerate(done.experiment.bots):
        wins = done.estimates[f"wins.{seat}"]
        good, wrong = (done.rates[f"{kind}_slaps.{seat}"] for kind in ("good", "wrong"))
        between = study.format_interval("wins", wins)
        table.add_row(str(seat), bot, study.format_metric("wins", wins.value), between, f"{good:,.2f}", f"{wrong:,.2f}")
    return table


def _figures(done: study.Run) -> Table:
    table = _table("", "", "between")
    for name, rate in done.rates.items():
        if name.startswith(("wins.", "good_slaps.", "wrong_slaps.")) or (name in _LESS and not rate):
            continue
        sure = done.estimates.get(name)
        between = study.format_interval(name, sure, given_up=done.never_ended > 0) if sure else ""
        table.add_row(study.metric_label(name), study.format_metric(name, rate), between)
    return table


def _table(*headings: str, left: int = 1) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="dim")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < left else "right")
    return table
