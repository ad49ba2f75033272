"""The engine's public functions: decide a command, replay a log, list the commands that a game would accept."""

from __future__ import annotations

from collections.abc import Iterator

from ratscrew.errors import Refusal
from ratscrew.game import commands as asked
from ratscrew.game.commands import Command
from ratscrew.game.decide import Decision, decide
from ratscrew.game.decide.deal import deal, deal_out
from ratscrew.game.decide.gate import blocked
from ratscrew.game.decide.good import found
from ratscrew.game.decide.uncover import uncovered
from ratscrew.game.evolve import evolve, replay
from ratscrew.game.state import Game

__all__ = [
    "Decision",
    "blocked",
    "deal",
    "deal_out",
    "decide",
    "evolve",
    "found",
    "legal",
    "replay",
    "uncovered",
]


def legal(game: Game) -> tuple[Command, ...]:
    """Every command that the game would accept now, wrong slaps included."""
    return tuple(command for command in _every(game) if _accepts(game, command))


def _every(game: Game) -> Iterator[Command]:
    seats = range(len(game.hands))
    yield asked.Timeout()
    yield asked.Arrive()
    for seat in seats:
        yield asked.Play(seat)
        yield asked.slap(seat)
        yield asked.slap(seat, under=True)
        yield asked.Collect(seat)
        yield asked.Reveal(seat)
        yield asked.Contest(seat)
        yield asked.Award(seat)
        yield asked.Stow(seat)
        yield asked.Notice(seat)
        yield asked.Choose(seat, "top")
        yield asked.Choose(seat, "bottom")
        yield asked.Forehead(seat)
        yield asked.Hover(seat, game.people[seat].hovering)
        yield asked.Feint(seat, "slap")
        yield asked.Feint(seat, "card")
        for other in seats:
            yield asked.Place(seat, other)
            yield asked.SlapDown(seat, other)


def _accepts(game: Game, command: Command) -> bool:
    try:
        decide(game, command, lambda n: 0)
    except Refusal:
        return False
    return True
