"""The table without I/O: messages and time in, effects out. Nothing in this file knows what time it is.

Every method takes `now_us`, changes the table and returns what has to be done, in order. `wake_us` says when the
table wants `tick` to be called next. What is about people, rounds and the house is here; a game under way is `Live`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from ratscrew.bots.bot import Bot, Chance
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RulesError, Why
from ratscrew.game.commands import Command
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Dealt, Lost
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.judge.credit import Credit
from ratscrew.judge.screen import Screen
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.bout import FLAT, Palm
from ratscrew.table.deeds import Deed, command_of
from ratscrew.table.effect import Effect, Moment, Outbox
from ratscrew.table.live import Live
from ratscrew.table.message import Asked, Clock, Presence, Refused
from ratscrew.table.pace import next_midnight_us
from ratscrew.table.record import Closed, Entry, Housed, Judged, Left, Lifted, Listed, Muted, Recorded, Sat, Weighed
from ratscrew.table.retrial import FRESH, credits_after
from ratscrew.table.scales import Press
from ratscrew.table.seat import SEATS_MOST, Seat, asleep

HOST = 0
"""The seat of the person who opened the room: he chooses the house, deals the first game, and opens it again."""

Deal = Callable[[Rules, int, int, Draw], Dealt]
"""How a game is dealt: the rules, how many seats, who deals, and the draws."""


class Table:
    """One table: who sits there, which house is played, and the game under way."""

    def __init__(
        self, room: str, rules: Rules, make_bot: Callable[[str], Bot], draw: Draw, chance: Chance, deal: Deal = deal
    ) -> None:
        self.room = room
        self.rules = rules
        self.round = 0
        self.version = 0
        self.closed_us: int | None = None
        self.seats: list[Seat] = []
        self._live: Live | None = None
        self._make_bot, self._draw, self._chance, self._deal = make_bot, draw, chance, deal
        self._dealer = 0
        self._out = Outbox()

    @property
    def id(self) -> str:
        """The name of the running game's log: the room, and the number of the game in it; 0 is before the first."""
        return f"{self.room}-{self.round}"

    @property
    def game(self) -> Game | None:
        """The game under way, or the last one."""
        return self._live.game if self._live else None

    # Before a game, and between two

    def sit(self, name: str, bot: str | None = None) -> int:
        """Somebody takes the next seat, before anything has been recorded."""
        self.seats.append(Seat(name, bot, self._make_bot(bot) if bot else None))
        return len(self.seats) - 1

    def open(self, now_us: int) -> list[Effect]:
        """People gather here before the first game; what they are told is in the log of game 0."""
        sat = [Sat(number, seat.name, seat.bot) for number, seat in enumerate(self.seats)]
        self._record([Housed(self.rules, to_link(self.rules)), *sat], now_us)
        return self._out.empty()

    def join(self, name: str, now_us: int) -> tuple[int, list[Effect]]:
        """One more person takes a seat: for the next game, or to slap into this one where the house lets him.

        Raises: Refusal (room_full).
        """
        if len(self.seats) >= (self.rules.max_players or SEATS_MOST):
            raise Refusal(Why.ROOM_FULL, "every seat of this room is taken")
        seat = self.sit(name)
        self._record([Sat(seat, name)], now_us)
        if self._live and not self._live.game.over and self._live.game.rules.late_join == "slap_in":
            self._live.arrive(now_us)
        return seat, self._out.empty()

    def choose(self, seat: int, rules: Rules, now_us: int) -> list[Effect]:
        """The host chooses the house for the next game."""
        return self._try("house", seat, lambda: self._choose(seat, rules, now_us))

    def begin(self, seat: int, now_us: int) -> list[Effect]:
        """The host has the first game dealt."""
        return self._try("start", seat, lambda: self._begin(seat, now_us))

    def again(self, seat: int, now_us: int) -> list[Effect]:
        """Another game for everybody who sits here, once this one is over."""
        return self._try("again", seat, lambda: self._again(now_us))

    def lift(self, seat: int, now_us: int) -> list[Effect]:
        """The host opens the room again, which the sixes have closed."""
        return self._try("lift", seat, lambda: self._lift(seat, now_us))

    def start(self, now_us: int) -> list[Effect]:
        """Deal a game to everybody who sits here; its log begins with who they are.

        Raises: RulesError if the house does not allow so many players.
        """
        seats = len(self.seats)
        dealer = self._draw(seats) if self._live is None else (self._dealer + self.rules.step) % seats
        dealt = self._deal(self.rules, seats, dealer, self._draw)
        self._dealer, self.round, self.version, self.closed_us = dealer, self.round + 1, 0, None
        sat = [Sat(number, seat.name, seat.bot) for number, seat in enumerate(self.seats)]
        self._record([*sat, dealt], now_us)
        self._take_up(evolve(None, dealt)).wake(now_us)
        return self._out.empty()

    def restore(self, number: int, entries: Sequence[Entry], credits: Mapping[int, Credit] = FRESH) -> None:
        """Take up the room's game `number` from its log, as after a stop of the server; nobody is here yet.

        `credits` are those of the seats before this game: they go on from there.
        """
        self.round, self.version = number, len(entries)
        game: Game | None = None
        for entry in entries:
            match entry.event:
                case Sat(_, name, bot):
                    self.sit(name, bot)
                case Housed(rules):
                    self.rules = rules
                case Closed(until_us):
                    self.closed_us = until_us
                case Lifted():
                    self.closed_us = None
                case Judged() | Weighed() | Left() | Muted() | Listed():
                    pass
                case event:
                    game = evolve(game, event)
                    if isinstance(event, Dealt):
                        self.rules = event.rules
                        self._dealer = (event.to.turn - self.rules.step) % len(self.seats)
        self._count_up(credits, [entry.event for entry in entries])
        if game:
            self._take_up(game)

    # Coming and going

    def come(self, seat: int, now_us: int, screen: Screen | None = None) -> list[Effect]:
        """A person is here, or here again, in front of this page, which others may share.

        If everybody was gone, the table wakes and shows what lies on it anew.
        """
        all_gone = asleep(self.seats)
        self.seats[seat].screen = screen or Screen()
        self._out.tell(Presence(seat, True))
        if self._live and all_gone:
            self._live.wake(now_us)
        elif self._live:
            self._live.come(seat, now_us)
        return self._out.empty()

    def go(self, seat: int, now_us: int) -> list[Effect]:
        """A person has gone: his cards are turned for him until he is back. With nobody here, the table waits."""
        self.seats[seat].screen = None
        self._out.tell(Presence(seat, False))
        if self._live:
            self._live.go(seat, now_us)
        return self._out.empty()

    # Playing

    def play(self, seat: int, n: int, now_us: int) -> list[Effect]:
        """A seat turns its top card, having seen card `n`."""
        return self._try("play", seat, lambda: self._running(seat).play(seat, n, now_us))

    def slap(self, seat: int, n: int, press: Press, now_us: int, palm: Palm = FLAT) -> list[Effect]:
        """A seat slaps card `n`."""
        return self._try("slap", seat, lambda: self._running(seat).slap(seat, n, press, palm, now_us))

    def act(self, seat: int, deed: Deed, now_us: int) -> list[Effect]:
        """A seat does anything else that the house has."""
        return self._try("act", seat, lambda: self._act(command_of(deed, seat, self._running(seat).game), now_us))

    # Time

    def wake_us(self) -> int | None:
        """When `tick` has something to do, or None: the table waits for people."""
        return min((at_us for at_us, _ in self._live.dues()), default=None) if self._live else None

    def tick(self, now_us: int) -> list[Effect]:
        """Do everything that was due until now, in the order in which it was due."""
        if self._live:
            self._live.catch_up(now_us)
        return self._out.empty()

    @property
    def racing(self) -> bool:
        """Whether hands are on the pile of which nobody has decided yet who was first."""
        return self._live is not None and self._live.racing

    @property
    def seen_us(self) -> int:
        """From when on everybody may see the table as it is: the newest card may be turned and not be shown yet."""
        return self._live.seen_us if self._live else 0

    def clock(self, now_us: int) -> Clock | None:
        """The countdown that people see now."""
        return self._live.clock(now_us) if self._live else None

    # Inside

    def _try(self, asked: Asked, seat: int, what: Callable[[], object]) -> list[Effect]:
        """Do it, or tell who asked why not."""
        try:
            what()
        except Refusal as refusal:
            self._out.tell(Refused(asked, refusal.why.value), seat)
        return self._out.empty()

    def _running(self, seat: int) -> Live:
        if self._live is None:
            raise Refusal(Why.NO_GAME)
        if self._live.game.over:
            raise Refusal(Why.GAME_OVER)
        if seat >= len(self._live.game.hands):
            raise Refusal(Why.NOT_PLAYING)
        return self._live

    def _act(self, command: Command, now_us: int) -> None:
        if self._live:
            self._live.act(command, now_us)

    def _take_up(self, game: Game) -> Live:
        self._live = Live(game, self.seats, self._record, self._out, self._draw, self._chance)
        return self._live

    def _choose(self, seat: int, rules: Rules, now_us: int) -> None:
        self._need(seat == HOST, Why.NOT_HOST)
        self._need(self._live is None or self._live.game.over, Why.NOT_OVER)
        self._need(not rules.max_players or len(self.seats) <= rules.max_players, Why.ROOM_FULL)
        self.rules = rules
        self._record([Housed(rules, to_link(rules))], now_us)

    def _begin(self, seat: int, now_us: int) -> None:
        self._need(seat == HOST, Why.NOT_HOST)
        self._need(self._live is None, Why.NOT_OVER)
        self._deal_next(now_us)

    def _again(self, now_us: int) -> None:
        self._need(self._live is not None and self._live.game.over, Why.NOT_OVER)
        self._need(self.closed_us is None or now_us >= self.closed_us, Why.ROOM_CLOSED)
        self._deal_next(now_us)

    def _deal_next(self, now_us: int) -> None:
        self._need(len(self.seats) > 1, Why.TOO_FEW)
        try:
            for effect in self.start(now_us):
                self._out.put(effect)
        except RulesError as error:
            raise Refusal(Why.ROOM_FULL) from error

    def _lift(self, seat: int, now_us: int) -> None:
        self._need(seat == HOST, Why.NOT_HOST)
        self._need(self.closed_us is not None, Why.NOT_SO_HERE)
        self.closed_us = None
        self._record([Lifted()], now_us)

    def _need(self, holds: bool, why: Why) -> None:
        if not holds:
            raise Refusal(why)

    def _record(self, events: Sequence[Recorded], now_us: int, moment: Moment | None = None) -> None:
        """Keep what happened; where sixes have burned the deck, the room is closed until tomorrow."""
        if self.rules.triple_six_ban and any(isinstance(event, Lost) for event in events):
            self.closed_us = next_midnight_us(now_us)
            events = [*events, Closed(self.closed_us)]
        self._out.store(self.id, self.version, tuple(Entry(now_us, event) for event in events), moment)
        self.version += len(events)
        self._count_up({number: seat.credit for number, seat in enumerate(self.seats)}, events)

    def _count_up(self, credits: Mapping[int, Credit], events: Sequence[Recorded]) -> None:
        """What hands have cost or earned: only those in the log have, so that the log brings the same back."""
        for seat, credit in reduce(credits_after, events, credits).items():
            self.seats[seat].credit = credit
