"""One running game: slaps and their races, the card on its way, countdowns and bots. No I/O, and no clock of its own.

Methods take `now_us` where time matters, and return effects. A slap goes `slap` -> `_apply`, or, if
there is a pattern, `slap` -> `_decide_race` -> `_apply`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Protocol

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.card_timing import MIN_CARD_GAP_US
from ratscrew.game.commands import Arrive, Collect, Command, Feint, Place, Play, Reveal, Slap, Timeout, Touch
from ratscrew.game.engine import decide, slap_refusal
from ratscrew.game.events import Exposed, Lost, Misplayed, Resumed, Returned
from ratscrew.game.missed_slaps import missed_patterns
from ratscrew.game.state import Game
from ratscrew.game.view_changes import ViewUpdate, changes_of
from ratscrew.judge.race import Race
from ratscrew.table.record.effects import Effects, RevealTime, Send
from ratscrew.table.record.entries import Closed, Judged, LateSlap, Measured, Recorded, Sat, SlapRecord
from ratscrew.table.record.messages import Countdown, Late, Missed, Refused, TurnCancelled, Turning
from ratscrew.table.session.bot_players import BotPlayers
from ratscrew.table.session.pausable_timer import PausableTimer
from ratscrew.table.session.schedule import Schedule, ScheduledAction
from ratscrew.table.session.seat import Seat, paused
from ratscrew.table.session.slap_measurement import Measurement, Press, measure
from ratscrew.table.session.slap_tracker import FLAT, Foul, SlapContact, SlapTarget, SlapTracker
from ratscrew.table.session.timing import AWAY_US, RevealPlan, is_own_time, next_midnight_us, plan_reveal, waits_for

_CHANGES_PILE = {Exposed, Misplayed, Resumed, Returned}
"""Events after which the same player may slap the same card again: the pile looks, or counts, different."""


class Record(Protocol):
    """Applies events to the table, and logs them; see `Table.record`."""

    def __call__(
        self,
        events: Sequence[Recorded],
        now_us: int,
        reveal: RevealTime | None = None,
        seen: Iterable[ViewUpdate] = (),
        after: Game | None = None,
    ) -> Effects:
        """The effects that store and send the events."""


class GameSession:
    """One game at a table, between its deal and its end."""

    def __init__(self, game: Game, bots: BotPlayers, seats: list[Seat], record: Record, draw: Draw) -> None:
        """A game that goes on from here, with its table's seats and log: `game` is that of the table's state.

        `missed` let their time run out.
        """
        self.game, self.bots = game, bots
        self._seats, self._record, self._draw = seats, record, draw
        self._now_us, self.missed, self.rated = 0, list[int](), False
        self.schedule, self.tracker, self.turn_timer = Schedule(), SlapTracker(seats), PausableTimer()
        self._reveal_plan: RevealPlan | None = None

    @property
    def racing(self) -> bool:
        """Whether a race is undecided."""
        return self.tracker.race is not None

    @property
    def seen_us(self) -> int:
        """From when on everybody may see the table as it is: the newest card may be turned, and not revealed yet."""
        return self.tracker.reveal_us(self.game.n)

    # Players come and go

    def begin(self, now_us: int) -> Effects:
        """The game begins: its pile is revealed now."""
        self._now_us = now_us
        self.tracker.reveal(self.game.n, now_us)
        return self._follow(new_card=True)

    def wake(self, now_us: int) -> Effects:
        """The game goes on after it was stopped, or all were away. Its pile is not revealed again, nor slapped."""
        self._now_us, self.schedule = now_us, Schedule()
        self.tracker.close(self.game.n, now_us)
        return self._follow(new_card=False)

    def hold(self, now_us: int) -> Effects:
        """Let no card be turned and nothing else be due until `wake`, except slaps of the newest card."""
        self._now_us, self.schedule.held = now_us, True
        return self._cancel_reveal()

    def stop(self, now_us: int) -> Effects:
        """Hold the game, and stop the timer of the seat that has to act."""
        self.turn_timer.stop(now_us)
        return [*self.hold(now_us), *self._start_countdown()]

    def come(self, seat: int, now_us: int) -> Effects:
        """A player is back, and has what was left of their time, at least a moment to look."""
        self._now_us = now_us
        return self._start_countdown() if self._owns_countdown(seat) else []

    def go(self, seat: int, now_us: int, for_good: bool = False) -> Effects:
        """A player is away, or, `for_good`, a player or bot has left. With nobody here the game is paused."""
        self._now_us, effects = now_us, Effects()
        if for_good:
            self.schedule.forget(seat)
        if sleeps := paused(self._seats):
            effects = self._cancel_reveal()
            self.turn_timer.stop(now_us)
        if sleeps or self._owns_countdown(seat):
            effects += self._start_countdown()
        return effects

    def arrive(self, sat: Sat, now_us: int) -> Effects:
        """A new player joins, and may slap in."""
        self._now_us = now_us
        return self._apply(Arrive(), sat)

    # What players do

    def play(self, seat: int, n: int, now_us: int) -> Effects:
        """A seat turns its next card, having seen card `n`; in its turn the card is on its way before it is revealed.

        Raises: Refusal.
        """
        self._now_us = now_us
        if now_us < self.seen_us and self.game.last == seat:
            raise Refusal(RefusalReason.TWICE)
        if n != self.game.n or self.racing:
            raise Refusal(RefusalReason.NOT_YOUR_TURN)
        if self._is_turn_of(seat):
            return self._start_reveal(seat)
        if self.tracker.was_out_of_turn(seat, n) or self._turns_now(seat):
            raise Refusal(RefusalReason.TWICE)
        effects = self._apply(Play(seat))
        self.tracker.note_out_of_turn(seat, n)
        return effects

    def slap(self, seat: int, n: int, press: Press, contact: SlapContact, now_us: int) -> Effects:
        """A seat slaps card `n`: it enters the race if there is a pattern, and is a foul if there is none.

        Call `catch_up` first, so that what was due until now is done.

        Raises: Refusal.
        """
        self._now_us = now_us
        tracker = self.tracker
        if n > self.game.n:
            raise Refusal(RefusalReason.TOO_SOON)
        if tracker.add_fingers(seat, n, contact):
            return []
        reveal_us = tracker.reveal_us(n)
        measurement = measure(self._seats[seat], n, reveal_us, press, self.rated)
        us = measurement.us
        if measurement.judgement.moving and tracker.knows(n):
            raise Refusal(RefusalReason.MOVING)
        touch = Touch(seat, (reveal_us + us) // 1000, *contact)
        target = None if tracker.has_postponed(seat) else tracker.target_at(self.game, n, reveal_us + us)
        why = slap_refusal(target.game, touch) if target else RefusalReason.TOO_LATE
        if target is None or target.game.voided or why in (RefusalReason.EMPTY_PILE, RefusalReason.TOO_LATE):
            return self._late_slap(seat, n, measurement)
        if why:
            raise Refusal(why)
        tracker.add(seat, n)
        if target.pattern is None and target.game.rules.judge == "auto":
            return self._foul(Foul(seat, n, Slap((touch,), under=n < self.game.n), measurement))
        tracker.contend(seat, n, measurement, contact)
        return [*self._cancel_reveal(), *self._decide_race_if_over()]

    def act(self, command: Command, now_us: int) -> Effects:
        """A seat does anything else. The pile is picked up when all players have had a moment to slap it.

        Raises: Refusal.
        """
        self._now_us = now_us
        if self.racing:
            raise Refusal(RefusalReason.TOO_LATE)
        if isinstance(command, Reveal) and self._is_turn_of(command.seat):
            return self._start_reveal(command.seat)
        if isinstance(command, Reveal) and self._turns_now(command.seat):
            raise Refusal(RefusalReason.TWICE)
        if isinstance(command, Place) and now_us < self._open_us:
            raise Refusal(RefusalReason.TOO_SOON)
        if isinstance(command, Collect) and now_us < self._open_us:
            decide(self.game, command, lambda n: 0)
            self.schedule.add_move(ScheduledAction(self._open_us, "move", command.seat, command))
            return []
        return self._apply(command)

    # Time

    def next_action(self, slaps_only: bool = False) -> ScheduledAction | None:
        """What is due next: all of it, or only what concerns slaps; None if the game is over.

        While the game is held, or everybody is away, only the newest card is decided.
        """
        if self.game.over:
            return None
        stops = self.schedule.held or paused(self._seats)
        stops_us = self.tracker.window_end_us(self.game.n) if stops else None
        action = self.schedule.next(slaps_only or self.racing, stops_us)
        over_us = self.tracker.race_over_us(self.game)
        if over_us is not None and (action is None or over_us <= action.at_us):
            return ScheduledAction(over_us, "verdict", -1)
        return action

    def catch_up(self, now_us: int, slaps_only: bool = False) -> Effects:
        """Do what was due until now, in the order in which it was due: all of it, or only what concerns slaps."""
        self._now_us, effects = now_us, Effects()
        if slaps_only and not self.schedule.slaps and self.tracker.race is None:
            return effects
        while (action := self.next_action(slaps_only)) and action.at_us <= now_us:
            self.schedule.remove(action)
            try:
                effects += self._execute(action)
            except Refusal:  # the planned action is not possible any more: play goes on without it
                effects += self._go_on()
        return effects

    def clock(self, now_us: int) -> Countdown | None:
        """The countdown that players see now, or with the card that is on its way to them."""
        deadline = self.schedule.deadline
        if deadline is None or self.schedule.held or paused(self._seats):
            return None
        left_us = max(0, deadline.at_us - max(now_us, self.seen_us))
        return Countdown(deadline.seat, waits_for(self.game.standing), left_us // 1000)

    def _execute(self, action: ScheduledAction) -> Effects:
        if action.kind == "deadline" and is_own_time(self.game.rules, self.game.standing):
            self.missed.append(action.seat)
        match action.kind:
            case "verdict":
                return self._decide_race()
            case "slap":
                return self.slap(action.seat, action.n, Press(action.at_us), FLAT, self._now_us)
            case "move" if action.command:
                return self.act(action.command, self._now_us)
            case "reveal" if self._reveal_plan:
                return self._apply(Play(action.seat, self._reveal_plan.reveal_us // 1000))
            case "look":  # slaps come from now on: what they would win is worked out before the first one
                self.tracker.prepare(self.game)
                self.bots.look(self.game, self.schedule, self._now_us, new_card=True)
            case "turn" | "deadline" if self._is_turn_of(action.seat):
                return self._start_reveal(action.seat)
            case "deadline":
                return self._apply(Timeout())
        return []

    # Slaps

    def _late_slap(self, seat: int, n: int, measurement: Measurement) -> Effects:
        """A slap after the verdict on card `n`, or after the card was covered: no effect, no penalty.

        Raises: Refusal (twice, too_late): only slaps of the last two cards are shown at all.
        """
        if not self.tracker.knows(n):
            raise Refusal(RefusalReason.TOO_LATE)
        self.tracker.add(seat, n)
        effects: Effects = [Send(Late(seat, n, measurement.us))]
        if self._seats[seat].judged_by and self.tracker.log_late(seat, n):
            record = SlapRecord(seat, measurement.us, measurement.proof)
            effects += self._record([LateSlap(n, record)], self._now_us)
        return effects

    def _foul(self, foul: Foul) -> Effects:
        """A wrong slap. If it would spoil a race of other seats, it waits for their verdict.

        Raises: Refusal.
        """
        if self.tracker.race is None:
            return self._apply_foul(foul)
        if self.tracker.spoils_race(self.game, decide(self.game, foul.command, lambda many: 0).game, foul.seat):
            self.tracker.postpone(foul)
            return []
        return [*self._apply_foul(foul), *self._decide_race_if_over()]

    def _apply_foul(self, foul: Foul) -> Effects:
        seat, n, command, measurement = foul
        record = SlapRecord(seat, measurement.us, measurement.proof)
        return self._apply(command, Measured(n, record))

    def _decide_race_if_over(self) -> Effects:
        over_us = self.tracker.race_over_us(self.game)
        return [] if over_us is None or over_us > self._now_us else self._decide_race()

    def _decide_race(self) -> Effects:
        """The race is over: its slaps go to the game in their order. One that has stopped counting costs nothing: a
        foul at the card below may have locked out or eliminated its player, or they have left."""
        race, target = self.tracker.race, self.tracker.race_target(self.game)
        assert race, "there is a race to decide"
        counting = self.tracker.counting(target)
        effects = _replies_to_dropped(race, target, counting)
        self.tracker.drop({each.seat for each in race.contenders} - counting)
        decided = target is not None and bool(counting)
        if target and decided:
            verdict = self.tracker.decide(target, self._draw)
            slap = Slap(verdict.touches, under=verdict.n < self.game.n)
            effects += self._apply(slap, verdict.judged(target.pattern or ""))
        for foul in self.tracker.take_postponed():
            try:
                effects += self._apply_foul(foul)
            except Refusal:  # the card that it was made on is not there any more
                effects.append(Send(Late(foul.seat, foul.n, foul.measurement.us)))
        return effects if decided else [*effects, *self._go_on()]

    # Cards

    def _is_turn_of(self, seat: int) -> bool:
        """Whether no card is on its way and this seat has to turn one."""
        return waits_for(self.game.standing) == "turn" and self.game.standing.turn == seat and not self.schedule.reveal

    def _turns_now(self, seat: int) -> bool:
        """Whether a card of this seat is on its way."""
        return self.schedule.reveal is not None and self.schedule.reveal.seat == seat

    @property
    def _open_us(self) -> int:
        """Until when the newest card stays, so that everybody can slap it."""
        return self.seen_us + MIN_CARD_GAP_US

    def _start_reveal(self, seat: int) -> Effects:
        """Send a card on its way, face down; all players will see its face at the same moment."""
        pages = [each.page_state for each in self._seats if each.page_state]
        for page_state in pages:
            page_state.update_bounds()
        plan = self._reveal_plan = plan_reveal(self._now_us, self._open_us, pages)
        self.schedule.reveal, self.schedule.deadline = ScheduledAction(plan.turned_us, "reveal", seat), None
        self.schedule.turns.clear()
        return [Send(Turning(seat))]

    def _cancel_reveal(self) -> Effects:
        """Return a card that is on its way to its hand."""
        reveal = self.schedule.reveal
        if reveal is None:
            return []
        self.schedule.reveal = self._reveal_plan = None
        return [Send(TurnCancelled(reveal.seat))]

    def _show(self, n: int) -> RevealTime | None:
        """Reveal the newest card to all players at its planned moment, or now if none was planned."""
        plan, self._reveal_plan = None if self.schedule.reveal else self._reveal_plan, None
        self.tracker.reveal(n, plan.reveal_us if plan else self._now_us)
        for seat in self._seats if plan else []:
            if seat.page_state and plan:
                seat.page_state.add_card(n, plan.reveal_us, plan.head_start_us)
        return RevealTime(n, plan.reveal_us) if plan else None

    # The effects of a command

    def _apply(self, command: Command, note: Sat | Judged | Measured | None = None) -> Effects:
        """Apply a command to the game, log its events with the `note` before them, and let play go on.

        Raises: Refusal; then nothing has changed.
        """
        before = self.game
        after, events = decide(before, command, self._draw)
        new_card, reveal, kinds = after.n > before.n, None, set(map(type, events))
        if new_card:
            reveal = self._show(after.n)
        elif kinds & _CHANGES_PILE:
            self.tracker.forget_slaps()
        entries: list[Recorded] = [note, *events] if note else [*events]
        banned = after.rules.triple_six_ban and Lost in kinds
        entries += [Closed(next_midnight_us(self._now_us))] if banned else []
        effects = self._record(entries, self._now_us, reveal, changes_of(before, events, after), after)
        if patterns := missed_patterns(before, events):
            effects.append(Send(Missed(before.n, patterns)))
        planned = self.schedule.reveal
        # A card is on its way, and the play has gone on without it: a slap came first, say.
        if planned and (new_card or waits_for(self.game.standing) != "turn" or planned.seat != self.game.standing.turn):
            effects += self._cancel_reveal()
        # Countdowns begin anew only if play has moved: a wrong slap gives nobody more time.
        moved = new_card or self.game.standing != before.standing or (before.pile and not self.game.pile)
        if moved or not self.schedule.play_goes_on:
            effects += self._follow(new_card)
        elif isinstance(command, Feint) and not self.schedule.look:
            self.bots.look(self.game, self.schedule, self._now_us, lured=True)
        return effects

    def _follow(self, new_card: bool) -> Effects:
        """After a change of the play: start the countdown of the seat that has to act, and let the bots look."""
        shown_us = max(self._now_us, self.seen_us)
        self.turn_timer.start(shown_us)
        self.schedule.turns.clear()
        self.schedule.moves.clear()
        if self.game.over:
            self.schedule = Schedule()
            return []
        effects = self._start_countdown()
        if new_card and self.bots.playing:
            self.schedule.look = ScheduledAction(shown_us, "look", self.game.standing.turn)
        elif not self.schedule.look:
            self.bots.look(self.game, self.schedule, self._now_us)
        return effects

    def _go_on(self) -> Effects:
        """Go on after an action that was not possible: if nothing else is due, restart the countdown."""
        if self.game.over or self.schedule.play_goes_on:
            return []
        effects = self._follow(new_card=False)
        if (deadline := self.schedule.deadline) and deadline.at_us <= self._now_us:
            self.schedule.deadline = deadline._replace(at_us=self._now_us + AWAY_US)
        return effects

    def _owns_countdown(self, seat: int) -> bool:
        """Whether it is this seat's time that runs."""
        to = self.game.standing
        return to.turn == seat and is_own_time(self.game.rules, to) and not self.schedule.reveal

    def _start_countdown(self) -> Effects:
        """Start the countdown of the seat that has to act, since its turn began, with at least a moment to look."""
        to, had = self.game.standing, self.schedule.deadline
        end_us = self.turn_timer.end_us(self.game.rules, to, self._seats[to.turn], self._now_us)
        self.schedule.deadline = None if end_us is None else ScheduledAction(end_us, "deadline", to.turn)
        countdown = self.clock(self._now_us) or Countdown(to.turn, waits_for(to), 0)
        return [Send(countdown)] if had or self.schedule.deadline else []


def _replies_to_dropped(race: Race, target: SlapTarget | None, counting: Container[int]) -> Effects:
    """The replies to the contenders of a race whose slaps do not count any more: they were too late, or are refused."""
    effects: Effects = []
    for each in (each for each in race.contenders if each.seat not in counting):
        why = (slap_refusal(target.game, Touch(each.seat)) if target else None) or RefusalReason.TOO_LATE
        if why in (RefusalReason.TOO_LATE, RefusalReason.EMPTY_PILE):
            effects.append(Send(Late(each.seat, race.n, each.reaction_us)))
        else:
            effects.append(Send(Refused("slap", why.value), each.seat))
    return effects
