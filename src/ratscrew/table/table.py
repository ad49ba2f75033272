"""The table without I/O: messages and time in, effects out. Nothing in this file knows what time it is.

Every method takes `now_us`, changes the table and returns what has to be done, in order. `wake_us` says when the
table wants `tick` to be called next. What is about rounds and the house is here; who sits where is `Roster`, a game
under way is `GameSession`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from ratscrew.bots.bot import Chance
from ratscrew.bots.memory import memory_from_events
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.events import Dealt, Event, Lost
from ratscrew.game.evolve import replay
from ratscrew.game.state import Game
from ratscrew.judge.page_state import PageState
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.effects import Effect, EffectBuffer, Moment, Move
from ratscrew.table.messages import Clock, Presence
from ratscrew.table.players.roster import MakeBot, Roster
from ratscrew.table.players.seat import SEATS_MOST, Seat, paused
from ratscrew.table.records.entries import (
    Barred,
    Closed,
    Entry,
    Filling,
    Guise,
    Housed,
    Left,
    Lifted,
    Listed,
    Muted,
    Nonced,
    Promised,
    Readmitted,
    Recorded,
    RoomLocked,
    Sat,
    Sealed,
    TableEvent,
    Unnamed,
)
from ratscrew.table.records.log_budget import LogBudget
from ratscrew.table.records.rejudge import FRESH, Ledger
from ratscrew.table.refusal_handling import asked, need
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.pausable_timer import PausableTimer, spent_us
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from ratscrew.table.session.table_action import TableAction, command_of
from ratscrew.table.session.timing import next_midnight_us
from ratscrew.table.shuffle.dealer import Dealer, Laid

FILLED = 4
"""Up to how many seats bots fill a room for strangers."""


class Table:
    """One table: who sits there, which house is played, and the game under way."""

    def __init__(
        self, room: str, rules: Rules, make_bot: MakeBot, draw: Draw, chance: Chance, laid: Laid | None = None
    ) -> None:
        self.room, self.rules = room, rules
        self.round = self.version = 0
        self.budget = LogBudget()
        self.closed_us: int | None = None
        self.fill_us: int | None = None
        self.listed = self.locked = False
        self.roster, self.out = Roster(make_bot, draw), EffectBuffer()
        self.live: GameSession | None = None
        self.dealer = Dealer(room, draw, laid)
        self._draw, self._chance = draw, chance
        self._restored_us: int | None = None
        self._ahead_us = 0

    @property
    def id(self) -> str:
        """The name of the running game's log: the room, and the number of the game in it; 0 is before the first."""
        return f"{self.room}-{self.round}"

    @property
    def game(self) -> Game | None:
        """The game under way, or the last one."""
        return self.live.game if self.live else None

    @property
    def playing(self) -> bool:
        """Whether a game is on; one whose log is full has stopped."""
        return self.live is not None and not self.live.game.over and not self.budget.full

    @property
    def seats(self) -> Sequence[Seat]:
        """Everybody who sits here, and who has left but still has a chair."""
        return self.roster.seats

    @property
    def most(self) -> int:
        """How many may sit here."""
        return self.rules.max_players or SEATS_MOST

    # Before a game, and between two

    def sit(self, name: str, bot: str | None = None, guise: Guise | None = None) -> int:
        """Somebody takes the next seat, before anything has been recorded."""
        self.roster.take(sat := self.roster.invite(len(self.seats), name, bot, guise))
        return sat.seat

    def open(self, now_us: int, fill_us: int | None = None) -> list[Effect]:
        """People gather here before the first game, perhaps until bots fill it; it is all in the log of game 0."""
        self.fill_us = fill_us
        filling = [] if fill_us is None else [Filling(fill_us)]
        promised = self.dealer.promise_next(1)
        self.record([Housed(self.rules, to_link(self.rules)), *self._facts(), *filling, promised], now_us)
        return self.out.empty()

    def join(self, name: str, now_us: int, guise: Guise | None = None) -> tuple[int, list[Effect]]:
        """One more person takes a seat: for the next game, or to slap into this one where the house lets him.

        Raises: Refusal (room_full; room_log_full).
        """
        need(self.budget.allows("bot"), RefusalReason.ROOM_LOG_FULL)
        return self.seat(name, None, guise, now_us), self.out.empty()

    def start(self, now_us: int) -> list[Effect]:
        """Deal a game to everybody who sits here; its log begins with who they are, and promises the next shuffle.

        Raises: RulesError if the house does not allow so many players.
        """
        sealed, dealt = self.dealer.deal(self.rules, self.roster, self.round + 1)
        if len(self.roster.staying) < len(self.seats):
            self.out.put(Move(self.roster.close_up()))
        self.round, self.version, self.closed_us, self.fill_us = self.round + 1, 0, None, None
        self.budget = LogBudget()
        self.record([*self._facts(), sealed, dealt, self.dealer.promise_next(self.round + 1)], now_us)
        self._take_up([dealt]).wake(now_us)
        return self.out.empty()

    def restore(self, number: int, entries: Sequence[Entry], past: Ledger = FRESH, until_us: int = 0) -> None:
        """Take up the room's game `number` from its log, as after a stop of the server; nobody is here yet.

        `past` is what the logs of the room's earlier games tell: credits go on from there. Clocks ran `until_us`.
        """
        self.round, self.version = number, len(entries)
        self.budget = LogBudget(entry.event for entry in entries)
        self._restored_us = entries[-1].at_us if entries else None
        self.roster.next_who = past.next_who
        played: list[Event] = []
        for entry in entries:
            match entry.event:
                case Sat() | Left() | Unnamed() | Muted() | Barred() | Readmitted() | Nonced() as event:
                    self.roster.take(event)
                case Promised() | Sealed() as event:
                    self.dealer.take(event)
                case Housed(rules):
                    self.rules = rules
                case Closed(until_us):
                    self.closed_us = until_us
                case Lifted():
                    self.closed_us = None
                case Listed(on):
                    self.listed = on
                case RoomLocked(on):
                    self.locked = on
                case Filling(at_us):
                    self.fill_us = at_us
                case event if not isinstance(event, TableEvent):
                    played.append(event)
                    if isinstance(event, Dealt):
                        self.rules = event.rules
                        self.dealer.seat = (event.to.turn - self.rules.step) % len(self.seats)
        self.roster.count_up(past, [entry.event for entry in entries])
        if played:
            self._take_up(played).glass = PausableTimer(spent_us(entries, until_us, self.rules))

    # Coming and going

    def come(self, seat: int, now_us: int, page_state: PageState | None = None) -> list[Effect]:
        """A person is here, or here again, in front of this page, which others may share.

        If everybody was gone, the table wakes and shows what lies on it anew.
        """
        all_gone = paused(self.seats)
        self.seats[seat].page_state = page_state or PageState()
        self.out.tell(Presence(seat, True))
        if self.live and all_gone:
            self.live.wake(now_us)
        elif self.live:
            self.live.come(seat, now_us)
        return self.out.empty()

    def go(self, seat: int, now_us: int) -> list[Effect]:
        """A person has gone: his cards are turned for him until he is back. With nobody here, the table waits."""
        self.seats[seat].page_state = None
        self.out.tell(Presence(seat, False))
        if self.live:
            self.live.go(seat, now_us)
        return self.out.empty()

    # Playing

    @asked("play")
    def play(self, seat: int, n: int, now_us: int) -> None:
        """A seat turns its top card, having seen card `n`."""
        self._running(seat).play(seat, n, now_us)

    @asked("slap")
    def slap(self, seat: int, n: int, press: Press, now_us: int, palm: SlapContact = FLAT) -> None:
        """A seat slaps card `n`."""
        self._running(seat).slap(seat, n, press, palm, now_us)

    @asked("act")
    def act(self, seat: int, deed: TableAction, now_us: int) -> None:
        """A seat does anything else that the house has."""
        live = self._running(seat)
        live.act(command_of(deed, seat, live.game), now_us)

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for people."""
        if self.live:
            if self.budget.full:
                return None
            return min((at_us for at_us, _ in self.live.dues()), default=None)
        return self.fill_us if self.roster.attended else None

    def tick(self, now_us: int) -> list[Effect]:
        """Do everything that was due until now, in the order in which it was due."""
        if self.live and not self.budget.full:
            self.live.catch_up(now_us)
        elif self.fill_us is not None and self.fill_us <= now_us and self.roster.attended:
            with suppress(Refusal):
                self.next_game(now_us)
        return self.out.empty()

    @property
    def racing(self) -> bool:
        """Whether hands are on the pile of which nobody has decided yet who was first."""
        return self.live is not None and self.live.racing and not self.budget.full

    @property
    def seen_us(self) -> int:
        """From when on everybody may see the table as it is: the newest card may be turned and not be shown yet."""
        return self.live.seen_us if self.live else 0

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that people see now."""
        if self.live:
            return self.live.clock(now_us)
        return None if self.fill_us is None else Clock(self.roster.host, "fill", max(0, self.fill_us - now_us) // 1000)

    # What wishes are made of

    def seat(self, name: str, bot: str | None, guise: Guise | None, now_us: int) -> int:
        """Somebody sits down; that he may slap into the game, where he may, is kept with it.

        Raises: Refusal (room_full).
        """
        sat = self.roster.invite(self.roster.chair(self.most, self.playing), name, bot, guise)
        self.roster.take(sat)
        if self.live and self.playing and self.live.game.rules.late_join == "slap_in":
            self.live.arrive(sat, now_us)
        else:
            self.record([sat], now_us)
        return sat.seat

    def next_game(self, now_us: int) -> None:
        """Deal to everybody who sits here; in a room for strangers, bots take empty seats first.

        Raises: Refusal (too_few; room_full).
        """
        filling, self.fill_us = self.fill_us is not None, None
        while filling and len(self.roster.staying) < min(FILLED, self.most):
            self.seat(self.roster.bot_name("steady"), "steady", None, now_us)
        need(len(self.roster.staying) > 1, RefusalReason.TOO_FEW)
        try:
            for effect in self.start(now_us):
                self.out.put(effect)
        except RulesError as error:
            raise Refusal(RefusalReason.ROOM_FULL) from error

    def record(self, events: Sequence[Recorded], now_us: int, moment: Moment | None = None) -> None:
        """Keep what happened; where sixes have burned the deck, the room is closed until tomorrow."""
        if self.rules.triple_six_ban and any(isinstance(event, Lost) for event in events):
            self.closed_us = next_midnight_us(now_us)
            events = [*events, Closed(self.closed_us)]
        at_us = self._log_time_us(now_us)
        entries = [Entry(at_us, event) for event in events]
        if self.version == 0 and self.round > 0:
            entries[:1] = [replace(entry, ledger=self.roster.snapshot()) for entry in entries[:1]]
        self.out.store(self.id, self.version, tuple(entries), moment)
        self.version += len(events)
        self.budget.count(events)
        self.roster.count_up(self.roster.ledger, events)

    # Inside

    def _log_time_us(self, now_us: int) -> int:
        """The time for the log. It never goes back, also if the clock was set back while the server was off: then it
        goes on from the last entry, as fast as the clock.
        """
        if self._restored_us is not None:
            self._ahead_us, self._restored_us = max(0, self._restored_us - now_us), None
        return now_us + self._ahead_us

    def _running(self, seat: int) -> GameSession:
        if self.live is None:
            raise Refusal(RefusalReason.NO_GAME)
        if self.live.game.over:
            raise Refusal(RefusalReason.GAME_OVER)
        if seat >= len(self.live.game.hands):
            raise Refusal(RefusalReason.NOT_PLAYING)
        return self.live

    def _take_up(self, events: Sequence[Event]) -> GameSession:
        seats, memory = self.roster.seats, memory_from_events(events)
        self.live = GameSession(replay(events), memory, seats, self.record, self.out, self._draw, self._chance)
        return self.live

    def _facts(self) -> Sequence[Recorded]:
        """What is so of the people and the room, whichever game is played."""
        listed, locked = [Listed(True)] * self.listed, [RoomLocked(True)] * self.locked
        return [*self.roster.facts(), *listed, *locked]
