"""Decides commands: each leads to events and the game after them, or to a `Refusal`. One module per kind of command."""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command
from ratscrew.game.decide import cheating, collect, honour, manners, play, slap, timeout
from ratscrew.game.decide.end_conditions import apply_end_conditions
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Event, LimitSet
from ratscrew.game.state import Game


class Decision(NamedTuple):
    """An accepted command: the game after it, and the events that led there, in their order; at least one.

    `game` is what `evolve` makes of the events, one after the other, from the game before the command.
    """

    game: Game
    events: tuple[Event, ...]


def no_draw(n: int) -> int:
    """The default `draw`: fails in a house that needs random numbers."""
    raise ValueError(f"this house draws one of {n}: give `decide` a draw")


def decide(game: Game, command: Command, draw: Draw = no_draw) -> Decision:
    """The game after a command and the events that led there. The game given does not change.

    Raises: Refusal with its code if the game does not accept the command now.
    """
    builder = EventBuilder(game, draw)
    if game.over:
        raise Refusal(RefusalReason.GAME_OVER)
    seat = getattr(command, "seat", None)
    if seat is not None and not 0 <= seat < len(game.hands):
        raise Refusal(RefusalReason.NOT_PLAYING)
    match command:
        case cmd.Play():
            play.play(builder, command.seat, command.at_ms)
        case cmd.Slap():
            slap.slap(builder, command)
        case cmd.Collect():
            collect.collect(builder, command.seat)
        case cmd.Timeout():
            timeout.timeout(builder)
        case cmd.Reveal():
            play.reveal(builder, command.seat)
        case cmd.Place():
            play.place(builder, command.owner)
        case cmd.Contest():
            honour.contest(builder, command.seat)
        case cmd.Award():
            slap.award(builder, command.seat)
        case cmd.Stow():
            cheating.stow(builder, command.seat)
        case cmd.Notice():
            cheating.notice(builder, command.seat)
        case cmd.Choose():
            cheating.choose(builder, command.seat, command.half)
        case cmd.Forehead() | cmd.Hover() | cmd.Feint():
            manners.manners(builder, command)
        case cmd.SlapDown():
            manners.slap_down(builder, command.seat, command.target)
        case cmd.Arrive():
            manners.arrive(builder)
        case cmd.SetLimit():
            builder.require(command.cards > 0, RefusalReason.TOO_LATE)
            builder.add(LimitSet(command.cards))
    apply_end_conditions(builder)
    return Decision(builder.game, tuple(builder.events))
