"""A sweep: the results of a grid of experiments in one table, one row per cell. Finished cells are not run again.

No simulation here. Each result is appended to a journal beside the table at once, so a sweep that is killed loses at
most one cell; the table is written from it at the end, also after an interruption. Rows of different sources of
Ratscrew are not mixed. A cell that failed has its error in a column, and is run again by the next sweep.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, axes_of
from ratscrew.lab.provenance import Provenance, provenance

Row: TypeAlias = Mapping[str, Any]
"""The figures of an experiment by their names, or its error."""

ExperimentRunner: TypeAlias = Callable[[Sequence[Experiment]], Iterable[tuple[Experiment, Row]]]
"""Runs experiments and yields their results, in any order."""

FORMATS = (".parquet", ".csv")

ERROR = "error"
"""The column of the error of a cell that failed."""

_KEY_COLUMNS = ("house", "lineup", "games", "seed")
_SOURCE_COLUMNS = ("version", "source")

Key: TypeAlias = tuple[Any, ...]
"""An experiment as its key columns."""


def sweep(grid: Sequence[Cell], out: Path, runner: ExperimentRunner) -> Iterator[int]:
    """Run every cell of a grid that has no row yet; yields the number of finished cells, first and after each result.

    Raises: RatscrewError if the file cannot be written, or belongs to another sweep, or its rows were played by other
    sources of Ratscrew and cells are missing.
    """
    axes, journal = axes_of(grid), out.with_name(f"{out.name}.journal")
    before = [*_rows_of(out, axes), *_read_journal(journal)] if out.exists() else []
    results = {_key(row): row for row in before if ERROR not in row}
    points = {cell.experiment: cell.point for cell in grid}
    missing = [experiment for experiment in points if _columns(experiment) not in results]
    if missing:
        _check_sources(out, results.values(), points)
    write(out, _table(grid, results, before))
    journal.unlink(missing_ok=True)
    finished = len(points) - len(missing)
    yield finished
    if not missing:
        return
    try:
        with journal.open("w", encoding="utf-8") as file:
            for experiment, result in runner(missing):
                row = _row(experiment, points[experiment], result)
                results[_columns(experiment)] = row
                file.write(f"{json.dumps(row)}\n")
                file.flush()
                finished += 1
                yield finished
    finally:
        write(out, _table(grid, results, before))
        journal.unlink(missing_ok=True)


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


def errors_in(table: pl.DataFrame) -> list[str]:
    """The errors of the cells that failed."""
    return table[ERROR].drop_nulls().to_list() if ERROR in table.columns else []


def _rows_of(file: Path, axes: Sequence[str]) -> list[Row]:
    table = read(file)
    if (found := axes_in(table)) != list(axes):
        raise RatscrewError(
            f"{file} holds a sweep over {', '.join(found)}, and this grid goes over {', '.join(axes)}:"
            " choose another file"
        )
    return [{name: value for name, value in row.items() if value is not None} for row in table.iter_rows(named=True)]


def _read_journal(journal: Path) -> Iterator[Row]:
    """The results of a sweep that was killed; the last one may have been cut off."""
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):
                yield json.loads(line)


def _check_sources(out: Path, rows: Iterable[Row], experiments: Iterable[Experiment]) -> None:
    here = {provenance(modules) for modules in {experiment.user_modules for experiment in experiments}}
    found = {Provenance(*(str(row.get(name, "")) for name in _SOURCE_COLUMNS)) for row in rows}
    if others := sorted(map(str, found - here)):
        raise RatscrewError(
            f"{out} was played by Ratscrew {', '.join(others)}, and this is {', '.join(map(str, here))}, where the same"
            " seed may play other games: choose another file"
        )


def _table(grid: Sequence[Cell], results: Mapping[Key, Row], before: Sequence[Row]) -> pl.DataFrame:
    """The finished cells in the order of the grid, followed by the other earlier rows."""
    asked = {_columns(cell.experiment) for cell in grid}
    rows = [{**results[key], **cell.point} for cell in grid if (key := _columns(cell.experiment)) in results]
    rows += [dict(row) for row in before if _key(row) not in asked]
    known = [*axes_of(grid), *_KEY_COLUMNS, *_SOURCE_COLUMNS]
    names = dict.fromkeys([*known, *(name for row in rows for name in row)])
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in names}, strict=False)


def _row(experiment: Experiment, point: Row, result: Row) -> dict[str, Any]:
    """A result with its point in the grid, its experiment, and the sources that played it."""
    key = dict(zip(_KEY_COLUMNS, _columns(experiment), strict=True))
    played = provenance(experiment.user_modules)
    return {**point, **key, "version": played.version, "source": played.source, **result}


def _columns(experiment: Experiment) -> Key:
    return experiment.house, ",".join(experiment.bots), experiment.games, experiment.seed


def _key(row: Row) -> Key:
    return tuple(row[name] for name in _KEY_COLUMNS)
