"""A seat at a live table: who sits there, and whether he is here. Nothing in this file knows the game."""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.bots.bot import Bot


@dataclass(slots=True)
class Seat:
    """Who sits at a seat: a person, or a bot of the strength `bot`. Unit: `rtt_us` of a person's connection."""

    name: str
    bot: str | None = None
    mind: Bot | None = None
    here: bool = False
    rtt_us: int = 0

    @property
    def plays(self) -> bool:
        """Whether somebody acts for this seat: a bot always, a person while he is here."""
        return self.mind is not None or self.here
