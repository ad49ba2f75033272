"""Run the experiments of a sweep on many machines with Dask. The results are the same as on one machine.

A scheduler is an address such as `tcp://lab:8786`, or `local:2`: two workers on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import distributed

from ratscrew.errors import RatscrewError
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.study import run_experiment
from ratscrew.lab.sweep import ExperimentRunner, Row

LOCAL = "local:"
WAIT_S = 10
"""How long the lab waits for a scheduler."""


@contextmanager
def workers(scheduler: str) -> Iterator[ExperimentRunner]:
    """The workers of a scheduler; local ones end with the sweep.

    Raises: RatscrewError if there is no scheduler, or the number of workers is invalid.
    """
    with ExitStack() as stack:
        where: str | distributed.LocalCluster = scheduler
        if scheduler.startswith(LOCAL):
            where = stack.enter_context(_here(scheduler.removeprefix(LOCAL)))
        try:
            client = stack.enter_context(distributed.Client(where, timeout=WAIT_S, set_as_default=False))
        except (OSError, ValueError) as error:
            raise RatscrewError(f"no Dask scheduler answers at {scheduler}: {error}") from error

        def play(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
            futures = {client.submit(run_experiment, experiment, pure=False): experiment for experiment in experiments}
            for future, row in distributed.as_completed(futures, loop=client.loop, with_results=True):
                yield futures[future], row

        yield play


def _here(number: str) -> distributed.LocalCluster:
    if not number.isdecimal() or not int(number):
        raise RatscrewError(f"{LOCAL}{number}: give the number of workers, such as {LOCAL}2")
    return distributed.LocalCluster(n_workers=int(number), threads_per_worker=1, dashboard_address="127.0.0.1:0")
