"""Small experiments that run quickly."""

from __future__ import annotations

from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.study import Run, run
from ratscrew.rules.presets import house


def small(games: int = 6, seed: int = 3, bots: str = "sharp,steady") -> Experiment:
    """Two quick bots at the usual table."""
    return make_experiment(house(), bots.split(","), None, games, seed)


def small_run(games: int = 40) -> Run:
    """Its results."""
    return run(small(games), command="ratscrew lab run")
