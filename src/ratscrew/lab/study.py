"""The results of an experiment: its figures by name, with confidence intervals. No printing or drawing here.

A rate is a mean per game: `wins.0` is the proportion of games that seat 0 wins, `slapped.double` the number of doubles
slapped per game.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from msgspec import Struct, structs

from ratscrew.lab.experiment import Experiment
from ratscrew.lab.kernel.setup import unsupported_reason
from ratscrew.lab.pieces import piece_bounds, play_in_order
from ratscrew.lab.play import Backend, choose_backend, play_games
from ratscrew.lab.provenance import Provenance, provenance
from ratscrew.lab.statistics import (
    Estimate,
    Sample,
    anytime_mean_ci,
    anytime_proportion_ci,
    t_ci,
    wilson_ci,
)
from ratscrew.lab.tally import Tally, bin_start
from ratscrew.rules.example import example
from ratscrew.rules.house import Rules

METRIC_LABELS: Mapping[str, str] = {
    "wins": "games won",
    "comebacks": "games won after running out of cards",
    "drawn": "games drawn",
    "all_lose": "games lost by everybody",
    "limited": "games that reached their limit of cards",
    "never_ended": "games that never ended",
    "cards": "cards turned per game",
    "tricks": "piles taken per game",
    "minutes": "minutes of play by people",
    "good_slaps": "valid slaps per game",
    "wrong_slaps": "wrong slaps per game",
    "slapped": "slaps per game:",
}
"""The label of a figure, by its name up to the first dot."""

PROPORTIONS = ("wins", "comebacks", "drawn", "all_lose", "limited", "never_ended")
"""Figures that are proportions of games."""

LENGTHS = ("cards", "tricks", "minutes")
"""Figures whose mean is too small if games were given up, since these count up to then only."""

LEAST_PERCENT, MOST_PERCENT = 0.01, 50.0
"""The bounds of a precision in percent."""

FIRST_LOOK = 1000
"""The number of games after which a run with a precision looks for the first time."""

MINUTE_MS = 60_000
MINUTE_US = 60_000_000


class Bin(Struct, frozen=True):
    """The number of games with at least `low` cards and fewer than `high`."""

    low: int
    high: int
    games: int


class Run(Struct, frozen=True, kw_only=True):
    """An experiment with its results; `ratscrew lab run --json` prints it as JSON.

    Unit: `cpu_s` is seconds of all cores together, without set-up.
    """

    experiment: Experiment
    command: str
    backend: Backend
    fallback_reason: str | None
    games: int
    cpu_s: float
    games_per_second: float
    mean_cards: float
    mean_tricks: float
    mean_minutes: float
    wins: tuple[int, ...]
    drawn: int
    all_lose: int
    limited: int
    never_ended: int
    rates: dict[str, float]
    estimates: dict[str, Estimate]
    lengths: tuple[Bin, ...]
    provenance: Provenance

    @property
    def patterns(self) -> tuple[str, ...]:
        """The names of the patterns."""
        return tuple(name.partition(".")[2] for name in self.rates if name.startswith("slapped."))

    @property
    def wins_estimates(self) -> list[Estimate]:
        """The share of wins of each seat."""
        return [each for name, each in self.estimates.items() if name.startswith("wins.")]

    def quantile(self, part: float) -> float:
        """The quantile of the lengths, interpolated within bins."""
        below = 0
        for each in self.lengths:
            if below + each.games >= part * self.games and each.games:
                inside = (part * self.games - below) / each.games
                return each.low * math.pow(each.high / each.low, inside)
            below += each.games
        return 0.0


def metric_label(name: str) -> str:
    """The label of a figure."""
    head, _, rest = name.partition(".")
    return (
        f"{METRIC_LABELS[head]}, seat {rest}"
        if rest.isdecimal()
        else f"{METRIC_LABELS[head]} {rest.replace('_', ' ')}".strip()
    )


def format_metric(name: str, value: float, sign: bool = False) -> str:
    """Format a figure: proportions in percent, large numbers without decimals.

    A proportion that is not quite none or all gets as many decimals as it takes to see that.
    """
    plus = "+" if sign else ""
    if name.partition(".")[0] in PROPORTIONS:
        return f"{100 * value:{plus}.{_decimals(value)}f} %"
    return f"{value:{plus},.0f}" if abs(value) >= 1000 else f"{value:{plus},.2f}"


def _decimals(proportion: float) -> int:
    """How many decimals a percentage needs: one, or two digits of how far it is from 0 or 100 percent."""
    apart = 100 * min(abs(proportion), abs(1 - abs(proportion)))
    if apart >= 0.05 or apart < 1e-9:  # less comes of rounding
        return 1
    return 1 - math.floor(math.log10(apart))


def format_interval(name: str, found: Estimate, sign: bool = False, given_up: bool = False) -> str:
    """Format the bounds of a figure. If games were given up, the length of games has a lower bound only."""
    if given_up and name in LENGTHS:
        return f"at least {format_metric(name, found.low, sign)}"
    return f"{format_metric(name, found.low, sign)} and {format_metric(name, found.high, sign)}"


def run(
    experiment: Experiment,
    *,
    threads: int = 1,
    engine: bool = False,
    command: str = "",
    executor: Executor | None = None,
    on_progress: Callable[[int], object] = lambda games: None,
    precision: float | None = None,
) -> Run:
    """Run an experiment and measure its CPU time, on threads of this machine or on the workers of an executor.

    With a precision it is played only until each seat's share of wins is known so well (`play_until`). Then all
    intervals hold at any number of games.

    Raises: RatscrewError if a worker has other sources.
    """
    rules, bots = experiment.rules, experiment.lineup
    why = "requested" if engine else unsupported_reason(rules, bots)

    def play_part(first: int, games: int) -> tuple[Tally, float]:
        part = structs.replace(experiment, games=games)
        if executor:
            return _on_workers(part, first, executor, engine, on_progress)
        return _here(part, first, threads, engine, on_progress)

    if precision is None:
        tally, cpu_s = play_part(0, experiment.games)
    else:
        tally, cpu_s = play_until(precision, experiment.games, len(bots), play_part)
        experiment = structs.replace(experiment, games=tally.games)
    found = rates(tally, len(bots), slappable_patterns(rules))
    return Run(
        experiment=experiment,
        command=command,
        backend=choose_backend(rules, bots, engine),
        fallback_reason=why,
        games=tally.games,
        cpu_s=cpu_s,
        games_per_second=tally.games / max(cpu_s, 1e-9),
        mean_cards=found["cards"],
        mean_tricks=found["tricks"],
        mean_minutes=found["minutes"],
        wins=pad_to_seats(tally.wins, len(bots)),
        drawn=tally.drawn,
        all_lose=tally.all_lose,
        limited=tally.limited,
        never_ended=tally.never_ended,
        rates=found,
        estimates=estimates(tally, len(bots), anytime=precision is not None),
        lengths=lengths(tally),
        provenance=provenance(experiment.user_modules),
    )


def run_experiment(experiment: Experiment, threads: int = 1) -> dict[str, Any]:
    """Run an experiment and return its figures as a row of a table."""
    return figures(
        experiment, play_games(experiment.rules, experiment.lineup, experiment.games, experiment.seed, threads=threads)
    )


def figures(experiment: Experiment, tally: Tally) -> dict[str, Any]:
    """The figures of an experiment as a row of a table, without anything specific to the machine."""
    rules, seats = experiment.rules, len(experiment.bots)
    sure, row = estimates(tally, seats), dict[str, Any]()
    for name, rate in rates(tally, seats, slappable_patterns(rules)).items():
        row[name] = rate
        if name in sure:
            row[f"{name}.low"], row[f"{name}.high"] = sure[name].low, sure[name].high
    return row


def slappable_patterns(rules: Rules) -> tuple[str, ...]:
    """The names of the patterns that the cards of a house can make."""
    return tuple(bound.pattern.name for bound in rules.patterns if example(rules, bound))


def rates(tally: Tally, seats: int, patterns: Sequence[str]) -> dict[str, float]:
    """The mean of every figure per game."""
    totals: dict[str, float] = {
        **_games(tally, seats),
        "cards": tally.cards,
        "tricks": tally.tricks,
        "minutes": tally.time_us / MINUTE_US,
        "good_slaps": sum(tally.good),
        "wrong_slaps": sum(tally.wrong),
    }
    for kind, counts in (("good", tally.good), ("wrong", tally.wrong)):
        totals |= {f"{kind}_slaps.{seat}": count for seat, count in enumerate(pad_to_seats(counts, seats))}
    totals |= {f"slapped.{name}": tally.slaps.get(name, 0) for name in patterns}
    return {name: total / tally.games for name, total in totals.items()}


def play_until(
    precision: float, most: int, seats: int, play_part: Callable[[int, int], tuple[Tally, float]]
) -> tuple[Tally, float]:
    """The tally and CPU time of as many games as are needed: `play_part` plays some, from a number on.

    It looks after 1,000 games and whenever they have doubled, up to the most. It stops where the interval of each
    seat's wins, which holds at all looks together, is at most so far on either side.
    """
    tally, cpu_s = Tally(), 0.0
    for games in look_sizes(most):
        part, part_s = play_part(tally.games, games - tally.games)
        tally, cpu_s = tally + part, cpu_s + part_s
        found = [anytime_proportion_ci(wins, games) for wins in pad_to_seats(tally.wins, seats)]
        if max(each.half_width for each in found) <= precision:
            break
    return tally, cpu_s


def precision_reached(wins: Sequence[Estimate], percent: float) -> str:
    """How well wins are known after a study with a precision, and whether that is as well as was asked."""
    found = 100 * max(each.half_width for each in wins)
    reached = "" if found <= percent else f", not to {percent:g}, after the most games"
    return f"Wins are known to {found:.2f} percent on either side{reached}."


def look_sizes(most: int) -> list[int]:
    """The numbers of games after which one looks: 1,000, and twice as many each time, up to the most."""
    sizes = [min(FIRST_LOOK, most)]
    while 2 * sizes[-1] <= most:
        sizes.append(2 * sizes[-1])
    return sizes


def estimates(tally: Tally, seats: int, anytime: bool = False) -> dict[str, Estimate]:
    """The figures that have a confidence interval: for one number of games, or one that holds at any number."""
    means = {
        "cards": Sample(tally.games, tally.cards, tally.cards2),
        "tricks": Sample(tally.games, tally.tricks, tally.tricks2),
        "minutes": Sample(tally.games, tally.time_us / MINUTE_US, tally.time2_ms / MINUTE_MS**2),
    }
    share, mean = (anytime_proportion_ci, anytime_mean_ci) if anytime else (wilson_ci, t_ci)
    shares = {name: share(count, tally.games) for name, count in _games(tally, seats).items()}
    return shares | {name: mean(each) for name, each in means.items()}


def lengths(tally: Tally) -> tuple[Bin, ...]:
    """The histogram of cards turned, from the shortest game to the longest."""
    bins = [Bin(bin_start(place), bin_start(place + 1), games) for place, games in enumerate(tally.lengths)]
    first = next((place for place, each in enumerate(bins) if each.games), 0)
    return tuple(bins[first:])


def pad_to_seats(counts: Sequence[int], seats: int) -> tuple[int, ...]:
    """Counts by seat, padded with zeros for the last seats."""
    return (*counts, *[0] * (seats - len(counts)))


def _games(tally: Tally, seats: int) -> dict[str, int]:
    """The counts of games by their outcome."""
    return {
        **{f"wins.{seat}": count for seat, count in enumerate(pad_to_seats(tally.wins, seats))},
        "comebacks": tally.comebacks,
        "drawn": tally.drawn,
        "all_lose": tally.all_lose,
        "limited": tally.limited,
        "never_ended": tally.never_ended,
    }


def _here(
    experiment: Experiment, first: int, threads: int, engine: bool, on_progress: Callable[[int], object]
) -> tuple[Tally, float]:
    """The tally of an experiment from game `first` on, played by threads of this machine, and the CPU time."""
    rules, bots, seed = experiment.rules, experiment.lineup, experiment.seed
    if choose_backend(rules, bots, engine) is not Backend.ENGINE:
        play_games(rules, bots, 1, seed)  # so that nothing is compiled or loaded during the measurement
    before_s = _cpu_s()
    tally = play_games(
        rules, bots, experiment.games, seed, first=first, threads=threads, engine=engine, on_progress=on_progress
    )
    return tally, _cpu_s() - before_s


def _on_workers(
    experiment: Experiment, first: int, executor: Executor, engine: bool, on_progress: Callable[[int], object]
) -> tuple[Tally, float]:
    """The tally of an experiment from game `first` on, played in pieces, and the workers' CPU time."""
    tally, cpu_s = Tally(), 0.0
    bounds = [first + bound for bound in piece_bounds(experiment, engine)]
    for piece in play_in_order(executor, experiment, bounds, engine):
        tally, cpu_s = tally + piece.tally, cpu_s + piece.cpu_s
        on_progress(piece.tally.games)
    return tally, cpu_s


def _cpu_s() -> float:
    return sum(os.times()[:4])
