"""A rematch: which seats have asked for one, and when it is dealt to everybody. Unit: microseconds. No I/O."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

AGAIN_US = 5_000_000
"""How long after the first player is ready the next game is dealt to everybody."""


@dataclass(slots=True)
class Rematch:
    """The seats that are ready after a game, and when the next one is dealt: `deal_us`, or None while nobody asks."""

    ready: set[int] = field(default_factory=set)
    deal_us: int | None = None

    def note(self, seats: Collection[int], on: bool, now_us: int) -> None:
        """These seats are ready, which starts the countdown; or they are not, which stops it."""
        if not on:
            self.ready.difference_update(seats)
            self.deal_us = None
            return
        self.ready.update(seats)
        if self.deal_us is None:
            self.deal_us = now_us + AGAIN_US
