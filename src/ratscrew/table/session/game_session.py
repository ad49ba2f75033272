"""The game under way at a table: whose clock runs, which card flies. The only time it knows is what it is told.

A slap's way through here: `slap` -> `Hands` -> `_rule` -> `_do` -> the log. Every method that takes `now_us` does what
comes of it, and leaves it in the table's outbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce

from ratscrew.bots.bot import Chance
from ratscrew.bots.memory import Memory, remember
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.card_timing import MIN_CARD_GAP_US
from ratscrew.game.commands import Arrive, Collect, Command, Feint, Place, Play, Reveal, Slap, Timeout
from ratscrew.game.engine import decide
from ratscrew.game.events import Exposed, Misplayed, Resumed, Returned
from ratscrew.game.missed_slaps import missed_patterns
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.table.effects import EffectBuffer, Moment, Record
from ratscrew.table.messages import Clock, Held, Late, Missed, Refused, Turning
from ratscrew.table.players.seat import Seat, paused
from ratscrew.table.records.entries import Judged, Sat, Weighed
from ratscrew.table.session.pausable_timer import PausableTimer
from ratscrew.table.session.schedule import Schedule, ScheduledAction
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_resolver import Hands, Racing, Ruled, TooLate
from ratscrew.table.session.slap_tracker import FLAT, SlapContact, SlapTracker
from ratscrew.table.session.timing import AWAY_US, RevealPlan, fly, own_time, waits_for

_LOOKS_NEW = (Exposed, Misplayed, Resumed, Returned)
"""After these the pile looks, or counts, different: whoever has slapped it may slap it again."""


class GameSession:
    """One game at a table. `record` keeps what happened, `out` takes what is to be said; bots have the same memory."""

    def __init__(
        self,
        game: Game,
        memory: Memory,
        seats: list[Seat],
        record: Record,
        out: EffectBuffer,
        draw: Draw,
        chance: Chance,
    ) -> None:
        self.game, self.memory = game, memory
        self._seats, self._record, self._out, self._draw, self._chance = seats, record, out, draw, chance
        self._timers, self._bout, self.glass, self._now_us = Schedule(), SlapTracker(), PausableTimer(), 0
        self._hands = Hands(self._bout, seats, draw)
        self._flight: RevealPlan | None = None

    @property
    def racing(self) -> bool:
        """Whether hands are on the pile of which nobody has decided yet who was first."""
        return self._bout.race is not None

    @property
    def seen_us(self) -> int:
        """From when on everybody may see the table as it is: the newest card may be turned and not be shown yet."""
        return self._bout.reveal_us(self.game.n)

    # People

    def wake(self, now_us: int) -> None:
        """The game begins, or goes on after everybody was gone: what lies there is shown anew."""
        self._now_us, self._timers = now_us, Schedule()
        self._bout.show(self.game.n, now_us)
        self._follow(new_card=True)

    def come(self, seat: int, now_us: int) -> None:
        """A person is back: what was left of his time is his again, and at least a moment to look."""
        self._now_us = now_us
        if self._hangs_on(seat):
            self._start_clock()

    def go(self, seat: int, now_us: int, for_good: bool = False) -> None:
        """A person has gone, or, `for_good`, anybody. With nobody here the table waits."""
        self._now_us = now_us
        if for_good:
            self._timers.forget(seat)
        if sleeps := paused(self._seats):
            self._ground()
            self.glass.stop(now_us)
        if sleeps or self._hangs_on(seat):
            self._start_clock()

    def arrive(self, sat: Sat, now_us: int) -> None:
        """Somebody sits down who may slap himself into the game."""
        self._now_us = now_us
        self._do(Arrive(), sat)

    # What people do

    def play(self, seat: int, n: int, now_us: int) -> None:
        """A seat turns its next card, having seen card `n`; in its turn the card flies before its face is shown.

        Raises: Refusal.
        """
        self._now_us = now_us
        if now_us < self.seen_us and self.game.last == seat:
            raise Refusal(RefusalReason.TWICE)
        if n != self.game.n or self._bout.race:
            raise Refusal(RefusalReason.NOT_YOUR_TURN)
        if self._waits_for(seat):
            self._launch(seat)
        elif self._bout.strayed(seat, n) or (self._timers.reveal and self._timers.reveal.seat == seat):
            raise Refusal(RefusalReason.TWICE)
        else:
            self._do(Play(seat))
            self._bout.stray(seat, n)

    def slap(self, seat: int, n: int, press: Press, palm: SlapContact, now_us: int) -> None:
        """A seat slaps card `n`: a contender in a race if there is a pattern on it, a foul if there is none.

        What bots have done until now comes first, even if the table was to be woken for it and has not been yet.

        Raises: Refusal.
        """
        self._now_us = now_us
        self.catch_up(now_us, hands_only=True)
        self._slap(seat, n, press, palm)

    def act(self, command: Command, now_us: int) -> None:
        """A seat does anything else. The pile is picked up when everybody has had a moment to slap it.

        Raises: Refusal.
        """
        self._now_us = now_us
        if self._bout.race:
            raise Refusal(RefusalReason.TOO_LATE)
        reveal = self._timers.reveal
        if isinstance(command, Reveal) and self._waits_for(command.seat):
            self._launch(command.seat)
        elif isinstance(command, Reveal) and reveal and reveal.seat == command.seat:
            raise Refusal(RefusalReason.TWICE)
        elif isinstance(command, Place) and now_us < self._open_us:
            raise Refusal(RefusalReason.TOO_SOON)
        elif isinstance(command, Collect) and now_us < self._open_us:
            decide(self.game, command, lambda n: 0)
            due = ScheduledAction(self._open_us, "move", command.seat, command)
            if due not in self._timers.moves:  # asking again makes no second one
                self._timers.moves.append(due)
        else:
            self._do(command)

    # Time

    def dues(self, hands_only: bool = False) -> Iterator[tuple[int, ScheduledAction | None]]:
        """What is due next, with its time; None stands for the verdict of the race."""
        if paused(self._seats) or self.game.over:
            return
        if (over_us := self._hands.over_us(self.game)) is not None:
            yield over_us, None
        if due := self._timers.next(hands_only or self.racing):
            yield due.at_us, due

    def catch_up(self, now_us: int, hands_only: bool = False) -> None:
        """Do what was due until now, in the order in which it was due: all of it, or only what concerns slaps."""
        self._now_us = now_us
        while first := min(self.dues(hands_only), key=lambda due: due[0], default=None):
            at_us, due = first
            if at_us > now_us:
                return
            if due is None:
                self._rule()
                continue
            self._timers.done(due)
            try:
                self._fall_due(due)
            except Refusal:  # what was planned is not possible any more: play goes on without it
                self._go_on()

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that people see now, or with the card that is on its way to them."""
        due = self._timers.deadline
        if due is None or paused(self._seats):
            return None
        return Clock(due.seat, waits_for(self.game.to), max(0, due.at_us - max(now_us, self.seen_us)) // 1000)

    def _fall_due(self, due: ScheduledAction) -> None:
        match due.kind:
            case "slap":
                self._slap(due.seat, due.n, Press(due.at_us), FLAT)
            case "move" if due.command:
                self.act(due.command, self._now_us)
            case "reveal" if self._flight:
                self._do(Play(due.seat, self._flight.reveal_us // 1000))
            case "look":
                self._look(new_card=True)
            case "turn" | "deadline" if self._waits_for(due.seat):
                self._launch(due.seat)
            case "deadline":
                self._do(Timeout())

    # What comes of it

    def _waits_for(self, seat: int) -> bool:
        """Whether nothing is on its way and this seat has to turn a card."""
        return waits_for(self.game.to) == "turn" and self.game.to.turn == seat and not self._timers.reveal

    def _hangs_on(self, seat: int) -> bool:
        """Whether it is this seat's time that runs."""
        to = self.game.to
        return to.turn == seat and own_time(self.game.rules, to) and not self._timers.reveal

    @property
    def _open_us(self) -> int:
        """Until when the newest card stays, so that everybody can slap it."""
        return self.seen_us + MIN_CARD_GAP_US

    def _launch(self, seat: int) -> None:
        """A card leaves its hand, face down; everybody will see its face at the same moment."""
        self._flight = fly(self._now_us, self._open_us, [each.page_state for each in self._seats if each.page_state])
        self._timers.reveal, self._timers.deadline = ScheduledAction(self._flight.turned_us, "reveal", seat), None
        self._timers.turns.clear()
        self._out.tell(Turning(seat))

    def _slap(self, seat: int, n: int, press: Press, palm: SlapContact) -> None:
        match self._hands.slap(self.game, seat, n, press, palm):
            case TooLate(late, note):
                self._out.tell(late)
                if note:
                    self._record([note], self._now_us, None)
            case Ruled(command, note):
                self._foul(seat, n, command, note)
            case Racing():
                self._ground()
                self._rule_if_over()

    def _foul(self, seat: int, n: int, command: Slap, note: Judged | Weighed) -> None:
        """A wrong slap. While others race for the card above, it waits for their verdict if it would take it from them.

        Raises: Refusal.
        """
        if self._bout.race is None:
            self._do(command, note)
            return
        after, _ = decide(self.game, command, lambda many: 0)
        if self._hands.spoils(self.game, after, seat):
            self._bout.postpone(seat, partial(self._foul_late, seat, n, command, note))
            return
        self._do(command, note)
        self._rule_if_over()

    def _foul_late(self, seat: int, n: int, command: Slap, note: Judged | Weighed) -> None:
        """A wrong slap that has waited for a verdict: it counts if what it came down on still lies there."""
        try:
            self._do(command, note)
        except Refusal:
            self._out.tell(Late(seat, n, note.hit.us if isinstance(note, Weighed) else 0))

    def _rule_if_over(self) -> None:
        over_us = self._hands.over_us(self.game)
        if over_us is not None and over_us <= self._now_us:
            self._rule()

    def _rule(self) -> None:
        """The race is over: the hands in their order are the game's; those that count no longer cost nothing."""
        ruled, dropped = self._hands.rule(self.game)
        for late, why in dropped:
            if why in (RefusalReason.TOO_LATE, RefusalReason.EMPTY_PILE):
                self._out.tell(late)
            else:
                self._out.tell(Refused("slap", why.value), late.seat)
        if ruled:
            self._do(*ruled)
        for foul in self._bout.take_postponed():
            foul()
        if not ruled:
            self._go_on()

    def _go_on(self) -> None:
        """Nothing has come of what was due. If nothing else is due, the clock of the seat that has to act restarts."""
        if self.game.over or self._timers.play_goes_on:
            return
        self._follow(new_card=False)
        deadline = self._timers.deadline
        if deadline and deadline.at_us <= self._now_us:
            self._timers.deadline = deadline._replace(at_us=self._now_us + AWAY_US)

    def _do(self, command: Command, note: Sat | Judged | Weighed | None = None) -> None:
        """Let the game have a command; what comes of it is recorded, and the table follows."""
        before = self.game
        self.game, events = decide(before, command, self._draw)
        self.memory = reduce(remember, events, self.memory)
        new_card, moment = self.game.n > before.n, None
        if new_card:
            moment = self._show()
        elif any(isinstance(event, _LOOKS_NEW) for event in events):
            self._bout.reopen()
        self._record([note, *events] if note else events, self._now_us, moment)
        if patterns := missed_patterns(before, events):
            self._out.tell(Missed(before.n, patterns))
        reveal = self._timers.reveal
        if new_card or waits_for(self.game.to) != "turn" or (reveal and reveal.seat != self.game.to.turn):
            self._ground()
        moved = new_card or self.game.to != before.to or (before.pile and not self.game.pile)
        if moved or not self._timers.play_goes_on:
            self._follow(new_card)
        elif isinstance(command, Feint) and not self._timers.look:
            self._look(new_card=False, lured=True)

    def _show(self) -> Moment | None:
        """The newest card goes to everybody for its moment, or, if it has not flown, now."""
        n, flight, self._flight = self.game.n, None if self._timers.reveal else self._flight, None
        self._bout.show(n, flight.reveal_us if flight else self._now_us)
        if flight is None:
            return None
        for seat in self._seats:
            if seat.page_state:
                seat.page_state.add_card(n, flight.reveal_us, flight.lead_us)
        return Moment(n, flight.reveal_us)

    def _ground(self) -> None:
        """A card in the air goes back to its hand."""
        if self._timers.reveal:
            self._out.tell(Held(self._timers.reveal.seat))
            self._timers.reveal = self._flight = None

    def _follow(self, new_card: bool) -> None:
        """After a change of the play: start the clock for whoever has to act, and let the bots look."""
        shown_us = max(self._now_us, self.seen_us)
        self.glass.start(shown_us)
        self._timers.turns.clear()
        self._timers.moves.clear()
        if self.game.over:
            self._timers = Schedule()
            return
        self._start_clock()
        if new_card:
            self._timers.look = ScheduledAction(shown_us, "look", self.game.to.turn)
        elif not self._timers.look:
            self._look(new_card=False)

    def _look(self, new_card: bool, lured: bool = False) -> None:
        """The bots look; at a new card they forget what they meant to do, and a feint only lures them into a slap."""
        if new_card:
            self._timers.slaps.clear()
        seen, number = view(self.game), self.game.n if new_card or lured else None
        note = self._timers.lure if lured else self._timers.plan
        for seat, each in enumerate(self._seats[: len(self.game.hands)]):
            if each.mind:
                note(seat, each.mind.plan(seen, seat, self._chance, self.memory), self._now_us, number)

    def _start_clock(self) -> None:
        """A countdown for whoever has to act, from when play came to him, and with a moment to look at least."""
        to, had = self.game.to, self._timers.deadline
        end_us = self.glass.end_us(self.game.rules, to, self._seats[to.turn], self._now_us)
        self._timers.deadline = None if end_us is None else ScheduledAction(end_us, "deadline", to.turn)
        if had or self._timers.deadline:
            self._out.tell(self.clock(self._now_us) or Clock(to.turn, waits_for(to), 0))
