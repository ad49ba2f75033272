"""The lab: simulates whole games by the million to measure what a rule or a trait is worth. No live play.

For notebooks and scripts it has the functions of `ratscrew.lab.notebook`, which are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ratscrew.lab.notebook import compare_games as compare_games
    from ratscrew.lab.notebook import list_games as list_games
    from ratscrew.lab.notebook import new_experiment as new_experiment
    from ratscrew.lab.notebook import run_games as run_games
    from ratscrew.lab.notebook import run_grid as run_grid

_NOTEBOOK = ("compare_games", "list_games", "new_experiment", "run_games", "run_grid")


def __getattr__(name: str) -> Any:
    if name in _NOTEBOOK:
        return getattr(import_module("ratscrew.lab.notebook"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_NOTEBOOK]
