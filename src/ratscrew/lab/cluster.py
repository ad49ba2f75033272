"""The workers of a Dask cluster as an executor. The results are the same as on one machine.

A scheduler is an address such as `tcp://lab:8786`, or `local:2`: two workers on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager

import distributed

from ratscrew.bots.user_modules import source_files
from ratscrew.errors import RatscrewError

LOCAL = "local:"
WAIT_S = 10
"""How long the lab waits for a scheduler."""


@contextmanager
def workers(scheduler: str, modules: Sequence[str] = ()) -> Iterator[Executor]:
    """The workers of a scheduler; local ones end with the context. They get the files of a user's modules first.

    A package has to be installed on them.

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
        for name in modules:
            if len(files := source_files(name)) == 1 and "." not in name:
                client.upload_file(str(files[0]))
        # Not pure: an equal piece is played again, not looked up by its hash. It is not entered, because its exit waits
        # for everything that was submitted, also after an error.
        executor: Executor = client.get_executor(pure=False)
        yield executor


def _here(number: str) -> distributed.LocalCluster:
    if not number.isdecimal() or not int(number):
        raise RatscrewError(f"{LOCAL}{number}: give the number of workers, such as {LOCAL}2")
    return distributed.LocalCluster(n_workers=int(number), threads_per_worker=1, dashboard_address="127.0.0.1:0")
