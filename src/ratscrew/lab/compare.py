"""Compare two experiments: each difference, its interval, and whether it is significant among all figures.

Both play the same number of games of the same seed, so each game has a twin with the same shuffle. The common variation
of twins cancels out: they are compared in chunks, pair by pair. More games of the same seed contain the earlier ones,
so intervals and p-values hold at any number of games. No printing here.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from msgspec import Struct

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.pieces import play_in_order
from ratscrew.lab.play import chunk_bounds, play_chunks
from ratscrew.lab.statistics import ALPHA, Difference, Estimate, adjust, paired_difference, sample
from ratscrew.lab.study import PROPORTIONS, rates, slappable_patterns

MIN_GAMES = 10
"""The fewest games that are compared."""


class MetricDifference(Struct, frozen=True, rename={"difference": "more"}):
    """One figure in both experiments, and how much greater it is in the second. JSON keeps its older key.

    `p` is the p-value after Holm's correction for all figures. The interval of the difference is that of one figure.
    """

    name: str
    ours: float
    theirs: float
    difference: Estimate
    p: float

    @property
    def significant(self) -> bool:
        """Whether the figures differ. Of all differences that are found, any is false with a probability of 5 %."""
        return self.p <= ALPHA


def compare(
    ours: Experiment,
    theirs: Experiment,
    *,
    threads: int = 1,
    engine: bool = False,
    executor: Executor | None = None,
    on_progress: Callable[[int], object] = lambda games: None,
) -> list[MetricDifference]:
    """Compare every figure that both experiments have, on threads of this machine or on the workers of an executor.

    Raises: RatscrewError if there are too few games, or a worker has other sources.
    """
    if ours.games < MIN_GAMES:
        raise RatscrewError(f"{ours.games} games: {MIN_GAMES} at least are compared")
    left, right = (_by_chunk(experiment, threads, engine, executor, on_progress) for experiment in (ours, theirs))
    names = [name for name in left if name in right]
    found = [_difference(name, left[name], right[name], ours.games) for name in names]
    return [
        MetricDifference(name, sample(left[name]).mean, sample(right[name]).mean, each.estimate, p)
        for name, each, p in zip(names, found, adjust([each.p for each in found]), strict=True)
    ]


def _by_chunk(
    experiment: Experiment,
    threads: int,
    engine: bool,
    executor: Executor | None,
    on_progress: Callable[[int], object],
) -> dict[str, list[float]]:
    """Each figure by chunk, scaled so that the mean of the chunks is that of the games."""
    rules, places = experiment.rules, chunk_bounds(experiment.games)
    patterns, found = slappable_patterns(rules), dict[str, list[float]]()
    chunks = (
        (piece.tally for piece in play_in_order(executor, experiment, places, engine))
        if executor
        else play_chunks(rules, experiment.lineup, places, experiment.seed, threads=threads, engine=engine)
    )
    for chunk in chunks:
        on_progress(chunk.games)
        for name, rate in rates(chunk, len(experiment.bots), patterns).items():
            found.setdefault(name, []).append(rate * chunk.games * (len(places) - 1) / experiment.games)
    return found


def _difference(name: str, ours: list[float], theirs: list[float], games: int) -> Difference:
    more = [their - our for our, their in zip(ours, theirs, strict=True)]
    return paired_difference(more, games, proportion=name.partition(".")[0] in PROPORTIONS)
