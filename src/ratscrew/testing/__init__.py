"""Helpers for tests of your own rules, bots and logs. The rest of the package does not import them.

`check_bot` and `check_log` test what a bot and a log promise, `play_bots` plays a whole game at a table, and the
Hypothesis strategies (`houses`, `games`, ...) make random input. Public are the names in `__all__`.
"""

from __future__ import annotations

from ratscrew.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__, install="pip install hypothesis psycopg")
