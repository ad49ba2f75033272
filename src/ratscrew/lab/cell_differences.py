"""How each cell of a sweep differs from the first, in one figure, with p-values corrected for all of them."""

from __future__ import annotations

import polars as pl

from ratscrew.lab.statistics import Difference, Estimate, adjust, difference_ci, means_p, newcombe_ci, proportions_p
from ratscrew.lab.study import PROPORTIONS


def differences(table: pl.DataFrame, metric: str) -> list[Difference | None]:
    """The difference of each row from the first in a figure with an interval; None for the first itself.

    The cells are taken as different games, which is cautious where they have the same shuffles. p is after Holm's
    correction for all rows.
    """
    if not len(table):
        return []
    first, *others = (_read(row, metric) for row in table.iter_rows(named=True))
    proportion = metric.partition(".")[0] in PROPORTIONS
    found = [_proportions(each, first) if proportion else _means(each, first) for each in others]
    adjusted = adjust([each.p for each in found])
    return [None, *(Difference(each.estimate, p) for each, p in zip(found, adjusted, strict=True))]


def _read(row: dict[str, float], metric: str) -> tuple[Estimate, int]:
    return Estimate(row[metric], row[f"{metric}.low"], row[f"{metric}.high"]), int(row["games"])


def _proportions(ours: tuple[Estimate, int], theirs: tuple[Estimate, int]) -> Difference:
    counts = [count for found, games in (ours, theirs) for count in (round(found.value * games), games)]
    return Difference(newcombe_ci(*counts), proportions_p(*counts))


def _means(ours: tuple[Estimate, int], theirs: tuple[Estimate, int]) -> Difference:
    return Difference(difference_ci(ours[0], theirs[0]), means_p(*ours, *theirs))
