"""A pause of a running game: what is wanted, and when it ends at the latest. Unit: microseconds. No I/O here.

A pause begins when the newest card is decided, and ends with a countdown: so it moves nobody's time for a card, and no
player knows before the others when play goes on. After everybody was away, or the log was slow, play goes on with the
same countdown, which is a pause that the log does not have (`TableState.pause` is off).
"""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.table.record.entries import Paused
from ratscrew.table.state.table_state import PauseState

PAUSE_MOST_US = 15 * 60 * 1_000_000
"""How long a pause lasts at most while all players are at one device."""

RESUME_US, RESUME_ALONE_US = 3_000_000, 1_000_000
"""The countdown before play goes on, and that of a player who has no other person at the table."""


@dataclass(slots=True)
class PauseTimer:
    """The pause that is wanted, and the end of the present one.

    `wanted` begins as soon as the newest card is decided. `until_us` is when the pause ends by itself, or None while
    the game goes on; 0 after a restart, until someone comes. `ending`: its countdown runs.
    """

    wanted: Paused | None = None
    until_us: int | None = None
    ending: bool = False

    @property
    def on(self) -> bool:
        """Whether nothing is due."""
        return self.until_us is not None

    def count_down(self, now_us: int, wait_us: int) -> None:
        """Go on after a countdown: end the pause, or the time in which nothing was due although nobody paused."""
        self.until_us, self.ending = now_us + wait_us, True

    def extend(self, pausing: PauseState, now_us: int, alive_us: int) -> None:
        """A player has come: at one device the time begins again, and the host's does if the server was restarted.

        `alive_us` is the last moment before now at which a server had the table.
        """
        if self.ending:
            return
        if pausing.seat is None:
            self.until_us = now_us + PAUSE_MOST_US
        elif not self.until_us:
            self.until_us = now_us + pausing.left_at_us(alive_us)
