"""The HTML report of a run or a sweep: tables, plots, the rules of the house, and the command that reproduces it.

The page is self-contained: plots and styles are inline. No statistics here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import polars as pl

from ratscrew.lab import run_plots, style, sweep_plots
from ratscrew.lab.statistics import Estimate, newcombe_ci
from ratscrew.lab.study import LENGTHS, Run, format_interval, format_metric, metric_label
from ratscrew.lab.sweep import axes_in
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link
from ratscrew.rules.sheet import sheet

_STYLE = f"""
:root {{ color-scheme: dark }}
* {{ box-sizing: border-box }}
body {{ margin: 0; color: {style.SAND}; font: 16px/1.5 system-ui, sans-serif;
  background: radial-gradient(120% 60rem at 50% 0, #195a65, {style.FELT} 38%, #0a2b33 72%, {style.NIGHT})
    {style.NIGHT} }}
main {{ max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }}
h1 {{ font-size: 2rem; line-height: 1.15; margin: 0 0 .4rem }}
h2 {{ font-size: 1.2rem; margin: 0 0 .9rem; color: {style.GOLD} }}
h3 {{ font-size: 1rem; margin: 1.1rem 0 .2rem; color: {style.GOLD} }}
p {{ margin: .3rem 0 }}
.dim, th {{ color: {style.DIM} }}
section {{ background: {style.PANEL}; border-radius: 18px; padding: 1.4rem 1.5rem; margin-top: 1.25rem;
  box-shadow: inset 0 0 0 1.5px #ffffff1a, 0 12px 30px #0005; overflow-x: auto }}
.tiles {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem; margin-top: 1.5rem }}
.tile {{ background: #0310148a; border-radius: 18px; padding: 1rem 1.1rem; box-shadow: inset 0 0 0 1.5px #ffffff1a }}
.tile b {{ display: block; font-size: 1.7rem; line-height: 1.2; color: {style.GOLD} }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }}
th, td {{ text-align: right; padding: .35rem .7rem; border-bottom: 1px solid #ffffff14; white-space: nowrap }}
th {{ font-weight: 600; font-size: .85rem }}
th:first-child, td:first-child {{ text-align: left; padding-left: 0 }}
td.more {{ color: {style.GOLD}; font-weight: 700 }}
svg {{ display: block; width: 100%; height: auto; max-width: 54rem; margin: 0 auto }}
ul {{ margin: .2rem 0; padding-left: 1.2rem }}
code {{ background: #0310148a; border-radius: 8px; padding: .15rem .45rem; overflow-wrap: anywhere }}
"""


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
    return _page(
        f"{sheet(experiment.rules).title}, {len(experiment.bots)} players",
        f"{', '.join(experiment.bots)}. Seed {experiment.seed}; every figure with its 95 % confidence interval.",
        _tiles(tiles),
        _section("Seat by seat", _seats(run)),
        *(_section("", _picture(style.svg(picture), name)) for name, picture in run_plots.plot_all(run).items()),
        _section("All figures", _figures(run)),
        _section("The rules of this house", _rules(experiment.rules)),
        _section("Reproduce this run", _reproduce(run)),
    )


def sweep_page(table: pl.DataFrame, name: str) -> str:
    """The report of a sweep."""
    axes, known = axes_in(table), sweep_plots.metrics_in(table)
    shown = [metric for metric in sweep_plots.REPORT_METRICS if metric in known]
    games, houses = int(table["games"].sum()), table["house"].unique(maintain_order=True)
    return _page(
        f"A sweep over {' and '.join(axes)}",
        f"{name}: {len(table)} cells, {games:,} games; 95 % confidence intervals.",
        *(
            _section(
                "", _picture(style.svg(sweep_plots.plot_sweep(table, metric)), metric) + _cells(table, axes, metric)
            )
            for metric in shown
        ),
        _section(f"The rules of the first of {len(houses)} houses", _rules(from_link(houses[0]))),
        _section("All figures", _rows([table.columns, *table.rows()])),
    )


def _page(title: str, under: str, *parts: str) -> str:
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style>\n'
        f'<main><h1>{escape(title)}</h1><p class="dim">{escape(under)}</p>\n{body}\n</main></html>\n'
    )


def _section(title: str, inside: str) -> str:
    return f"<section>{f'<h2>{escape(title)}</h2>' if title else ''}{inside}</section>"


def _tiles(tiles: dict[str, str]) -> str:
    each = (f'<div class="tile"><b>{value}</b>{what}</div>' for what, value in tiles.items())
    return f'<div class="tiles">{"".join(each)}</div>'


def _picture(svg: str, name: str) -> str:
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(name)}"', 1)


def _seats(run: Run) -> str:
    rows: list[Sequence[object]] = [("seat", "wins", "between", "valid slaps per game", "wrong slaps per game")]
    for seat, bot in enumerate(run.experiment.bots):
        wins, good, wrong = f"wins.{seat}", run.rates[f"good_slaps.{seat}"], run.rates[f"wrong_slaps.{seat}"]
        sure = format_interval(wins, run.estimates[wins])
        rows.append((f"{seat} {bot}", format_metric(wins, run.rates[wins]), sure, f"{good:.2f}", f"{wrong:.2f}"))
    return _rows(rows)


def _figures(run: Run) -> str:
    rows: list[Sequence[object]] = [("", "", "between")]
    for name, rate in run.rates.items():
        sure = run.estimates.get(name)
        between = format_interval(name, sure, given_up=run.never_ended > 0) if sure else ""
        rows.append((metric_label(name), format_metric(name, rate), between))
    return _rows(rows)


def _cells(table: pl.DataFrame, axes: Sequence[str], metric: str) -> str:
    """A figure of every cell, and its difference from the first."""
    if f"{metric}.low" not in table.columns:
        return ""
    rows: list[Sequence[object]] = [(*axes, metric_label(metric), "between", "more than the first", "between")]
    first: Estimate | None = None
    any_given_up = bool(table["never_ended"].sum()) if "never_ended" in table.columns else False
    for row in table.iter_rows(named=True):
        if row[metric] is None:
            continue
        found = Estimate(row[metric], row[f"{metric}.low"], row[f"{metric}.high"])
        first = first or found
        more = newcombe_ci(found, first)
        against = ("", "")
        if found is not first and not (metric in LENGTHS and any_given_up):
            against = (format_metric(metric, more.value, sign=True), format_interval(metric, more, True))
        given_up = bool(row.get("never_ended"))
        own = (format_metric(metric, found.value), format_interval(metric, found, given_up=given_up))
        rows.append((*(row[axis] for axis in axes), *own, *against))
    return _rows(rows)


def _rules(rules: Rules) -> str:
    parts = []
    for section in sheet(rules).sections:
        lines = "".join(f"<li>{escape(line.text)}</li>" for line in section.lines)
        parts.append(f"<h3>{escape(section.title)}</h3><ul>{lines}</ul>")
    return "".join(parts)


def _reproduce(run: Run) -> str:
    why = f" ({run.fallback_reason})" if run.fallback_reason else ""
    return (
        f"<p><code>{escape(run.command)}</code></p>"
        f"<p>The house: <code>{escape(run.experiment.house)}</code></p>"
        f'<p class="dim">Played by Ratscrew {escape(str(run.provenance))}, by the {run.backend}{escape(why)}: '
        f"{run.games_per_second:,.0f} games a second of CPU.</p>"
    )


def _rows(rows: Iterable[Sequence[object]]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{escape(str(cell))}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{escape(_cell(cell))}</td>" for cell in row) + "</tr>" for row in body]
    return f"<table>{''.join(lines)}</table>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
