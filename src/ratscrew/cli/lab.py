"""`ratscrew lab`: many games of bots, and what they show. Nothing in this file needs the packages that the lab needs.

They are an extra (`lab`), and where they are missing each command says so; no other command misses them.
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
        help="Bots by name, with commas; they sit down in turn. Traits: steady:miss=0.1. Else all are steady,"
        " or quiet where nothing can be slapped."
    ),
]
Players = Annotated[int | None, typer.Option(min=2, max=52, help="How many play; else as many as bots are named.")]
Games = Annotated[int, typer.Option(min=2, help="How many games.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed plays the same games.")]
Threads = Annotated[int, typer.Option(min=1, help="How many of them at once; it changes no figure.")]
Engine = Annotated[bool, typer.Option("--engine", help="Let the game's own engine play, not the compiled kernel.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
House = Annotated[str, typer.Option(help="A preset, a file of choices (.toml, .json) or the short text of a link.")]
Study = Annotated[Path, typer.Argument(metavar="FILE", help="A run (.json) or a sweep (.parquet, .csv).")]
ALL = cpu_count() or 1


@lab.callback()
def about() -> None:
    """Let bots play many games, and see what a rule or a trait changes."""


@contextmanager
def extra() -> Iterator[None]:
    """Around what needs the packages of the lab: says how to install them where one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise RatscrewError(
            f'the lab needs packages that are not installed ({error.name}): `make lab`, or pip install "ratscrew[lab]"'
        ) from error


@lab.command()
def run(
    preset: House = "classic",
    players: Players = None,
    bots: Bots = None,
    games: Games = 1000,
    seed: Seed = 1,
    threads: Threads = ALL,
    json: Json = False,
    engine: Engine = False,
) -> None:
    """Play many games, and print who wins, how long they are and what is slapped, each with its interval."""
    with extra():
        from ratscrew.cli import studies
    studies.run(studies.asked(preset, bots, players, games, seed), threads, engine, json)


@lab.command()
def compare(
    preset: House = "classic",
    against: Annotated[str | None, typer.Option(help="The other house; else the same one.")] = None,
    players: Players = None,
    bots: Bots = None,
    others: Annotated[str | None, typer.Option(help="The other bots; else the same ones.")] = None,
    games: Games = 1000,
    seed: Seed = 1,
    threads: Threads = ALL,
    json: Json = False,
    engine: Engine = False,
) -> None:
    """Play the same deals in two houses or with two line-ups, and print what differs, and how surely."""
    with extra():
        from ratscrew.cli import studies
    ours = studies.asked(preset, bots, players, games, seed)
    theirs = studies.asked(against or preset, others or bots, players, games, seed)
    studies.compare(ours, theirs, threads, engine, json)


@lab.command()
def sweep(
    grid: Annotated[Path, typer.Argument(metavar="GRID", help="A grid (.toml): what changes, and over which values.")],
    out: Annotated[Path, typer.Option(help="The table (.parquet, .csv), one row a cell; it is gone on with.")],
    threads: Threads = ALL,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler that plays the cells; local:2 starts two workers here.")
    ] = None,
) -> None:
    """Play every cell of a grid of options, traits and players; what the table has is not played again."""
    with extra():
        from ratscrew.cli import sweeps
    sweeps.sweep(grid, out, threads, scheduler)


@lab.command()
def plot(
    study: Study,
    out: Annotated[Path, typer.Option(help="The picture (.png, .svg).")],
    figure: Annotated[str | None, typer.Option(help="Of a run: wins, lengths, slaps; of a sweep: a column.")] = None,
) -> None:
    """Draw a run or a sweep."""
    with extra():
        from ratscrew.cli import reports
    reports.plot(study, out, figure)


@lab.command()
def report(study: Study, out: Annotated[Path, typer.Option(help="The page (.html).")]) -> None:
    """Write a run or a sweep as one page with tables, pictures and the rules of the house."""
    with extra():
        from ratscrew.cli import reports
    reports.report(study, out)
