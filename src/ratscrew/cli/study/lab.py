"""`ratscrew lab`: simulations of many games between bots. Does not import the lab's packages itself.

They are an extra (`lab`); if they are missing, each of these commands says so, and all other commands work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import cpu_count
from pathlib import Path
from typing import Annotated

import typer

from ratscrew.errors import RatscrewError

lab = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Bots = Annotated[
    str | None,
    typer.Option(
        help="Bots by name, with commas, in the order of the seats. Traits: steady:miss=0.1. Your own: my_bot:BOT."
        " Default: all steady, or quiet if nothing can be slapped."
    ),
]
Players = Annotated[int | None, typer.Option(min=2, max=52, help="How many play; default: as many as bots are named.")]
Games = Annotated[int, typer.Option(min=2, help="How many games.")]
MostGames = Annotated[
    int | None, typer.Option(min=2, help="How many games: 1,000 if not given; with --precision the most, 1,000,000.")
]
Precision = Annotated[
    float | None,
    typer.Option(min=0.01, max=50, help="Play until each seat's wins are known to so many percent on either side."),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed plays the same games.")]
Threads = Annotated[int, typer.Option(min=1, help="How many games at once; this does not change the results.")]
Engine = Annotated[bool, typer.Option("--engine", help="Use the game's own engine instead of the compiled kernel.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
House = Annotated[
    str, typer.Option(help="House rules: a preset, a file of choices (.toml, .json) or the short text of a link.")
]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler whose workers play the games; local:2 starts two workers here.")
]
Modules = Annotated[
    list[str] | None, typer.Option("--module", help="A module of your own, which declares slap patterns.")
]
Study = Annotated[Path, typer.Argument(metavar="FILE", help="A run (.json) or a sweep (.parquet, .csv).")]
ALL = cpu_count() or 1


@lab.callback()
def about() -> None:
    """Let bots play many games to see what a rule or a trait changes."""


@contextmanager
def extra() -> Iterator[None]:
    """Context manager for imports of the lab's packages: the error says how to install a missing one."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise RatscrewError(
            f'the lab needs packages that are not installed ({error.name}): `make lab`, or pip install "ratscrew[lab]"'
        ) from error


def most_games(games: int | None, precision: float | None) -> int:
    """How many games are played, or may be played."""
    return games or (1000 if precision is None else 1_000_000)


@lab.command()
def run(
    preset: House = "classic",
    players: Players = None,
    bots: Bots = None,
    games: MostGames = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = ALL,
    json: Json = False,
    engine: Engine = False,
    scheduler: Scheduler = None,
    module: Modules = None,
) -> None:
    """Play many games, and print wins, lengths and slaps, each with its confidence interval."""
    with extra():
        from ratscrew.cli.study import studies
    experiment = studies.asked(preset, bots, players, most_games(games, precision), seed, module or ())
    studies.run(experiment, threads, engine, json, scheduler, precision)


@lab.command()
def games(
    out: Annotated[Path, typer.Option(help="The table (.parquet), one row per game.")],
    preset: House = "classic",
    players: Players = None,
    bots: Bots = None,
    games: Games = 1000,
    seed: Seed = 1,
    engine: Engine = False,
    scheduler: Scheduler = None,
    module: Modules = None,
) -> None:
    """Play the games of a run, and write one row for each: its winner, length and slaps."""
    with extra():
        from ratscrew.cli.study import studies
    studies.games(studies.asked(preset, bots, players, games, seed, module or ()), out, engine, scheduler)


@lab.command()
def compare(
    preset: House = "classic",
    against: Annotated[str | None, typer.Option(help="The other house rules; default: the same.")] = None,
    players: Players = None,
    bots: Bots = None,
    others: Annotated[str | None, typer.Option(help="The other bots; default: the same.")] = None,
    games: MostGames = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = ALL,
    json: Json = False,
    engine: Engine = False,
    scheduler: Scheduler = None,
    module: Modules = None,
) -> None:
    """Play the same deals with two house rules or two sets of bots, and print the differences with their intervals."""
    with extra():
        from ratscrew.cli.study import studies
    most = most_games(games, precision)
    ours = studies.asked(preset, bots, players, most, seed, module or ())
    theirs = studies.asked(against or preset, others or bots, players, most, seed, module or ())
    studies.compare(ours, theirs, threads, engine, json, scheduler, precision)


@lab.command()
def sweep(
    grid: Annotated[Path, typer.Argument(metavar="GRID", help="A grid (.toml): what varies, and over which values.")],
    out: Annotated[
        Path, typer.Option(help="The table (.parquet, .csv), one row per cell; an existing one is continued.")
    ],
    threads: Threads = ALL,
    scheduler: Scheduler = None,
) -> None:
    """Play every cell of a grid of options, traits and players that the table does not have yet."""
    with extra():
        from ratscrew.cli.study import sweeps
    sweeps.sweep(grid, out, threads, scheduler)


@lab.command()
def plot(
    study: Study,
    out: Annotated[Path, typer.Option(help="The picture (.png, .svg).")],
    figure: Annotated[str | None, typer.Option(help="For a run: wins, lengths, slaps; for a sweep: a column.")] = None,
) -> None:
    """Draw a run or a sweep."""
    with extra():
        from ratscrew.cli.study import reports
    reports.plot(study, out, figure)


@lab.command()
def report(
    study: Study,
    out: Annotated[Path, typer.Option(help="The page (.html).")],
    module: Modules = None,
) -> None:
    """Write a run or a sweep as one page with tables, pictures and the house rules."""
    with extra():
        from ratscrew.cli.study import reports
    reports.report(study, out, module or ())
