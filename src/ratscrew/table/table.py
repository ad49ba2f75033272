"""A table: its players, its rules, and its games one after the other. No I/O, and no clock: time and chance come in.

Methods change the table and return effects, in order (`effects.py`). `wake_us` says when `tick` wants to be
called next. The seats are in `players/roster.py`, a running game in `session/game_session.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ratscrew.bots.bot import Chance
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.events import Dealt, Event
from ratscrew.game.state import Game
from ratscrew.judge.page_state import PageState
from ratscrew.rules.house import Rules
from ratscrew.rules.link import shared, to_link
from ratscrew.table.effects import Effects, Reseat, Send, Store, refused, require
from ratscrew.table.messages import Clock, Presence, RequestName
from ratscrew.table.players.roster import MakeBot, Roster
from ratscrew.table.players.seat import SEATS_MOST, Seat, paused
from ratscrew.table.records.entries import (
    Appearance,
    Closed,
    Committed,
    Entry,
    FillScheduled,
    Left,
    Listed,
    Muted,
    NameDeleted,
    NonceGiven,
    Promised,
    Readmitted,
    Recorded,
    RemovedPlayers,
    Reopened,
    RoomLocked,
    RulesChanged,
    Sat,
    is_game_event,
)
from ratscrew.table.records.log_writer import LogWriter
from ratscrew.table.records.rejudge import FRESH, Ledger
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.pausable_timer import PausableTimer, spent_us
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from ratscrew.table.session.table_action import TableAction, command_of
from ratscrew.table.shuffle.dealer import Dealer, Laid

BOTS_FILL = 4
"""Up to how many seats bots fill a room for strangers."""


class Table:
    """One table. Its rules, its players, the log of its running game, and that game."""

    def __init__(
        self, room: str, rules: Rules, make_bot: MakeBot, draw: Draw, chance: Chance, laid: Laid | None = None
    ) -> None:
        self.room, self.rules = room, rules
        self.closed_us: int | None = None
        self.fill_us: int | None = None
        self.listed = self.locked = False
        self.roster, self.log, self.dealer = Roster(make_bot, draw), LogWriter(room), Dealer(room, draw, laid)
        self.session: GameSession | None = None
        self._draw, self._chance = draw, chance
        self._link: tuple[Rules, str] | None = None

    @property
    def game(self) -> Game | None:
        """The running game, or the last one."""
        return self.session.game if self.session else None

    @property
    def playing(self) -> bool:
        """Whether a game is running; one whose log is full has stopped."""
        return self.session is not None and not self.session.game.over and not self.log.budget.full

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
            self._link = self.rules, to_link(self.rules)
        return self._link[1]

    # Before a game, and between two

    def add_seat(self, name: str, bot: str | None = None, appearance: Appearance | None = None) -> int:
        """A player or bot takes the next seat, before anything has been logged."""
        self.roster.apply(sat := self.roster.new_seat(len(self.seats), name, bot, appearance))
        return sat.seat

    def open(self, now_us: int, fill_us: int | None = None) -> Effects:
        """Let players gather before the first game, perhaps until bots fill it; logged as game 0."""
        self.fill_us = fill_us
        filling = [] if fill_us is None else [FillScheduled(fill_us)]
        promised = self.dealer.promise_next(1)
        return self.record([RulesChanged(self.rules, self.link), *self._facts(), *filling, promised], now_us)

    def join(self, name: str, now_us: int, appearance: Appearance | None = None) -> tuple[int, Effects]:
        """Seat another player: for the next game, or to slap into this one where the rules let them.

        Raises: Refusal (room_full; room_log_full).
        """
        require(self.log.budget.allows("bot"), RefusalReason.ROOM_LOG_FULL)
        return self.take_seat(name, None, appearance, now_us)

    def start(self, now_us: int) -> Effects:
        """Deal a game to all players here; its log begins with their seats, and promises the next shuffle.

        Raises: RulesError if the rules do not allow so many players.
        """
        number = self.log.round + 1
        sealed, dealt = self.dealer.deal(self.rules, self.roster, number)
        effects: Effects = []
        if len(self.roster.staying) < len(self.seats):
            effects.append(Reseat(self.roster.compact()))
        self.closed_us = self.fill_us = None
        self.log.begin(number)
        events = [*self._facts(), sealed, dealt, self.dealer.promise_next(number + 1)]
        effects.append(self.log.store(events, now_us, ledger=self.roster.snapshot()))
        self.session = GameSession([dealt], self.roster.seats, self.log, self._draw, self._chance)
        return effects + self.session.wake(now_us)

    def restore(self, number: int, entries: Sequence[Entry], past: Ledger = FRESH, until_us: int = 0) -> None:
        """Restore the room's game `number` from its log, as after a restart of the server; no player is here yet.

        `past` is the ledger of the room's earlier games: credits go on from there. Clocks ran until `until_us`.
        """
        self.log.resume(number, entries)
        self.roster.next_player_id = past.next_player_id
        played: list[Event] = []
        others: list[Recorded] = []
        for event in (entry.event for entry in entries):
            if is_game_event(event):
                if isinstance(event, Dealt):
                    event = replace(event, rules=shared(event.rules))
                    self.rules = event.rules
                    self.dealer.seat = (event.standing.turn - self.rules.step) % len(self.seats)
                played.append(event)
            else:
                others.append(event)
                self._restore(event)
        self._link = (
            self.rules,
            to_link(self.rules),
        )  # in a thread: it takes most of a snapshot's time
        self.roster.update_credits(past, others)
        if played:
            self.session = GameSession(played, self.roster.seats, self.log, self._draw, self._chance)
            self.session.turn_timer = PausableTimer(spent_us(entries, until_us, self.rules))

    def _restore(self, event: Recorded) -> None:
        """Apply an event of the log to the table, the roster or the dealer."""
        match event:
            case Sat() | Left() | NameDeleted() | Muted() | RemovedPlayers() | Readmitted() | NonceGiven():
                self.roster.apply(event)
            case Promised() | Committed():
                self.dealer.apply(event)
            case RulesChanged(rules):
                self.rules = shared(rules)
            case Closed(closed_us):
                self.closed_us = closed_us
            case Reopened():
                self.closed_us = None
            case Listed(on):
                self.listed = on
            case RoomLocked(on):
                self.locked = on
            case FillScheduled(at_us):
                self.fill_us = at_us

    # Players come and go

    def come(self, seat: int, now_us: int, page_state: PageState | None = None) -> Effects:
        """Note that a player is here, or here again, at this page, which others may share.

        If all players were away, the game wakes and its pile is revealed again.
        """
        all_away = paused(self.seats)
        self.seats[seat].page_state = page_state or PageState()
        effects: Effects = [Send(Presence(seat, True))]
        if self.session:
            effects += self.session.wake(now_us) if all_away else self.session.come(seat, now_us)
        return effects

    def go(self, seat: int, now_us: int) -> Effects:
        """Note that a player is away: their cards are turned for them. With no player here, the table waits."""
        self.seats[seat].page_state = None
        effects: Effects = [Send(Presence(seat, False))]
        if self.session:
            effects += self.session.go(seat, now_us)
        return effects

    # Playing

    def play(self, seat: int, n: int, now_us: int) -> Effects:
        """A seat turns its top card, having seen card `n`."""
        try:
            return self._note_closing(self._session_for(seat).play(seat, n, now_us))
        except Refusal as refusal:
            return [refused("play", seat, refusal)]

    def slap(self, seat: int, n: int, press: Press, now_us: int, contact: SlapContact = FLAT) -> Effects:
        """A seat slaps card `n`. Slaps of bots that are due come first, if the table was not woken for them."""
        effects: Effects = []
        try:
            session = self._session_for(seat)
            effects += session.catch_up(now_us, slaps_only=True)
            effects += session.slap(seat, n, press, contact, now_us)
        except Refusal as refusal:
            effects.append(refused("slap", seat, refusal))
        return self._note_closing(effects)

    def act(self, seat: int, action: TableAction, now_us: int) -> Effects:
        """A seat does any other action that the rules have."""
        try:
            session = self._session_for(seat)
            return self._note_closing(session.act(command_of(action, seat, session.game), now_us))
        except Refusal as refusal:
            return [refused("act", seat, refusal)]

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for players."""
        if self.session is None:
            return self.fill_us if self.roster.attended else None
        action = None if self.log.budget.full else self.session.next_action()
        return action.at_us if action else None

    def tick(self, now_us: int) -> Effects:
        """Do everything that was due until now, in the order in which it was due."""
        if self.session:
            return [] if self.log.budget.full else self._note_closing(self.session.catch_up(now_us))
        if self.fill_us is not None and self.fill_us <= now_us and self.roster.attended:
            try:
                return self.next_game(now_us)
            except Refusal:  # too few players to deal
                pass
        return []

    @property
    def racing(self) -> bool:
        """Whether a race is undecided."""
        return self.session is not None and self.session.racing and not self.log.budget.full

    @property
    def quiet(self) -> bool:
        """Whether no race is undecided, and no card on its way: the moment to go on elsewhere."""
        return not self.racing and (self.session is None or self.session.schedule.reveal is None)

    def asks(self, now_us: int, covers: Callable[[PageState], Sequence[int]]) -> list[tuple[PageState, int]]:
        """When to ping each page that a race waits for; see `SlapTracker.asks`."""
        return self.session.tracker.asks(self.session.game, now_us, covers) if self.session and self.racing else []

    @property
    def seen_us(self) -> int:
        """From when on clients may see the table as it is: the newest card may be turned and not be revealed yet."""
        return self.session.seen_us if self.session else 0

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that players see now."""
        if self.session:
            return self.session.clock(now_us)
        return None if self.fill_us is None else Clock(self.roster.host, "fill", max(0, self.fill_us - now_us) // 1000)

    # For room commands

    def require_allowed(self, what: RequestName, seat: int) -> None:
        """Check whether a seat may make a request at all.

        Raises: Refusal (not_playing: the player has left; room_log_full).
        """
        require(not self.seats[seat].gone, RefusalReason.NOT_PLAYING)
        require(self.log.budget.allows(what), RefusalReason.ROOM_LOG_FULL)

    def take_seat(self, name: str, bot: str | None, appearance: Appearance | None, now_us: int) -> tuple[int, Effects]:
        """Seat a player or bot, and log it; where the rules let newcomers slap into the running game, they join it.

        Raises: Refusal (room_full).
        """
        sat = self.roster.new_seat(self.roster.choose_seat(self.most, self.playing), name, bot, appearance)
        self.roster.apply(sat)
        if self.session and self.playing and self.session.game.rules.late_join == "slap_in":
            return sat.seat, self.session.arrive(sat, now_us)
        return sat.seat, self.record([sat], now_us)

    def next_game(self, now_us: int) -> Effects:
        """Deal to all players here; in a room for strangers, bots take empty seats first.

        Raises: Refusal (too_few; room_full).
        """
        filling, self.fill_us = self.fill_us is not None, None
        effects: Effects = []
        while filling and len(self.roster.staying) < min(BOTS_FILL, self.most):
            effects += self.take_seat(self.roster.bot_name("steady"), "steady", None, now_us)[1]
        require(len(self.roster.staying) > 1, RefusalReason.TOO_FEW)
        try:
            return effects + self.start(now_us)
        except RulesError as error:
            raise Refusal(RefusalReason.ROOM_FULL) from error

    def record(self, events: Sequence[Recorded], now_us: int) -> Effects:
        """Log events besides play."""
        return [self.log.store(events, now_us)]

    # Inside

    def _session_for(self, seat: int) -> GameSession:
        """The running game, if this seat may play in it.

        Raises: Refusal.
        """
        session = self.session
        if self.roster.seats[seat].gone:
            raise Refusal(RefusalReason.NOT_PLAYING)
        if self.log.budget.full:
            raise Refusal(RefusalReason.ROOM_LOG_FULL)
        if session is None:
            raise Refusal(RefusalReason.NO_GAME)
        if session.game.over:
            raise Refusal(RefusalReason.GAME_OVER)
        if seat >= len(session.game.hands):
            raise Refusal(RefusalReason.NOT_PLAYING)
        return session

    def _note_closing(self, effects: Effects) -> Effects:
        """Close the room where three sixes have burned the deck; nothing else in a game concerns the room."""
        if self.rules.triple_six_ban:
            for entry in (entry for effect in effects if isinstance(effect, Store) for entry in effect.entries):
                if isinstance(entry.event, Closed):
                    self.closed_us = entry.event.until_us
        return effects

    def _facts(self) -> Sequence[Recorded]:
        """The events that describe the players and the room, at the start of each game's log."""
        listed, locked = [Listed(True)] * self.listed, [RoomLocked(True)] * self.locked
        return [*self.roster.to_events(), *listed, *locked]
