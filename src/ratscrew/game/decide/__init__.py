"""A command in, its events out, or a Refusal. Nothing in this folder changes a game."""

from __future__ import annotations

from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.decide.collect import collect
from ratscrew.game.decide.play import play
from ratscrew.game.decide.slap import slap
from ratscrew.game.events import Event
from ratscrew.game.state import Game


def decide(game: Game, command: Command) -> tuple[Event, ...]:
    """What comes of a command, as events in their order; at least one.

    Raises: Refusal with its code if the game does not accept the command now.
    """
    match command:
        case Play(seat):
            return play(game, seat)
        case Slap(seat):
            return slap(game, seat)
        case Collect():
            return collect(game)
