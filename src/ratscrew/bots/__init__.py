"""Bots: they get a view and return a plan. They see no more than a player does.

`BOTS` has those that come with the game; `Bot` is what your own has to be. Public are the names in `__all__`.
"""

from __future__ import annotations

from ratscrew.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
