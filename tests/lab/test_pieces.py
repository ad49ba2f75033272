"""Experiments are played in pieces by any workers: they add up, a failure stays with its experiment."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise

import msgspec
import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import pieces
from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.pieces import Piece, piece_bounds, play_all, play_in_order, play_piece
from ratscrew.lab.play import Backend, play_games
from ratscrew.lab.provenance import Provenance
from ratscrew.rules.presets import house
from tests.lab.small_experiments import small


@pytest.fixture
def executor() -> Iterator[Executor]:
    """Two threads."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_one_experiment_of_many_games_is_many_pieces() -> None:
    """Ten million games of the kernel; where the engine plays, a thousand games are twenty pieces."""
    bounds = piece_bounds(small(10_000_000))
    assert (bounds[0], bounds[-1], len(bounds)) == (0, 10_000_000, 612)
    assert max(last - first for first, last in pairwise(bounds)) <= 16_384
    assert piece_bounds(make_experiment(house(), ["witty:memory=1"], 2, 1000, 1)) == list(range(0, 1001, 50))


def test_pieces_add_up_to_the_whole(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pieces.GAMES, Backend.KERNEL, 2)
    experiments = [small(7, seed) for seed in (1, 2)]
    assert len(piece_bounds(experiments[0])) == 5
    assert dict(play_all(executor, experiments)) == {
        experiment: play_games(experiment.rules, experiment.lineup, 7, experiment.seed) for experiment in experiments
    }


def test_pieces_that_are_asked_for_in_order_come_in_order(executor: Executor) -> None:
    experiment = small(6)
    found = [piece.tally for piece in play_in_order(executor, experiment, [0, 1, 4, 6])]
    assert found == [play_piece(experiment, *some).tally for some in ((0, 1), (1, 3), (4, 2))]


def test_an_experiment_that_fails_leaves_the_others_alone(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has two pieces; the second piece of the first experiment fails."""
    monkeypatch.setitem(pieces.GAMES, Backend.KERNEL, 2)
    bad, good = small(4, seed=1), small(4, seed=2)

    def failing(experiment: Experiment, first: int, games: int) -> Piece:
        if (experiment, first) == (bad, 2):
            raise ValueError("bad luck")
        return play_piece(experiment, first, games)

    monkeypatch.setattr(pieces, "play_piece", failing)
    found = dict(play_all(executor, [bad, good]))
    assert repr(found[bad]) == "ValueError('bad luck')"
    assert found[good] == play_games(good.rules, good.lineup, 4, good.seed)


def test_workers_that_have_died_are_not_an_experiments_failure(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dead(experiment: Experiment, first: int, games: int) -> Piece:
        raise BrokenProcessPool("no memory")

    monkeypatch.setattr(pieces, "play_piece", dead)
    with pytest.raises(BrokenProcessPool):
        list(play_all(executor, [small(4)]))


def test_a_worker_with_other_sources_is_refused(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(experiment: Experiment, first: int, games: int, engine: bool = False) -> Piece:
        found = play_piece(experiment, first, games, engine)
        return msgspec.structs.replace(found, provenance=Provenance("9.9", "sha256-other"))

    monkeypatch.setattr(pieces, "play_piece", other)
    for played in (play_all(executor, [small(2)]), play_in_order(executor, small(2), [0, 2])):
        with pytest.raises(RatscrewError, match=r"a worker has Ratscrew 9.9 \(source sha256-other\), and this is"):
            list(played)
