"""What a bot is: it looks at the public view and says what it means to do. It knows no clock and no other bot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ratscrew.game.view import View

Chance: TypeAlias = Callable[[], float]
"""A fresh random number from 0 up to but not including 1 at each call."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bot means to do, unless something happens first.

    Unit: microseconds after what it has just seen; None is not at all.
    """

    turn_us: int | None = None
    slap_us: int | None = None


class Bot(Protocol):
    """An opponent of silicon. The same view and the same chances give the same plan."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        """What the bot at `seat` means to do about a view that it has just come to see."""
        ...
