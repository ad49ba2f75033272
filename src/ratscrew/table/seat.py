"""The seats of a live table: who sits there, and who is here. Nothing in this file knows what is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ratscrew.bots.bot import Bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.screen import Screen

SEATS_MOST = 30
"""How many may sit at one table where the house sets no limit."""


@dataclass(slots=True)
class Seat:
    """Who sits at a seat: a person, or a bot of the strength `bot`.

    `screen` is the page in front of a person who is here; his `credit` with the judge stays when he goes.
    """

    name: str
    bot: str | None = None
    mind: Bot | None = None
    screen: Screen | None = None
    credit: Credit = field(default_factory=Credit)

    @property
    def here(self) -> bool:
        """Whether a person is here."""
        return self.screen is not None

    @property
    def plays(self) -> bool:
        """Whether somebody acts for this seat: a bot always, a person while he is here."""
        return self.mind is not None or self.here


def asleep(seats: Sequence[Seat]) -> bool:
    """Whether people play here, and none of them is here: then the table waits."""
    people = [seat for seat in seats if seat.mind is None]
    return bool(people) and not any(seat.here for seat in people)
