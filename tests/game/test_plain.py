"""After any commands at a table, the engine and the plain rules have the same events and the same state."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ratscrew.errors import Refusal
from ratscrew.game.commands import Command, Play, Slap, Timeout, slap
from ratscrew.game.engine import deal_out, decide, replay
from ratscrew.game.events import Event
from ratscrew.game.notation import write_game
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import FEW_RANKS
from tests.game.plain import Answer, PlainTable
from tests.game.scene import tell

CHANCES = [{"J": 1, "Q": 2, "K": 3, "A": 4}, {"J": 0, "Q": 0, "K": 0, "A": 0, "6": 1, "9": 2, "AS": 6, "JK": 3}, {}]
ANYTHING: list[Command] = [Timeout(), *map(Play, range(-1, 9)), *map(slap, range(-1, 9))]

classics = st.builds(
    lambda direction, chances, slaps, burn, limit: house(
        direction=direction,
        chances=chances,
        slaps={"double": "double" in slaps, "sandwich": "sandwich" in slaps, "instant": []},
        wrong_slap={"kind": "burn", "count": burn},
        no_cards={"kind": "strikes", "limit": limit},
    ),
    st.sampled_from(["cw", "ccw"]),
    st.sampled_from(CHANCES),
    st.sampled_from(["double", "sandwich", "double, sandwich"]),
    st.integers(1, 3),
    st.integers(1, 3),
)
"""The houses that the plain rules know."""


def plainly(game: Game) -> PlainTable:
    """The table at which a game begins."""
    rules = game.rules
    table = PlainTable([list(map(str, hand)) for hand in game.hands], game.standing.turn, rules.step, rules.chances)
    table.patterns = set(rules.slaps)
    table.burn, table.limit = int(rules.wrong_slap["count"]), int(rules.no_cards["limit"])
    return table


def wish(game: Game, chance: Random) -> Command:
    """A command: mostly to go on or to slap what can be slapped, else a wrong slap, or anything at all."""
    seat, kind = chance.randrange(len(game.hands)), chance.random()
    if kind < 0.1:
        return Play(seat) if kind < 0.05 else chance.choice(ANYTHING)
    if kind < 0.2 or (kind < 0.6 and game.rules.first_match(game.sight)):
        return slap(seat)
    return Play(game.standing.turn) if game.standing.phase == "play" else Timeout()


def ask(table: PlainTable, command: Command) -> Answer:
    """A command, in the words of the plain table."""
    match command:
        case Play(seat):
            return table.play(seat)
        case Slap((touch,)):
            return table.slap(touch.seat)
    return table.collect()


@settings(max_examples=2 * settings().max_examples)
@given(rules=classics, seed=st.integers(0, 2**64))
def test_the_engine_plays_by_the_plain_rules(rules: Rules, seed: int) -> None:
    chance = Random(seed)
    deck, seats = chance.sample(FEW_RANKS, chance.randint(1, len(FEW_RANKS))), chance.randint(2, 8)
    log: list[Event] = [deal_out(rules, deck, seats, dealer=chance.randrange(seats))]
    game = replay(log)
    table = plainly(game)
    assert table.agrees_with(game)
    for _ in range(150):
        if game.over and chance.random() < 0.5:
            break
        command = wish(game, chance)
        answer: Answer
        try:
            after, events = decide(game, command)
            answer, game = tell(game, events), after
            log += events
        except Refusal as refusal:
            answer = refusal.reason.value
        assert ask(table, command) == answer, write_game(log)
        assert table.agrees_with(game), write_game(log)
