"""A sweep: the results of a grid of experiments in one table, one row per cell. Finished cells are not run again.

No simulation here. After each result the table is written to a new file that replaces the old one, so an interrupted
sweep loses at most one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, axes_of

Row: TypeAlias = Mapping[str, Any]
"""The figures of an experiment by their names."""

ExperimentRunner: TypeAlias = Callable[[Sequence[Experiment]], Iterable[tuple[Experiment, Row]]]
"""Runs experiments and yields their results, in any order."""

FORMATS = (".parquet", ".csv")

_KEY_COLUMNS = ("house", "lineup", "games", "seed")


def sweep(grid: Sequence[Cell], out: Path, runner: ExperimentRunner) -> Iterator[int]:
    """Run every cell of a grid that has no row yet; yields the number of finished cells, first and after each result.

    Raises: RatscrewError if the file cannot be written, or belongs to another sweep.
    """
    axes = axes_of(grid)
    before = _rows_of(out, axes) if out.exists() else []
    results = {_key(row): row for row in before}
    wanted = list(dict.fromkeys(cell.experiment for cell in grid))
    write(out, _table(grid, results, before))
    yield sum(_columns(experiment) in results for experiment in wanted)
    for experiment, row in runner([experiment for experiment in wanted if _columns(experiment) not in results]):
        results[_columns(experiment)] = row
        write(out, _table(grid, results, before))
        yield sum(_columns(experiment) in results for experiment in wanted)


def read(file: Path) -> pl.DataFrame:
    """Read the table of a sweep.

    Raises: RatscrewError if it cannot be read, or is not the table of a sweep.
    """
    try:
        table = pl.read_csv(file, infer_schema_length=None) if file.suffix == ".csv" else pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RatscrewError(f"{file} cannot be read as a table: {str(error).splitlines()[0]}") from error
    if any(column not in table.columns for column in _KEY_COLUMNS):
        raise RatscrewError(f"{file} is not the table of a sweep: it lacks {', '.join(_KEY_COLUMNS)}")
    return table


def write(file: Path, table: pl.DataFrame) -> None:
    """Write a table, replacing the file at once.

    Raises: RatscrewError if it cannot be written.
    """
    if file.suffix not in FORMATS:
        raise RatscrewError(f"{file}: a table must be a file of type {' or '.join(FORMATS)}")
    new = file.with_name(f"{file.name}.new")
    try:
        table.write_csv(new) if file.suffix == ".csv" else table.write_parquet(new)
        new.replace(file)
    except OSError as error:
        raise RatscrewError(f"{file} cannot be written: {error.strerror or error}") from error


def axes_in(table: pl.DataFrame) -> list[str]:
    """The axes of a table: the columns before the house."""
    return table.columns[: table.columns.index(_KEY_COLUMNS[0])]


def _rows_of(file: Path, axes: Sequence[str]) -> list[Row]:
    table = read(file)
    if (found := axes_in(table)) != list(axes):
        raise RatscrewError(
            f"{file} holds a sweep over {', '.join(found)}, and this grid goes over {', '.join(axes)}:"
            " choose another file"
        )
    return [{name: value for name, value in row.items() if value is not None} for row in table.iter_rows(named=True)]


def _table(grid: Sequence[Cell], results: Mapping[tuple[Any, ...], Row], before: Sequence[Row]) -> pl.DataFrame:
    """The finished cells in the order of the grid, followed by the other earlier rows."""
    asked = {_columns(cell.experiment) for cell in grid}
    rows = [_row(cell, results[_columns(cell.experiment)]) for cell in grid if _columns(cell.experiment) in results]
    rows += [dict(row) for row in before if _key(row) not in asked]
    names = dict.fromkeys([*axes_of(grid), *_KEY_COLUMNS, *(name for row in rows for name in row)])
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in names}, strict=False)


def _row(cell: Cell, result: Row) -> dict[str, Any]:
    """The row of a cell: its point in the grid, its experiment, and the figures of a result from any point."""
    named = {**cell.point, **dict(zip(_KEY_COLUMNS, _columns(cell.experiment), strict=True))}
    return {**named, **{name: value for name, value in result.items() if name not in named}}


def _columns(experiment: Experiment) -> tuple[Any, ...]:
    """An experiment as its key columns."""
    return experiment.house, ",".join(experiment.bots), experiment.games, experiment.seed


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _KEY_COLUMNS)
