"""The seats of a live table: who sits there, and who is here. Nothing in this file knows what is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ratscrew.bots.bot import Bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.table.records.entries import Appearance
from ratscrew.table.shuffle.commit_reveal import NO_NONCE

SEATS_MOST = 30
"""How many may sit at one table where the house sets no limit."""


@dataclass(slots=True)
class Seat:
    """Who sits at a seat: a person, or a bot of the strength `bot`; `player_id` stays as long as the room lasts.

    `screen` is the page in front of a person who is here; his `credit` with the judge stays when he goes. Who is
    `gone` has left for good. `signs_us` is when he has made his last signs, `nonce` his number for the next shuffle.
    """

    name: str
    appearance: Appearance
    player_id: int
    bot_level: str | None = None
    bot: Bot | None = None
    page_state: PageState | None = None
    credit: Credit = field(default_factory=Credit)
    gone: bool = False
    muted: bool = False
    signs_us: tuple[int, ...] = ()
    nonce: str = NO_NONCE

    @property
    def here(self) -> bool:
        """Whether a person is here."""
        return self.page_state is not None

    @property
    def stays(self) -> bool:
        """Whether a person sits here who has not left for good, be he here or not."""
        return self.bot_level is None and not self.gone

    @property
    def plays(self) -> bool:
        """Whether somebody acts for this seat: a bot always, a person while he is here."""
        return self.bot is not None or self.here


def paused(seats: Sequence[Seat]) -> bool:
    """Whether people play here, or did, and none of them is here: then the table waits."""
    people = False
    for seat in seats:
        if seat.bot_level is None:
            if seat.page_state is not None:
                return False
            people = True
    return people
