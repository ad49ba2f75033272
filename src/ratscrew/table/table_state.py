"""The state of a table, and how a log restores it. No I/O, and no clock: time and chance come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ratscrew.bots.bot import Chance
from ratscrew.deck import Draw
from ratscrew.game.events import Dealt, Event
from ratscrew.game.state import Game
from ratscrew.game.view_changes import ViewUpdate, replayed
from ratscrew.rules.house import Rules
from ratscrew.rules.link import base_of, shared, to_link
from ratscrew.table.pause import Pause
from ratscrew.table.players.roster import MakeBot, Roster, is_roster_change
from ratscrew.table.players.seat import SEATS_MOST, Seat
from ratscrew.table.records.entries import (
    Appearance,
    Closed,
    Committed,
    Entry,
    FillScheduled,
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
from ratscrew.table.records.rejudge import FRESH, Ledger
from ratscrew.table.rematch import Rematch
from ratscrew.table.session.bot_players import BotPlayers
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.pausable_timer import PausableTimer, spent_us
from ratscrew.table.shuffle.dealer import Dealer, Laid


class TableState:
    """A table: its rules (changed from the preset `base`, or the nearest), its players, the running game, the log."""

    def __init__(
        self, room: str, rules: Rules, make_bot: MakeBot, draw: Draw, chance: Chance, laid: Laid | None = None,
        public_name: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        """`public_name` gives the public name of a game by its name in the log."""
        self.room, self.rules = room, rules
        self.base: str | None = None
        self.closed_us: int | None = None
        self.fill_us: int | None = None
        self.listed = self.locked = False
        self.roster, self.log = Roster(make_bot, draw), LogWriter(room, public_name)
        self.dealer = Dealer(room, draw, laid, public_name)
        self.session: GameSession | None = None
        self.rematch, self.pause = Rematch(), Pause()
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
            self._link = self.rules, to_link(self.rules, self.base)
        return self._link[1]

    def add_seat(self, name: str, bot: str | None = None, appearance: Appearance | None = None) -> int:
        """A player or bot takes the next seat, before anything has been logged."""
        self.roster.apply(sat := self.roster.new_seat(len(self.seats), name, bot, appearance))
        return sat.seat

    def restore(
        self, number: int, entries: Sequence[Entry], past: Ledger = FRESH, until_us: int = 0,
        snapshot: LogSnapshot | None = None, newest: int = 0,
    ) -> Sequence[ViewUpdate]:  # fmt: skip
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
        for event in events:
            if is_game_event(event):
                if isinstance(event, Dealt):
                    event = replace(event, rules=shared(event.rules))
                    self.rules = event.rules
                    self.dealer.seat = (event.standing.turn - self.rules.step) % len(self.seats)
                played.append(event)
            else:
                self._restore(event)
        link = to_link(self.rules, self.base)  # in a thread: it takes most of a snapshot's time
        self._link = self.rules, link
        self.roster.restore_ledger(past, events)
        if played or snapshot:
            before, memory = (snapshot.game, snapshot.memory) if snapshot else (None, None)
            game, seen = replayed(played, newest, before)
            bots = BotPlayers(played, self.roster.seats, self._chance, memory, before)
            self.session = GameSession(game, bots, self.roster.seats, self.log, self._draw)
            self.session.turn_timer = PausableTimer(spent_us(entries, until_us, self.rules))
            self.session.schedule.held = self.pause.on
        return seen

    def _restore(self, event: Recorded) -> None:
        """Apply an event of the log to the table, the roster or the dealer."""
        match event:
            case _ if is_roster_change(event):
                self.roster.apply(event)
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
            case RoomLocked(on):
                self.locked = on
            case Paused():
                self.pause.apply(event)
            case FillScheduled(at_us):
                self.fill_us = at_us

    def facts(self) -> Sequence[TableEvent]:
        """The events that describe the players and the room, at the start of each game's log."""
        listed, locked = [Listed(True)] * self.listed, [RoomLocked(True)] * self.locked
        return [*self.roster.to_events(), *listed, *locked]
