"""How the cells of a sweep differ from the first: p is corrected for all of them."""

from __future__ import annotations

import polars as pl
import pytest

from ratscrew.lab.cell_differences import differences
from ratscrew.lab.statistics import Estimate, proportions_p, t_ci, wilson_ci
from ratscrew.lab.statistics import sample as sample_of


def cells(metric: str, found: list[Estimate], games: int) -> pl.DataFrame:
    """A table of one figure."""
    columns = {"": "value", ".low": "low", ".high": "high"}
    values = {f"{metric}{end}": [getattr(each, name) for each in found] for end, name in columns.items()}
    return pl.DataFrame({"games": [games] * len(found), **values})


def test_a_p_is_corrected_for_all_cells() -> None:
    """Four cells besides the first: the smallest p counts four times."""
    found = [wilson_ci(wins, 200) for wins in (100, 125, 101, 99, 100)]
    first, best, *others = differences(cells("wins.0", found, 200), "wins.0")
    assert first is None
    assert best is not None
    assert best.p == pytest.approx(4 * proportions_p(125, 200, 100, 200))
    assert all(other is not None and other.p == 1 for other in others)


def test_means_are_compared_by_their_own_intervals() -> None:
    short, long = (t_ci(sample_of([start + step for step in range(10)])) for start in (0, 20))
    same, longer = differences(cells("cards", [short, short, long], 10), "cards")[1:]
    assert same is not None
    assert longer is not None
    assert (same.estimate.value, same.p) == (0, 1)
    assert longer.estimate.value == pytest.approx(20)
    assert longer.p < 1e-6


def test_a_table_without_rows_has_no_differences() -> None:
    assert differences(cells("wins.0", [], 10), "wins.0") == []
