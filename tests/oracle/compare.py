"""Plays the same game in the engine and by the oracle, with random commands, and compares all that happens.

Everything follows from a seed: the house, the deal and the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import asdict

from ratscrew.cards import NAMES, Card
from ratscrew.errors import Refusal, RulesError
from ratscrew.game import commands as cmd
from ratscrew.game import events as ev
from ratscrew.game.commands import Command, Touch
from ratscrew.game.decide import decide
from ratscrew.game.decide.deal import deal_out
from ratscrew.game.engine import replay
from ratscrew.game.events import Event
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, defaults
from ratscrew.rules.presets import house
from tests.oracle.house import RANKS, House, UnknownChoice, dealt, house_of, pack_of, rank
from tests.oracle.random_houses import random_choices
from tests.oracle.table import Hand, Happened, Refused, Table

MOST_COMMANDS = 400
"""After so many commands a game that goes on is compared no further."""

FEW_CARDS = 24
"""Many games are of a few cards, so that they reach their end."""

Act = Callable[[Table], list[Happened]]


class Difference(NamedTuple):
    """Where engine and oracle differ: the last commands, and what each has."""

    seed: int
    house: str
    commands: Sequence[str]
    engine: Any
    oracle: Any

    def __str__(self) -> str:
        return (
            f"replay: .venv/bin/python -m tests.oracle --seed {self.seed}\nhouse: {self.house}\n"
            f"commands: {'; '.join(self.commands)}\nengine: {self.engine}\noracle: {self.oracle}"
        )


class Played(NamedTuple):
    """A game that was the same on both sides: what happened, by its words, and whether it ended."""

    house: House
    words: Mapping[str, int]
    ended: bool


def first(cards: list[str]) -> list[str]:
    """What the engine's shuffle does if every random number is 0: the first card goes to the end."""
    return [*cards[1:], *cards[:1]]


def random_rules(chance: Random) -> Rules:
    """A random house that the program accepts: choices that it refuses together are dropped one by one."""
    some = random_choices(chance)
    while True:
        try:
            return house(**some)
        except RulesError:
            del some[chance.choice([*some])]


def choices_of(rules: Rules) -> dict[str, Any]:
    """What a house changes of `classic`, as people would write it: without what is so anyway."""
    classic, some = asdict(Rules()), asdict(rules)
    found = {name: value for name, value in some.items() if value != classic[name]}
    if "slaps" in found:
        found["slaps"] = {name: _without_defaults(name, switch) for name, switch in rules.slaps.items()}
    for option, table in (("wrong_slap", WRONG_SLAP), ("no_cards", NO_CARDS)):
        if option in found:
            usual = defaults(table[some[option]["kind"]])
            found[option] = {name: value for name, value in some[option].items() if usual.get(name) != value}
    return found


def _without_defaults(name: str, switch: Any) -> Any:
    usual = PATTERNS[name].defaults if name in PATTERNS else {}
    if not isinstance(switch, dict):
        return True if name in PATTERNS and usual.get(PATTERNS[name].only or "", switch is None) == switch else switch
    return {each: value for each, value in switch.items() if usual.get(each) != value} or True


def known_part(rules: Rules) -> Rules:
    """A house with `classic`'s choice where the oracle does not know its own."""
    while True:
        try:
            house_of(choices_of(rules))
        except UnknownChoice as unknown:
            option = unknown.option.partition(".")[0]
            rules = house(**{name: value for name, value in choices_of(rules).items() if name != option})
        else:
            return rules


class Match:
    """One game on both sides."""

    def __init__(self, seed: int, rules: Rules | None = None) -> None:
        self.seed, self.chance = seed, Random(seed)
        self.rules = rules or random_rules(self.chance)
        self.house = house_of(choices_of(self.rules))
        seats = self.chance.randint(2, 2 + self.chance.randrange(5))
        dealer = self.chance.randrange(seats)
        deck = self._deck(seats)
        self.game: Game = replay([deal_out(self.rules, [Card.parse(card) for card in deck], seats, dealer)])
        hands, rest = dealt(self.house, deck, seats, dealer)
        step = 1 if self.house["direction"] == "cw" else -1
        self.table = Table(self.house, hands, (dealer + step) % seats, rest, first)
        self.now_ms = 0
        self.said: list[str] = []
        self.words: dict[str, int] = {}
        self.wrong = self.chance.choice([0.0, 0.02, 0.1, 0.4])
        self.right = self.chance.choice([0.2, 0.6, 0.95])

    def _deck(self, seats: int) -> list[str]:
        """The house's pack in random order; often a few cards of it, or a few ranks, in which patterns are common."""
        deck, chance = pack_of(self.house, seats), self.chance
        if chance.random() < 0.2:
            ranks = {*chance.sample(RANKS, 5), "6"}
            deck = [card for card in deck if rank(card) in ranks]
        chance.shuffle(deck)
        if chance.random() < 0.4:
            deck = deck[: chance.randint(seats, FEW_CARDS)]
        return deck if len(deck) >= seats else ["2C", "JS", "2D", "KH", "6C", "6D", "6H"][:seats]

    def play(self) -> Difference | Played:
        """Play to the end, to the first difference, or to the most commands."""
        found = self._compared([], [])
        while found is None and len(self.said) < MOST_COMMANDS and not (self.game.over and self.table.phase == "over"):
            found = self._next()
        return found or Played(self.house, self.words, self.game.over)

    def _next(self) -> Difference | None:
        """The next commands: mostly to go on, and to slap."""
        table, chance = self.table, self.chance
        self.now_ms += chance.choice([50, 300, 700])
        some = chance.random()
        if some < 0.01 and len(table.players) < 8:
            return self._both(cmd.Arrive(), Table.arrive)
        if some < 0.02:
            seat = chance.randrange(len(table.players))
            return self._both(cmd.Play(seat, self.now_ms), lambda table: table.play(seat, self.now_ms))
        if self.house["redneck"] != "off" and some < 0.3:
            seat = chance.randrange(len(table.players))
            return self._both(cmd.Forehead(seat), lambda table: table.touch(seat))
        if (found := self._go_on()) or table.phase == "over":
            return found
        for _ in range(chance.choice([1, 1, 2])):
            if hands := self._hands():
                touches = tuple(Touch(hand.seat, hand.at_ms, hand.fingers, hand.after) for hand in hands)
                if found := self._both(cmd.Slap(touches), lambda table, hands=hands: table.slap(hands)):  # type: ignore[misc]
                    return found
        return None

    def _go_on(self) -> Difference | None:
        turn, waits = self.table.turn, self.table.phase == "won" or not (self.table.phase == "play" or self.table.left)
        if not waits:
            return self._both(cmd.Play(turn, self.now_ms), lambda table: table.play(turn, self.now_ms))
        if self.chance.random() < 0.2:
            seat = self.chance.choice([turn, self.chance.randrange(len(self.table.players))])
            return self._both(cmd.Collect(seat), lambda table: table.collect(seat))
        return self._both(cmd.Timeout(), Table.wait)

    def _hands(self) -> list[Hand]:
        """The hands that come down on the pile as it lies, in any order."""
        chance, share = self.chance, self.right if self.table.pattern() else self.wrong
        seats = [seat for seat in range(len(self.table.players)) if chance.random() < share]
        chance.shuffle(seats)
        if chance.random() < 0.5:
            del seats[1:]
        return [
            Hand(seat, self.now_ms + chance.choice([0, 5, 60, 200]), chance.randint(1, 4), chance.randrange(8))
            for seat in seats
        ]

    def _both(self, command: Command, act: Act) -> Difference | None:
        """A command on both sides."""
        engine: list[Happened] | str
        oracle: list[Happened] | str
        self.said.append(str(command))
        try:
            self.game, events = decide(self.game, command, lambda _: 0)
            engine = [happened for event in events if (happened := told(event))]
        except Refusal:
            engine = "refused"
        try:
            oracle = act(self.table)
        except Refused:
            oracle = "refused"
        for happened in oracle if isinstance(oracle, list) else []:
            word = happened[3] if happened[0] == "take" else happened[-1] if happened[0] in ("win", "draw") else ""
            name = f"{happened[0]} {word}".strip()
            self.words[name] = self.words.get(name, 0) + 1
        return self._compared(engine, oracle)

    def _compared(self, engine: Any, oracle: Any) -> Difference | None:
        if engine == oracle:
            engine, oracle = state_of(self.game), state_of_table(self.table)
        if engine == oracle:
            return None
        return Difference(self.seed, to_link(self.rules), self.said[-8:], engine, oracle)


def told(event: Event) -> Happened | None:
    """An event of the engine in the words of the oracle; None for what follows from the rest."""
    match event:
        case ev.Played(seat, card):
            return "turn", seat, str(card)
        case ev.Misplayed(seat, card, place):
            return "dead", seat, str(card), place
        case ev.Slapped(seats):
            return "slap", *seats
        case ev.Fouled(seat, streak):
            return "wrong", seat, streak
        case ev.Burned(seat, _, cards, place, face_up):
            return "burn", seat, " ".join(map(str, cards)), place, face_up
        case ev.Given(seat, to, card):
            return "give", seat, to, str(card)
        case ev.Struck(seat, strikes):
            return "strike", seat, strikes
        case ev.Locked(seat, until):
            return "lock", seat, until
        case ev.HandBurned(seat):
            return "burn hand", seat
        case ev.Indebted(seat, cards):
            return "debt", seat, cards
        case ev.Eliminated(seat, count):
            return "out", seat, count
        case ev.Voided(seats):
            return "void", *seats
        case ev.Taken(seat, count, why):
            return "take", seat, count, why
        case ev.Touched(seat):
            return "touch", seat
        case ev.LastChanceGiven(seat, to):
            return "last chance", seat, to.challenger, to.chances_left
        case ev.Won(seat, _, why):
            return "win", seat, why
        case ev.Lost(seat):
            return "all lose", seat
        case ev.Drawn(_, why):
            return "draw", why
        case ev.Redealt():
            return ("redeal",)
        case ev.Passed() | ev.Arrived() | ev.Joined():
            return None
    raise NotImplementedError(event)


def state_of(game: Game) -> dict[str, Any]:
    """The engine's state, as far as the oracle has it."""
    now = game.standing
    running = now.phase in ("play", "last_chance")
    return {
        "hands": [[NAMES[card] for card in hand] for hand in game.hands],
        "pile": [(NAMES[laid.card], laid.state) for laid in game.pile],
        "phase": "last" if now.phase == "last_chance" else now.phase,
        "turn": None if game.over else now.turn,
        "why": now.reason if now.phase == "won" else None,
        "challenge": (now.challenger, now.chances_left) if running else None,
        "circle": [*game.circle],
        "winner": game.winner,
        "pattern": next((found.pattern.name for found in game.slap_matches.patterns), None) if running else None,
    }


def state_of_table(table: Table) -> dict[str, Any]:
    """The same of the oracle."""
    running = table.phase in ("play", "last")
    return {
        "hands": [player.cards for player in table.players],
        "pile": [(laid.card, laid.state) for laid in table.pile],
        "phase": table.phase,
        "turn": None if table.phase == "over" else table.turn,
        "why": table.why if table.phase == "won" else None,
        "challenge": (table.challenger, table.left) if running else None,
        "circle": table.circle,
        "winner": table.winner,
        "pattern": table.pattern() if running else None,
    }
