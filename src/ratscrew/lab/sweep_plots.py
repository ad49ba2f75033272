"""Plots of a sweep: a line chart over one axis, heatmaps over two, and one heatmap for each value of further axes.

No statistics here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from ratscrew.errors import RatscrewError
from ratscrew.lab import style
from ratscrew.lab.study import LENGTHS, METRIC_LABELS, PROPORTIONS, metric_label
from ratscrew.lab.sweep import axes_in

MAX_PANELS = 12
"""The most heatmaps in one figure."""

REPORT_METRICS = ("wins.0", "cards", "minutes", "wrong_slaps")
"""The metrics in a report of a sweep."""


def metrics_in(table: pl.DataFrame) -> list[str]:
    """The metrics of a table, by name."""
    bounds = (".low", ".high")
    return [name for name in table.columns if name.partition(".")[0] in METRIC_LABELS and not name.endswith(bounds)]


def plot_sweep(table: pl.DataFrame, metric: str) -> Figure:
    """Plot one metric over the axes of a sweep.

    Raises: RatscrewError if the table has no such metric.
    """
    if metric not in (known := metrics_in(table)):
        raise RatscrewError(f"{metric}: there is no such figure; there are {', '.join(known)}")
    table = table.drop_nulls(metric)
    axes = [axis for axis in axes_in(table) if table[axis].n_unique() > 1] or axes_in(table)[:1]
    return _line_chart(table, metric, axes[0]) if len(axes) == 1 else _heatmaps(table, metric, axes)


def _line_chart(table: pl.DataFrame, metric: str, axis: str) -> Figure:
    """A line chart of a metric over one axis, with its intervals."""
    scale, unit = _scale(metric)
    values = table[axis].to_list()
    places = range(len(values))
    found = [scale * value for value in table[metric].to_list()]
    with style.canvas(8, 4.2, _title(metric)) as (drawn, axes):
        above = found
        if f"{metric}.low" in table.columns:
            low, above = ([scale * bound for bound in table[f"{metric}.{end}"].to_list()] for end in ("low", "high"))
            axes.fill_between(places, low, above, color=style.TEAL, alpha=0.35, linewidth=0)
            axes.vlines(places, low, above, color=style.theme().ink, linewidth=2)
        axes.plot(places, found, color=style.theme().accent, linewidth=2.2, marker="o", markersize=7)
        for place, value, high in zip(places, found, above, strict=True):
            axes.annotate(_short(value), (place, high), (0, 8), textcoords="offset points", ha="center", fontsize=10)
        axes.set_xticks(places, [_word(value) for value in values], color=style.theme().ink)
        axes.set_xlim(-0.3, len(values) - 0.5)
        axes.margins(y=0.2)
        axes.grid(axis="y")
        axes.set_xlabel(axis)
        axes.set_ylabel(unit)
    return drawn


def _heatmaps(table: pl.DataFrame, metric: str, axes: Sequence[str]) -> Figure:
    """Heatmaps of a metric over two axes, with a common colour scale."""
    *rest, down, across = axes
    parts: list[tuple[tuple[Any, ...], pl.DataFrame]] = (
        list(table.group_by(rest, maintain_order=True)) if rest else [((), table)]
    )[:MAX_PANELS]
    rows, columns = table[down].unique(maintain_order=True), table[across].unique(maintain_order=True)
    scale, _ = _scale(metric)
    values = [scale * value for _, part in parts for value in part[metric].to_list()]
    norm = Normalize(min(values), max(max(values), min(values) + 1e-9))
    wide = min(len(parts), 2)
    high = -(-len(parts) // wide)
    size = (max(8, wide * (1.6 + 1.0 * len(columns))), high * (1.9 + 0.62 * len(rows)))
    with style.canvas(*size, "") as (drawn, first):
        first.remove()
        drawn.suptitle(_title(metric), x=0.01, ha="left", fontsize=15, fontweight="bold")
        for place, (at, part) in enumerate(parts):
            panel = drawn.add_subplot(high, wide, place + 1)
            panel.set_title(
                ", ".join(f"{axis} {_word(value)}" for axis, value in zip(rest, at, strict=True)), fontsize=11
            )
            _heatmap(panel, part, metric, (down, rows), (across, columns), norm)
    return drawn


def _heatmap(
    panel: Axes,
    part: pl.DataFrame,
    metric: str,
    down: tuple[str, pl.Series],
    across: tuple[str, pl.Series],
    norm: Normalize,
) -> None:
    """A heatmap whose squares have the value and half its interval, or a lower bound where games were given up."""
    scale, _ = _scale(metric)
    for row in part.iter_rows(named=True):
        y, x = (list(values).index(row[axis]) for axis, values in (down, across))
        value = scale * row[metric]
        panel.add_patch(_square(x, y, style.HEAT(norm(value))))
        ink = style.NIGHT if norm(value) > 0.55 else style.SAND
        low, high = row.get(f"{metric}.low"), row.get(f"{metric}.high")
        at_least = metric in LENGTHS and row.get("never_ended", 0) > 0
        panel.text(
            x,
            y if low is None or at_least else y - 0.1,
            f"≥ {_short(scale * row[f'{metric}.low'])}" if at_least else _short(value),
            ha="center",
            va="center",
            color=ink,
            fontsize=11,
            fontweight="bold",
        )
        if low is not None and not at_least:
            half = scale * (high - low) / 2
            panel.text(x, y + 0.24, f"± {_short(half)}", ha="center", va="center", color=ink, fontsize=8, alpha=0.8)
    panel.set_xlim(-0.5, len(across[1]) - 0.5)
    panel.set_ylim(len(down[1]) - 0.5, -0.5)
    panel.set_xticks(range(len(across[1])), [_word(value) for value in across[1]], color=style.theme().ink)
    panel.set_yticks(range(len(down[1])), [_word(value) for value in down[1]], color=style.theme().ink)
    panel.set_xlabel(across[0])
    panel.set_ylabel(down[0])
    for side in panel.spines.values():
        side.set_visible(False)


def _square(x: float, y: float, colour: Any) -> FancyBboxPatch:
    return FancyBboxPatch((x - 0.44, y - 0.42), 0.88, 0.84, boxstyle="round,pad=0.02,rounding_size=0.08", color=colour)


def _title(metric: str) -> str:
    words = f"{metric_label(metric)}, %" if metric.partition(".")[0] in PROPORTIONS else metric_label(metric)
    return words[:1].upper() + words[1:]


def _scale(metric: str) -> tuple[float, str]:
    """The factor for display, and the unit after it."""
    return (100, "% of games") if metric.partition(".")[0] in PROPORTIONS else (1, "")


def _short(value: float) -> str:
    return f"{value:,.{0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2}f}"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
