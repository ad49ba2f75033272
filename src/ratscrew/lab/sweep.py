"""A grid of cases and its answers in one table, one row a cell: what lies there already is not played again.

Nothing in this file plays. The table is written anew after each answer, beside the old one and then in its place, so
that whoever is stopped loses one cell at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from ratscrew.errors import RatscrewError
from ratscrew.lab.case import Case
from ratscrew.lab.grid import Cell, axes_of

Row: TypeAlias = Mapping[str, Any]
"""The figures of a case by their names."""

Players: TypeAlias = Callable[[Sequence[Case]], Iterable[tuple[Case, Row]]]
"""Whoever answers cases, in any order."""

FORMATS = (".parquet", ".csv")

_CASE = ("house", "lineup", "games", "seed")


def sweep(grid: Sequence[Cell], out: Path, players: Players) -> Iterator[int]:
    """Answer every cell of a grid that has no row yet; gives how many have one, first and after each answer.

    Raises: RatscrewError if the file cannot be written, or is another sweep's.
    """
    axes = axes_of(grid)
    before = _rows_of(out, axes) if out.exists() else []
    answers = {_key(row): row for row in before}
    wanted = list(dict.fromkeys(cell.case for cell in grid))
    write(out, _table(grid, answers, before))
    yield sum(_columns(case) in answers for case in wanted)
    for case, row in players([case for case in wanted if _columns(case) not in answers]):
        answers[_columns(case)] = row
        write(out, _table(grid, answers, before))
        yield sum(_columns(case) in answers for case in wanted)


def read(file: Path) -> pl.DataFrame:
    """The table of a sweep.

    Raises: RatscrewError if it cannot be read, or is none.
    """
    try:
        table = pl.read_csv(file, infer_schema_length=None) if file.suffix == ".csv" else pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RatscrewError(f"{file} cannot be read as a table: {str(error).splitlines()[0]}") from error
    if any(column not in table.columns for column in _CASE):
        raise RatscrewError(f"{file} is no table of a sweep: it lacks {', '.join(_CASE)}")
    return table


def write(file: Path, table: pl.DataFrame) -> None:
    """Put a table in the place of a file.

    Raises: RatscrewError if it cannot be written.
    """
    if file.suffix not in FORMATS:
        raise RatscrewError(f"{file}: a table is written as {' or '.join(FORMATS)}")
    new = file.with_name(f"{file.name}.new")
    try:
        table.write_csv(new) if file.suffix == ".csv" else table.write_parquet(new)
        new.replace(file)
    except OSError as error:
        raise RatscrewError(f"{file} cannot be written: {error.strerror or error}") from error


def axes_in(table: pl.DataFrame) -> list[str]:
    """The axes of a table: what stands before the house."""
    return table.columns[: table.columns.index(_CASE[0])]


def _rows_of(file: Path, axes: Sequence[str]) -> list[Row]:
    table = read(file)
    if (found := axes_in(table)) != list(axes):
        raise RatscrewError(
            f"{file} holds a sweep over {', '.join(found)}, and this grid goes over {', '.join(axes)}:"
            " name another file"
        )
    return [{name: value for name, value in row.items() if value is not None} for row in table.iter_rows(named=True)]


def _table(grid: Sequence[Cell], answers: Mapping[tuple[Any, ...], Row], before: Sequence[Row]) -> pl.DataFrame:
    """The cells that have an answer, in the order of the grid, and behind them what else lay there before."""
    asked = {_columns(cell.case) for cell in grid}
    rows = [_row(cell, answers[_columns(cell.case)]) for cell in grid if _columns(cell.case) in answers]
    rows += [dict(row) for row in before if _key(row) not in asked]
    names = dict.fromkeys([*axes_of(grid), *_CASE, *(name for row in rows for name in row)])
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in names}, strict=False)


def _row(cell: Cell, answer: Row) -> dict[str, Any]:
    """The row of a cell: its place in the grid, its case, and the figures of an answer that may know another place."""
    named = {**cell.at, **dict(zip(_CASE, _columns(cell.case), strict=True))}
    return {**named, **{name: value for name, value in answer.items() if name not in named}}


def _columns(case: Case) -> tuple[Any, ...]:
    """A case as the table names it."""
    return case.house, ",".join(case.bots), case.games, case.seed


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _CASE)
