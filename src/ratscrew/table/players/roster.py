"""The players and bots at a table: their seats, appearances and credits, and which of them is the host. No I/O here.

A seat keeps its number until the next game is dealt; then the seats of players who have left are removed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import reduce
from typing import TypeAlias, TypeGuard, get_args

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import LADDER
from ratscrew.bots.names import NAMES
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.judge.credit import Credit
from ratscrew.rules.words import say
from ratscrew.table.messages import IdleWarning
from ratscrew.table.players.names import NO_NAME, alike
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.entries import (
    HUES,
    SHAPES,
    AccountLinked,
    Appearance,
    HostPassed,
    Idle,
    LedgerSnapshot,
    Left,
    Muted,
    NameDeleted,
    NonceGiven,
    Readmitted,
    Recorded,
    RemovedPlayers,
    Sat,
    Seating,
    TookPart,
)
from ratscrew.table.records.rejudge import Ledger
from ratscrew.table.shuffle.commit_reveal import NO_NONCE

SIGN_US, SIGNS_US, SIGNS_MOST = 800_000, 10_000_000, 6
"""The least time between two reactions of a seat, and how many it may send in which time."""

WARN_AFTER, IDLE_AFTER = 2, 3
"""After how many turns in a row that a player who is here lets pass they are warned, and a bot plays for them."""

STAND_IN = "steady"
"""The strength of the bot that plays for a player."""

MORE = ("", " II", " III", " IV")
"""Suffixes of the name of a bot that is at the table more than once."""

REMOVED_MOST = 200
"""How many removed players a room remembers; the first one removed is forgotten first."""

MakeBot: TypeAlias = Callable[[str], Bot]
"""Makes a bot of a strength."""


Change: TypeAlias = Seating | NonceGiven
"""An event that changes a roster."""

_CHANGES = frozenset(get_args(Change))


def is_roster_change(event: Recorded) -> TypeGuard[Change]:
    """Whether an event changes a roster."""
    return type(event) in _CHANGES


class Roster:
    """The players and bots of one table, in the order of their seats."""

    def __init__(self, make_bot: MakeBot, draw: Draw) -> None:
        self.seats: list[Seat] = []
        self.next_player_id = 0
        self.removed: list[int] = []
        self._host_id: int | None = None
        self.away_host_id: int | None = None
        """The player from whom the role of host has passed because they were away, and to whom it returns."""
        self._make_bot, self._draw = make_bot, draw

    @property
    def staying(self) -> list[Seat]:
        """The seats of players and bots who have not left for good."""
        return [seat for seat in self.seats if not seat.gone]

    @property
    def host(self) -> int:
        """The seat of the host, who chooses the rules, deals the first game, and reopens the room.

        It is the first player, until the role passes on or they leave: then the first of those who have not left.
        """
        people = [number for number, seat in enumerate(self.seats) if seat.stays]
        chosen = (number for number in people if self.seats[number].player_id == self._host_id)
        return next(chosen, people[0] if people else 0)

    @property
    def attended(self) -> bool:
        """Whether any player is here."""
        return any(seat.here for seat in self.seats)

    # Coming and leaving

    def choose_seat(self, most: int, playing: bool) -> int:
        """The seat for the next player, where `most` may sit: a free one, or a new one.

        The seat of a player who has left a running game is not free until that game is over. A seat before the host's
        is the last choice, so that the host stays the first player.

        Raises: Refusal (room_full).
        """
        if not self.has_free_seat(most, playing):
            raise Refusal(RefusalReason.ROOM_FULL, say("every seat of this room is taken"))
        chairs = [] if playing else [number for number, seat in enumerate(self.seats) if seat.gone]
        if len(self.seats) < most:
            chairs.append(len(self.seats))
        return min(chairs, key=lambda number: (number < self.host, number))

    def has_free_seat(self, most: int, playing: bool) -> bool:
        """Whether there is a seat for one more player."""
        return len(self.seats if playing else self.staying) < most

    def new_seat(self, number: int, name: str, bot: str | None = None, requested: Appearance | None = None) -> Sat:
        """The event by which a player or bot takes a seat, with a new player id and an appearance that nobody has."""
        return Sat(number, name, bot, self.next_player_id, self._appearance(number, requested))

    def apply(self, event: Change) -> None:
        """Apply an event to the roster."""
        match event:
            case Sat(number, name, level, player_id, appearance):
                player_id = number if player_id is None else player_id
                bot = self._make_bot(level) if level else None
                seat = Seat(name, appearance or self._appearance(number, None), player_id, level, bot)
                self.seats[number : number + 1] = [seat]
                self.next_player_id = max(self.next_player_id, player_id + 1)
                self._keep_host()
            case AccountLinked(number, account, network):
                self.seats[number].account, self.seats[number].network = account, network
            case TookPart(number):
                self.seats[number].took_part = True
            case Left(number, removed):
                seat = self.seats[number]
                if removed and seat.bot_level is None:
                    self.removed = [*self.removed, seat.player_id][-REMOVED_MOST:]
                seat.gone, seat.bot, seat.page_state = True, None, None
                self._keep_host()
            case Idle(number, on, level):
                seat = self.seats[number]
                seat.idle, seat.missed, seat.stand_in = on, 0, level if on else None
                seat.bot = self._make_bot(level) if on and level else None
            case NameDeleted(number):
                self.seats[number].name = NO_NAME
            case Muted(number, on):
                self.seats[number].muted = on
            case RemovedPlayers(player_ids):
                self.removed = list(player_ids)
            case Readmitted():
                self.removed = []
            case HostPassed(number, away):
                before = self.seats[self.host].player_id if self.away_host_id is None else self.away_host_id
                self.away_host_id = before if away else None
                self._host_id = self.seats[number].player_id
            case NonceGiven(number, nonce):
                self.seats[number].nonce = nonce

    def compact(self) -> dict[int, int]:
        """Remove the seats of players who have left. Returns the new number of each old seat."""
        stay = [number for number, seat in enumerate(self.seats) if not seat.gone]
        self.seats = self.staying
        return {old: new for new, old in enumerate(stay)}

    def to_events(self) -> Iterator[Change]:
        """The events that make the same roster again."""
        for number, seat in enumerate(self.seats):
            yield Sat(number, seat.name, seat.bot_level, seat.player_id, seat.appearance)
            if seat.account:
                yield AccountLinked(number, seat.account, seat.network)
            if seat.took_part:
                yield TookPart(number)
            if seat.muted:
                yield Muted(number, True)
            if seat.idle:
                yield Idle(number, True, seat.stand_in)
            if seat.nonce != NO_NONCE:
                yield NonceGiven(number, seat.nonce)
        for number in (number for number, seat in enumerate(self.seats) if seat.gone):
            yield Left(number)
        if self.removed:
            yield RemovedPlayers(tuple(self.removed))
        away = self.seats_of([] if self.away_host_id is None else [self.away_host_id])
        yield from map(HostPassed, away)
        if away or any(seat.stays for seat in self.seats[: self.host]):
            yield HostPassed(self.host, away=bool(away))

    # Look-ups

    def has(self, number: int) -> bool:
        """Whether the seat has a player or bot who has not left."""
        return number in range(len(self.seats)) and not self.seats[number].gone

    def seats_of(self, player_ids: Iterable[int]) -> tuple[int, ...]:
        """The seats of these players, without those who have left."""
        seat_of = {seat.player_id: number for number, seat in enumerate(self.seats) if not seat.gone}
        return tuple(seat_of[player_id] for player_id in player_ids if player_id in seat_of)

    def present(self, player_ids: Iterable[int]) -> tuple[int, ...]:
        """The ids of these players, without those who have left."""
        staying = {seat.player_id for seat in self.staying}
        return tuple(player_id for player_id in player_ids if player_id in staying)

    def has_name(self, name: str) -> bool:
        """Whether a player here has this name, or one that looks like it."""
        return any(alike(name, seat.name) for seat in self.staying)

    def bot_name(self, strength: str) -> str:
        """A free name for a bot: its own, if it has one that is free with a suffix, or any."""
        own = [strength.capitalize()] if strength in LADDER else []
        every = (
            [name + more for name in names if not self.has_name(name + more)] for names in (own, NAMES) for more in MORE
        )
        free = next(names for names in every if names)
        return free[self._draw(len(free))]

    def dealer_after(self, last: int, step: int) -> int:
        """The dealer after seat `last`, counted among the seats of players who have not left."""
        seats = len(self.seats)
        chairs = ((last + far * step) % seats for far in range(1, seats + 1))
        dealer = next(chair for chair in chairs if not self.seats[chair].gone)
        return sum(not seat.gone for seat in self.seats[:dealer])

    def note_missed_turn(self, number: int, rated: bool) -> Idle | IdleWarning | None:
        """Note that a player has let a turn pass; what follows for one who is here.

        A bot plays for them, except where all players have an account, or the game may be `rated`: there their cards
        are only turned.
        """
        seat = self.seats[number]
        if not seat.attends:
            return None
        seat.missed += 1
        if seat.missed < IDLE_AFTER:
            left = IDLE_AFTER - seat.missed
            return IdleWarning(number, left) if seat.missed >= WARN_AFTER else None
        level = None if rated or all(each.account for each in self.staying) else STAND_IN
        return Idle(number, True, level)

    def note_sign(self, number: int, now_us: int) -> None:
        """Note that a seat sends a reaction.

        Raises: Refusal (muted; too_soon).
        """
        seat = self.seats[number]
        if seat.muted:
            raise Refusal(RefusalReason.MUTED)
        lately = tuple(us for us in seat.signs_us if us > now_us - SIGNS_US)
        if len(lately) >= SIGNS_MOST or (lately and now_us - lately[-1] < SIGN_US):
            raise Refusal(RefusalReason.TOO_SOON)
        seat.signs_us = (*lately, now_us)

    # Credit and games won

    def snapshot(self) -> LedgerSnapshot:
        """The credits and games won as the first entry of a game stores them."""
        changed = {seat.player_id: seat.credit for seat in self.seats if seat.credit != Credit()}
        wins = {seat.player_id: seat.wins for seat in self.seats if seat.wins}
        return LedgerSnapshot(self.next_player_id, changed, wins=wins)

    def restore_ledger(self, ledger: Ledger, events: Iterable[Recorded]) -> None:
        """Set credits and games won by these events. Only logged slaps count, so restoring gives the same."""
        ledger = reduce(Ledger.after, events, ledger)
        for seat in self.seats:
            seat.credit = ledger.credits.get(seat.player_id, seat.credit)
            seat.wins = ledger.wins.get(seat.player_id, 0)

    def _keep_host(self) -> None:
        """The present host stays host when others come, also at a seat before theirs."""
        self._host_id = self.seats[self.host].player_id

    def _appearance(self, number: int, requested: Appearance | None) -> Appearance:
        """The appearance of a seat: the requested one, or the nearest that nobody else has."""
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
