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
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.judge.race import Claim, Race, Rival, reaction_us
from ratscrew.rules.house import Rules
from ratscrew.table.effect import Effect, Outbox
from ratscrew.table.message import Clock, Held, Late, Presence, Refused, Turning
from ratscrew.table.pace import AWAY_US, FLIGHT_US, GAP_US
from ratscrew.table.record import Entry, Hit, Judged, Recorded, Sat
from ratscrew.table.seat import Seat
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
        self._race: Race | None = None
        self._slapped: set[int] = set()
        self._shown_us: dict[int, int] = {}
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
        self._timers, self._race, self._slapped, self._shown_us = Timers(), None, set(), {}
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
                    self._dealer = self.game.to.turn - self.rules.step if self.game.version == 1 else self._dealer
        if self.game:
            self.rules = self.game.rules

    def come(self, seat: int, now_us: int) -> list[Effect]:
        """A person is here, or here again. If everybody was gone, the table wakes and shows what lies on it anew."""
        self._now_us, asleep = now_us, self._asleep
        self.seats[seat].here = True
        self._out.tell(Presence(seat, True))
        if self.game and asleep:
            self._timers, self._shown_us[self.game.n] = Timers(), now_us
            self._follow(new_card=True)
        elif self.game and self.game.to.turn == seat:
            self._start_clock()
        return self._out.empty()

    def go(self, seat: int, now_us: int) -> list[Effect]:
        """A person has gone: his cards are turned for him until he is back. With nobody here, the table waits."""
        self._now_us = now_us
        self.seats[seat].here = False
        self._out.tell(Presence(seat, False))
        if self.game and self.game.to.turn == seat and not self._timers.reveal:
            self._start_clock()
        return self._out.empty()

    # Playing

    def play(self, seat: int, n: int, now_us: int) -> list[Effect]:
        """A seat turns its top card, having seen card `n`; its face is shown when the card has flown."""
        self._now_us = now_us
        try:
            game = self._running()
            if game.to.phase != "play" or game.to.turn != seat or n != game.n or self._race or self._timers.reveal:
                raise Refusal(Why.NOT_YOUR_TURN)
            self._launch(seat)
        except Refusal as refusal:
            self._out.tell(Refused("play", refusal.why.value), seat)
        return self._out.empty()

    def slap(self, claim: Claim, n: int, now_us: int) -> list[Effect]:
        """A seat slaps card `n`: a contender in a race if there is a pattern on it, a foul if there is none."""
        self._now_us = now_us
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
        while (first := min(self._dues(), key=lambda due: due[0], default=None)) and first[0] <= now_us:
            if first[1] is None:
                self._rule()
            else:
                self._timers.done(first[1])
                self._fall_due(first[1])
        return self._out.empty()

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that people see now: to a person's turn, or to the taking of the pile."""
        due, game = self._timers.deadline, self.game
        if due is None or game is None or self._asleep:
            return None
        return Clock(due.seat, "collect" if game.to.phase == "won" else "turn", max(0, due.at_us - now_us) // 1000)

    @property
    def _asleep(self) -> bool:
        people = [seat for seat in self.seats if seat.mind is None]
        return bool(people) and not any(seat.here for seat in people)

    def _dues(self) -> Iterator[tuple[int, Due | None]]:
        """What is due next, with its time; None stands for the verdict of the race."""
        if self._asleep or self.game is None or self.game.winner is not None:
            return
        if self._race:
            yield self._race.due_us(self._rivals()), None
        if due := self._timers.next(racing=self._race is not None):
            yield due.at_us, due

    def _fall_due(self, due: Due) -> None:
        game = self._running()
        match due.kind:
            case "slap":
                with suppress(Refusal):
                    self._slap(Claim(due.seat, due.at_us), game.n)
            case "turn" if game.to.phase == "play" and game.to.turn == due.seat and not self._timers.reveal:
                self._launch(due.seat)
            case "reveal":
                self._do(Play(due.seat))
            case "deadline" if game.to.phase == "won":
                self._do(Collect())
            case "deadline" if not self._timers.reveal:
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
        at_us = max(self._now_us + FLIGHT_US, self._shown_us.get(game.n, 0) + GAP_US)
        self._timers.reveal, self._timers.deadline = Due(at_us, "reveal", seat), None
        self._timers.turns.clear()
        self._out.tell(Turning(seat))

    def _slap(self, claim: Claim, n: int) -> None:
        game = self._running()
        if claim.seat in self._slapped and n == game.n:
            raise Refusal(Why.TWICE)
        if n < game.n or not game.pile:
            if n not in self._shown_us:
                raise Refusal(Why.TOO_LATE)
            self._slapped.add(claim.seat)
            return self._out.tell(Late(claim.seat, n, reaction_us(claim, self._shown_us[n])))
        if n > game.n:
            raise Refusal(Why.TOO_SOON)
        if game.barred[claim.seat]:
            raise Refusal(Why.LOCKED_OUT)
        self._slapped.add(claim.seat)
        if not game.rules.slap_on(game.pile):
            return self._do(Slap(claim.seat))
        self._race = (self._race or Race(n, self._shown_us[n])).hear(claim)
        self._ground()
        if self._race.due_us(self._rivals()) <= self._now_us:
            self._rule()
        return None

    def _rule(self) -> None:
        """The race is over: the quickest hand takes the pile."""
        assert self._race
        assert self.game
        ruling = self._race.ruling(self._draw)
        pattern = self.game.rules.slap_on(self.game.pile) or ""
        order = tuple(Hit(placed.seat, placed.us) for placed in ruling.order)
        judged = Judged(self._race.n, pattern, order, ruling.tie)
        self._race = None
        self._do(Slap(order[0].seat), judged)

    def _do(self, command: Command, judged: Judged | None = None) -> None:
        """Let the game have a command; what comes of it is recorded, and the table follows."""
        before = self._running()
        self.game, events = apply(before, command)
        self._record([judged, *events] if judged else events)
        new_card = self.game.n > before.n
        if new_card:
            self._slapped.clear()
            self._shown_us = {self.game.n: self._now_us, before.n: self._shown_us.get(before.n, self._now_us)}
        if self._timers.reveal and self._timers.reveal.seat != self.game.to.turn:
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
        phase, turn = self.game.to.phase, self.game.to.turn
        had, self._timers.deadline = self._timers.deadline, None
        seat = self.seats[turn]
        if phase == "won":
            self._timers.deadline = Due(self._now_us + self.rules.collect_delay_ms * 1000, "deadline", turn)
        elif phase == "play" and seat.mind is None:
            wait_us = self.rules.turn_ms * 1000 if seat.here else AWAY_US
            self._timers.deadline = Due(self._now_us + wait_us, "deadline", turn)
        if had or self._timers.deadline:
            self._out.tell(self.clock(self._now_us) or Clock(turn, "turn", 0))

    def _record(self, events: Sequence[Recorded]) -> None:
        self._out.store(self.id, self.version, tuple(Entry(self._now_us, event) for event in events))
        self.version += len(events)

    def _rivals(self) -> list[Rival]:
        return [Rival(number, seat.rtt_us) for number, seat in enumerate(self.seats) if seat.plays]
