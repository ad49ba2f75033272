"""Play experiments in pieces on the workers of any executor: processes of this machine, or a Dask cluster.

A piece is some of an experiment's games. Tallies add up, so one experiment of millions of games fills a cluster, and
the result is the same for any workers. Workers must have the same sources as this process.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from itertools import pairwise

from msgspec import Struct

from ratscrew.bots.user_modules import load_all
from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.play import Backend, choose_backend, play_games
from ratscrew.lab.provenance import Provenance, provenance
from ratscrew.lab.tally import Tally

GAMES = {Backend.ENGINE: 50, Backend.KERNEL: 16_384, Backend.BITBOARD: 1_048_576}
"""The most games of a piece: some seconds of work, so that setting up a house costs little."""


class Piece(Struct, frozen=True):
    """Some games of an experiment: their tally, the CPU time they took, and the sources that played them."""

    tally: Tally
    cpu_s: float
    provenance: Provenance


def play_piece(experiment: Experiment, first: int, games: int, engine: bool = False) -> Piece:
    """Play some games of an experiment. This runs on a worker."""
    load_all(experiment.modules)
    before_s = time.thread_time()
    tally = play_games(experiment.rules, experiment.lineup, games, experiment.seed, first=first, engine=engine)
    return Piece(tally, time.thread_time() - before_s, provenance(experiment.user_modules))


def piece_bounds(experiment: Experiment, engine: bool = False) -> list[int]:
    most = GAMES[choose_backend(experiment.rules, experiment.lineup, engine)]
    count = -(-experiment.games // most)
    return [experiment.games * piece // count for piece in range(count + 1)]


def play_in_order(
    executor: Executor, experiment: Experiment, bounds: Sequence[int], engine: bool = False
) -> Iterator[Piece]:
    """Play the pieces between the bounds, and yield them in order.

    Raises: RatscrewError if a worker has other sources.
    """
    futures = [executor.submit(play_piece, experiment, first, last - first, engine) for first, last in pairwise(bounds)]
    try:
        yield from (_checked(future.result(), experiment) for future in futures)
    finally:
        for future in futures:
            future.cancel()


def play_all(executor: Executor, experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Tally | Exception]]:
    """Play experiments, and yield each with its tally as soon as all of its pieces are played; or with its error.

    Raises: RatscrewError if a worker has other sources.
    """
    left, sums = dict[Experiment, int](), dict[Experiment, Tally]()
    futures = dict[Future[Piece], Experiment]()
    for experiment in experiments:
        bounds = piece_bounds(experiment)
        left[experiment], sums[experiment] = len(bounds) - 1, Tally()
        for first, last in pairwise(bounds):
            futures[executor.submit(play_piece, experiment, first, last - first)] = experiment
    for future in as_completed(futures):
        experiment = futures[future]
        if experiment not in left:
            continue  # another piece of it failed
        if error := future.exception():
            del left[experiment]
            if isinstance(error, BrokenExecutor) or not isinstance(error, Exception):
                raise error  # it is not the experiment that failed
            yield experiment, error
            continue
        sums[experiment] += _checked(future.result(), experiment).tally
        left[experiment] -= 1
        if not left[experiment]:
            yield experiment, sums.pop(experiment)


def _checked(piece: Piece, experiment: Experiment) -> Piece:
    check_sources(piece.provenance, experiment)
    return piece


def check_sources(played: Provenance, experiment: Experiment) -> None:
    """Check that a worker has the sources of this process.

    Raises: RatscrewError if it has others.
    """
    if played != (here := provenance(experiment.user_modules)):
        raise RatscrewError(f"a worker has Ratscrew {played}, and this is {here}: install the same")
