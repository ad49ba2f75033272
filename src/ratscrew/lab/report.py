"""The HTML report of a run or a sweep: tables, plots, the rules of the house, and the command that reproduces it.

The page is self-contained: plots and styles are inline. No statistics here; `report.html` is the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct

from ratscrew.lab import run_plots, style, sweep_plots
from ratscrew.lab.cell_differences import differences
from ratscrew.lab.statistics import Estimate
from ratscrew.lab.study import LENGTHS, Run, format_interval, format_metric, metric_label
from ratscrew.lab.sweep import axes_in
from ratscrew.rules.link import from_link
from ratscrew.rules.rule_sheet import sheet

Rows = list[Sequence[str]]
"""A table as words; the first row is its head."""

_PAGES = Environment(loader=PackageLoader("ratscrew.lab", ""), autoescape=True, undefined=StrictUndefined)


class Part(Struct, frozen=True, kw_only=True):
    """A section of a page: a title, a picture as SVG, a remark and a table, each of which may be missing."""

    title: str = ""
    picture: str = ""
    note: str = ""
    rows: Rows = []


def run_page(run: Run) -> str:
    """The report of a run."""
    experiment = run.experiment
    tiles = {
        "games": f"{run.games:,}",
        "cards per game": f"{run.mean_cards:,.0f}",
        "minutes per game": f"{run.mean_minutes:,.1f}",
        "piles per game": f"{run.mean_tricks:,.0f}",
        "never ended": f"{run.never_ended:,}",
    }
    pictures = [Part(picture=_picture(style.svg(each), name)) for name, each in run_plots.plot_all(run).items()]
    return _page(
        title=f"{sheet(experiment.rules).title}, {len(experiment.bots)} players",
        under=f"{', '.join(experiment.bots)}. Seed {experiment.seed}; every figure with its 95 % confidence interval.",
        tiles=tiles,
        parts=[
            Part(title="Seat by seat", rows=seat_rows(run)),
            *pictures,
            Part(title="All figures", rows=metric_rows(run)),
        ],
        rules_title="The rules of this house",
        rules=sheet(experiment.rules),
        run=run,
    )


def sweep_page(table: pl.DataFrame, name: str) -> str:
    """The report of a sweep."""
    axes, known = axes_in(table), sweep_plots.metrics_in(table)
    shown = [metric for metric in sweep_plots.REPORT_METRICS if metric in known]
    games, houses = int(table["games"].sum()), table["house"].unique(maintain_order=True)
    return _page(
        title=f"A sweep over {' and '.join(axes)}",
        under=f"{name}: {len(table)} cells, {games:,} games; 95 % confidence intervals.",
        tiles={},
        parts=[
            *(_cells(table, axes, metric) for metric in shown),
            Part(title="All figures", rows=[table.columns, *([_cell(each) for each in row] for row in table.rows())]),
        ],
        rules_title=f"The rules of the first of {len(houses)} houses",
        rules=sheet(from_link(houses[0])),
        run=None,
    )


def seat_rows(run: Run) -> Rows:
    """The wins and slaps of each seat."""
    rows: Rows = [("seat", "wins", "between", "valid slaps per game", "wrong slaps per game")]
    for seat, bot in enumerate(run.experiment.bots):
        wins, good, wrong = f"wins.{seat}", run.rates[f"good_slaps.{seat}"], run.rates[f"wrong_slaps.{seat}"]
        sure = format_interval(wins, run.estimates[wins])
        rows.append((f"{seat} {bot}", format_metric(wins, run.rates[wins]), sure, f"{good:.2f}", f"{wrong:.2f}"))
    return rows


def metric_rows(run: Run) -> Rows:
    """Every figure."""
    rows: Rows = [("", "", "between")]
    for name, rate in run.rates.items():
        sure = run.estimates.get(name)
        between = format_interval(name, sure, given_up=run.never_ended > 0) if sure else ""
        rows.append((metric_label(name), format_metric(name, rate), between))
    return rows


def _page(**parts: Any) -> str:
    return _PAGES.get_template("report.html").render(style=style, **parts)


def _picture(svg: str, name: str) -> str:
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(name)}"', 1)


def _cells(table: pl.DataFrame, axes: Sequence[str], metric: str) -> Part:
    """A figure of every cell, and its difference from the first."""
    picture = _picture(style.svg(sweep_plots.plot_sweep(table, metric)), metric)
    if f"{metric}.low" not in table.columns:
        return Part(picture=picture)
    rows: Rows = [(*axes, metric_label(metric), "between", "more than the first", "between", "p, adjusted")]
    rows += _cell_rows(table, axes, metric)
    note = f"p is after Holm's correction for the {len(rows) - 2} differences of this table." if len(rows) > 2 else ""
    return Part(picture=picture, rows=rows, note=note)


def _cell_rows(table: pl.DataFrame, axes: Sequence[str], metric: str) -> Iterator[Sequence[str]]:
    any_given_up = bool(table["never_ended"].sum()) if "never_ended" in table.columns else False
    compared = not (metric in LENGTHS and any_given_up)
    some = table.drop_nulls(metric)
    for row, more in zip(some.iter_rows(named=True), differences(some, metric), strict=True):
        found = Estimate(row[metric], row[f"{metric}.low"], row[f"{metric}.high"])
        given_up = bool(row.get("never_ended"))
        against = ("", "", "")
        if more and compared:
            difference, p = format_metric(metric, more.estimate.value, sign=True), f"{more.p:.3f}"
            against = difference, format_interval(metric, more.estimate, True), "< 0.001" if more.p < 0.001 else p
        own = (format_metric(metric, found.value), format_interval(metric, found, given_up=given_up))
        yield (*(_cell(row[axis]) for axis in axes), *own, *against)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
