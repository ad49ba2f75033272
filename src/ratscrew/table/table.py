"""A table: its players, its rules, and its games one after the other. No I/O, and no clock: time and chance come in.

Methods change the table and return effects, in order (`effects.py`). `wake_us` says when `tick` wants to be
called next. The seats are in `players/roster.py`, a running game in `session/game_session.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat

from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.commands import SetLimit
from ratscrew.game.view_changes import Changes, replayed
from ratscrew.judge.page_state import PageState
from ratscrew.rules.example import may_join
from ratscrew.table import host_role
from ratscrew.table.effects import Effects, Reseat, Send, refused, require
from ratscrew.table.messages import Clock, IdleWarning, Presence, ReadySeats, RequestName
from ratscrew.table.moment import Moment
from ratscrew.table.pause import RESUME_ALONE_US, RESUME_US, Pause
from ratscrew.table.players.seat import at_one_device, paused
from ratscrew.table.records.entries import (
    Appearance,
    Committed,
    FillScheduled,
    Idle,
    Paused,
    RulesChanged,
    TookPart,
)
from ratscrew.table.rematch import Rematch
from ratscrew.table.session.bot_players import BotPlayers
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from ratscrew.table.session.table_action import TableAction, command_of
from ratscrew.table.table_state import COME_US as COME_US
from ratscrew.table.table_state import TableState

NO_CHANGES: Changes = {}

BOTS_FILL = 4
"""Up to how many seats bots fill a room for strangers."""


class Table(TableState):
    """One table: what players and the server do at it, and what is due."""

    # Before a game, and between two

    def open(self, now_us: int, fill_us: int | None = None) -> Effects:
        """Let players gather before the first game, perhaps until bots fill it; logged as game 0."""
        self.fill_us = fill_us
        for seat in self.seats:
            seat.absent_us = now_us
        filling = [] if fill_us is None else [FillScheduled(fill_us)]
        promised = self.dealer.promise_next(1)
        return [self.log.store([RulesChanged(self.rules, self.link), *self.facts(), *filling, promised], now_us)]

    def join(self, name: str, now_us: int, appearance: Appearance | None = None) -> tuple[int, Effects]:
        """Seat another player: for the next game, or to slap into this one where the rules let them.

        Raises: Refusal (room_full; room_log_full).
        """
        require(self.log.budget.allows("bot"), RefusalReason.ROOM_LOG_FULL)
        return self.take_seat(name, None, appearance, now_us)

    def start(self, now_us: int, past: Moment | None = None) -> Effects:
        """Deal a game to all players here; its log begins with their seats, and promises the next shuffle.

        `past` is the moment of a game that goes on here; without it the cards are dealt. What its events changed of the
        view is not computed: no client has seen the game before.

        Raises: RulesError if the rules do not allow so many players.
        """
        number = self.log.round + 1
        sealed, played = self.dealer.deal(self.rules, self.roster, number, past.events if past else ())
        effects: Effects = [Reseat(self.roster.compact())] if len(self.roster.staying) < len(self.seats) else []
        self.closed_us = self.fill_us = None
        self.rematch, self.pause = Rematch(), Pause()
        self._set_terms(shuffled=isinstance(sealed, Committed))
        self.log.begin(number)
        events = [*self.facts(), sealed, *played, self.dealer.promise_next(number + 1)]
        game, seen = (past.game, repeat(NO_CHANGES)) if past else replayed(played, len(played))
        store = self.log.store(events, now_us, ledger=self.roster.snapshot(), seen=seen)
        effects.append(store._replace(messages=()) if past else store)
        new, memory = ((), past.memory) if past else (played, None)
        bots = BotPlayers(new, self.roster.seats, self._chance, memory)
        self.session = GameSession(game, bots, self.roster.seats, self.record, self._draw)
        self.session.rated = self._is_rated(game.rules)
        return effects + self.session.begin(now_us)

    # Players come and go

    def come(self, seat: int, now_us: int, page_state: PageState | None = None) -> Effects:
        """Note that a player is here, or here again, at this page, which others may share.

        If all players were away, the game goes on after a countdown, unless it is paused. A second device ends a pause,
        unless the host has paused the game for all devices.
        """
        all_away = paused(self.seats)
        self.seats[seat].page_state, self.seats[seat].absent_us = page_state or PageState(), None
        self._note_absent(now_us)
        effects: Effects = [Send(Presence(seat, True)), *host_role.give_back(self, seat, now_us)]
        effects += host_role.countdown_messages(self, seat, now_us)
        if self.pause.on:
            self.pause.extend(now_us)
            counts = all_away if self.pause.ending else self.pause.seat is None and not at_one_device(self.seats, seat)
            effects += self.count_in(now_us) if counts or self._ends_soon(now_us) else []
        elif self.session and not paused(self.seats):
            effects += self._return(seat, now_us, all_away)
        return effects

    def go(self, seat: int, now_us: int) -> Effects:
        """Note that a player is away: their cards are turned for them. With no player here, the table waits."""
        self.seats[seat].page_state, self.seats[seat].absent_us = None, now_us
        effects: Effects = [Send(Presence(seat, False)), *host_role.countdown_messages(self, seat, now_us)]
        if self.session:
            effects += self.session.go(seat, now_us)
        if seat in self.rematch.ready:
            self.rematch.note([seat], False, now_us)
            effects += self.ready_messages(now_us)
        return effects

    # Playing

    def play(self, seat: int, n: int, now_us: int) -> Effects:
        """A seat turns its top card, having seen card `n`."""
        if back := self._first_action(seat, "play", now_us):
            return back
        try:
            return self._session_for(seat, "play").play(seat, n, now_us) + self.note_part(seat, now_us)
        except Refusal as refusal:
            return [refused("play", seat, refusal)]

    def slap(self, seat: int, n: int, press: Press, now_us: int, contact: SlapContact = FLAT) -> Effects:
        """A seat slaps card `n`. Slaps of bots that are due come first, if the table was not woken for them."""
        if effects := self._first_action(seat, "slap", now_us):
            return effects
        try:
            session = self._session_for(seat, "slap")
            effects += session.catch_up(now_us, slaps_only=True)
            effects += session.slap(seat, n, press, contact, now_us) + self.note_part(seat, now_us)
        except Refusal as refusal:
            effects.append(refused("slap", seat, refusal))
        return effects

    def act(self, seat: int, action: TableAction, now_us: int) -> Effects:
        """A seat does any other action that the rules have."""
        if back := self._first_action(seat, "act", now_us):
            return back
        try:
            session = self._session_for(seat, "act")
            return session.act(command_of(action, seat, session.game), now_us) + self.note_part(seat, now_us)
        except Refusal as refusal:
            return [refused("act", seat, refusal)]

    def come_back(self, seat: int, now_us: int) -> Effects:
        """Note that a player acts: if a bot plays for them, it stops."""
        self.seats[seat].missed = 0
        if not self.seats[seat].idle:
            return []
        all_away = paused(self.seats)
        effects = self.record([Idle(seat, False)], now_us)
        if self.session and self.playing and not self.pause.on:
            self.session.schedule.forget(seat)
            effects += self._return(seat, now_us, all_away)
        return effects

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for players."""
        return min((us for us in (self._wake_us(), host_role.passes_us(self)) if us is not None), default=None)

    def tick(self, now_us: int) -> Effects:
        """Do everything that was due until now, in the order in which it was due."""
        return self._tick(now_us) + host_role.pass_if_due(self, now_us)

    def _wake_us(self) -> int | None:
        if self.session is None:
            soon = [us for us in (self._deal_us(), self._absent_until_us()) if us is not None]
            return min(soon, default=None) if self.roster.attended else None
        if self.session.game.over:
            return self._deal_us() if self.roster.attended else None
        action = self.session.next_action()
        due = [action.at_us if action else None]
        if self.pause.wanted:
            due.append(self.session.tracker.decided_us(self.session.game))
        elif self.roster.attended:
            due.append(self.pause.until_us)
        return min((us for us in due if us is not None), default=None)

    def _tick(self, now_us: int) -> Effects:
        if self.session and not self.session.game.over:
            effects = [*self.session.catch_up(now_us), *self._note_missed_turns(now_us), *self._limit_game(now_us)]
            return effects if self.session.game.over else effects + self._begin_or_end_pause(now_us)
        freed: Effects = []
        absent_us = None if self.session else self._absent_until_us()
        if absent_us is not None and absent_us <= now_us and self.roster.attended:
            freed = self.free_absent_seats(now_us, COME_US)
        if (deal_us := self._deal_us()) is not None and deal_us <= now_us and self.roster.attended:
            self.rematch.deal_us = None
            try:
                return freed + self.next_game(now_us)
            except Refusal:  # too few players to deal
                pass
        return freed

    @property
    def racing(self) -> bool:
        """Whether a race is undecided."""
        return self.session is not None and self.session.racing

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
        if self.fill_us is None and self.rematch.deal_us is not None:
            return Clock(self.roster.host, "again", max(0, self.rematch.deal_us - now_us) // 1000)
        if self.session and self.pause.on and (self.pause.seat is not None or self.pause.ending):
            seat = self.roster.host if self.pause.seat is None else self.pause.seat
            return Clock(seat, "resume", max(0, (self.pause.until_us or now_us) - now_us) // 1000)
        if self.session:
            return self.session.clock(now_us)
        if self.fill_us is not None:
            return Clock(self.roster.host, "fill", max(0, self.fill_us - now_us) // 1000)
        return host_role.countdown(self, now_us)

    def note_part(self, seat: int, now_us: int) -> Effects:
        """A player acts: in a game that may be rated, the log has when they did first."""
        if self.unrated != () or self.seats[seat].took_part or not self.playing:
            return []
        return self.record([TookPart(seat)], now_us)

    def _limit_game(self, now_us: int) -> Effects:
        """A game whose log gets too long gets a limit of cards, or a nearer one when the log is full."""
        assert self.session
        game, budget = self.session.game, self.log.budget
        limit = budget.game_limit(game.n)
        if game.over or self.session.racing or not limit or 0 < game.limit <= limit:
            return []
        return self.session.act(SetLimit(limit), now_us)

    def _note_missed_turns(self, now_us: int) -> Effects:
        """Warn players who are here and have let turns pass; a bot plays for one who does not react."""
        effects: Effects = []
        missed, self.session.missed = self.session.missed, []  # type: ignore[union-attr]
        for seat in missed:
            match self.roster.note_missed_turn(seat, self.rated):
                case Idle() as idle if self.session:
                    effects += self.record([idle], now_us)
                    self.session.bots.admit(self.session.game)
                    effects += self.session.go(seat, now_us)
                case IdleWarning() as warning:
                    effects.append(Send(warning, seat))
        return effects

    # For room commands

    def require_allowed(self, what: RequestName, seat: int) -> None:
        """Check whether a seat may make a request at all.

        Raises: Refusal (not_playing: the player has left; room_log_full).
        """
        require(not self.seats[seat].gone, RefusalReason.NOT_PLAYING)
        require(self.log.budget.allows(what), RefusalReason.ROOM_LOG_FULL)

    def take_seat(self, name: str, bot: str | None, appearance: Appearance | None, now_us: int) -> tuple[int, Effects]:
        """Seat a player or bot, and log it; where the rules let newcomers slap into a running game, they join it,
        unless it may be rated: a friend's late seat would change it for the others. Raises: Refusal (room_full).
        """
        sat = self.roster.new_seat(self.roster.choose_seat(self.most, self.playing), name, bot, appearance)
        if self.session and self.playing and may_join(self.session.game.rules) and not self.rated:
            effects = self.session.arrive(sat, now_us)
        else:
            effects = self.record([sat], now_us)
        self.seats[sat.seat].absent_us = None if bot else now_us
        return sat.seat, effects + (self.count_in(now_us) if self.pause.declared and bot is None else [])

    def next_game(self, now_us: int) -> Effects:
        """Deal to all players here; among strangers those who are absent lose their seats, and bots fill it first.

        Raises: Refusal (too_few; others_away; room_full).
        """
        filling = self.fill_us is not None
        effects = self.free_absent_seats(now_us) if filling else self._free_seats_among_strangers(now_us)
        self.fill_us = None
        while filling and len(self.roster.staying) < min(BOTS_FILL, self.most):
            effects += self.take_seat(self.roster.bot_name("steady"), "steady", None, now_us)[1]
        require(len(self.roster.staying) > 1, RefusalReason.TOO_FEW)
        try:
            return effects + self.start(now_us)
        except RulesError as error:
            raise Refusal(RefusalReason.ROOM_FULL) from error

    def request_pause(self, paused: Paused, now_us: int) -> Effects:
        """Pause the game as soon as the newest card is decided. Until then it can be slapped, and no card is turned."""
        assert self.session
        self.pause.wanted = paused
        return self.session.hold(now_us) + self._begin_or_end_pause(now_us)

    def count_in(self, now_us: int) -> Effects:
        """Let play go on after a countdown that all players see, so that nobody knows the moment before the others."""
        assert self.session
        stopped = self.session.hold(now_us) if self.session.schedule.held else self.session.stop(now_us)
        people = sum(seat.stays for seat in self.seats)
        self.pause.count_down(now_us, RESUME_US if people > 1 else RESUME_ALONE_US)
        return [*stopped, Send(self.clock(now_us) or Clock(self.roster.host, "resume", 0))]

    def ready_messages(self, now_us: int) -> Effects:
        """Messages about the rematch: which seats have asked for it, and its countdown."""
        countdown = self.clock(now_us) or Clock(self.roster.host, "again", 0)
        return [Send(ReadySeats(tuple(sorted(self.rematch.ready)))), Send(countdown)]

    # Inside

    def _return(self, seat: int, now_us: int, all_away: bool) -> Effects:
        """A player is back at the running game: if all were away it goes on now, after a countdown."""
        assert self.session
        if not all_away:
            return self.session.come(seat, now_us)
        return self.count_in(now_us) if self.session.game.n else self.session.wake(now_us)

    def _ends_soon(self, now_us: int) -> bool:
        """Whether the time of a pause is over, or nearly, because nobody was here."""
        return not self.pause.ending and (self.pause.until_us or 0) < now_us + RESUME_US

    def _begin_or_end_pause(self, now_us: int) -> Effects:
        """A pause that is wanted begins when the newest card is decided; one whose time is over ends."""
        assert self.session
        pause, session = self.pause, self.session
        if session.game.over:
            return []
        if (
            pause.wanted
            and (decided_us := session.tracker.decided_us(session.game)) is not None
            and decided_us <= now_us
        ):
            effects = session.stop(now_us) + self.record([pause.wanted], now_us)
            pause.wanted = None
            pause.extend(now_us)
            return effects + ([Send(clock)] if (clock := self.clock(now_us)) else [])
        if pause.until_us is not None and pause.until_us <= now_us and self.roster.attended and not pause.wanted:
            stored = self.record([Paused(False)], now_us) if pause.declared else []
            pause.apply(Paused(False), now_us)
            return [*stored, Send(Clock(self.roster.host, "resume", 0)), *session.wake(now_us)]
        return []

    def _first_action(self, seat: int, what: RequestName, now_us: int) -> Effects:
        """The first action of a player for whom a bot plays: it only brings them back. Nothing for all others."""
        if back := self.come_back(seat, now_us):
            return [*back, refused(what, seat, Refusal(RefusalReason.IDLE))]
        return []

    def _session_for(self, seat: int, what: RequestName) -> GameSession:
        """The running game, if this seat may play in it; while a pause is wanted, only by slaps of the newest card.

        Raises: Refusal.
        """
        session = self.session
        if self.roster.seats[seat].gone:
            raise Refusal(RefusalReason.NOT_PLAYING)
        if not self.log.budget.allows(what):
            raise Refusal(RefusalReason.ROOM_LOG_FULL)
        if session is None:
            raise Refusal(RefusalReason.NO_GAME)
        if session.game.over:
            raise Refusal(RefusalReason.GAME_OVER)
        if seat >= len(session.game.hands):
            raise Refusal(RefusalReason.NOT_PLAYING)
        if self.pause.on or (self.pause.wanted and what != "slap"):
            raise Refusal(RefusalReason.PAUSED)
        return session
