"""What pages have said already, so that what comes twice is done once. Nothing in this file knows what is said."""

from __future__ import annotations

from collections.abc import Iterable

PAGES_MOST = 100
"""How many pages of a room are remembered; who has said nothing for longest is forgotten first."""


class Said:
    """The newest number of each page: it counts up whatever it says, and says it in that order."""

    def __init__(self, before: Iterable[tuple[str, int] | None] = ()) -> None:
        """With what is known to have been said before."""
        self._newest: dict[str, int] = {}
        for page, s in filter(None, before):
            self.anew(page, s)

    def anew(self, page: str, s: int) -> bool:
        """Whether a page says this for the first time; from now on it has said it, and all before it."""
        newest = self._newest.pop(page, 0)
        self._newest[page] = max(newest, s)
        if len(self._newest) > PAGES_MOST:
            del self._newest[next(iter(self._newest))]
        return s > newest
