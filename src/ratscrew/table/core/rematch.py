"""Games that players begin together: which seats are ready, and when cards are dealt to everybody. No I/O here; unit:
microseconds.

After a game anybody can ask for another one. Before the first one the host deals; players who do not want to wait for a
host who is here and does nothing ask for it too, and have to give the host more time to answer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

AGAIN_US = 5_000_000
"""How long after the first player is ready the next game is dealt to everybody."""

WITHOUT_HOST_US = 30_000_000
"""How long after another player is ready the first game is dealt, if the host does not answer."""


@dataclass(slots=True)
class Rematch:
    """The seats that are ready for a game, and when it is dealt: `deal_us`, or None while nobody asks."""

    ready: set[int] = field(default_factory=set)
    deal_us: int | None = None

    def note(self, seats: Collection[int], on: bool, now_us: int, after_us: int = AGAIN_US) -> None:
        """These seats are ready, which starts the countdown of `after_us`; or they are not, which stops it."""
        if not on:
            self.ready.difference_update(seats)
            self.deal_us = None
            return
        self.ready.update(seats)
        if self.deal_us is None:
            self.deal_us = now_us + after_us
