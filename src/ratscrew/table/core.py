"""The live table without I/O: messages and time in, effects out. Nothing in this file knows what time it is.

Every method takes `now_us`, changes the table and returns what has to be done, in order. `wake_us` says when the
table wants `tick` to be called next. A slap's way through here: `slap` -> `Race` -> `_rule` -> `_do`
-> the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from ratscrew.bots.bot import Bot, Chance
from ratscrew.cards import PACK, Draw, shuffle
from ratscrew.errors import Refusal, Why
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.engine import apply, deal, evolve
from ratscrew.game.events import Dealt
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.judge.race import Claim
from ratscrew.rules.house import Rules
from ratscrew.table.bout import Bout
from ratscrew.table.effect import Effect, Outbox
from ratscrew.table.message import Clock, Held, Presence, Refused, Turning
from ratscrew.table.pace import FLIGHT_US, GAP_US, patience_us
from ratscrew.table.record import Entry, Hit, Judged, Recorded, Sat
from ratscrew.table.seat import Seat, asleep, rivals
from ratscrew.table.timers import Due, Timers


class Table:
    """One live table: who sits there, the game, and everything that is under way."""

    def __init__(self, room: str, rules: Rules, make_bot: Callable[[str], Bot], draw: Draw, chance: Chance) -> None:
        self.room = room
        self.rules = rules
        self.round = 0
        self.version = 0
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self._make_bot = make_bot
        self._draw = draw
        self._chance = chance
        self._dealer = 0
        self._timers = Timers()
        self._bout = Bout()
        self._out = Outbox()
        self._now_us = 0

    @property
    def id(self) -> str:
        """The name of the running game's log: the room, and the number of the game in it."""
        return f"{self.room}-{self.round}"

    # Sitting down, coming and going

    def sit(self, name: str, bot: str | None = None) -> int:
        """Somebody takes the next seat, before the first game begins."""
        self.seats.append(Seat(name, bot, self._make_bot(bot) if bot else None))
        return len(self.seats) - 1

    def start(self, now_us: int) -> list[Effect]:
        """Deal a game to everybody who sits here; its log begins with who they are.

        Raises: RulesError if the house does not allow so many players.
        """
        seats = len(self.seats)
        dealer = self._draw(seats) if self.game is None else (self._dealer + self.rules.step) % seats
        dealt = deal(self.rules, shuffle(PACK, self._draw), seats, dealer)
        self._now_us, self._dealer, self.round, self.version = now_us, dealer, self.round + 1, 0
        self._timers, self._bout = Timers(), Bout()
        self.game = evolve(None, dealt)
        sat = [Sat(number, seat.name, seat.bot) for number, seat in enumerate(self.seats)]
        self._record([*sat, dealt])
        self._follow(new_card=True)
        return self._out.empty()

    def restore(self, number: int, entries: Sequence[Entry]) -> None:
        """Take up the room's game `number` from its log, as after a stop of the server; nobody is here yet."""
        self.round, self.version = number, len(entries)
        for entry in entries:
            match entry.event:
                case Sat(_, name, bot):
                    self.sit(name, bot)
                case Judged():
                    pass
                case event:
                    self.game = evolve(self.game, event)
                    if isinstance(event, Dealt):
                        self.rules = event.rules
                        self._dealer = (event.to.turn - self.rules.step) % len(self.seats)

    def come(self, seat: int, now_us: int) -> list[Effect]:
        """A person is here, or here again. If everybody was gone, the table wakes and shows what lies on it anew."""
        self._now_us, all_gone = now_us, asleep(self.seats)
        self.seats[seat].here = True
        self._out.tell(Presence(seat, True))
        if self.game and all_gone:
            self._timers = Timers()
            self._bout.show(self.game.n, now_us)
            self._follow(new_card=True)
        elif self._waits_for(seat):
            self._start_clock()
        return self._out.empty()

    def go(self, seat: int, now_us: int) -> list[Effect]:
        """A person has gone: his cards are turned for him until he is back. With nobody here, the table waits."""
        self._now_us = now_us
        self.seats[seat].here = False
        self._out.tell(Presence(seat, False))
        if asleep(self.seats):
            self._ground()
        if self.game and (asleep(self.seats) or self._waits_for(seat)):
            self._start_clock()
        return self._out.empty()

    # Playing

    def play(self, seat: int, n: int, now_us: int) -> list[Effect]:
        """A seat turns its top card, having seen card `n`; its face is shown when the card has flown."""
        self._now_us = now_us
        try:
            game = self._running()
            if game.to.phase != "play" or game.to.turn != seat or n != game.n or self._bout.race or self._timers.reveal:
                raise Refusal(Why.NOT_YOUR_TURN)
            self._launch(seat)
        except Refusal as refusal:
            self._out.tell(Refused("play", refusal.why.value), seat)
        return self._out.empty()

    def slap(self, claim: Claim, n: int, now_us: int) -> list[Effect]:
        """A seat slaps card `n`: a contender in a race if there is a pattern on it, a foul if there is none.

        What bots have done until now comes first, even if the table was to be woken for it and has not been yet.
        """
        self._now_us = now_us
        self._catch_up(hands_only=True)
        try:
            self._slap(claim, n)
        except Refusal as refusal:
            self._out.tell(Refused("slap", refusal.why.value), claim.seat)
        return self._out.empty()

    def again(self, seat: int, now_us: int) -> list[Effect]:
        """Another game for the same seats, once this one is over."""
        self._now_us = now_us
        if self.game is None or self.game.winner is None:
            self._out.tell(Refused("again", Why.NOT_OVER.value), seat)
            return self._out.empty()
        return self.start(now_us)

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for people."""
        return min((at_us for at_us, _ in self._dues()), default=None)

    def tick(self, now_us: int) -> list[Effect]:
        """Do everything that was due until now, in the order in which it was due."""
        self._now_us = now_us
        self._catch_up()
        return self._out.empty()

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that people see now: to a person's turn, or to the taking of the pile."""
        due, game = self._timers.deadline, self.game
        if due is None or game is None or asleep(self.seats):
            return None
        return Clock(due.seat, "collect" if game.to.phase == "won" else "turn", max(0, due.at_us - now_us) // 1000)

    def _waits_for(self, seat: int) -> bool:
        """Whether nothing is on its way and this seat has to turn a card."""
        return bool(
            self.game and self.game.to.phase == "play" and self.game.to.turn == seat and not self._timers.reveal
        )

    def _dues(self, hands_only: bool = False) -> Iterator[tuple[int, Due | None]]:
        """What is due next, with its time; None stands for the verdict of the race."""
        if asleep(self.seats) or self.game is None or self.game.winner is not None:
            return
        if self._bout.race:
            yield self._bout.race.due_us(rivals(self.seats, self.game)), None
        if due := self._timers.next(hands_only or self._bout.race is not None):
            yield due.at_us, due

    def _catch_up(self, hands_only: bool = False) -> None:
        """Do what was due until now, in the order in which it was due: all of it, or only what concerns slaps."""
        while first := min(self._dues(hands_only), key=lambda due: due[0], default=None):
            at_us, due = first
            if at_us > self._now_us:
                return
            if due is None:
                self._rule()
            else:
                self._timers.done(due)
                self._fall_due(due)

    def _fall_due(self, due: Due) -> None:
        match due.kind:
            case "slap":
                with suppress(Refusal):
                    self._slap(Claim(due.seat, due.at_us), self._running().n)
            case "reveal":
                self._do(Play(due.seat))
            case "deadline" if self._running().to.phase == "won":
                self._do(Collect())
            case "turn" | "deadline" if self._waits_for(due.seat):
                self._launch(due.seat)

    # What comes of it

    def _running(self) -> Game:
        if self.game is None:
            raise Refusal(Why.NO_GAME)
        if self.game.winner is not None:
            raise Refusal(Why.GAME_OVER)
        return self.game

    def _launch(self, seat: int) -> None:
        """A card leaves its hand, face down; everybody will see its face at the same moment."""
        game = self._running()
        at_us = max(self._now_us + FLIGHT_US, self._bout.shown_us(game.n) + GAP_US)
        self._timers.reveal, self._timers.deadline = Due(at_us, "reveal", seat), None
        self._timers.turns.clear()
        self._out.tell(Turning(seat))

    def _slap(self, claim: Claim, n: int) -> None:
        game = self._running()
        if n < game.n or (n == game.n and not game.pile):
            return self._out.tell(self._bout.be_late(claim, n))
        if n > game.n:
            raise Refusal(Why.TOO_SOON)
        if game.barred[claim.seat]:
            raise Refusal(Why.LOCKED_OUT)
        self._bout.count(claim.seat, n)
        if not game.rules.slap_on(game.pile):
            return self._do(Slap(claim.seat))
        race = self._bout.contend(claim, n)
        self._ground()
        if race.due_us(rivals(self.seats, self.game)) <= self._now_us:
            self._rule()
        return None

    def _rule(self) -> None:
        """The race is over: the quickest hand takes the pile."""
        game = self._running()
        race, self._bout.race = self._bout.race, None
        assert race
        ruling = race.ruling(self._draw)
        pattern = game.rules.slap_on(game.pile) or ""
        order = tuple(Hit(placed.seat, placed.us) for placed in ruling.order)
        self._do(Slap(order[0].seat), Judged(race.n, pattern, order, ruling.tie))

    def _do(self, command: Command, judged: Judged | None = None) -> None:
        """Let the game have a command; what comes of it is recorded, and the table follows."""
        before = self._running()
        self.game, events = apply(before, command)
        self._record([judged, *events] if judged else events)
        new_card = self.game.n > before.n
        if new_card:
            self._bout.show(self.game.n, self._now_us)
        if self.game.to.phase != "play" or (self._timers.reveal and self._timers.reveal.seat != self.game.to.turn):
            self._ground()
        if new_card or not self.game.pile or self.game.to != before.to:
            self._follow(new_card)

    def _ground(self) -> None:
        """A card in the air goes back to its hand."""
        if self._timers.reveal:
            self._out.tell(Held(self._timers.reveal.seat))
            self._timers.reveal = None

    def _follow(self, new_card: bool) -> None:
        """After a change of the play: start the clock for whoever has to act, and let the bots look."""
        assert self.game
        self._timers.turns.clear()
        if new_card:
            self._timers.slaps.clear()
        if self.game.winner is not None:
            self._timers = Timers()
            return
        self._start_clock()
        seen = view(self.game)
        for number, seat in enumerate(self.seats):
            if seat.mind:
                self._timers.plan(number, seat.mind.plan(seen, number, self._chance), self._now_us, new_card)

    def _start_clock(self) -> None:
        assert self.game
        to, had = self.game.to, self._timers.deadline
        wait_us = patience_us(self.rules, to.phase, self.seats[to.turn])
        self._timers.deadline = None if wait_us is None else Due(self._now_us + wait_us, "deadline", to.turn)
        if had or self._timers.deadline:
            self._out.tell(self.clock(self._now_us) or Clock(to.turn, "turn", 0))

    def _record(self, events: Sequence[Recorded]) -> None:
        self._out.store(self.id, self.version, tuple(Entry(self._now_us, event) for event in events))
        self.version += len(events)
