"""A table: its players, its rules, and its games one after the other. No I/O, and no clock: time and chance come in.

Methods return effects, in order (`effects.py`). What the log has of a table is its `state`, which `record` alone
changes; all else lasts as long as the table is in memory. `wake_us` says when `tick` wants to be called next. A running
game is in `session/game_session.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from ratscrew.bots.bot import Chance
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.commands import SetLimit
from ratscrew.game.events import Event
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.game.view_changes import Changes, ViewUpdate, changes_of, replayed
from ratscrew.judge.page_state import PageState
from ratscrew.rules.example import may_join
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.core import host_role
from ratscrew.table.core.pause import RESUME_ALONE_US, RESUME_US, PauseTimer
from ratscrew.table.core.rating_terms import why_unrated
from ratscrew.table.core.rematch import Rematch
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.effects import Effects, Reseat, RevealTime, Send, Store, refused, require
from ratscrew.table.record.entries import (
    Appearance,
    Committed,
    Entry,
    FillScheduled,
    Idle,
    Left,
    Paused,
    Recorded,
    RulesChanged,
    TookPart,
    is_game_event,
)
from ratscrew.table.record.log_budget import game_limit
from ratscrew.table.record.messages import Countdown, IdleWarning, Presence, ReadySeats, RequestName
from ratscrew.table.record.moment import Moment
from ratscrew.table.record.room_kind import RatingTerms
from ratscrew.table.record.table_action import TableAction, command_of
from ratscrew.table.session.bot_players import BotPlayers
from ratscrew.table.session.game_session import GameSession
from ratscrew.table.session.pausable_timer import PausableTimer, spent_us
from ratscrew.table.session.seat import Seat, at_one_device, paused
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from ratscrew.table.session.timing import FILL_US
from ratscrew.table.state.dealer import Dealer, Laid
from ratscrew.table.state.evolve import evolve, next_game, opening, with_seat
from ratscrew.table.state.log_snapshot import Snapshot
from ratscrew.table.state.log_writer import LogWriter, numbered
from ratscrew.table.state.player_networks import PlayerNetworks
from ratscrew.table.state.seat_assignment import MakeBot, bot_name, choose_seat, new_seat
from ratscrew.table.state.table_state import TableState

NO_CHANGES: Changes = {}

BOTS_FILL = 4
"""Up to how many seats bots fill a room for strangers."""

COME_US = 5_000_000
"""How long a seat is kept for a player whose page is not connected, in a room that waits for strangers and, among them,
at the next deal: a page that loads again takes less."""

SIGN_US, SIGNS_US, SIGNS_MOST = 800_000, 10_000_000, 6
"""The least time between two reactions of a seat, and how many it may send in which time."""

WARN_AFTER, IDLE_AFTER = 2, 3
"""After how many turns in a row that a player who is here lets pass they are warned, and a bot plays for them."""

STAND_IN = "steady"
"""The strength of the bot that plays for a player."""


class Table:
    """One table: its state, what players and the server do at it, and what is due."""

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
        """A table without players.

        `public_name` gives the public name of a game by its name in the log; `rated_rules` are the short texts of rules
        whose games may be rated.
        """
        self.room, self.state = room, TableState(rules)
        self.log, self.dealer = LogWriter(room, public_name), Dealer(room, draw, laid, public_name)
        self.seats: list[Seat] = []
        """Every seat; a player who has left keeps theirs until the next deal."""
        self.session: GameSession | None = None
        self.bots = BotPlayers(self.seats, chance)
        self.rematch, self.pause, self.networks = Rematch(), PauseTimer(), PlayerNetworks()
        self.votes: dict[int, set[int]] = {}
        """Who votes for the removal of which player, by their player ids."""
        self._alive_us: int | None = None
        self._make_bot, self._draw, self._chance, self._rated_rules = make_bot, draw, chance, rated_rules
        self._link: tuple[Rules, str | None, str] | None = None

    @property
    def game(self) -> Game | None:
        """The running game, or the last one."""
        return self.state.game

    @property
    def rated(self) -> bool:
        """Whether this game may be rated, by what was known at its deal."""
        return self.state.unrated == () and self.session is not None and self.session.rated

    @property
    def attended(self) -> bool:
        """Whether any player is here."""
        return any(seat.page_state is not None for seat in self.seats)

    @property
    def link(self) -> str:
        """The short text of the rules. It is kept as long as they last: to find it takes most of a snapshot's time."""
        state = self.state
        if self._link is None or self._link[0] is not state.rules or self._link[1] != state.base:
            self._link = state.rules, state.base, to_link(state.rules, state.base)
        return self._link[2]

    # The state

    def add_seat(
        self, name: str, bot: str | None = None, appearance: Appearance | None = None, nonce: str = NO_NONCE
    ) -> int:
        """A player or bot takes the next seat, before anything has been logged."""
        sat = new_seat(self.state, len(self.seats), name, bot, appearance)
        self.set_state(with_seat(self.state, sat, nonce))
        return sat.seat

    def set_state(self, state: TableState) -> None:
        """Go on from this state, as before anything has been logged."""
        before, self.state = self.state, state
        if state.seats is not before.seats:
            known = {seat.player_id: seat for seat in self.seats}
            self.seats.clear()
            for occupant in state.seats:
                seat = known.get(occupant.player_id) or Seat(occupant, self._make_bot)
                if seat.occupant is not occupant:
                    seat.follow(occupant, self._make_bot)
                self.seats.append(seat)
        if self.session and state.game:
            self.session.game = state.game

    def record(
        self,
        events: Sequence[Recorded],
        now_us: int,
        reveal: RevealTime | None = None,
        seen: Iterable[ViewUpdate] = (),
        after: Game | None = None,
    ) -> Effects:
        """Change the state by these events, and log them: nothing else changes during a game what a restored table has.

        With a `reveal` they turn a card; `seen` has what each event of the game does to the view, `after` is the game
        after all of them.
        """
        self.bots.note(events, self.state)
        return [self._store(events, now_us, reveal, seen, after)]

    def _store(
        self,
        events: Sequence[Recorded],
        now_us: int,
        reveal: RevealTime | None = None,
        seen: Iterable[ViewUpdate] = (),
        after: Game | None = None,
    ) -> Store:
        state, store = self.log.store(self.state, events, now_us, after, lambda: self.bots.memory)
        self.set_state(state)
        return store._replace(messages=numbered(events, store.after + 1, seen), reveal=reveal)

    def restore(
        self,
        number: int,
        entries: Sequence[Entry],
        snapshot: Snapshot | None = None,
        until_us: int = 0,
        newest: int = 0,
    ) -> Sequence[ViewUpdate]:
        """Restore the room's game `number` from its log, as after a restart of the server; no player is here yet.

        With a `snapshot`, the first entry is the one that has it. Clocks ran until `until_us`.
        Returns what the `newest` events of the game do to the view, without the one with the snapshot.
        """
        state, memory = snapshot or Snapshot(TableState(self.state.rules, round=number))
        self.bots = BotPlayers(self.seats, self._chance, memory)
        played = deque[tuple[Game | None, Event, Game]](maxlen=newest)
        for entry in entries[1:] if snapshot else entries:
            self.bots.note((entry.event,), state)
            before, state = state.game, evolve(state, entry)
            if is_game_event(entry.event) and state.game:
                played.append((before, entry.event, state.game))
        self.set_state(state)
        self.log.resume(number, entries[-1].at_us if entries else None)
        self._alive_us = until_us
        if state.pause.on:
            self.pause.until_us = 0
        _ = self.link  # in a thread: it takes most of a snapshot's time
        if state.game:
            session = self._begin_session(state.game)
            session.turn_timer = PausableTimer(spent_us(state, until_us))
            session.schedule.held = self.pause.on
        return [changes_of(before, [event], after)[0] if before else view(after) for before, event, after in played]

    def _begin_session(self, game: Game) -> GameSession:
        self.session = session = GameSession(game, self.bots, self.seats, self.record, self._draw)
        may_be = self.state.unrated == () and bool(self._rated_rules)
        session.rated = may_be and to_link(game.rules) in self._rated_rules
        return session

    # Before a game, and between two

    def open(self, now_us: int, fill_us: int | None = None) -> Effects:
        """Let players gather before the first game, perhaps until bots fill it; logged as game 0."""
        for seat in self.seats:
            seat.absent_us = now_us
        filling = [] if fill_us is None else [FillScheduled(fill_us)]
        rules = RulesChanged(self.state.rules, self.link)
        return self.record([rules, *opening(self.state), *filling, self.dealer.promise_next(1)], now_us)

    def join(self, name: str, now_us: int, appearance: Appearance | None = None) -> tuple[int, Effects]:
        """Seat another player: for the next game, or to slap into this one where the rules let them.

        Raises: Refusal (room_full; room_log_full).
        """
        require(self.state.allows("bot"), RefusalReason.ROOM_LOG_FULL)
        return self.take_seat(name, None, appearance, now_us)

    def start(self, now_us: int, past: Moment | None = None) -> Effects:
        """Deal a game to all players here; its log begins with their seats, and promises the next shuffle.

        `past` is the moment of a game that goes on here; without it the cards are dealt. What its events changed of the
        view is not computed: no client has seen the game before.

        Raises: RulesError if the rules do not allow so many players.
        """
        before = self.state
        sealed, played = self.dealer.deal(before, past.events if past else ())
        game, seen = (past.game, repeat(NO_CHANGES)) if past else replayed(played, len(played))
        stay = [number for number, seat in enumerate(before.seats) if not seat.gone]
        effects: Effects = [Reseat({old: new for new, old in enumerate(stay)})] if len(stay) < len(before.seats) else []
        self.session, self.rematch, self.pause = None, Rematch(), PauseTimer()
        self.votes.clear()
        self.set_state(next_game(before))
        self.log.begin(self.state.round, before.version)
        events = [*opening(self.state), *self._rating_terms(isinstance(sealed, Committed)), sealed, *played]
        events.append(self.dealer.promise_next(self.state.round + 1))
        self.bots = BotPlayers(self.seats, self._chance, past and past.memory)
        if not past:
            self.bots.note(played, self.state)
        store = self._store(events, now_us, seen=seen, after=game)
        effects.append(store._replace(messages=()) if past else store)
        return effects + self._begin_session(game).begin(now_us)

    def _rating_terms(self, shuffled: bool) -> Sequence[RatingTerms]:
        """Whether the game that begins now may be rated, if any player has an account."""
        return [RatingTerms(why_unrated(self.seats, shuffled))] if any(seat.account for seat in self.seats) else []

    # Players come and go

    def come(self, seat: int, now_us: int, page_state: PageState | None = None) -> Effects:
        """Note that a player is here, or here again, at this page, which others may share.

        If all players were away, the game goes on after a countdown, unless it is paused. A second device ends a pause,
        unless the host has paused the game for all devices.
        """
        all_away = paused(self.seats)
        self.seats[seat].page_state, self.seats[seat].absent_us = page_state or PageState(), None
        alive_us, self._alive_us = now_us if self._alive_us is None else self._alive_us, None
        self._note_absent(now_us)
        effects: Effects = [Send(Presence(seat, True)), *self._give_host_back(seat, now_us)]
        effects += self.host_countdown(seat, now_us)
        if self.pause.on:
            self.pause.extend(self.state.pause, now_us, alive_us)
            one_device = self.state.pause.seat is not None or at_one_device(self.seats, seat)
            counts = all_away if self.pause.ending else not one_device
            effects += self.count_in(now_us) if counts or self._ends_soon(now_us) else []
        elif self.session and not paused(self.seats):
            effects += self._return(seat, now_us, all_away)
        return effects

    def go(self, seat: int, now_us: int) -> Effects:
        """Note that a player is away: their cards are turned for them. With no player here, the table waits."""
        self.seats[seat].page_state, self.seats[seat].absent_us = None, now_us
        effects: Effects = [Send(Presence(seat, False)), *self.host_countdown(seat, now_us)]
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
        if self.session and self.state.playing and not self.pause.on:
            self.session.schedule.forget(seat)
            effects += self._return(seat, now_us, all_away)
        return effects

    def host_countdown(self, seat: int, now_us: int) -> Effects:
        """The countdown to another host after a player at this seat has come or gone, if it can be seen now."""
        return host_role.countdown_messages(self.state, self.seats, seat, now_us) if self._host_counts else []

    @property
    def _host_counts(self) -> bool:
        """Whether players see such a countdown: not in a game, and not while one to a deal is running."""
        return self.session is None and self.rematch.deal_us is None

    def _give_host_back(self, seat: int, now_us: int) -> Effects:
        back = host_role.given_back(self.state, self.seats, seat)
        return self.record(back, now_us) if back else []

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for players."""
        return earliest(self._wake_us(), host_role.passes_us(self.state, self.seats))

    def tick(self, now_us: int) -> Effects:
        """Do everything that was due until now, in the order in which it was due."""
        effects = self._tick(now_us)
        passed = host_role.passed(self.state, self.seats, now_us)
        return effects + (self.record(passed, now_us) if passed else [])

    def _wake_us(self) -> int | None:
        if self.session is None:
            return earliest(self._deal_us(), self._absent_until_us()) if self.attended else None
        if self.session.game.over:
            return self._deal_us() if self.attended else None
        action = self.session.next_action()
        at_us = action.at_us if action else None
        if self.pause.wanted:
            return earliest(at_us, self.session.tracker.decided_us(self.session.game))
        return earliest(at_us, self.pause.until_us) if self.pause.until_us is not None and self.attended else at_us

    def _tick(self, now_us: int) -> Effects:
        if self.session and not self.session.game.over:
            effects = [*self.session.catch_up(now_us), *self._note_missed_turns(now_us), *self._limit_game(now_us)]
            return effects if self.session.game.over else effects + self._begin_or_end_pause(now_us)
        freed: Effects = []
        absent_us = None if self.session else self._absent_until_us()
        if absent_us is not None and absent_us <= now_us and self.attended:
            freed = self.free_absent_seats(now_us, COME_US)
        if (deal_us := self._deal_us()) is not None and deal_us <= now_us and self.attended:
            self.rematch.deal_us = None
            try:
                return freed + self.next_game(now_us)
            except Refusal:  # too few players to deal
                if self.state.fill_us is not None:
                    return freed + self.record([FillScheduled(now_us + FILL_US)], now_us)
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

    def clock(self, now_us: int) -> Countdown | None:
        """The countdown that players see now."""
        if self.state.fill_us is None and self.rematch.deal_us is not None:
            return Countdown(self.state.host, "again", max(0, self.rematch.deal_us - now_us) // 1000)
        pausing = self.state.pause
        if self.session and self.pause.on and (pausing.seat is not None or self.pause.ending):
            seat = self.state.host if pausing.seat is None else pausing.seat
            return Countdown(seat, "resume", max(0, (self.pause.until_us or now_us) - now_us) // 1000)
        if self.session:
            return self.session.clock(now_us)
        if self.state.fill_us is not None:
            return Countdown(self.state.host, "fill", max(0, self.state.fill_us - now_us) // 1000)
        return host_role.countdown(self.state, self.seats, now_us) if self._host_counts else None

    def bot_name(self, strength: str) -> str:
        """A free name for a bot of this strength."""
        return bot_name(self.state, strength, self._draw)

    def note_part(self, seat: int, now_us: int) -> Effects:
        """A player acts: in a game that may be rated, the log has when they did first."""
        if self.state.unrated != () or self.seats[seat].took_part or not self.state.playing:
            return []
        return self.record([TookPart(seat)], now_us)

    def _limit_game(self, now_us: int) -> Effects:
        """A game whose log gets too long gets a limit of cards, or a nearer one when the log is full."""
        assert self.session
        game = self.session.game
        limit = game_limit(self.state.version, game.n)
        if game.over or self.session.racing or not limit or 0 < game.limit <= limit:
            return []
        return self.session.act(SetLimit(limit), now_us)

    def _note_missed_turns(self, now_us: int) -> Effects:
        """Warn players who are here and have let turns pass; a bot plays for one who does not react."""
        effects: Effects = []
        missed, self.session.missed = self.session.missed, []  # type: ignore[union-attr]
        for seat in missed:
            match self._note_missed_turn(seat):
                case Idle() as idle if self.session:
                    effects += self.record([idle], now_us) + self.session.go(seat, now_us)
                case IdleWarning() as warning:
                    effects.append(Send(warning, seat))
        return effects

    def _note_missed_turn(self, number: int) -> Idle | IdleWarning | None:
        """Note that a player has let a turn pass; what follows for one who is here.

        A bot plays for them, except where all players have an account, or the game may be rated: there their cards are
        only turned.
        """
        seat = self.seats[number]
        if not seat.attends:
            return None
        seat.missed += 1
        if seat.missed < IDLE_AFTER:
            left = IDLE_AFTER - seat.missed
            return IdleWarning(number, left) if seat.missed >= WARN_AFTER else None
        level = None if self.rated or all(each.account for each in self.state.staying) else STAND_IN
        return Idle(number, True, level)

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
        state = self.state
        if state.fill_us is None and (state.kind != "listed" or len(state.staying) < state.most):
            return None
        absent_us = (self.seats[number].absent_us for number in self._absent())
        return min((us + COME_US for us in absent_us if us is not None), default=None)

    def _begin_us(self) -> int | None:
        """When a room that waits for strangers begins: a little later if one who may still come is awaited."""
        if self.state.fill_us is None:
            return None
        return self.state.fill_us + (COME_US if self._absent_until_us() is not None else 0)

    def _absent(self) -> list[int]:
        """The seats of players, but not of the host, whose pages are known not to be connected."""
        host = self.state.host if self.state.has_host else None
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.stays and seat.absent_us is not None and number != host
        ]

    def _deal_us(self) -> int | None:
        """When a game is dealt to everybody, as far as that is known while none is running."""
        return self.rematch.deal_us if self.state.fill_us is None else self._begin_us()

    def free_absent_seats(self, now_us: int, for_us: int = 0) -> Effects:
        """Before a game, free the seats of players whose pages have not been connected for so long."""
        absent = [number for number in self._absent() if (self.seats[number].absent_us or 0) + for_us <= now_us]
        return self._free_seats(absent, now_us) if absent else []

    def _free_seats_among_strangers(self, now_us: int) -> Effects:
        """Among strangers, and where all have accounts, free the seats of players who are idle or away.

        So nobody wins game after game against players who are not there.

        Raises: Refusal (others_away): nobody would be left to play with.
        """
        if self.state.kind == "friends" and not all(seat.account for seat in self.seats if seat.stays):
            return []
        since_us = now_us - COME_US
        absent = [number for number, seat in enumerate(self.seats) if seat.stays and seat.is_absent(since_us)]
        require(not absent or len(self.state.staying) - len(absent) > 1, RefusalReason.OTHERS_AWAY)
        return self._free_seats(absent, now_us) if absent else []

    # For room commands

    def require_allowed(self, what: RequestName, seat: int) -> None:
        """Check whether a seat may make a request at all.

        Raises: Refusal (not_playing: the player has left; room_log_full).
        """
        require(not self.seats[seat].gone, RefusalReason.NOT_PLAYING)
        require(self.state.allows(what), RefusalReason.ROOM_LOG_FULL)

    def take_seat(self, name: str, bot: str | None, appearance: Appearance | None, now_us: int) -> tuple[int, Effects]:
        """Seat a player or bot, and log it; where the rules let newcomers slap into a running game, they join it,
        unless it may be rated: a friend's late seat would change it for the others. Raises: Refusal (room_full).
        """
        sat = new_seat(self.state, choose_seat(self.state), name, bot, appearance)
        slaps_in = self.game and may_join(self.game.rules) and not self.rated
        if self.session and self.state.playing and slaps_in:
            effects = self.session.arrive(sat, now_us)
        else:
            effects = self.record([sat], now_us)
        self.seats[sat.seat].absent_us = None if bot else now_us
        return sat.seat, effects + (self.count_in(now_us) if self.state.pause.on and bot is None else [])

    def next_game(self, now_us: int) -> Effects:
        """Deal to all players here; among strangers those who are absent lose their seats, and bots fill it first.

        Raises: Refusal (too_few; others_away; room_full).
        """
        filling = self.state.fill_us is not None
        effects = self.free_absent_seats(now_us) if filling else self._free_seats_among_strangers(now_us)
        while filling and len(self.state.staying) < min(BOTS_FILL, self.state.most):
            effects += self.take_seat(self.bot_name("steady"), "steady", None, now_us)[1]
        require(len(self.state.staying) > 1, RefusalReason.TOO_FEW)
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
        people = sum(seat.stays for seat in self.state.seats)
        self.pause.count_down(now_us, RESUME_US if people > 1 else RESUME_ALONE_US)
        return [*stopped, Send(self.clock(now_us) or Countdown(self.state.host, "resume", 0))]

    def note_sign(self, number: int, now_us: int) -> None:
        """Note that a seat sends a reaction.

        Raises: Refusal (muted; too_soon).
        """
        seat = self.seats[number]
        require(not seat.muted, RefusalReason.MUTED)
        lately = tuple(us for us in seat.signs_us if us > now_us - SIGNS_US)
        often = len(lately) >= SIGNS_MOST or (lately and now_us - lately[-1] < SIGN_US)
        require(not often, RefusalReason.TOO_SOON)
        seat.signs_us = (*lately, now_us)

    def ready_messages(self, now_us: int) -> Effects:
        """Messages about the rematch: which seats have asked for it, and its countdown."""
        countdown = self.clock(now_us) or Countdown(self.state.host, "again", 0)
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
            self.pause = PauseTimer(until_us=0)
            self.pause.extend(self.state.pause, now_us, now_us)
            return effects + ([Send(clock)] if (clock := self.clock(now_us)) else [])
        if pause.until_us is not None and pause.until_us <= now_us and self.attended and not pause.wanted:
            stored = self.record([Paused(False)], now_us) if self.state.pause.on else []
            self.pause = PauseTimer()
            return [*stored, Send(Countdown(self.state.host, "resume", 0)), *session.wake(now_us)]
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
        if self.seats[seat].gone:
            raise Refusal(RefusalReason.NOT_PLAYING)
        if not self.state.allows(what):
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


def earliest(one_us: int | None, other_us: int | None) -> int | None:
    """The earlier of two moments, either of which may never come."""
    return one_us if other_us is None else other_us if one_us is None else min(one_us, other_us)
