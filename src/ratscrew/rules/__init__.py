"""The rules of a house, as data and functions of data. Nothing in this folder knows a game in progress.

`ratscrew.house` makes rules from a preset; here are their forms (a link, a file, a sheet in plain words, a form's
options), and the decorators that declare a slap pattern (`slap`), a penalty (`costs`) or an endgame (`endgame`) of your
own. Public are the names in `__all__`.
"""

from __future__ import annotations

from ratscrew.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
