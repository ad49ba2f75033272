"""`ratscrew lab sweep`: plays a grid cell by cell into one table, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from ratscrew.cli.rules import find
from ratscrew.cli.studies import console, progress
from ratscrew.errors import RatscrewError, RulesError
from ratscrew.lab import sweep as sweeping
from ratscrew.lab.executors import process_pool
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, parse_grid
from ratscrew.lab.study import run_experiment


def sweep(grid: Path, out: Path, threads: int, scheduler: str | None) -> None:
    """Play the cells of a grid that the table does not have yet.

    Raises: RulesError with every problem of the grid; RatscrewError if a file cannot be read or written, or there is
    no such scheduler.
    """
    points = _cells(grid)
    wanted = len({cell.experiment for cell in points})

    with ExitStack() as stack:
        runner = stack.enter_context(_cluster(scheduler) if scheduler else _here(threads))
        on_progress = stack.enter_context(progress("cells", wanted))
        had = before = -1
        for count in sweeping.sweep(points, out, runner):
            had = count if had < 0 else had
            on_progress(count - max(before, 0))
            before = count
    console().print(f"{out} holds {wanted} cells, {wanted - had} of them new")


def _cluster(scheduler: str) -> AbstractContextManager[sweeping.ExperimentRunner]:
    from ratscrew.lab.cluster import workers  # takes half a second, which local sweeps save

    return workers(scheduler)


@contextmanager
def _here(size: int) -> Iterator[sweeping.ExperimentRunner]:
    """A runner with processes on this machine, each playing one cell at a time."""
    with process_pool(size) as pool:

        def play(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, sweeping.Row]]:
            futures = {pool.submit(run_experiment, experiment): experiment for experiment in experiments}
            return ((futures[done], done.result()) for done in as_completed(futures))

        yield play


def _cells(grid: Path) -> list[Cell]:
    try:
        return parse_grid(grid.read_text(encoding="utf-8"), find)
    except OSError as error:
        raise RatscrewError(f"{grid} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RatscrewError(f"{grid}: this is not a text file") from error
    except RulesError as error:
        raise RulesError([f"{grid}: {problem}" for problem in error.problems]) from error
