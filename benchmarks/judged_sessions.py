"""Sessions of modelled players for `benchmarks.fairness`, and the tally of a judge's verdicts on their races."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from benchmarks.player_model import USUAL_SCREENS, Player, Trial, sample_player, sample_trial

SESSION = 60
"""Races in a session, over which credit is kept."""

MARGINS_MS = {"all": -1.0, "over_10": 10.0, "over_20": 20.0, "over_50": 50.0}
LEVELS_PERCENT = ((50, 59), (60, 69), (70, 79), (80, 88), (89, 91), (92, 95), (96, 97), (98, 99))
"""Spans of stated confidence whose verdicts are counted together; the narrow one is around 90 %."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Numbers of players in turn, classes of links by seat (default: any), the factor of loss and episodes; screens."""

    players: tuple[int, ...]
    links: tuple[str, ...] = ()
    bad: float = 1
    screens: Mapping[str, float] = field(default_factory=lambda: USUAL_SCREENS)


SCENARIOS = {
    "mixed": Scenario((2, 3, 4, 5, 6)),
    "fibre_far": Scenario((2,), ("fibre", "far")),
    "mobile": Scenario((4,), ("mobile",) * 6),
    "lossy": Scenario((4,), bad=3),
}


@dataclass(slots=True)
class Tally:
    """One judge's verdicts: margin of each race, whether the true winner won, and the time to the verdict."""

    margins: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    sure: list[int] = field(default_factory=list)

    def add(self, margin: float, right: bool, wait: float, sure: int = 0) -> None:
        """Add a verdict; `sure` is how sure the judge is, in percent."""
        self.sure.append(sure)
        self.margins.append(margin)
        self.right.append(right)
        self.waits.append(wait)

    def calibration(self) -> list[tuple[int, float, float]]:
        """For each span of stated confidence: the verdicts, the mean confidence, and how many are right, in percent."""
        found = []
        for low, high in LEVELS_PERCENT:
            stated = [(sure, right) for sure, right in zip(self.sure, self.right, strict=True) if low <= sure <= high]
            many = max(1, len(stated))
            mean, right = (sum(each) / many for each in zip(*stated or [(0, False)], strict=True))
            found.append((len(stated), mean, 100 * right))
        return found

    def figures(self) -> dict[str, float]:
        """Shares of right verdicts in percent, times to the verdict in milliseconds."""
        shares = {}
        for name, least in MARGINS_MS.items():
            clear = [right for right, margin in zip(self.right, self.margins, strict=True) if margin > least]
            shares[name] = round(100 * sum(clear) / max(1, len(clear)), 2)
        waits = sorted(self.waits)
        at = {f"verdict_p{p}_ms": round(waits[(len(waits) - 1) * p // 100], 1) for p in (50, 99)}
        return shares | at


class Session(NamedTuple):
    """Some players and their races: for each race a trial of each player."""

    players: Sequence[Player]
    races: Sequence[Sequence[Trial]]


def sessions(scenario: Scenario, races: int, seed: int) -> Iterator[Session]:
    """Sessions until there are this many races; the same seed gives the same ones."""
    rng, number = Random(seed), 0
    while races > 0:
        links = [*scenario.links, *[None] * 6]
        size = scenario.players[number % len(scenario.players)]
        players = [sample_player(rng, links[seat], scenario.bad, scenario.screens) for seat in range(size)]
        yield Session(players, [[sample_trial(rng, each) for each in players] for _ in range(min(SESSION, races))])
        races, number = races - SESSION, number + 1


def true_winner(trials: Sequence[Trial]) -> tuple[int, float] | None:
    """The seat with the shortest reaction, and its lead in milliseconds; None if fewer than two players slap.

    A reaction ends with the touch: the polling delay of a screen or a keyboard (`scan`) is not part of it.
    """
    times = sorted((trial.reaction, seat) for seat, trial in enumerate(trials) if trial.slaps)
    return (times[0][1], times[1][0] - times[0][0]) if len(times) > 1 else None


def show_calibration(levels: Sequence[tuple[int, float, float]]) -> None:
    """Print how many of the verdicts of each level of confidence are right, in percent."""
    print("\n| stated confidence in percent | verdicts | mean | right |\n|---|---|---|---|")
    for (low, high), (many, mean, right) in zip(LEVELS_PERCENT, levels, strict=True):
        print(f"| {low} to {high} | {many} | {mean:.1f} | {right:.1f} |")
