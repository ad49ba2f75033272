"""Plots of a run: wins, lengths of games and slaps, with confidence intervals. No statistics here."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ratscrew.lab import style
from ratscrew.lab.study import Run


def plot_all(run: Run) -> dict[str, Figure]:
    """Every plot of a run by its name."""
    drawn = {"wins": plot_wins(run), "lengths": plot_lengths(run)}
    return {**drawn, "slaps": plot_slaps(run)} if run.patterns else drawn


def plot_wins(run: Run) -> Figure:
    """The wins of each seat with their intervals, beside one in so many: who leads wins more among equals."""
    seats = run.experiment.bots
    title = f"Who wins: {run.games:,} games of {len(seats)}"
    with style.canvas(8, 1.7 + 0.52 * len(seats), title) as (figure, axes):
        for seat in range(len(seats)):
            found, hue = run.estimates[f"wins.{seat}"], style.SEAT_COLOURS[seat % len(style.SEAT_COLOURS)]
            axes.barh(seat, 100 * found.value, 0.58, color=hue, alpha=0.85)
            _interval(axes, 100 * found.low, 100 * found.high, seat)
            says = f"{100 * found.value:.1f} %   {100 * found.low:.1f} to {100 * found.high:.1f}"
            axes.annotate(
                says,
                (100 * found.high, seat),
                (9, 0),
                textcoords="offset points",
                va="center",
                fontsize=10,
                path_effects=style.halo(),
            )
        even = 100 / len(seats)
        axes.axvline(even, color=style.theme().ink, linewidth=1, linestyle=(0, (4, 3)), alpha=0.7)
        axes.annotate(
            f"one in {len(seats)}",
            (even, 1),
            (0, 4),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            color=style.theme().dim,
        )
        axes.set_yticks(
            range(len(seats)), [f"{seat}  {bot}" for seat, bot in enumerate(seats)], color=style.theme().ink
        )
        most = 100 * max(run.estimates[f"wins.{seat}"].high for seat in range(len(seats)))
        axes.set_xlim(0, 1.32 * most)
        axes.set_xticks([tick for tick in axes.get_xticks() if tick <= 100])
        axes.invert_yaxis()
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.set_xlabel("games won, %; the thin line is the 95 % confidence interval")
    return figure


def plot_lengths(run: Run) -> Figure:
    """The histogram of lengths in cards, on a logarithmic scale."""
    with style.canvas(8, 4, "How long a game is") as (figure, axes):
        heights = [each.games / math.log2(each.high / each.low) for each in run.lengths]
        edges = [*(each.low for each in run.lengths), run.lengths[-1].high]
        axes.stairs(heights, edges, fill=True, color=style.TEAL, alpha=0.55)
        axes.stairs(heights, edges, color=style.theme().accent, linewidth=1.8)
        axes.set_xscale("log")
        axes.set_ylim(0, 1.22 * max(heights, default=1))
        for share, words in ((0.1, "a tenth are shorter"), (0.5, "half"), (0.9, "nine tenths")):
            _mark(axes, run.quantile(share), words)
        axes.set_xticks(ticks := _ticks(edges[0], edges[-1]), [f"{tick:,}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        minutes = run.estimates["minutes"].value
        axes.set_xlabel(f"cards turned per game; {run.mean_cards:,.0f} on average, or {minutes:,.1f} minutes of play")
    return figure


def plot_slaps(run: Run) -> Figure:
    """The slaps of a game by pattern, and the wrong slaps."""
    found = sorted(((run.rates[f"slapped.{name}"], name) for name in run.patterns), reverse=True)
    rows = [(rate, name.replace("_", " "), style.theme().accent) for rate, name in found]
    rows.append((run.rates["wrong_slaps"], "wrong slaps", style.RED))
    with style.canvas(8, 1.5 + 0.42 * len(rows), "Slaps per game") as (figure, axes):
        for place, (rate, _, hue) in enumerate(rows):
            axes.barh(place, rate, 0.58, color=hue, alpha=0.85)
            axes.annotate(f"{rate:,.2f}", (rate, place), (7, 0), textcoords="offset points", va="center", fontsize=10)
        axes.set_yticks(range(len(rows)), [name for _, name, _ in rows], color=style.theme().ink)
        axes.set_xlim(0, 1.12 * max(max(rate for rate, _, _ in rows), 1e-9))
        axes.invert_yaxis()
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.set_xlabel("times per game, all players together")
    return figure


def _interval(axes: Axes, low: float, high: float, at: float) -> None:
    axes.plot([low, high], [at, at], color=style.theme().paper, linewidth=5, solid_capstyle="round")
    axes.plot([low, high], [at, at], color=style.theme().ink, linewidth=2, solid_capstyle="round")


def _mark(axes: Axes, at: float, words: str) -> None:
    axes.axvline(at, ymax=0.86, color=style.theme().ink, linewidth=1, linestyle=(0, (4, 3)), alpha=0.7)
    axes.annotate(
        f"{words}\n{at:,.0f}",
        (at, 0.87),
        xycoords=("data", "axes fraction"),
        ha="center",
        va="bottom",
        fontsize=9.5,
        color=style.theme().ink,
        linespacing=1.35,
    )


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers within the bounds: 1, 2 and 5 times the powers of ten."""
    powers = range(math.floor(math.log10(max(low, 1))), math.ceil(math.log10(high)) + 1)
    return [step * 10**power for power in powers for step in (1, 2, 5) if low <= step * 10**power <= high]
