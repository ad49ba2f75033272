"""`ratscrew lab sweep`: plays a grid cell by cell into one table, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from ratscrew.cli.games.rules import find
from ratscrew.cli.study.studies import cluster, console, progress
from ratscrew.errors import RatscrewError, RulesError
from ratscrew.lab import sweep as sweeping
from ratscrew.lab.executors import process_pool
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, parse_grid
from ratscrew.lab.pieces import play_all
from ratscrew.lab.study import figures


def sweep(grid: Path, out: Path, threads: int, scheduler: str | None) -> None:
    """Play the cells of a grid that the table does not have yet.

    Raises: RulesError with every problem of the grid; RatscrewError if a file cannot be read or written, there is no
    such scheduler, or cells failed.
    """
    points = _cells(grid)
    wanted = len({cell.experiment for cell in points})
    modules = sorted({name for cell in points for name in cell.experiment.user_modules})

    with ExitStack() as stack:
        executor = stack.enter_context(cluster(scheduler, modules)) or stack.enter_context(process_pool(threads))

        def runner(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, sweeping.Row]]:
            for experiment, found in play_all(executor, experiments):
                if isinstance(found, Exception):
                    yield experiment, {sweeping.ERROR: repr(found)}
                else:
                    yield experiment, figures(experiment, found)

        on_progress = stack.enter_context(progress("cells", wanted))
        had = before = -1
        for count in sweeping.sweep(points, out, runner):
            had = count if had < 0 else had
            on_progress(count - max(before, 0))
            before = count
    console().print(f"{out} holds {wanted} cells, {wanted - had} of them new")
    if errors := sweeping.errors_in(sweeping.read(out)):
        raise RatscrewError(f"{len(errors)} cells of {out} failed, see the column {sweeping.ERROR}: {errors[0]}")


def _cells(grid: Path) -> list[Cell]:
    try:
        return parse_grid(grid.read_text(encoding="utf-8-sig"), find)
    except OSError as error:
        raise RatscrewError(f"{grid} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RatscrewError(f"{grid}: this is not a text file") from error
    except RulesError as error:
        raise RulesError([f"{grid}: {problem}" for problem in error.problems]) from error
