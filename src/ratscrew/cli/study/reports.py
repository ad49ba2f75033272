"""`ratscrew lab plot` and `report`: draw stored results, or write them as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ratscrew.bots.user_modules import load_all
from ratscrew.cli.study.studies import console
from ratscrew.errors import RatscrewError
from ratscrew.lab import report as reporting
from ratscrew.lab import run_plots, style, sweep_plots
from ratscrew.lab.study import Run
from ratscrew.lab.sweep import read


def plot(study: Path, out: Path, figure: str | None) -> None:
    """Draw one figure of a run or a sweep; the first one if none is named.

    Raises: RatscrewError if it has no such figure, or a file cannot be read or written.
    """
    if _is_run(study):
        drawn = run_plots.plot_all(_run(study))
        if (found := drawn.get(figure or next(iter(drawn)))) is None:
            raise RatscrewError(f"{figure}: there is no such picture of a run; there are {', '.join(drawn)}")
    else:
        table = read(study)
        found = sweep_plots.plot_sweep(table, figure or next(iter(sweep_plots.metrics_in(table))))
    style.save(found, out)
    console().print(f"{out} is written")


def report(study: Path, out: Path, modules: Sequence[str] = ()) -> None:
    """Write the page of a run or a sweep. Modules are those of the house's patterns: a file alone imports nothing.

    Raises: RatscrewError if a file cannot be read or written, or a module cannot be imported.
    """
    load_all(modules)
    if out.suffix.lower() not in (".html", ".htm"):
        raise RatscrewError(f"{out}: a page is written as .html")
    page = reporting.run_page(_run(study)) if _is_run(study) else reporting.sweep_page(read(study), study.name)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RatscrewError(f"{out} cannot be written: {error.strerror}") from error
    console().print(f"{out} is written")


def _is_run(study: Path) -> bool:
    return study.suffix == ".json"


def _run(study: Path) -> Run:
    try:
        return msgspec.json.decode(study.read_bytes(), type=Run)
    except OSError as error:
        raise RatscrewError(f"{study} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise RatscrewError(f"{study} is no run, as `ratscrew lab run --json` prints it: {error}") from error
