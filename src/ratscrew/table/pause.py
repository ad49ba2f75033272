"""A pause of a game: who began it, and when it ends at the latest. Unit: microseconds. No I/O here."""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.table.records.entries import Paused

PAUSE_MOST_US = 15 * 60 * 1_000_000
"""How long a pause lasts at most while all players are at one device."""

HOST_PAUSES_MOST_US = 5 * 60 * 1_000_000
"""How long the host may pause a game in all for players at other devices, so that they are not held for ever."""


@dataclass(slots=True)
class Pause:
    """Whether a game is paused, and how long.

    `until_us` is when the pause ends by itself, or None while the game goes on; 0 after a restart, until someone comes.
    `seat` is the host's, if they paused the game for players at other devices, for which they have `left_us` in a game.
    """

    until_us: int | None = None
    seat: int | None = None
    left_us: int = HOST_PAUSES_MOST_US
    _since_us: int = 0

    @property
    def on(self) -> bool:
        """Whether the game is paused."""
        return self.until_us is not None

    def begin(self, now_us: int, seat: int | None = None) -> Paused:
        """Pause the game; `seat` is the host's if others have to wait for them."""
        self.seat, self._since_us = seat, now_us
        self.extend(now_us, restart=True)
        return Paused(True, seat)

    def end(self, now_us: int) -> Paused:
        """Go on with the game."""
        if self.seat is not None:
            self.left_us = max(0, self.left_us - (now_us - self._since_us))
        self.until_us = self.seat = None
        return Paused(False)

    def extend(self, now_us: int, *, restart: bool = False) -> None:
        """A player has come: at one device the time begins again, and the host's does if the server was restarted."""
        if self.seat is None:
            self.until_us = now_us + PAUSE_MOST_US
        elif restart or not self.until_us:
            self._since_us, self.until_us = now_us, now_us + self.left_us

    def apply(self, event: Paused) -> None:
        """Restore the pause from the log."""
        self.until_us, self.seat = (0, event.seat) if event.on else (None, None)
