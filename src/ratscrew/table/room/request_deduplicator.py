"""Which requests of a page have been handled, so that a request that comes twice is done once.

Pages are remembered for the player whose seat they hold, a few for each player. A page that only watches cannot make
the room remember or forget anything. No I/O here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

PAGES_MOST = 8
"""How many pages of one player are remembered; the one whose last request is oldest is forgotten first."""

MISSING_MOST = 16
"""A request whose number is so far below the newest of its page, or farther, counts as handled: a page waits for
answers, and has no more than a few requests under way."""


class _Page:
    """One page: whose seat it holds, its newest number, and the numbers below that have not come yet."""

    __slots__ = ("missing", "newest", "player")

    def __init__(self, player: int) -> None:
        self.player, self.newest = player, 0
        self.missing: set[int] = set()

    def is_new(self, number: int) -> bool:
        if number <= self.newest:
            new = number in self.missing
            self.missing.discard(number)
            return new
        least = max(1, number - MISSING_MOST + 1)
        self.missing.update(range(max(least, self.newest + 1), number))
        self.missing = {missing for missing in self.missing if missing >= least}
        self.newest = number
        return True


class RequestDeduplicator:
    """The requests of one room. A page numbers its requests from 1, and repeats one with its number.

    Bounds: 30 players × `PAGES_MOST` pages × `MISSING_MOST` numbers.
    """

    def __init__(self, is_logged: Callable[[str, int], bool] = lambda page, number: False) -> None:
        """`is_logged` tells whether a request has stored something lately, by its page and number."""
        self._pages: dict[str, _Page] = {}
        self._is_logged = is_logged

    def is_new(self, page: str, number: int, player: int | None) -> bool:
        """Whether this request of a page has not been handled before; marks it as handled.

        `player` is the player whose seat the page holds, None if it only watches: then nothing is remembered.

        A page that has been forgotten counts as new, except for requests that have stored something lately.
        """
        known = self._pages.pop(page, None)
        if known is None:
            if self._is_logged(page, number):
                return False
            if player is None:
                return True
            self._make_room(player)
            known = _Page(player)
        self._pages[page] = known
        return known.is_new(number) and not self._is_logged(page, number)

    def keep_only(self, players: Collection[int]) -> None:
        """Forget the pages of all other players: they hold no seat any more, so their requests are refused."""
        self._pages = {name: page for name, page in self._pages.items() if page.player in players}

    def _make_room(self, player: int) -> None:
        theirs = [name for name, page in self._pages.items() if page.player == player]
        for name in theirs[: max(0, len(theirs) + 1 - PAGES_MOST)]:
            del self._pages[name]
