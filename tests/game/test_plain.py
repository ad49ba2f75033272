"""Whatever is done at a table, the engine and the plain rules tell and leave the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ratscrew.cards import Hand
from ratscrew.errors import Refusal
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.engine import apply, deal, replay
from ratscrew.game.state import Game
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import decks
from tests.game.plain import Answer, PlainTable
from tests.game.scene import say

CHANCES = [{"J": 1, "Q": 2, "K": 3, "A": 4}, {"7": 1, "9": 2, "AS": 6, "JK": 3}, {}]

ANYTHING: list[Command] = [Collect(), *map(Play, range(-1, 9)), *map(Slap, range(-1, 9))]


def wish(choice: int, game: Game) -> Command:
    """A byte as a command: mostly to go on or to slap what can be slapped, else a wrong slap, else anything at all."""
    if choice < 160:
        if choice % 2 and game.rules.slap_on(game.pile):
            return Slap(choice // 2 % len(game.hands))
        return Play(game.to.turn) if game.to.phase == "play" else Collect()
    return Slap(choice % len(game.hands)) if choice < 192 else ANYTHING[choice % len(ANYTHING)]


def ask(table: PlainTable, command: Command) -> Answer:
    """A command, in the words of the plain table."""
    if isinstance(command, Collect):
        return table.collect()
    return table.play(command.seat) if isinstance(command, Play) else table.slap(command.seat)


@settings(max_examples=3 * settings().max_examples)
@given(
    deck=decks(),
    seats=st.integers(2, 8),
    dealer=st.integers(0, 7),
    direction=st.sampled_from(["cw", "ccw"]),
    chances=st.sampled_from(CHANCES),
    patterns=st.sets(st.sampled_from(["double", "sandwich"])),
    burn=st.integers(1, 3),
    limit=st.integers(1, 3),
    choices=st.integers(0, 120).flatmap(lambda n: st.binary(min_size=n, max_size=n)),
)
def test_the_engine_plays_by_the_plain_rules(
    deck: Hand,
    seats: int,
    dealer: int,
    direction: str,
    chances: dict[str, int],
    patterns: set[str],
    burn: int,
    limit: int,
    choices: bytes,
) -> None:
    rules = house(
        direction=direction,
        chances=chances,
        slaps={name: name in patterns for name in ("double", "sandwich")},
        wrong_slap={"kind": "burn", "count": burn},
        no_cards={"kind": "strikes", "limit": limit},
    )
    game = replay([deal(rules, deck, seats, dealer)])
    step = 1 if direction == "cw" else -1
    table = PlainTable([list(map(str, hand)) for hand in game.hands], (dealer + step) % seats, step, chances)
    table.patterns, table.burn, table.limit = patterns, burn, limit
    assert table.agrees_with(game)
    for choice in choices:
        command = wish(choice, game)
        answer: Answer
        try:
            game, events = apply(game, command)
            answer = list(map(say, events))
        except Refusal as refusal:
            answer = refusal.why.value
        assert ask(table, command) == answer
        assert table.agrees_with(game)
