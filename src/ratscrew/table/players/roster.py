"""The company at a table: who sits on which chair, looks like what, and is the host. Nothing here is said or kept.

A chair keeps its number until the next game is dealt; then the chairs of those who have left are put away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import reduce
from typing import TypeAlias

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import LADDER
from ratscrew.bots.names import NAMES
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.judge.credit import Credit
from ratscrew.table.players.names import NO_NAME, alike
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.entries import (
    HUES,
    SHAPES,
    Appearance,
    LedgerSnapshot,
    Left,
    Muted,
    NameDeleted,
    NonceGiven,
    Readmitted,
    Recorded,
    RemovedPlayers,
    Sat,
)
from ratscrew.table.records.rejudge import Ledger

SIGN_US, SIGNS_US, SIGNS_MOST = 800_000, 10_000_000, 6
"""The least time between two signs of a seat, and how many it may make in which time."""


MORE = ("", " II", " III", " IV")
"""What follows the name of a bot that is here more than once."""

REMOVED_MOST = 200
"""How many removed people a room remembers; the one who was removed first is forgotten first."""

MakeBot: TypeAlias = Callable[[str], Bot]
"""A bot of a strength."""


Change: TypeAlias = Sat | Left | NameDeleted | Muted | RemovedPlayers | Readmitted | NonceGiven
"""An event that changes a roster."""


class Roster:
    """Everybody who sits at one table, in the order of the chairs."""

    def __init__(self, make_bot: MakeBot, draw: Draw) -> None:
        self.seats: list[Seat] = []
        self.next_player_id = 0
        self.removed: list[int] = []
        self._make_bot, self._draw = make_bot, draw

    @property
    def staying(self) -> list[Seat]:
        """Who has not left for good."""
        return [seat for seat in self.seats if not seat.gone]

    @property
    def host(self) -> int:
        """The first person who has not left: he chooses the house, deals the first game, and opens the room again."""
        return next((number for number, seat in enumerate(self.seats) if seat.stays), 0)

    @property
    def attended(self) -> bool:
        """Whether a person is here."""
        return any(seat.here for seat in self.seats)

    # Coming and leaving

    def choose_seat(self, most: int, playing: bool) -> int:
        """The chair for who comes next, where so many may sit: one that is free, or a new one.

        Nobody takes the chair of who has left a game that is still played; and none before the host's, if there is
        another, so that the host stays the host.

        Raises: Refusal (room_full).
        """
        if not self.has_free_seat(most, playing):
            raise Refusal(RefusalReason.ROOM_FULL, "every seat of this room is taken")
        chairs = [] if playing else [number for number, seat in enumerate(self.seats) if seat.gone]
        if len(self.seats) < most:
            chairs.append(len(self.seats))
        return min(chairs, key=lambda number: (number < self.host, number))

    def has_free_seat(self, most: int, playing: bool) -> bool:
        """Whether one more may sit down."""
        return len(self.seats if playing else self.staying) < most

    def new_seat(self, number: int, name: str, bot: str | None = None, requested: Appearance | None = None) -> Sat:
        """Somebody for a chair: with a number that nobody had, and a hand that nobody has."""
        return Sat(number, name, bot, self.next_player_id, self._appearance(number, requested))

    def apply(self, event: Change) -> None:
        """Change the roster as this event says."""
        match event:
            case Sat(number, name, level, player_id, appearance):
                player_id = number if player_id is None else player_id
                bot = self._make_bot(level) if level else None
                seat = Seat(name, appearance or self._appearance(number, None), player_id, level, bot)
                self.seats[number : number + 1] = [seat]
                self.next_player_id = max(self.next_player_id, player_id + 1)
            case Left(number, removed):
                seat = self.seats[number]
                if removed and seat.bot_level is None:
                    self.removed = [*self.removed, seat.player_id][-REMOVED_MOST:]
                seat.gone, seat.bot, seat.page_state = True, None, None
            case NameDeleted(number):
                self.seats[number].name = NO_NAME
            case Muted(number, on):
                self.seats[number].muted = on
            case RemovedPlayers(player_ids):
                self.removed = list(player_ids)
            case Readmitted():
                self.removed = []
            case NonceGiven(number, nonce):
                self.seats[number].nonce = nonce

    def compact(self) -> dict[int, int]:
        """Put the chairs of those who have left away; which chair is which now."""
        stay = [number for number, seat in enumerate(self.seats) if not seat.gone]
        self.seats = self.staying
        return {old: new for new, old in enumerate(stay)}

    def to_events(self) -> Iterator[Sat | Muted | RemovedPlayers]:
        """What makes the same company again."""
        for number, seat in enumerate(self.seats):
            yield Sat(number, seat.name, seat.bot_level, seat.player_id, seat.appearance)
            if seat.muted:
                yield Muted(number, True)
        if self.removed:
            yield RemovedPlayers(tuple(self.removed))

    # Who is who

    def has(self, number: int) -> bool:
        """Whether somebody sits there who has not left."""
        return number in range(len(self.seats)) and not self.seats[number].gone

    def seats_of(self, player_ids: Iterable[int]) -> tuple[int, ...]:
        """The seats that these have, who have not left."""
        seat_of = {seat.player_id: number for number, seat in enumerate(self.seats) if not seat.gone}
        return tuple(seat_of[player_id] for player_id in player_ids if player_id in seat_of)

    def present(self, player_ids: Iterable[int]) -> tuple[int, ...]:
        """Those of these who have not left."""
        staying = {seat.player_id for seat in self.staying}
        return tuple(player_id for player_id in player_ids if player_id in staying)

    def has_name(self, name: str) -> bool:
        """Whether somebody of that name sits here, or of one that looks like it."""
        return any(alike(name, seat.name) for seat in self.staying)

    def bot_name(self, strength: str) -> str:
        """A bot's name that nobody here has: its own, if it has one and is not here too often, or any."""
        own = [strength.capitalize()] if strength in LADDER else []
        every = (
            [name + more for name in names if not self.has_name(name + more)] for names in (own, NAMES) for more in MORE
        )
        free = next(names for names in every if names)
        return free[self._draw(len(free))]

    def dealer_after(self, last: int, step: int) -> int:
        """Who deals after chair `last`, counted among those who have not left."""
        seats = len(self.seats)
        chairs = ((last + far * step) % seats for far in range(1, seats + 1))
        dealer = next(chair for chair in chairs if not self.seats[chair].gone)
        return sum(not seat.gone for seat in self.seats[:dealer])

    def note_sign(self, number: int, now_us: int) -> None:
        """Somebody makes a sign.

        Raises: Refusal (muted; too_soon).
        """
        seat = self.seats[number]
        if seat.muted:
            raise Refusal(RefusalReason.MUTED)
        lately = tuple(us for us in seat.signs_us if us > now_us - SIGNS_US)
        if len(lately) >= SIGNS_MOST or (lately and now_us - lately[-1] < SIGN_US):
            raise Refusal(RefusalReason.TOO_SOON)
        seat.signs_us = (*lately, now_us)

    # Credit

    def snapshot(self) -> LedgerSnapshot:
        """The credits as the first entry of a game keeps them."""
        changed = {seat.player_id: seat.credit for seat in self.seats if seat.credit != Credit()}
        return LedgerSnapshot(self.next_player_id, changed)

    def update_credits(self, ledger: Ledger, events: Iterable[Recorded]) -> None:
        """What hands have cost or earned: only those in the log have, so that the log brings the same back."""
        ledger = reduce(Ledger.after, events, ledger)
        for seat in self.seats:
            seat.credit = ledger.credits.get(seat.player_id, seat.credit)

    def _appearance(self, number: int, requested: Appearance | None) -> Appearance:
        """How the hand of this chair looks: as wished, or as near as can be told from the others'."""
        requested = requested or Appearance(number % HUES, SHAPES[number % len(SHAPES)])
        return nearest(requested, [seat.appearance for other, seat in enumerate(self.seats) if other != number])


def nearest(requested: Appearance, taken: Collection[Appearance]) -> Appearance:
    """The free appearance most like a requested one, in a colour that nobody has as long as there is one."""
    hues = [(requested.hue + far) % HUES for far in range(HUES)]
    others = {appearance.hue for appearance in taken}
    if free := [hue for hue in hues if hue not in others]:
        return Appearance(free[0], requested.shape)
    shapes = sorted(SHAPES, key=lambda shape: shape != requested.shape)
    return next(appearance for shape in shapes for hue in hues if (appearance := Appearance(hue, shape)) not in taken)
