"""Workers of a cluster give the very figures that are found here."""

from __future__ import annotations

import distributed
import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import cluster
from ratscrew.lab.cluster import workers
from ratscrew.lab.study import run_experiment
from tests.lab.small_experiments import small

EXPERIMENTS = [small(2, seed) for seed in (1, 2, 3)]


def test_a_scheduler_at_an_address_gives_the_same_figures() -> None:
    here = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    with here, workers(here.scheduler_address) as runner:
        assert dict(runner(EXPERIMENTS)) == {experiment: run_experiment(experiment) for experiment in EXPERIMENTS}


def test_two_processes_of_this_machine_give_the_same_figures() -> None:
    with workers("local:2") as runner:
        assert dict(runner(EXPERIMENTS)) == {experiment: run_experiment(experiment) for experiment in EXPERIMENTS}


@pytest.mark.parametrize("scheduler", ["local:", "local:0", "local:many"])
def test_a_number_of_workers_must_be_one(scheduler: str) -> None:
    with pytest.raises(RatscrewError, match="give the number of workers, such as local:2"), workers(scheduler):
        pass


@pytest.mark.parametrize("scheduler", ["tcp://127.0.0.1:9", "lab", "smoke://lab:1"])
def test_a_scheduler_that_is_not_there_is_reported(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT_S", 0.5)
    with pytest.raises(RatscrewError, match="no Dask scheduler answers at"), workers(scheduler):
        pass
