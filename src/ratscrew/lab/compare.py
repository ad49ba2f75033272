"""Compare two experiments: each difference, its interval, and whether it is significant among all figures.

Both play the same number of games of the same seed, so each game has a twin with the same shuffle. The common variation
of twins cancels out: they are compared in chunks, pair by pair. More games of the same seed contain the earlier ones,
so intervals and p-values hold at any number of games. No printing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TypeAlias

from msgspec import Struct

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.pieces import play_in_order
from ratscrew.lab.play import MIN_CHUNKS, chunk_bounds, play_chunks
from ratscrew.lab.statistics import ALPHA, Difference, Estimate, adjust, paired_difference, sample
from ratscrew.lab.study import PROPORTIONS, look_sizes, rates, slappable_patterns
from ratscrew.lab.tally import Tally

MIN_GAMES = 10
"""The fewest games that are compared."""


class MetricDifference(Struct, frozen=True):
    """One figure in both experiments, and how much greater it is in the second.

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
    return compare_until(
        None, ours, theirs, threads=threads, engine=engine, executor=executor, on_progress=on_progress
    )[1]


def compare_until(
    precision: float | None,
    ours: Experiment,
    theirs: Experiment,
    *,
    threads: int = 1,
    engine: bool = False,
    executor: Executor | None = None,
    on_progress: Callable[[int], object] = lambda games: None,
) -> tuple[int, list[MetricDifference]]:
    """Compare as many games as are needed, at most those of the experiments; returns how many, and what was found.

    It looks after 1,000 games and whenever they have doubled, and stops where the difference of each seat's wins is
    known to so much on either side. Intervals and p-values hold at all looks together. Without a precision it looks
    once, at all games.

    Raises: as `compare`.
    """
    if ours.games < MIN_GAMES:
        raise RatscrewError(f"{ours.games} games: {MIN_GAMES} at least are compared")
    looks = [chunk_bounds(ours.games)] if precision is None else [_even_bounds(n) for n in look_sizes(ours.games)]
    left, right, found, games = list[Tally](), list[Tally](), list[MetricDifference](), 0
    means = threads, engine, executor, on_progress
    for bounds in looks:
        left, right = _extended(ours, left, bounds, means), _extended(theirs, right, bounds, means)
        games = bounds[-1]
        found = _differences(_rates_by_chunk(ours, left, games), _rates_by_chunk(theirs, right, games), games)
        if precision is not None and max(each.half_width for each in wins_differences(found)) <= precision:
            break
    return games, found


def wins_differences(found: Sequence[MetricDifference]) -> list[Estimate]:
    """The differences of each seat's wins."""
    return [each.difference for each in found if each.name.startswith("wins.")]


Means: TypeAlias = tuple[int, bool, Executor | None, Callable[[int], object]]
"""How games are played: threads, whether by the engine, workers, and what gets the progress."""


def _even_bounds(games: int) -> list[int]:
    """The bounds of chunks which are pairs of those of half as many games."""
    count = min(games, MIN_CHUNKS)
    return [games * chunk // count for chunk in range(count + 1)]


def _extended(experiment: Experiment, before: Sequence[Tally], bounds: Sequence[int], means: Means) -> list[Tally]:
    """The tally of each chunk between the bounds: pairs of the chunks before, and new ones."""
    threads, engine, executor, on_progress = means
    found = [first + second for first, second in zip(before[::2], before[1::2], strict=True)]
    rest = bounds[len(found) :]
    chunks = (
        (piece.tally for piece in play_in_order(executor, experiment, rest, engine))
        if executor
        else play_chunks(experiment.rules, experiment.lineup, rest, experiment.seed, threads=threads, engine=engine)
    )
    for chunk in chunks:
        on_progress(chunk.games)
        found.append(chunk)
    return found


def _rates_by_chunk(experiment: Experiment, chunks: Sequence[Tally], games: int) -> dict[str, list[float]]:
    """Each figure by chunk, scaled so that the mean of the chunks is that of the games."""
    patterns, found = slappable_patterns(experiment.rules), dict[str, list[float]]()
    for chunk in chunks:
        for name, rate in rates(chunk, len(experiment.bots), patterns).items():
            found.setdefault(name, []).append(rate * chunk.games * len(chunks) / games)
    return found


def _differences(
    left: Mapping[str, list[float]], right: Mapping[str, list[float]], games: int
) -> list[MetricDifference]:
    """The differences of all figures that both have, corrected for their number."""
    names = [name for name in left if name in right]
    found = [_difference(name, left[name], right[name], games) for name in names]
    return [
        MetricDifference(name, sample(left[name]).mean, sample(right[name]).mean, each.estimate, p)
        for name, each, p in zip(names, found, adjust([each.p for each in found]), strict=True)
    ]


def _difference(name: str, ours: list[float], theirs: list[float], games: int) -> Difference:
    more = [their - our for our, their in zip(ours, theirs, strict=True)]
    return paired_difference(more, games, proportion=name.partition(".")[0] in PROPORTIONS)
