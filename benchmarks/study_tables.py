"""Tables of studies: their rows, figures with intervals, and which of them differ from the true null."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ratscrew.lab.statistics import ALPHA, Estimate, adjust, proportions_p

STUDIES = Path(__file__).resolve().parent.parent / "docs" / "studies"

Row = Mapping[str, str]


@cache
def rows(study: str) -> list[Row]:
    """The results of a study, cell by cell."""
    with (STUDIES / f"{study}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def estimate(row: Row, figure: str) -> Estimate:
    """A figure with its interval."""
    value, low, high = (float(row[f"{figure}{end}"]) for end in ("", ".low", ".high"))
    return Estimate(value, low, high)


def percent(found: Estimate, bold: bool = False) -> str:
    """A proportion with its interval, in percent."""
    text = f"{100 * found.value:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"
    return f"**{text}**" if bold else text


def wins(row: Row) -> tuple[int, int]:
    """The wins of seat 0, and the games."""
    games = int(row["games"])
    return round(float(row["wins.0"]) * games), games


def more_wins(found: Sequence[tuple[Row, Row]]) -> list[bool]:
    """Whether seat 0 wins more in each row than in the row beside it, after Holm's correction for all of these pairs.

    The row beside it is the true null: the same table, where seat 0, which leads, plays like the others.
    """
    ps = adjust([proportions_p(*wins(row), *wins(even)) for row, even in found])
    above = (float(row["wins.0"]) > float(even["wins.0"]) for row, even in found)
    return [p <= ALPHA and more for p, more in zip(ps, above, strict=True)]


def mean(row: Row, figure: str) -> str:
    """A mean with its interval."""
    found = estimate(row, figure)
    return f"{found.value:.1f} ({found.low:.1f} to {found.high:.1f})"


def minutes(row: Row) -> str:
    """The length of a game in minutes; a lower bound if games were given up, and how many."""
    if never := float(row["never_ended"]):
        return f"at least {estimate(row, 'minutes').low:.1f}; {100 * never:.1f} % given up"
    return mean(row, "minutes")


def table(head: Sequence[str], body: Iterator[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
