"""The engine's public functions: decide a command, replay a log, list the commands that a game would accept."""

from __future__ import annotations

from collections.abc import Iterator

from ratscrew.errors import Refusal
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command
from ratscrew.game.decide import Decision, decide
from ratscrew.game.decide.deal import deal, deal_out
from ratscrew.game.decide.slap_eligibility import slap_refusal
from ratscrew.game.decide.uncover import uncovered
from ratscrew.game.decide.valid_slap import find_pattern
from ratscrew.game.evolve import evolve, replay
from ratscrew.game.state import Game

__all__ = [
    "Decision",
    "deal",
    "deal_out",
    "decide",
    "evolve",
    "find_pattern",
    "legal",
    "replay",
    "slap_refusal",
    "uncovered",
]


def legal(game: Game) -> tuple[Command, ...]:
    """Every command that the game would accept now, including wrong slaps."""
    return tuple(command for command in _every(game) if _accepts(game, command))


def _every(game: Game) -> Iterator[Command]:
    seats = range(len(game.hands))
    yield cmd.Timeout()
    yield cmd.Arrive()
    for seat in seats:
        yield cmd.Play(seat)
        yield cmd.slap(seat)
        yield cmd.slap(seat, under=True)
        yield cmd.Collect(seat)
        yield cmd.Reveal(seat)
        yield cmd.Contest(seat)
        yield cmd.Award(seat)
        yield cmd.Stow(seat)
        yield cmd.Notice(seat)
        yield cmd.Choose(seat, "top")
        yield cmd.Choose(seat, "bottom")
        yield cmd.Forehead(seat)
        yield cmd.Hover(seat, game.seat_states[seat].hovering)
        yield cmd.Feint(seat, "slap")
        yield cmd.Feint(seat, "card")
        for other in seats:
            yield cmd.Place(seat, other)
            yield cmd.SlapDown(seat, other)


def _accepts(game: Game, command: Command) -> bool:
    try:
        decide(game, command, lambda n: 0)
    except Refusal:
        return False
    return True
