"""A seat of a table: its player or bot, and whether the player is connected. Does not know the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from ratscrew.bots.bot import Bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.table.records.entries import Appearance
from ratscrew.table.shuffle.commit_reveal import NO_NONCE

SEATS_MOST = 30
"""How many players may sit at a table whose rules set no limit."""


class PublicSeat(Struct, frozen=True):
    """What everybody may know of a seat: `bot` is the bot's strength or null, `here` whether a person is connected.

    A player who is `gone` has left for good: the server turns their cards until the game ends, and then the seat is
    free. The signs of a `muted` player are not sent to others. `wins` are the games that they have won in this room.
    One who is `idle` let their turns pass: a bot plays for them, or their cards are only turned, until they act again.
    """

    name: str
    bot: str | None
    here: bool
    appearance: Appearance
    gone: bool = False
    muted: bool = False
    wins: int = 0
    idle: bool = False


@dataclass(slots=True)
class Seat:
    """A player, or a bot of strength `bot_level`, in a seat; `player_id` stays as long as the room lasts.

    `account` is the id of the player's account, if they have one, and `network` the number of their network.
    `missed` counts the turns in a row that a player who is here let pass. One who is `idle` let too many pass: a bot of
    strength `stand_in` plays for them, or their cards are only turned. One who `took_part` has acted in this game,
    where that counts.
    `absent_us` is since when a player's page is not connected, None if it is or if that is not known.
    `page_state` is the page of a player who is here; their `credit` with the judge stays when they go. A player who is
    `gone` has left for good. `wins` are the games that they have won in this room. `signs_us` are the times of
    their last reactions, `nonce` is theirs for the next shuffle.
    """

    name: str
    appearance: Appearance
    player_id: int
    bot_level: str | None = None
    bot: Bot | None = None
    page_state: PageState | None = None
    absent_us: int | None = None
    credit: Credit = field(default_factory=Credit)
    gone: bool = False
    muted: bool = False
    wins: int = 0
    signs_us: tuple[int, ...] = ()
    nonce: str = NO_NONCE
    account: str | None = None
    network: int | None = None
    missed: int = 0
    idle: bool = False
    stand_in: str | None = None
    took_part: bool = False

    @property
    def here(self) -> bool:
        """Whether a player is here, with a connected page."""
        return self.page_state is not None

    @property
    def public(self) -> PublicSeat:
        """What everybody may know of it, now."""
        return PublicSeat(
            self.name,
            self.bot_level,
            self.here or (self.bot is not None and not self.idle),
            self.appearance,
            self.gone,
            self.muted,
            self.wins,
            self.idle,
        )

    @property
    def attends(self) -> bool:
        """Whether a player is here and takes their turns."""
        return self.page_state is not None and not self.idle

    def is_absent(self, since_us: int) -> bool:
        """Whether a player is idle, or has been away since before that."""
        return self.idle or (self.page_state is None and (self.absent_us or 0) <= since_us)

    @property
    def judged_by(self) -> PageState | None:
        """The page by whose times this seat's slaps are judged; none while a bot plays for the player."""
        return None if self.bot else self.page_state

    @property
    def stays(self) -> bool:
        """Whether a player has this seat and has not left for good, connected or not."""
        return self.bot_level is None and not self.gone

    @property
    def plays(self) -> bool:
        """Whether this seat acts by itself: a bot always, a player while they are here and not idle."""
        return self.bot is not None or self.attends


def at_one_device(seats: Sequence[Seat], seat: int) -> bool:
    """Whether everybody who has a seat, here or away, has it at the page of this seat."""
    page_state = seats[seat].page_state
    return page_state is not None and all(each.page_state is page_state for each in seats if each.stays)


def paused(seats: Sequence[Seat]) -> bool:
    """Whether the table waits: it has seats of players, and none of them is here and takes their turns."""
    people = False
    for seat in seats:
        if seat.bot_level is None:
            if seat.page_state is not None and not seat.idle:
                return False
            people = True
    return people
