"""The state of a table, and how a log restores it. No I/O, and no clock: time and chance come in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ratscrew.bots.bot import Chance
from ratscrew.community.results import Unrated
from ratscrew.deck import Draw
from ratscrew.errors import RefusalReason
from ratscrew.game.events import Dealt, Event, Won
from ratscrew.game.state import Game
from ratscrew.game.view_changes import ViewUpdate, replayed
from ratscrew.rules.house import Rules
from ratscrew.rules.link import base_of, shared, to_link
from ratscrew.table.effects import Effects, Reseat, RevealTime, require
from ratscrew.table.pause import Pause
from ratscrew.table.players.player_networks import PlayerNetworks
from ratscrew.table.players.roster import MakeBot, Roster, is_roster_change
from ratscrew.table.players.seat import SEATS_MOST, Seat
from ratscrew.table.records.entries import (
    Appearance,
    Closed,
    Committed,
    Entry,
    FillScheduled,
    Left,
    Listed,
    Paused,
    Promised,
    Recorded,
    Reopened,
    RoomLocked,
    RulesChanged,
    TableEvent,
    is_game_event,
)
from ratscrew.table.records.log_snapshot import LogSnapshot
from ratscrew.table.records.log_writer import LogWriter
from ratscrew.table.records.rating_terms import why_unrated
from ratscrew.table.records.rejudge import FRESH, Ledger
from ratscrew.table.records.room_kind import KindSet, RatingTerms, RoomKind
from ratscrew.table.rematch import Rematch
from ratscrew.table.session.bot_players import BotPlayers
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.pausable_timer import PausableTimer, spent_us
from ratscrew.table.shuffle.dealer import Dealer, Laid

COME_US = 5_000_000
"""How long a seat is kept for a player whose page is not connected, in a room that waits for strangers and, among them,
at the next deal: a page that loads again takes less."""


class TableState:
    """A table: its rules (changed from the preset `base`, or the nearest), its players, the running game, the log."""

    def __init__(
        self,
        room: str,
        rules: Rules,
        make_bot: MakeBot,
        draw: Draw,
        chance: Chance,
        laid: Laid | None = None,
        public_name: Callable[[str], str] = str,
        rated_rules: frozenset[str] = frozenset(),
    ) -> None:
        """`public_name` gives the public name of a game by its name in the log; `rated_rules` are the short texts of
        rules whose games may be rated."""
        self.room, self.rules = room, rules
        self.base: str | None = None
        self.closed_us: int | None = None
        self.fill_us: int | None = None
        self.listed = self.locked = False
        self.kind: RoomKind = "friends"
        self.unrated: tuple[Unrated, ...] | None = None
        self.votes: dict[int, set[int]] = {}
        self.voted_out = False
        self.roster, self.log = Roster(make_bot, draw), LogWriter(room, public_name)
        self.dealer = Dealer(room, draw, laid, public_name)
        self.session: GameSession | None = None
        self.rematch, self.pause, self.networks = Rematch(), Pause(), PlayerNetworks()
        self._draw, self._chance, self._rated_rules = draw, chance, rated_rules
        self._link: tuple[Rules, str] | None = None

    @property
    def game(self) -> Game | None:
        """The running game, or the last one."""
        return self.session.game if self.session else None

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.session is not None and not self.session.game.over

    @property
    def has_host(self) -> bool:
        """Whether one of the players is the host; the tables of quick play and arenas are the server's."""
        return self.kind in ("friends", "listed")

    @property
    def rated(self) -> bool:
        """Whether this game may be rated, by what was known at its deal."""
        return self.unrated == () and self.session is not None and self.session.rated

    @property
    def seats(self) -> Sequence[Seat]:
        """Every seat; a player who has left keeps theirs until the next deal."""
        return self.roster.seats

    @property
    def most(self) -> int:
        """How many players may sit here."""
        return self.rules.max_players or SEATS_MOST

    @property
    def link(self) -> str:
        """The short text of the rules. It is kept as long as they last: to find it takes most of a snapshot's time."""
        if self._link is None or self._link[0] is not self.rules:
            self._link = self.rules, to_link(self.rules, self.base)
        return self._link[1]

    def add_seat(self, name: str, bot: str | None = None, appearance: Appearance | None = None) -> int:
        """A player or bot takes the next seat, before anything has been logged."""
        self.roster.apply(sat := self.roster.new_seat(len(self.seats), name, bot, appearance))
        return sat.seat

    def restore(
        self,
        number: int,
        entries: Sequence[Entry],
        past: Ledger = FRESH,
        until_us: int = 0,
        snapshot: LogSnapshot | None = None,
        newest: int = 0,
    ) -> Sequence[ViewUpdate]:
        """Restore the room's game `number` from its log, as after a restart of the server; no player is here yet.

        `past` is the ledger of the room's earlier games: credits go on from there. Clocks ran until `until_us`. With a
        `snapshot`, the first entry is the one that has it, and `past` is the ledger after it.
        Returns what the `newest` events of the game do to the view, without the one with the snapshot.
        """
        self.log.resume(number, entries, *((snapshot.version - 1, snapshot.spent) if snapshot else ()))
        self.roster.next_player_id = past.next_player_id
        played, seen = list[Event](), list[ViewUpdate]()
        events = [entry.event for entry in entries]
        if snapshot:
            self.rules, self.base = snapshot.next_rules or snapshot.game.rules, snapshot.base
            self.dealer.seat, events[:1] = snapshot.dealer, snapshot.facts
            self.pause.left_us = snapshot.pause_left_us
        times = [entries[0].at_us] * (len(events) - len(entries)) + [entry.at_us for entry in entries]
        for event, at_us in zip(events, times, strict=True):
            if is_game_event(event):
                if isinstance(event, Dealt):
                    event = replace(event, rules=shared(event.rules))
                    self.rules = event.rules
                    self.dealer.seat = (event.standing.turn - self.rules.step) % len(self.seats)
                played.append(event)
            self._apply(event, at_us)
        self.pause.charge(until_us)
        link = to_link(self.rules, self.base)  # in a thread: it takes most of a snapshot's time
        self._link = self.rules, link
        self.roster.restore_ledger(past, events)
        if played or snapshot:
            before, memory = (snapshot.game, snapshot.memory) if snapshot else (None, None)
            game, seen = replayed(played, newest, before)
            bots = BotPlayers(played, self.roster.seats, self._chance, memory, before)
            self.session = GameSession(game, bots, self.roster.seats, self.record, self._draw)
            self.session.turn_timer = PausableTimer(spent_us(entries, until_us, self.rules))
            self.session.schedule.held = self.pause.on
            self.session.rated = self._is_rated(game.rules)
        return seen

    def _set_terms(self, shuffled: bool) -> None:
        """Decide whether the game that begins now may be rated; votes and who takes part begin anew."""
        self.votes.clear()
        self.voted_out = False
        self.unrated = why_unrated(self.seats, shuffled) if any(seat.account for seat in self.seats) else None
        for seat in self.seats:
            seat.took_part = False

    def _is_rated(self, rules: Rules) -> bool:
        """Whether a game under these rules may be rated, whose terms are known."""
        return self.unrated == () and bool(self._rated_rules) and to_link(rules) in self._rated_rules

    def _apply(self, event: Recorded, at_us: int) -> None:
        """Apply an event to the table, the roster or the dealer: a new one, or one from the log.

        Of play only who has won is kept here; `GameSession` has the game.
        """
        if is_game_event(event):
            if isinstance(event, Won):
                self.seats[event.seat].wins += 1
            return
        match event:
            case _ if is_roster_change(event):
                self.roster.apply(event)
                if isinstance(event, Left):
                    self.votes.pop(self.seats[event.seat].player_id, None)
                    self.voted_out |= bool(event.by)
            case Promised() | Committed():
                self.dealer.apply(event)
            case RulesChanged(rules, link):
                self.rules, self.base = shared(rules), base_of(link)
            case Closed(closed_us):
                self.closed_us = closed_us
            case Reopened():
                self.closed_us = None
            case Listed(on):
                self.listed = on
                if on and self.kind == "friends":  # it stays a room for strangers: some may be here
                    self.kind = "listed"
            case RoomLocked(on):
                self.locked = on
            case KindSet(kind):
                self.kind = kind
            case RatingTerms(unrated):
                self.unrated = unrated
            case Paused():
                self.pause.apply(event, at_us)
            case FillScheduled(at_us):
                self.fill_us, self.kind = at_us, "quick"

    def facts(self) -> Sequence[TableEvent]:
        """The events that describe the players and the room, at the start of each game's log."""
        kind = [] if self.kind == "friends" else [KindSet(self.kind)]
        listed, locked = [Listed(True)] * self.listed, [RoomLocked(True)] * self.locked
        terms = [] if self.unrated is None else [RatingTerms(self.unrated)]
        return [*self.roster.to_events(), *kind, *listed, *locked, *terms]

    def record(
        self,
        events: Sequence[Recorded],
        now_us: int,
        reveal: RevealTime | None = None,
        seen: Iterable[ViewUpdate] = (),
    ) -> Effects:
        """Apply events, and log them: nothing else changes during a game what a restored table has.

        For `reveal` and `seen`, see `LogWriter.store`.
        """
        store = self.log.store(events, now_us, reveal, seen=seen)
        for entry in store.entries:
            self._apply(entry.event, entry.at_us)
        return [store]

    # Seats of players who are not there

    def _note_absent(self, now_us: int) -> None:
        """Players whose absence is not timed yet, as after a restart, are away from now on: somebody else has come."""
        for seat in self.seats:
            if seat.stays and not seat.here and seat.absent_us is None:
                seat.absent_us = now_us

    def _free_seats(self, seats: Sequence[int], now_us: int) -> Effects:
        stay = {number: number for number in range(len(self.seats)) if number not in seats}
        return [*self.record([Left(number) for number in seats], now_us), Reseat(stay)]

    def _absent_until_us(self) -> int | None:
        """When the next seat of a player who has not come to a room that waits for strangers is free.

        In one that a player has listed that is so only while it is full: or those who never come could hold all seats.
        """
        if self.fill_us is None and (self.kind != "listed" or self.roster.has_free_seat(self.most, playing=False)):
            return None
        absent_us = (self.seats[number].absent_us for number in self._absent())
        return min((us + COME_US for us in absent_us if us is not None), default=None)

    def _begin_us(self) -> int | None:
        """When a room that waits for strangers begins: a little later if one who may still come is awaited."""
        if self.fill_us is None:
            return None
        return self.fill_us + (COME_US if self._absent_until_us() is not None else 0)

    def _absent(self) -> list[int]:
        """The seats of players, but not of the host, whose pages are known not to be connected."""
        host = self.roster.host if self.has_host else None
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.stays and seat.absent_us is not None and number != host
        ]

    def _deal_us(self) -> int | None:
        """When a game is dealt to everybody, as far as that is known while none is running."""
        return self.rematch.deal_us if self.fill_us is None else self._begin_us()

    def free_absent_seats(self, now_us: int, for_us: int = 0) -> Effects:
        """Before a game, free the seats of players whose pages have not been connected for so long."""
        absent = [number for number in self._absent() if (self.seats[number].absent_us or 0) + for_us <= now_us]
        return self._free_seats(absent, now_us) if absent else []

    def _free_seats_among_strangers(self, now_us: int) -> Effects:
        """Among strangers, and where all have accounts, free the seats of players who are idle or away.

        So nobody wins game after game against players who are not there.

        Raises: Refusal (others_away): nobody would be left to play with.
        """
        if self.kind == "friends" and not all(seat.account for seat in self.seats if seat.stays):
            return []
        since_us = now_us - COME_US
        absent = [number for number, seat in enumerate(self.seats) if seat.stays and seat.is_absent(since_us)]
        require(not absent or len(self.roster.staying) - len(absent) > 1, RefusalReason.OTHERS_AWAY)
        return self._free_seats(absent, now_us) if absent else []
