"""The seats of a live table: who sits there, and who is here. Nothing in this file knows what is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratscrew.bots.bot import Bot
from ratscrew.game.commands import Touch
from ratscrew.game.engine import blocked
from ratscrew.game.state import Game
from ratscrew.judge.race import Rival

SEATS_MOST = 30
"""How many may sit at one table where the house sets no limit."""


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


def asleep(seats: Sequence[Seat]) -> bool:
    """Whether people play here, and none of them is here: then the table waits."""
    people = [seat for seat in seats if seat.mind is None]
    return bool(people) and not any(seat.here for seat in people)


def rivals(seats: Sequence[Seat], game: Game) -> list[Rival]:
    """Who may still slap: everybody who is here and has not lost the right to."""
    here = [(number, seat) for number, seat in enumerate(seats) if seat.plays]
    return [Rival(number, seat.rtt_us) for number, seat in here if not blocked(game, Touch(number))]
