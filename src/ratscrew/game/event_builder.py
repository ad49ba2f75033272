"""A course of events: what follows from one command, step by step. Nothing in this file knows a rule."""

from __future__ import annotations

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.events import Event
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game


class EventBuilder:
    """The events decided so far, the game before them, and as it is after them.

    `draw` gives the random numbers that some houses need (`pickup = shuffle`, `stalemate = redeal`).
    """

    def __init__(self, game: Game, draw: Draw) -> None:
        self.before = game
        self.game = game
        self.draw = draw
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """One more event."""
        self.events.append(event)
        self.game = evolve(self.game, event)

    def require(self, holds: bool, why: RefusalReason) -> None:
        """Raises: Refusal with this code unless it holds."""
        if not holds:
            raise Refusal(why)
