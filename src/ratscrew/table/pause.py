"""A pause of a game: who asked for it, and when it ends at the latest. Unit: microseconds. No I/O here.

A pause begins when the newest card is decided, and ends with a countdown: so it moves nobody's time for a card, and no
player knows before the others when play goes on. After everybody was away, or the log was slow, play goes on with the
same countdown, which is a pause that the log does not have (`returning`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.table.records.entries import Paused

PAUSE_MOST_US = 15 * 60 * 1_000_000
"""How long a pause lasts at most while all players are at one device."""

HOST_PAUSES_MOST_US = 5 * 60 * 1_000_000
"""How long the host may pause a game in all for players at other devices, so that they are not held for ever."""

RESUME_US, RESUME_ALONE_US = 3_000_000, 1_000_000
"""The countdown before play goes on, and that of a player who has no other person at the table."""


@dataclass(slots=True)
class Pause:
    """Whether a game is paused, and how long.

    `wanted` is a pause that begins as soon as the newest card is decided. `until_us` is when the pause ends by itself,
    or None while the game goes on; 0 after a restart, until someone comes. `ending`: the countdown runs that ends it.
    `seat` is the host's, if they paused the game for players at other devices, for which they have `left_us` in a game.
    """

    wanted: Paused | None = None
    until_us: int | None = None
    seat: int | None = None
    left_us: int = HOST_PAUSES_MOST_US
    ending: bool = False
    returning: bool = False
    _since_us: int = 0

    @property
    def on(self) -> bool:
        """Whether the game is paused."""
        return self.until_us is not None

    @property
    def declared(self) -> bool:
        """Whether players paused the game, so that the log has it."""
        return self.on and not self.returning

    def count_down(self, now_us: int, wait_us: int) -> None:
        """Go on after a countdown: end the pause, or the time in which nothing was due although nobody paused."""
        self.returning, self.ending = not self.declared, True
        self.until_us = now_us + wait_us

    def extend(self, now_us: int) -> None:
        """A player has come: at one device the time begins again, and the host's does if the server was restarted."""
        if self.ending:
            return
        if self.seat is None:
            self.until_us = now_us + PAUSE_MOST_US
        elif not self.until_us:
            self._since_us, self.until_us = now_us, now_us + self.left_us

    def apply(self, event: Paused, at_us: int) -> None:
        """Apply an event of that time: a new one, or one from the log."""
        self.charge(at_us)
        self.ending = self.returning = False
        self.until_us, self.seat, self._since_us = (0, event.seat, at_us) if event.on else (None, None, at_us)

    def charge(self, until_us: int) -> None:
        """Charge a pause of the host for the time until now, or until the server was last alive."""
        if self.seat is not None:
            self.left_us = max(0, self.left_us - max(0, until_us - self._since_us))
            self._since_us = max(self._since_us, until_us)
