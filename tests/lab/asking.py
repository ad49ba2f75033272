"""Small questions to the lab, which are soon answered."""

from __future__ import annotations

from ratscrew.lab.case import Case, case
from ratscrew.lab.study import Run, run
from ratscrew.rules.presets import house


def small(games: int = 6, seed: int = 3, bots: str = "sharp,steady") -> Case:
    """Two quick bots at the usual table."""
    return case(house(), bots.split(","), None, games, seed)


def answered(games: int = 40) -> Run:
    """What they come to."""
    return run(small(games), command="ratscrew lab run")
