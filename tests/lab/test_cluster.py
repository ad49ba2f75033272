"""Workers of a cluster give the very figures that are found here."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

import distributed
import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import cluster
from ratscrew.lab.cluster import workers
from ratscrew.lab.compare import compare
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.pieces import play_all
from ratscrew.lab.study import figures, run, run_experiment
from ratscrew.lab.tally import Tally
from tests.lab.small_experiments import small

EXPERIMENTS = [small(2, seed) for seed in (1, 2, 3)]


def test_a_scheduler_at_an_address_gives_the_same_figures() -> None:
    here = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    with here, workers(here.scheduler_address) as executor:
        found = {experiment: figures(experiment, tally) for experiment, tally in played(executor)}
        assert found == {experiment: run_experiment(experiment) for experiment in EXPERIMENTS}


def test_two_processes_of_this_machine_give_the_same_figures() -> None:
    """Of a sweep, a run and a comparison."""
    ours, theirs = small(12), small(12, bots="steady,steady")
    with workers("local:2") as executor:
        found = {experiment: figures(experiment, tally) for experiment, tally in played(executor)}
        single, both = run(ours, executor=executor), compare(ours, theirs, executor=executor)
    assert found == {experiment: run_experiment(experiment) for experiment in EXPERIMENTS}
    assert single.estimates == run(ours).estimates
    assert single.cpu_s > 0
    assert both == compare(ours, theirs)


def played(executor: Executor) -> Iterator[tuple[Experiment, Tally]]:
    """The experiments with their tallies."""
    for experiment, tally in play_all(executor, EXPERIMENTS):
        assert isinstance(tally, Tally), tally
        yield experiment, tally


@pytest.mark.parametrize("scheduler", ["local:", "local:0", "local:many"])
def test_a_number_of_workers_must_be_one(scheduler: str) -> None:
    with pytest.raises(RatscrewError, match="give the number of workers, such as local:2"), workers(scheduler):
        pass


@pytest.mark.parametrize("scheduler", ["tcp://127.0.0.1:9", "lab", "smoke://lab:1"])
def test_a_scheduler_that_is_not_there_is_reported(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT_S", 0.5)
    with pytest.raises(RatscrewError, match="no Dask scheduler answers at"), workers(scheduler):
        pass
