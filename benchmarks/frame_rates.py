"""Whether players whose pages draw 30, 60, 90 or 120 frames a second are judged alike, and what lies gain among them.

Used by `benchmarks.fairness --frames`. The *bias* of a frame rate is the share of races that its players are said to
win, less the share in which they were truly first, in points. With `--liars` the same races are played with the moment
that the server chooses for pages with slow frames, without that, and with a cheat whose page says that it is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from random import Random
from typing import Any

from benchmarks.asking_simulation import judge_asked_race, trace_page
from benchmarks.judged_sessions import SCENARIOS, Tally, sessions, show_calibration, true_winner
from benchmarks.liars import ADAPTIVE, CHEATED, LIES, ON_PINGS, Moment, as_dealt, asked_shares
from benchmarks.player_model import SCREENS, Player, Trial, painted_at
from benchmarks.race_simulation import HONEST, measure_link, us
from ratscrew.judge.credit import Credit
from ratscrew.judge.frame_alignment import FrameTimes, aligned_reveal_us
from ratscrew.judge.rtt_estimator import LinkEstimate

RATES = ("30", "60", "90", "120")
PREDICTION_MS = 3.0
"""How far a frame is from where the server expects it: a second has 30 of them, and clocks of pages are coarse."""

SLOW_SCREEN = "30 on a screen of 30"
"""A screen that is itself so slow, which a page cannot tell from one whose browser saves power."""


@dataclass(slots=True)
class RateTally:
    """The players of one frame rate: in how many races, how often first and judged first, and both."""

    races: int = 0
    first: int = 0
    judged_first: int = 0
    both: int = 0

    def add(self, first: bool, judged_first: bool) -> None:
        """Add a player's race."""
        self.races += 1
        self.first += first
        self.judged_first += judged_first
        self.both += first and judged_first

    def figures(self) -> dict[str, float]:
        """Shares in percent; `bias` with its standard error, in points."""
        races = max(1, self.races)
        bias = (self.judged_first - self.first) / races
        changed = (self.judged_first + self.first - 2 * self.both) / races
        return {
            "races": self.races,
            "first": round(100 * self.first / races, 2),
            "judged_first": round(100 * self.judged_first / races, 2),
            "bias": round(100 * bias, 2),
            "standard_error": round(100 * sqrt((changed - bias * bias) / races), 2),
            "right": round(100 * self.both / max(1, self.first), 1),
        }


@dataclass(slots=True)
class RatesTally:
    """All verdicts, and those on the players of each frame rate."""

    all: Tally = field(default_factory=Tally)
    rates: dict[str, RateTally] = field(default_factory=dict)


def align(
    players: Sequence[Player],
    trials: Sequence[Trial],
    links: Sequence[LinkEstimate],
    rng: Random,
    first_says_ms: float | None = None,
) -> list[Trial]:
    """The same race at the moment that the server chooses for the sake of pages with few frames.

    It knows their frames from its estimate of their clocks, and errs by `PREDICTION_MS` in the mean besides. The first
    player's page says that its frames last `first_says_ms`; without that, as long as they do.
    """
    lasting = [player.screen.frame for player in players]
    if first_says_ms is not None:
        lasting[0] = first_says_ms
    known = [
        FrameTimes(
            us(painted_at(player, trial, 0) + player.ahead + rng.gauss(0, PREDICTION_MS)) - link.clock_offset_us,
            us(frame_ms),
        )
        for player, trial, link, frame_ms in zip(players, trials, links, lasting, strict=True)
    ]
    later = aligned_reveal_us(0, known) / 1000
    return [
        replace(trial, phase=(trial.phase - later / player.screen.frame) % 1)
        for player, trial in zip(players, trials, strict=True)
    ]


def judge_rates(screens: Mapping[str, float], races: int, seed: int) -> RatesTally:
    """Two to six honest players on mixed links, with screens in these shares."""
    names, found, draw = {SCREENS[name]: name for name in screens}, RatesTally(), Random(seed)
    found.rates = {name: RateTally() for name in screens}
    for players, deals in sessions(replace(SCENARIOS["mixed"], screens=screens), races, seed):
        links, credits = [measure_link(player, HONEST) for player in players], [Credit() for _ in players]
        for trials in deals:
            trials = align(players, trials, links, draw)
            pages = [trace_page(*each) for each in zip(players, trials, links, strict=True)]
            verdict = judge_asked_race(pages, credits, draw.randrange)
            if (first := true_winner(trials)) is None:
                continue
            winner, margin = first
            found.all.add(margin, verdict.winner == winner, verdict.wait_us / 1000, verdict.confidence_percent)
            for seat, player in enumerate(players):
                found.rates[names[player.screen]].add(seat == winner, seat == verdict.winner)
    return found


def liars_among_rates(races: int, seed: int) -> dict[str, dict[str, float]]:
    """How many points each lie adds to the first player's share of wins, by how the moment of the card is chosen.

    `aligned, says 30` is a cheat whose page also says that it draws 30 frames a second, compared with honesty.
    """
    scenario, lies = (
        replace(CHEATED, screens=dict.fromkeys(RATES, 1.0)),
        (*LIES.values(), *ADAPTIVE, *ON_PINGS.values()),
    )

    def shares(moment: Moment) -> list[float]:
        return asked_shares(lies, races, seed, scenario, moment)[0]

    fixed = shares(as_dealt)
    aligned = shares(partial(align, rng=Random(seed)))
    says_30 = shares(partial(align, rng=Random(seed), first_says_ms=1000 / 30))
    return {
        "fixed": _named(fixed, fixed[0]),
        "aligned": _named(aligned, aligned[0]),
        "aligned, says 30": _named(says_30, aligned[0]),
    }


def _named(shares: Sequence[float], honest: float) -> dict[str, float]:
    """What each lie gains; the adaptive ones are one row."""
    gains = [round(share - honest, 2) for share in shares]
    single, adaptive = 1 + len(LIES), 1 + len(LIES) + len(ADAPTIVE)
    named = dict(zip(("none", *LIES), gains, strict=False))
    named["best adaptive"] = max(gains[single:adaptive])
    return named | dict(zip(ON_PINGS, gains[adaptive:], strict=True))


def measure_rates(races: int, seed: int, liars: int = 0) -> dict[str, Any]:
    """All figures; also those of liars who play so many races each, if any."""
    mixed = judge_rates(dict.fromkeys(RATES, 1), races, seed)
    slow_screens = judge_rates({SLOW_SCREEN: 1, "60": 1, "90": 1, "120": 1}, races, seed)
    found = {
        "races": races,
        "seed": seed,
        "all": mixed.all.figures(),
        "rates": {name: tally.figures() for name, tally in mixed.rates.items()},
        "slow_screen": slow_screens.rates[SLOW_SCREEN].figures(),
        "calibration": mixed.all.calibration(),
    }
    return found | ({"liars": liars_among_rates(liars, seed + 1)} if liars else {})


def show_rates(found: Mapping[str, Any]) -> None:
    """Print the report as Markdown tables."""
    heads = ("frames a second", "races", "first", "judged first", "bias, points", "right where first")
    print(f"2 to 6 players with mixed frame rates, {found['races']} races; in percent")
    print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found["all"].items()))
    print(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name, each in {**found["rates"], SLOW_SCREEN: found["slow_screen"]}.items():
        bias = f"{each['bias']:+.2f} ± {each['standard_error']:.2f}"
        shares = f"{each['first']:.1f} | {each['judged_first']:.1f} | {bias} | {each['right']:.1f}"
        print(f"| {name} | {each['races']:,} | {shares} |")
    show_calibration(found["calibration"])
    if liars := found.get("liars"):
        print(f"\none liar of four, points of win share\n\n| lie | {' | '.join(liars)} |\n|---|{'---|' * len(liars)}")
        for lie in next(iter(liars.values())):
            print(f"| {lie} | {' | '.join(f'{gains[lie]:+.1f}' for gains in liars.values())} |")
