"""Collects the events of one command, evolving the game with each. No rules here."""

from __future__ import annotations

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.events import Event
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game


class EventBuilder:
    """The events decided so far, with the game before and after them.

    `draw` provides the random numbers that some houses need (`pickup = shuffle`, `stalemate = redeal`).
    """

    def __init__(self, game: Game, draw: Draw) -> None:
        self.before = game
        self.game = game
        self.draw = draw
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Append an event and evolve the game."""
        self.events.append(event)
        self.game = evolve(self.game, event)

    def require(self, holds: bool, why: RefusalReason) -> None:
        """Raises: Refusal with this code unless the condition holds."""
        if not holds:
            raise Refusal(why)
