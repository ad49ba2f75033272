"""What the public may see: the view is the only thing of a game that leaves the server.

Nobody sees a card before it is turned, its owner included, so there is one view for everybody.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ratscrew.cards import Pile
from ratscrew.game.events import Burned, Dealt, Event, Fouled, Played, Standing, Struck, Taken, Won
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules


class View(Struct, frozen=True):
    """One game as everybody at the table sees it.

    Shape: `held`, `strikes` and `barred` by seat; the pile is bottom first. `n` counts the cards turned.
    """

    rules: Rules
    held: tuple[int, ...]
    pile: Pile
    to: Standing
    strikes: tuple[int, ...]
    barred: tuple[bool, ...]
    n: int


class Began(Struct, frozen=True, tag_field="e", tag="began"):
    """The public face of `Dealt`: how many cards each seat was dealt."""

    rules: Rules
    held: tuple[int, ...]
    to: Standing


Public: TypeAlias = Began | Played | Fouled | Burned | Struck | Taken | Won


def view(game: Game) -> View:
    """What everybody at the table sees of a game."""
    return View(game.rules, game.held, game.pile, game.to, game.strikes, game.barred, game.n)


def public(event: Event) -> Public:
    """What everybody may be told of an event."""
    if isinstance(event, Dealt):
        return Began(event.rules, tuple(map(len, event.hands)), event.to)
    return event
