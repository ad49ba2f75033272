"""Every game ends, or is seen to go round in a circle."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import PACK, Hand, shuffle
from ratscrew.errors import Refusal
from ratscrew.game.commands import Collect, Play, Slap
from ratscrew.game.engine import apply, deal, replay
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import decks, houses
from tests.game.scene import table

MANY = 30_000
"""More cards than any known game without slaps has needed (8,344 with one pack and two players)."""


def outcome(game: Game, chance: Random, slaps: float) -> str:
    """How a game ends that is played on with slaps at random: `over`, `cycle`, or `too long`."""
    met: set[object] = set()
    while game.n < MANY:
        if game.winner is not None:
            return "over"
        if chance.random() < slaps:
            try:
                game, _ = apply(game, Slap(chance.randrange(len(game.hands))))
            except Refusal:
                continue
        elif game.to.phase == "won":
            game, _ = apply(game, Collect())
            state = (game.hands, game.to, game.strikes)
            if state in met:
                return "cycle"
            met.add(state)
        else:
            game, _ = apply(game, Play(game.to.turn))
    return "too long"


@given(
    rules=houses(),
    deck=decks(min_size=2),
    seats=st.integers(2, 8),
    seed=st.integers(0, 2**32),
    slaps=st.sampled_from([0.0, 0.05, 0.3]),
)
def test_every_game_ends_or_is_seen_to_cycle(rules: Rules, deck: Hand, seats: int, seed: int, slaps: float) -> None:
    game = replay([deal(rules, deck, seats, 0)])
    assert outcome(game, Random(seed), slaps) in {"over", "cycle"}


def test_with_one_pack_and_some_slaps_the_games_end() -> None:
    chance = Random(1)
    for seats in (2, 3, 4, 8):
        game = replay([deal(house(), shuffle(PACK, chance.randrange), seats, 0)])
        assert outcome(game, chance, 0.05) == "over"


def test_a_game_without_slaps_can_go_round_in_a_circle() -> None:
    game = table("A: JS 2S 2H | B: 2D JH 2C", slaps={"double": False, "sandwich": False})
    assert outcome(game, Random(1), slaps=0) == "cycle"
