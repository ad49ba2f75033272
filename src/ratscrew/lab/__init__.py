"""The lab: simulates whole games by the million to measure what a rule or a trait is worth. No live play.

Notebooks and scripts use `new_experiment`, `run_games`, `compare_games`, `run_grid` and `list_games`; `play_games`
gives the bare totals. Public are the names in `__all__`.
"""

from __future__ import annotations

from ratscrew.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__, install='pip install "ratscrew[lab]"')
