"""The engine's front door: apply a command, list the commands that would be accepted."""

from __future__ import annotations

from functools import reduce

from ratscrew.errors import Refusal
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.decide import decide
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Event
from ratscrew.game.evolve import evolve, replay
from ratscrew.game.state import Game

__all__ = ["apply", "deal", "decide", "evolve", "legal", "replay"]


def apply(game: Game, command: Command) -> tuple[Game, tuple[Event, ...]]:
    """Decide and evolve in one: the game after the command, and the events that led there.

    Raises: Refusal; then nothing has changed.
    """
    events = decide(game, command)
    return reduce(evolve, events, game), events


def legal(game: Game) -> tuple[Command, ...]:
    """Every command that the game would accept now, wrong slaps included."""
    seats = range(len(game.hands))
    every: list[Command] = [Collect(), *map(Play, seats), *map(Slap, seats)]
    return tuple(command for command in every if _accepts(game, command))


def _accepts(game: Game, command: Command) -> bool:
    try:
        decide(game, command)
    except Refusal:
        return False
    return True
