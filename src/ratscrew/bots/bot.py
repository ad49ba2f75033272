"""The interface of a bot: a function of view, memory and chance to a plan. No clock, and no other bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from ratscrew.bots.memory import Memory
from ratscrew.game.commands import Command
from ratscrew.game.view import View

Chance: TypeAlias = Callable[[], float]
"""A fresh random number from 0 up to but not including 1 at each call."""


class Move(Struct, frozen=True):
    """A planned command besides turning and slapping. Unit: `after_us` is microseconds after the view."""

    after_us: int
    command: Command


class Plan(Struct, frozen=True):
    """What a bot plans to do unless something happens first: turn a card, slap, and other moves that the house has.

    Unit: microseconds after the view; None means not at all.
    """

    turn_us: int | None = None
    slap_us: int | None = None
    moves: tuple[Move, ...] = ()


class Bot(Protocol):
    """A computer opponent. It is stateless: the same view, memory and chances give the same plan."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """Plan the reaction of the bot at `seat` to a new view.

        `memory` is what a player would know who has followed the whole game and forgotten nothing.
        """
        ...
