"""Game: everything that is true of one game at one moment. Nothing in this file knows how it came about."""

from __future__ import annotations

from msgspec import Struct

from ratscrew.cards import Hand, Pile
from ratscrew.game.events import Standing
from ratscrew.rules.house import Rules


class Game(Struct, frozen=True):
    """One game, whole and secret: the hands are in it. What the public may see of it is `view.view`.

    Shape: `hands`, `strikes` and `barred` by seat; a hand is top first, the pile bottom first.
    """

    rules: Rules
    hands: tuple[Hand, ...]
    to: Standing
    pile: Pile = ()
    strikes: tuple[int, ...] = ()
    barred: tuple[bool, ...] = ()
    last: int | None = None
    """The seat that turned the newest card of this pile."""
    n: int = 0
    """How many cards have been turned in this game: the running number of the newest."""
    version: int = 0
    """How many events made this game."""

    @property
    def held(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(map(len, self.hands))

    @property
    def winner(self) -> int | None:
        """The seat that has won the game, if it is over."""
        return self.to.turn if self.to.phase == "over" else None
