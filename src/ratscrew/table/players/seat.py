"""A seat of a table: its player or bot, and whether the player is connected. Does not know the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ratscrew.bots.bot import Bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.table.records.entries import Appearance
from ratscrew.table.shuffle.commit_reveal import NO_NONCE

SEATS_MOST = 30
"""How many players may sit at a table whose rules set no limit."""


@dataclass(slots=True)
class Seat:
    """A player, or a bot of strength `bot_level`, in a seat; `player_id` stays as long as the room lasts.

    `page_state` is the page of a player who is here; their `credit` with the judge stays when they go. A player who is
    `gone` has left for good. `signs_us` are the times of their last reactions, `nonce` is theirs for the next shuffle.
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
        """Whether a player is here, with a connected page."""
        return self.page_state is not None

    @property
    def stays(self) -> bool:
        """Whether a player has this seat and has not left for good, connected or not."""
        return self.bot_level is None and not self.gone

    @property
    def plays(self) -> bool:
        """Whether this seat acts by itself: a bot always, a player while they are here."""
        return self.bot is not None or self.here


def paused(seats: Sequence[Seat]) -> bool:
    """Whether the table waits: it has seats of players, and none of them is here."""
    people = False
    for seat in seats:
        if seat.bot_level is None:
            if seat.page_state is not None:
                return False
            people = True
    return people
