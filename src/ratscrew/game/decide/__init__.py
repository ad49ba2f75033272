"""Decides commands: each leads to events and the game after them, or to a `Refusal`. One module per kind of command."""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.errors import Why
from ratscrew.game import commands as asked
from ratscrew.game.commands import Command
from ratscrew.game.course import Course
from ratscrew.game.decide import cheating, collect, honour, manners, play, slap, timeout
from ratscrew.game.decide.finish import finish
from ratscrew.game.events import Event
from ratscrew.game.state import Game


class Decision(NamedTuple):
    """An accepted command: the game after it, and the events that led there, in their order; at least one.

    `game` is what `evolve` makes of the events, one after the other, from the game before the command.
    """

    game: Game
    events: tuple[Event, ...]


def no_draw(n: int) -> int:
    """The draw of whoever has none: a house that needs one says so."""
    raise ValueError(f"this house draws one of {n}: give `decide` a draw")


def decide(game: Game, command: Command, draw: Draw = no_draw) -> Decision:
    """The game after a command and the events that led there. The game given does not change.

    Raises: Refusal with its code if the game does not accept the command now.
    """
    course = Course(game, draw)
    course.require(not game.over, Why.GAME_OVER)
    seat = getattr(command, "seat", None)
    course.require(seat is None or 0 <= seat < len(game.hands), Why.NOT_PLAYING)
    match command:
        case asked.Play():
            play.play(course, command.seat, command.at_ms)
        case asked.Slap():
            slap.slap(course, command)
        case asked.Collect():
            collect.collect(course, command.seat)
        case asked.Timeout():
            timeout.timeout(course)
        case asked.Reveal():
            play.reveal(course, command.seat)
        case asked.Place():
            play.place(course, command.owner)
        case asked.Contest():
            honour.contest(course, command.seat)
        case asked.Award():
            slap.award(course, command.seat)
        case asked.Stow():
            cheating.stow(course, command.seat)
        case asked.Notice():
            cheating.notice(course, command.seat)
        case asked.Choose():
            cheating.choose(course, command.seat, command.half)
        case asked.Forehead() | asked.Hover() | asked.Feint():
            manners.manners(course, command)
        case asked.SlapDown():
            manners.slap_down(course, command.seat, command.target)
        case asked.Arrive():
            manners.arrive(course)
    finish(course)
    return Decision(course.game, tuple(course.events))
