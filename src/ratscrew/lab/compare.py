"""Compare two experiments: each difference, its interval, and how many more games it needs to be significant.

Both play the same number of games of the same seed, so each game has a twin with the same shuffle. The common variation
of twins cancels out: they are compared in chunks, pair by pair. No printing here.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.play import chunk_bounds, play_chunks
from ratscrew.lab.statistics import Estimate, paired_t_ci, sample, sample_size
from ratscrew.lab.study import rates, slappable_patterns

MIN_GAMES = 10
"""The fewest games that are compared."""


class MetricDifference(Struct, frozen=True, rename={"difference": "more", "games_needed": "still"}):
    """One figure in both experiments, and how much greater it is in the second. JSON keeps its older keys.

    `games_needed` is how many more games show a difference of this size: 0 if it is significant already, None if there
    is none.
    """

    name: str
    ours: float
    theirs: float
    difference: Estimate
    games_needed: int | None

    @property
    def significant(self) -> bool:
        """Whether the 95 % confidence interval excludes 0."""
        return not self.difference.low <= 0 <= self.difference.high


def compare(
    ours: Experiment,
    theirs: Experiment,
    *,
    threads: int = 1,
    engine: bool = False,
    on_progress: Callable[[int], object] = lambda games: None,
) -> list[MetricDifference]:
    """Compare every figure that both experiments have.

    Raises: RatscrewError if there are too few games.
    """
    if ours.games < MIN_GAMES:
        raise RatscrewError(f"{ours.games} games: {MIN_GAMES} at least are compared")
    left, right = (_by_chunk(experiment, threads, engine, on_progress) for experiment in (ours, theirs))
    return [_difference(name, left[name], right[name], ours.games) for name in left if name in right]


def _by_chunk(
    experiment: Experiment, threads: int, engine: bool, on_progress: Callable[[int], object]
) -> dict[str, list[float]]:
    """Each figure by chunk, scaled so that the mean of the chunks is that of the games."""
    rules, places = experiment.rules, chunk_bounds(experiment.games)
    patterns, found = slappable_patterns(rules), dict[str, list[float]]()
    for chunk in play_chunks(rules, experiment.lineup, places, experiment.seed, threads=threads, engine=engine):
        on_progress(chunk.games)
        for name, rate in rates(chunk, len(experiment.bots), patterns).items():
            found.setdefault(name, []).append(rate * chunk.games * (len(places) - 1) / experiment.games)
    return found


def _difference(name: str, ours: list[float], theirs: list[float], games: int) -> MetricDifference:
    more = paired_t_ci(theirs, ours)
    spread = sample([their - our for our, their in zip(ours, theirs, strict=True)]).variance
    enough = sample_size(more.value, spread * games / len(ours))
    return MetricDifference(
        name, sample(ours).mean, sample(theirs).mean, more, None if enough is None else max(0, enough - games)
    )
