"""What a bot is: it looks, remembers, and says what it means to do. It knows no clock and no other bot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ratscrew.bots.memory import Memory
from ratscrew.game.commands import Command
from ratscrew.game.view import View

Chance: TypeAlias = Callable[[], float]
"""A fresh random number from 0 up to but not including 1 at each call."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something else that a bot means to do. Unit: `after_us` microseconds after what it has just seen."""

    after_us: int
    command: Command


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bot means to do, unless something happens first: turn a card, slap, and whatever else the house has.

    Unit: microseconds after what it has just seen; None is not at all.
    """

    turn_us: int | None = None
    slap_us: int | None = None
    moves: tuple[Move, ...] = ()


class Bot(Protocol):
    """An opponent of silicon. It keeps nothing: the same view, memory and chances give the same plan."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """What the bot at `seat` means to do about a view that it has just come to see.

        `memory` is what somebody would know who has followed the game so far and forgotten nothing.
        """
        ...
