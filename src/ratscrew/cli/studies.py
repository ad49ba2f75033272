"""`ratscrew lab run` and `compare`: figures in the terminal, each with its interval, or as JSON."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ratscrew.cli.rules import find
from ratscrew.cli.terminal import echo
from ratscrew.lab import compare as comparing
from ratscrew.lab import study
from ratscrew.lab.case import Case, case
from ratscrew.rules.sheet import nearest

Told: TypeAlias = Callable[[int], object]

WIDE = 140
"""Columns of a file that figures are written into."""

_LESS = ("drawn", "all_lose")
"""What is not spoken of where it never happened."""


def asked(preset: str, bots: str | None, players: int | None, games: int, seed: int) -> Case:
    """The case that somebody means by these words.

    Raises: RulesError with every problem of the house or the bots.
    """
    words = [word.strip() for word in bots.split(",")] if bots else None
    return case(find(preset), words, players, games, seed)


def run(case: Case, threads: int, engine: bool, json: bool) -> None:
    """Play a case and print what it came to."""
    with progress("games", case.games) as told:
        done = study.run(case, threads=threads, engine=engine, command=command(), told=told)
    if json:
        echo(msgspec.json.encode(done).decode())
        return
    out = console()
    out.print(Text(f"{title(case)}, {case.games:,} games, seed {case.seed}", "bold"))
    out.print(Text(f"played by the {done.way}, {done.games_per_second:,.0f} games a second of CPU", "dim"))
    if done.way == "engine" and not engine:
        out.print(Text(f"the kernel cannot play this: {done.why}", "dim"))
    out.print()
    out.print(_seats(done))
    out.print()
    out.print(_figures(done))


def compare(ours: Case, theirs: Case, threads: int, engine: bool, json: bool) -> None:
    """Play two cases and print what differs.

    Raises: RatscrewError if both are the same, or of too few games.
    """
    with progress("games", ours.games + theirs.games) as told:
        found = comparing.compare(ours, theirs, threads=threads, engine=engine, told=told)
    if json:
        text = {"command": command(), "ours": ours, "theirs": theirs, "figures": found}
        echo(msgspec.json.encode(text).decode())
        return
    out = console()
    for name, each in (("A", ours), ("B", theirs)):
        out.print(Text(f"{name}: {title(each)}", "bold"))
    out.print(Text(f"{ours.games:,} games each of the same shuffles, seed {ours.seed}\n", "dim"))
    table = _table("", "A", "B", "B has more", "between", "games still needed")
    for one in found:
        if one.ours or one.theirs:
            name, more = one.name, study.written(one.name, one.more.value, sign=True)
            needed = "seen" if one.seen else "-" if one.still is None else f"{one.still:,}"
            table.add_row(
                study.says(name),
                study.written(name, one.ours),
                study.written(name, one.theirs),
                Text(more, "bold green" if one.seen else ""),
                study.between(name, one.more, sign=True),
                needed,
            )
    out.print(table)


def title(case: Case) -> str:
    """A case in a line: its house, and who plays."""
    named = nearest(rules := case.rules)
    own = "" if rules == find(named) else f" ({case.house})"
    return f"{named}{own}, {len(case.bots)} players: {', '.join(case.bots)}"


def command() -> str:
    """What was typed, so that whoever has the figures can have them again."""
    return shlex.join(["ratscrew", *sys.argv[1:]])


def console() -> Console:
    """The terminal, as everything here writes to it."""
    out = Console(highlight=False, soft_wrap=True)
    return out if out.is_terminal else Console(highlight=False, soft_wrap=True, width=WIDE)


@contextmanager
def progress(what: str, total: int) -> Iterator[Told]:
    """A bar that hears of what is done; nobody sees it where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    err = Console(stderr=True)
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


def _seats(done: study.Run) -> Table:
    table = _table("seat", "bot", "wins", "between", "good slaps", "wrong slaps", left=2)
    for seat, bot in enumerate(done.case.bots):
        wins = done.estimates[f"wins.{seat}"]
        good, wrong = (done.rates[f"{kind}_slaps.{seat}"] for kind in ("good", "wrong"))
        between = study.between("wins", wins)
        table.add_row(str(seat), bot, study.written("wins", wins.value), between, f"{good:,.2f}", f"{wrong:,.2f}")
    return table


def _figures(done: study.Run) -> Table:
    table = _table("", "", "between")
    for name, rate in done.rates.items():
        if name.startswith(("wins.", "good_slaps.", "wrong_slaps.")) or (name in _LESS and not rate):
            continue
        sure = done.estimates.get(name)
        table.add_row(study.says(name), study.written(name, rate), study.between(name, sure) if sure else "")
    return table


def _table(*headings: str, left: int = 1) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="dim")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < left else "right")
    return table
