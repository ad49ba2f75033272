"""A discrete-event simulation of whole games by the real engine and real bots. It plays any house with any bot.

Time is in microseconds since the deal, and simulated: nothing waits for it. All bots see a card at the same moment and
plan. Each planned move happens at its planned time, if it is not too late then:

- a new card cancels all plans; any other change of play cancels turns and other moves, but not slaps;
- a card is shown when it has flown (`REVEAL_DELAY_US`) and the one before has lain there for a while
  (`MIN_CARD_GAP_US`);
- slaps within the house's tie window are one command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ratscrew.bots.bot import Bot
from ratscrew.bots.memory import memory_from_events, remember
from ratscrew.errors import Refusal
from ratscrew.game.card_timing import MIN_CARD_GAP_US, REVEAL_DELAY_US
from ratscrew.game.commands import Collect, Command, Feint, Play, Slap, Timeout, Touch
from ratscrew.game.decide import decide
from ratscrew.game.engine import deal
from ratscrew.game.events import Dealt, Event, Fouled, Lost, Taken, Won
from ratscrew.game.evolve import evolve
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.lab.random_stream import RandomStream
from ratscrew.lab.tally import BINS, Tally, bin_of, strip_zeros
from ratscrew.rules.house import Rules

MAX_CARDS = 20_000
"""A game of more cards counts as never ended."""


class TimelineEntry(NamedTuple):
    """An event, its time, and the game after it."""

    us: int
    event: Event
    game: Game


class ScheduledMove(NamedTuple):
    """A command of a bot besides turning and slapping, and its time."""

    us: int
    command: Command


class Simulation:
    """One game under way; seat 0 leads."""

    def __init__(self, rules: Rules, bots: Sequence[Bot], stream: RandomStream, dealt: Dealt | None = None) -> None:
        self._bots, self._stream = bots, stream
        self._dealt = dealt or deal(rules, len(bots), -rules.step % len(bots), stream.below)
        self.game, self._memory = evolve(None, self._dealt), memory_from_events([self._dealt])
        self._now_us = self._shown_us = 0
        self._turn_us: int | None = None
        self._wait_us = 0
        self._slaps: dict[int, int] = {}
        self._slapped: set[int] = set()
        self._moves: list[ScheduledMove] = []

    def run(self, limit: int = MAX_CARDS) -> Iterator[TimelineEntry]:
        """Play the game to its end, or until more cards than the limit have been turned."""
        yield TimelineEntry(0, self._dealt, self.game)
        self._plan_all(new_card=True)
        while not self.game.over and self.game.n <= limit:
            yield from self._step()

    def _step(self) -> Iterator[TimelineEntry]:
        """Execute the next event."""
        next_event_us = self._next_event_us
        slap_us = min(self._slaps.values(), default=next_event_us)
        move = min(self._moves, key=lambda each: each.us, default=None)
        if slap_us < next_event_us and (move is None or slap_us <= move.us):
            self._now_us = slap_us
            yield from self._slap(next_event_us)
        elif move and move.us < next_event_us:
            self._now_us = move.us
            self._moves.remove(move)
            yield from self._execute(move.command)
        else:
            self._now_us, turns = next_event_us, _must_turn(self.game.standing)
            yield from self._execute(Play(self.game.standing.turn, next_event_us // 1000) if turns else Timeout())

    @property
    def _next_event_us(self) -> int:
        """When the game continues by itself: a card is shown, or a wait times out."""
        if not _must_turn(self.game.standing):
            return self._wait_us
        turn_us = self._wait_us if self._turn_us is None else self._turn_us
        return max(turn_us + REVEAL_DELAY_US, self._shown_us + MIN_CARD_GAP_US)

    def _slap(self, next_event_us: int) -> Iterator[TimelineEntry]:
        """The first slap and all within its tie window."""
        last_ms = self._now_us // 1000 + self.game.rules.tie_window_ms
        hands = sorted((us, seat) for seat, us in self._slaps.items() if us < next_event_us and us // 1000 <= last_ms)
        for _, seat in hands:
            del self._slaps[seat]
            self._slapped.add(seat)
        yield from self._execute(Slap(tuple(Touch(seat, us // 1000) for us, seat in hands)))

    def _execute(self, command: Command) -> Iterator[TimelineEntry]:
        """Execute a command if the game accepts it; if play has moved, all bots plan again."""
        before = self.game
        try:
            decision = decide(before, command, self._stream.below)
        except Refusal:
            return
        for event in decision.events:
            self.game, self._memory = evolve(self.game, event), remember(self._memory, event)
            yield TimelineEntry(self._now_us, event, self.game)
        new_card = self.game.n > before.n
        if new_card:
            self._shown_us = self._now_us
        if new_card or self.game.standing != before.standing or (before.pile and not self.game.pile):
            self._plan_all(new_card)
        elif isinstance(command, Feint):
            self._react_to_feint()

    def _plan_all(self, new_card: bool) -> None:
        """Every bot plans, in order of seats."""
        self._turn_us, self._moves = None, []
        if new_card:
            self._slaps, self._slapped = {}, set()
        if self.game.over:
            return
        self._wait_us = self._now_us + timeout_ms(self.game) * 1000
        seen = view(self.game)
        for seat, bot in enumerate(self._bots):
            plan = bot.plan(seen, seat, self._stream.chance, self._memory)
            if plan.turn_us is not None:
                self._turn_us = self._now_us + plan.turn_us
            if new_card and plan.slap_us is not None:
                self._slaps[seat] = self._now_us + plan.slap_us
            self._moves += [
                ScheduledMove(self._time_us(move.command, move.after_us), move.command) for move in plan.moves
            ]

    def _react_to_feint(self) -> None:
        """After a feint: a bot that has not slapped the newest card and does not plan to may now do so."""
        seen = view(self.game)
        for seat, bot in enumerate(self._bots):
            plan = bot.plan(seen, seat, self._stream.chance, self._memory)
            if plan.slap_us is not None and seat not in self._slapped:
                self._slaps.setdefault(seat, self._now_us + plan.slap_us)

    def _time_us(self, command: Command, after_us: int) -> int:
        """The time of a move. A pile is collected only after everybody has had time to slap it."""
        us = self._now_us + after_us
        return max(us, self._shown_us + MIN_CARD_GAP_US) if isinstance(command, Collect) else us


def simulate(
    rules: Rules, bots: Sequence[Bot], seed: int, game: int, limit: int = MAX_CARDS
) -> Iterator[TimelineEntry]:
    """Simulate game number `game` of a seed."""
    return Simulation(rules, bots, RandomStream(seed, game)).run(limit)


def timeout_ms(game: Game) -> int:
    """How long the game waits in its current state."""
    to, rules = game.standing, game.rules
    if to.phase in ("claim", "tie", "grab"):
        return rules.contest_ms
    if _must_turn(to) or to.phase == "split" or (to.phase == "won" and rules.collect == "manual"):
        return rules.turn_ms
    return rules.collect_delay_ms


def run(rules: Rules, bots: Sequence[Bot], games: int, seed: int, *, first: int = 0, limit: int = MAX_CARDS) -> Tally:
    """The tally of `games` games of a seed, from number `first` on."""
    whole = Tally()
    for number in range(first, first + games):
        whole += tally_of(simulate(rules, bots, seed, number, limit))
    return whole


def tally_of(timeline: Iterable[TimelineEntry]) -> Tally:
    """The tally of one game."""
    tricks = 0
    slaps: dict[str, int] = {}
    good, wrong, empty = list[int](), list[int](), set[int]()
    entry: TimelineEntry | None = None
    for entry in timeline:
        event, game = entry.event, entry.game
        if isinstance(event, Dealt):
            good, wrong = [0] * len(game.hands), [0] * len(game.hands)
        empty |= {seat for seat, hand in enumerate(game.hands) if not hand}
        tricks += isinstance(event, Taken)
        if isinstance(event, Fouled):
            wrong[event.seat] += 1
        elif isinstance(event, Taken | Won | Lost) and (name := _pattern(event, game)):
            slaps[name] = slaps.get(name, 0) + 1
            good[event.seat] += 1
    assert entry, "a game has its deal"
    winner, lengths = game.winner, [0] * BINS
    lengths[bin_of(game.n)] = 1
    return Tally(
        games=1,
        wins=strip_zeros(tuple(int(seat == winner) for seat in range(len(game.hands)))),
        drawn=int(game.over and winner is None and not game.all_lose),
        all_lose=int(game.all_lose),
        limited=int(game.end_reason == "limit"),
        never_ended=int(not game.over),
        cards=game.n,
        cards2=game.n**2,
        tricks=tricks,
        tricks2=tricks**2,
        time_us=entry.us,
        time2_ms=(entry.us // 1000) ** 2,
        slaps=slaps,
        good=strip_zeros(tuple(good)),
        wrong=strip_zeros(tuple(wrong)),
        comebacks=int(winner in empty),
        leader_wins=int(winner == 0),
        lengths=strip_zeros(tuple(lengths)),
    )


def _pattern(event: Taken | Won | Lost, game: Game) -> str:
    """The name of the slapped pattern by which a pile was taken or the game ended; else empty."""
    if isinstance(event, Taken):
        return event.reason.removeprefix("slap:") if event.reason.startswith("slap:") else ""
    found = game.rules.first_match(game.sight) if game.pile else None
    return found.pattern.name if found else ""


def _must_turn(to: Standing) -> bool:
    """Whether a seat has to turn a card."""
    return to.phase == "play" or (to.phase == "last_chance" and to.chances_left > 0)
