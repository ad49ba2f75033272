"""Egyptian Ratscrew, the slapping card game: any house rules, judged fairly, with anyone."""

from __future__ import annotations

from importlib.metadata import version as _version

__version__ = _version("ratscrew")
