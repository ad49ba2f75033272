"""A table on a manual clock that records what it stored and sent, when, and to which seat.

    live = at_table("Ana: 9S 2C | Bo: 9H 4H | Thoth*: KC 3D")     # hands top first; a star is a bot
    live.play(0)
    live.pass_ms(160)
    live.slap(1, after_ms=420)
    assert live.told[-1] == "1 takes 2: slap:double"

Players have no credit here (`NO_CREDIT`), so that a slap counts from its arrival and its round trip; tests of credit
give some. A scene may name its rules by their short text (`house="1;wiki;turn_ms=5000"`), or options over `classic`.
Times in a scene are milliseconds; `after_ms` counts from the reveal of the newest card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from ratscrew import cards
from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.ladder import bot as reflex_bot
from ratscrew.bots.memory import Memory
from ratscrew.deck import Draw
from ratscrew.game.events import Dealt, Event, Passed, Slapped
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import View
from ratscrew.judge.constants import MIN_REACTION_US, TIE_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house as house_of
from ratscrew.table.core.room_commands import execute
from ratscrew.table.core.table import Table
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Effect, Send, Store
from ratscrew.table.record.entries import Entry, LateSlap, Measured, Sat
from ratscrew.table.record.messages import Message
from ratscrew.table.record.table_action import ActionName, Half, TableAction
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from ratscrew.testing.clock import ManualClock
from tests.table.words import say

M = TypeVar("M")
START_US = 1_000_000_000
NO_CREDIT = Credit(purse_us=0, penalised=True)


class Said(NamedTuple):
    """One message: its time, its content, and its seat (None: sent to all)."""

    at_us: int
    message: Message
    to: int | None


@dataclass
class Steady:
    """A bot that always turns and slaps after the same time; a `wild` one slaps every card."""

    meant: Plan
    wild: bool = False

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """See `Bot`."""
        turns = view.standing.turn == seat and (
            view.standing.phase == "play" or (view.standing.phase == "last_chance" and view.standing.chances_left > 0)
        )
        slaps = view.pile and (self.wild or view.first_match())
        return Plan(self.meant.turn_us if turns else None, self.meant.slap_us if slaps else None)


@dataclass
class LiveTable:
    """A table with its clock, and what it has stored and sent."""

    table: Table
    clock: ManualClock = field(default_factory=lambda: ManualClock(START_US))
    stores: list[Store] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)

    # Doing

    def act(self, effects: Iterable[Effect]) -> list[Effect]:
        """Record the effects of a table."""
        effects = list(effects)
        for effect in effects:
            match effect:
                case Store():
                    self.stores.append(effect)
                case Send(message, to):
                    self.said.append(Said(self.now_us, message, to))
        return effects

    def start(self) -> LiveTable:
        """Deal the first game, with all players here."""
        self.act(self.table.start(self.now_us))
        for seat, each in enumerate(self.table.seats):
            if each.bot is None:
                self.come(seat)
        return self

    def come(self, seat: int) -> list[Effect]:
        """A player comes."""
        return self.act(self.table.come(seat, self.now_us))

    def go(self, seat: int) -> list[Effect]:
        """A player goes."""
        return self.act(self.table.go(seat, self.now_us))

    def play(self, seat: int, n: int | None = None) -> list[Effect]:
        """A seat turns its top card, having seen the newest one, or card `n`."""
        return self.act(self.table.play(seat, self.game.n if n is None else n, self.now_us))

    def far(self, seat: int, rtt_ms: float) -> None:
        """Give a seat this round trip, also for the newest card; its page's clock agrees with ours."""
        page_state = self.page_state(seat)
        page_state.rtt_estimator = line(self.now_us, rtt_ms)
        if self.table.game and (card_display := page_state.card_display(self.table.game.n)):
            card_display.link_estimate = page_state.link_estimate

    def page_state(self, seat: int) -> PageState:
        """The page in front of a seat."""
        page_state = self.table.seats[seat].page_state
        assert page_state, "nobody is there"
        return page_state

    def do(self, seat: int, what: ActionName, target: int | None = None, half: Half | None = None) -> list[Effect]:
        """A seat does anything else."""
        return self.act(self.table.act(seat, TableAction(what, target, half), self.now_us))

    def join(self, name: str) -> int:
        """A new player takes a seat, and comes."""
        seat, effects = self.table.join(name, self.now_us)
        self.act(effects)
        self.come(seat)
        return seat

    def slap(
        self, seat: int, n: int | None = None, *, after_ms: float | None = None, palm: SlapContact = FLAT
    ) -> list[Effect]:
        """A seat's slap of the newest card, or of card `n`, arrives so long after the newest was revealed.

        Without `after_ms` it arrives now, or after the shortest possible reaction. Then the time in which there could
        be a tie passes as well.
        """
        if after_ms is not None:
            self.until(self.shown_us + round(after_ms * 1000))
        elif n is None:
            self.until(max(self.now_us, self.shown_us + MIN_REACTION_US))
        press = Press(self.now_us)
        effects = self.act(self.table.slap(seat, self.game.n if n is None else n, press, self.now_us, palm))
        self.pass_ms(TIE_US / 1000)
        return effects

    def again(self, seat: int) -> list[Effect]:
        """A seat requests another game."""
        return self.act(execute(self.table, seat, requests.DealAgain(), self.now_us))

    def turn(self, *seats: int) -> None:
        """Seats turn their top cards, each as soon as the one before lies there."""
        for seat in seats:
            before = self.game.n
            self.play(seat)
            while self.game.n == before:
                assert self.step(), "the card never came"
            self.until(self.shown_us)

    def step(self) -> bool:
        """Go on to what is due next; False if nothing is."""
        if (wake_us := self.table.wake_us()) is None:
            return False
        self.clock.advance(max(0, wake_us - self.now_us))
        self.act(self.table.tick(self.now_us))
        return True

    def until(self, at_us: int) -> None:
        """Let time pass up to a moment."""
        while (wake_us := self.table.wake_us()) is not None and wake_us <= at_us:
            self.step()
        self.clock.advance(max(0, at_us - self.now_us))

    def pass_ms(self, ms: float) -> None:
        """Let so much time pass."""
        self.until(self.now_us + round(ms * 1000))

    def play_out(self, most: int = 100_000) -> None:
        """Let the game go to its end."""
        for _ in range(most):
            if not self.step():
                return
        raise AssertionError("the game does not end")

    # Looking

    def answer(self, effects: Iterable[Effect]) -> tuple[Message, int | None]:
        """The only message sent, and its seat."""
        (said,) = [effect for effect in effects if isinstance(effect, Send)]
        return said.message, said.to

    @property
    def now_us(self) -> int:
        return self.clock.now_us()

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    @property
    def entries(self) -> list[Entry]:
        """The log of the running game."""
        return [entry for store in self.stores if store.game == self.table.log.game for entry in store.entries]

    @property
    def shown_us(self) -> int:
        """When the newest card was, or will be, revealed."""
        return self.table.seen_us

    @property
    def told(self) -> list[str]:
        """The events of the game, in words, without measured or late slaps and without passing."""
        return [
            say(entry.event)
            for entry in self.entries
            if not isinstance(entry.event, Slapped | Passed | Measured | LateSlap)
        ]

    def heard(self, kind: type[M]) -> list[M]:
        """The messages of a kind, in order."""
        return [message for _, message, _ in self.said if isinstance(message, kind)]

    def when_ms(self, kind: type[Any]) -> list[float]:
        """When events or messages of a kind came, in milliseconds after the start."""
        happened = [entry.at_us for entry in self.entries if isinstance(entry.event, kind)]
        happened += [at_us for at_us, message, _ in self.said if isinstance(message, kind)]
        return [(at_us - START_US) / 1000 for at_us in happened]


def change(table: Table, **changed: Any) -> None:
    """Change a table's state without an entry in the log."""
    table.set_state(replace(table.state, **changed))


def change_seat(table: Table, number: int, **changed: Any) -> None:
    """Change what a table's state has of a seat."""
    seats = list(table.state.seats)
    seats[number] = replace(seats[number], **changed)
    change(table, seats=tuple(seats))


def line(now_us: int, rtt_ms: float) -> RttEstimator:
    """The estimator of a connection with this round trip, to a page whose clock agrees with the server's."""
    rtt_us = round(rtt_ms * 1000)
    return RttEstimator().with_sample(now_us - rtt_us, now_us, now_us - rtt_us // 2)


def last(effects: Sequence[Effect]) -> Message:
    """The last message sent."""
    return [effect.message for effect in effects if isinstance(effect, Send)][-1]


def rules_of(house: str, options: dict[str, Any]) -> Rules:
    """The rules of a short text, or of options over classic."""
    return from_link(house) if house else house_of(**options)


def new_table(seed: int = 1, house: str = "", **options: Any) -> Table:
    """A table without seats, with its own random numbers."""
    chance = Random(seed)
    return Table("TEST-1", rules_of(house, options), reflex_bot, chance.randrange, chance.random)


def at_table(
    text: str,
    *,
    lead: int = 0,
    here: Iterable[int] | None = None,
    plan: Plan | None = None,
    wild: bool = False,
    draw: Draw = lambda n: 0,
    house: str = "",
    **options: Any,
) -> LiveTable:
    """A game with these hands, just dealt; all players are here, or those named. Bots do nothing, or follow `plan`."""
    names, hands = zip(*(seat.split(":") for seat in text.split("|")), strict=True)
    mind = Steady(plan or Plan(), wild)
    rules = rules_of(house, options)
    table = Table("TEST-1", rules, lambda _: mind, draw, lambda: 0.5)
    sat: list[Event | Sat] = [
        Sat(seat, name.strip("* "), "sharp" if "*" in name else None) for seat, name in enumerate(names)
    ]
    dealt = Dealt(rules, tuple(map(cards.cards, hands)), Standing("play", lead))
    entries = tuple(Entry(START_US, event) for event in (*sat, dealt))
    table.restore(1, entries)
    live = LiveTable(table)
    live.act([Store(table.log.game, 0, entries, ())])
    for seat, each in enumerate(table.seats):
        change_seat(table, seat, credit=NO_CREDIT)
        if each.bot is None and (here is None or seat in here):
            live.come(seat)
    return live
