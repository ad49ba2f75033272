"""Every game ends, or is seen to go round in a circle."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import Refusal
from ratscrew.game.commands import Arrive, Slap, Touch, slap
from ratscrew.game.engine import deal, decide, replay
from ratscrew.game.events import Dealt
from ratscrew.game.state import Game
from ratscrew.rules.presets import PRESETS, house
from ratscrew.testing.strategies import deals, next_command
from tests.game.scene import do, table

MANY = 60_000
"""More cards than any known game without slaps has needed (8,344 with one pack and two players)."""


def outcome(game: Game, chance: Random, slaps: float) -> str:
    """How a game ends that is played on with slaps at random: `over`, `cycle`, or `too long`."""
    met: set[object] = set()
    while game.n < MANY:
        if game.over:
            return "over"
        if chance.random() < slaps:
            try:
                game, _ = decide(game, slap(chance.randrange(len(game.hands))), chance.randrange)
            except Refusal:
                continue
        else:
            waited = game.standing.phase == "won"
            game, _ = decide(game, next_command(game), chance.randrange)
            state = (game.hands, game.asides, game.pile, game.standing, game.seat_states)
            if waited and state in met:
                return "cycle"
            if waited:
                met.add(state)
    return "too long"


@given(dealt=deals(), seed=st.integers(0, 2**32), slaps=st.sampled_from([0.0, 0.05, 0.3]))
def test_every_game_ends_or_is_seen_to_cycle(dealt: Dealt, seed: int, slaps: float) -> None:
    """Where every third card is slapped, a last chance of many cards is never missed: there people slap less."""
    often = slaps if dealt.rules.last_chance < 10 else min(slaps, 0.05)
    assert outcome(replay([dealt]), Random(seed), often) in {"over", "cycle"}


@pytest.mark.parametrize("preset", PRESETS)
def test_with_one_pack_and_some_slaps_the_games_end(preset: str) -> None:
    chance = Random(1)
    seats = [some for some in (2, 3, 4, 8) if some <= (house(preset).max_players or 8)]
    ends = {outcome(replay([deal(house(preset), some, 0, chance.randrange)]), chance, 0.05) for some in seats}
    assert ends <= ({"over", "cycle"} if preset == "beggar" else {"over"})


@pytest.mark.parametrize("tie", ["earliest", "void", "judge"])
def test_the_games_end_however_often_cards_are_taken_back(tie: str) -> None:
    chance, taken_back = Random(1), 0
    for preset, seats in product([name for name in PRESETS if name != "beggar"], (2, 3, 5)):
        if seats > (house(preset).max_players or seats):
            continue
        game = replay([deal(house(preset, tie=tie, tie_window_ms=0), seats, 0, chance.randrange)])
        while not game.over and game.n < MANY:
            hands = chance.sample(range(seats), 2)
            command = (
                next_command(game) if chance.random() < 0.8 else Slap(tuple(map(Touch, hands)), chance.random() < 0.7)
            )
            with suppress(Refusal):
                game, _ = decide(game, command, chance.randrange)
        assert game.over
        taken_back += game.withdrawn
    assert taken_back > 20


def test_a_game_without_slaps_can_go_round_in_a_circle() -> None:
    game = table("A: JS 2S 2H | B: 2D JH 2C", slaps={"double": False, "sandwich": False})
    assert outcome(game, Random(1), slaps=0) == "cycle"


@pytest.mark.parametrize("watching", [False, True])
@pytest.mark.parametrize("stalemate", ["last_player", "redeal"])
def test_where_everybody_is_out_nobody_is_dealt_to_and_nobody_wins(stalemate: str, watching: bool) -> None:
    """Both slap wrongly on two cards in a row; a newcomer may be watching, but has never been in the game."""
    game = table("A: 2C 4C 6C 8C | B: 3C 5C 7C", max_streak=1, stalemate=stalemate)
    if watching:
        game, _ = decide(game, Arrive())
    game = do(game, "A A! B! B A! B!")
    assert all(game.seat_states[seat].out for seat in game.circle)
    over = do(game, "take")
    assert (over.over, over.winner, over.all_lose) == (True, None, False)
