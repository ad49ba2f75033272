"""A seat of a table in memory: what the log has of it, its player's page, and its bot. Does not know the game."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct

from ratscrew.bots.bot import Bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.table.record.entries import Appearance
from ratscrew.table.state.seat_assignment import MakeBot
from ratscrew.table.state.table_state import Occupant


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


def _of_occupant(name: str) -> Any:
    return property(attrgetter(f"occupant.{name}"))


class Seat:
    """A player or bot in a seat: their `occupant`'s fields, which only the log changes, and what is not stored.

    `bot` plays here, for itself or for a player who is idle. `page_state` is the page of a player who is here,
    `absent_us` since when it is not connected, None if it is or if that is not known. `missed` counts the turns in a
    row that a player who is here let pass. `signs_us` are the times of their last reactions.
    """

    __slots__ = ("absent_us", "bot", "missed", "occupant", "page_state", "signs_us")

    name: str = _of_occupant("name")
    appearance: Appearance = _of_occupant("appearance")
    player_id: int = _of_occupant("player_id")
    bot_level: str | None = _of_occupant("bot_level")
    credit: Credit = _of_occupant("credit")
    gone: bool = _of_occupant("gone")
    muted: bool = _of_occupant("muted")
    wins: int = _of_occupant("wins")
    nonce: str = _of_occupant("nonce")
    account: str | None = _of_occupant("account")
    network: int | None = _of_occupant("network")
    idle: bool = _of_occupant("idle")
    took_part: bool = _of_occupant("took_part")
    stays: bool = _of_occupant("stays")

    def __init__(self, occupant: Occupant, make_bot: MakeBot) -> None:
        self.occupant = occupant
        self.bot: Bot | None = make_bot(occupant.played_by) if occupant.played_by else None
        self.page_state: PageState | None = None
        self.absent_us: int | None = None
        self.missed = 0
        self.signs_us: tuple[int, ...] = ()

    def follow(self, occupant: Occupant, make_bot: MakeBot) -> None:
        """The log has something new of the one who sits here."""
        before, self.occupant = self.occupant, occupant
        if (occupant.gone, occupant.stand_in) != (before.gone, before.stand_in):
            self.bot = make_bot(occupant.played_by) if occupant.played_by else None
        if occupant.idle != before.idle:
            self.missed = 0
        if occupant.gone:
            self.page_state = None

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
