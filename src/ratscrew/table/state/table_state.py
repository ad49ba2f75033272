"""The state of a table: everything about its room and its game that the log has. A value, which `evolve.py` changes.

What is not stored is in `Table` beside it: who is here with which page, what is due, an undecided race. No I/O here.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ratscrew.accounts.results import Unrated
from ratscrew.game.state import Game
from ratscrew.judge.credit import Credit
from ratscrew.rules.house import Rules
from ratscrew.table.names.names import alike
from ratscrew.table.record import log_budget
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.entries import Appearance, Committed, DoneRequest, Promised
from ratscrew.table.record.messages import RequestName
from ratscrew.table.record.room_kind import RoomKind

SEATS_MOST = 30
"""How many players may sit at a table whose rules set no limit."""

HOST_PAUSES_MOST_US = 5 * 60 * 1_000_000
"""How long the host may pause a game in all for players at other devices, so that they are not held for ever."""

RECENT_US = 600_000_000
"""How long a request is remembered: the same one gets the same seat again, also after a restart."""


class Occupant(Struct, frozen=True, forbid_unknown_fields=True):
    """A player, or a bot of strength `bot_level`, in a seat; `player_id` stays as long as the room lasts.

    `account` is the id of the player's account, if they have one, and `network` the number of their network. A player
    who is `gone` has left for good. One who is `idle` let too many turns pass: a bot of strength `stand_in` plays for
    them, or their cards are only turned. One who `took_part` has acted in this game, where that counts. `credit` is
    theirs with the judge, `wins` are the games that they have won in this room, `nonce` is for the next shuffle.
    """

    name: str
    appearance: Appearance
    player_id: int
    bot_level: str | None = None
    credit: Credit = Credit()
    gone: bool = False
    muted: bool = False
    wins: int = 0
    nonce: str = NO_NONCE
    account: str | None = None
    network: int | None = None
    idle: bool = False
    stand_in: str | None = None
    took_part: bool = False

    @property
    def stays(self) -> bool:
        """Whether a player has this seat and has not left for good, connected or not."""
        return self.bot_level is None and not self.gone

    @property
    def played_by(self) -> str | None:
        """The strength of the bot that plays here, for itself or for a player; None without one."""
        return None if self.gone else self.bot_level or self.stand_in


class PauseState(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether players paused the game, since `since_us`; `seat` is the host's, if they did it for other devices too.

    The host has `left_us` for such pauses in a game.
    """

    on: bool = False
    seat: int | None = None
    since_us: int = 0
    left_us: int = HOST_PAUSES_MOST_US

    def left_at_us(self, at_us: int) -> int:
        """How much of the host's time for pauses is left at a moment."""
        return self.left_us if self.seat is None else max(0, self.left_us - max(0, at_us - self.since_us))


class TableState(Struct, frozen=True, forbid_unknown_fields=True):
    """A table: its rules (changed from the preset `base`, or the nearest), its players, and its game; None before one.

    `round` is the room's game by number (0: before the first), `version` the entries of its log, `since` the number of
    the newest entry with this state, `spent` what the log's budget has spent. `next_player_id` has not been given to
    anybody; `removed` are the ids of players who may not come back. The role of host passed from the player
    `away_host_id` because they were away. `dealer` is the seat that dealt the game; `sealed` is its shuffle, `promised`
    the next one. The seat that has to act had `turn_spent_us` of its time before `turn_since_us`, if that runs.
    `seat_requests` took seats lately, `done_requests` are other recent ones. Unit: microseconds since 1970.
    """

    rules: Rules
    base: str | None = None
    round: int = 0
    version: int = 0
    since: int = 0
    spent: int = 0
    seats: tuple[Occupant, ...] = ()
    next_player_id: int = 0
    removed: tuple[int, ...] = ()
    host_id: int | None = None
    away_host_id: int | None = None
    kind: RoomKind = "friends"
    listed: bool = False
    locked: bool = False
    closed_us: int | None = None
    fill_us: int | None = None
    unrated: tuple[Unrated, ...] | None = None
    voted_out: bool = False
    pause: PauseState = PauseState()
    dealer: int = 0
    promised: Promised | None = None
    sealed: Committed | None = None
    seat_requests: tuple[DoneRequest, ...] = ()
    done_requests: tuple[DoneRequest, ...] = ()
    turn_spent_us: int = 0
    turn_since_us: int | None = None
    game: Game | None = None

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.game is not None and not self.game.over

    @property
    def has_host(self) -> bool:
        """Whether one of the players is the host; the tables of quick play and arenas are the server's."""
        return self.kind in ("friends", "listed")

    @property
    def most(self) -> int:
        """How many players may sit here."""
        return self.rules.max_players or SEATS_MOST

    @property
    def log_full(self) -> bool:
        """Whether the log is full, so that the game ends with the pile on the table, which nobody can slap any more."""
        return self.version >= log_budget.ENTRIES_MOST

    def allows(self, what: RequestName) -> bool:
        """Whether a request may still be written to the game's log."""
        return log_budget.allows(what, self.version, self.spent)

    @property
    def promise(self) -> str | None:
        """The hash of the seed of the next game, if it has been promised."""
        return self.promised.hash if self.promised else None

    @property
    def commitment(self) -> str | None:
        """The hash of the inputs of the game's shuffle, if it was shuffled."""
        return self.sealed.commitment if self.sealed else None

    # Players

    @property
    def staying(self) -> list[Occupant]:
        """The players and bots who have not left for good."""
        return [seat for seat in self.seats if not seat.gone]

    @property
    def host(self) -> int:
        """The seat of the host, who chooses the rules, deals the first game, and reopens the room.

        It is the first player, until the role passes on or they leave: then the first of those who have not left.
        """
        first = None
        for number, seat in enumerate(self.seats):
            if seat.bot_level is None and not seat.gone:
                if seat.player_id == self.host_id:
                    return number
                first = number if first is None else first
        return first or 0

    @property
    def has_free_seat(self) -> bool:
        """Whether there is a seat for one more player: that of one who has left a running game is not free yet."""
        return len(self.seats if self.playing else self.staying) < self.most

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

    # Requests

    def has_done(self, page: str, number: int) -> bool:
        """Whether a request of a page has stored something lately."""
        return any((each.page, each.s) == (page, number) for each in (*self.seat_requests, *self.done_requests))

    def seat_taken_by(self, page: str, now_us: int) -> int | None:
        """The seat that a request of a page has taken lately, if its player is still there."""
        recent = [each for each in self.seat_requests if each.page == page and now_us - each.at_us < RECENT_US]
        return next(iter(self.seats_of([each.player_id for each in recent if each.player_id is not None])), None)
