"""Every game ends, or is seen to go round in a circle."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import Refusal
from ratscrew.game.commands import Arrive, SetLimit, Slap, Touch, slap
from ratscrew.game.engine import deal, decide, replay
from ratscrew.game.events import Dealt, LimitSet
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
    assert ends <= {"over"}


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


CIRCLE = "A: JS 2S 2H | B: 2D JH 2C"


def forced(cards: str, **options: Any) -> Game:
    """A game that the cards alone decide."""
    return table(cards, slaps={"double": False, "sandwich": False}, **options)


def test_a_game_without_slaps_that_comes_back_to_an_earlier_state_is_a_draw() -> None:
    game = forced(CIRCLE)
    assert outcome(game, Random(1), slaps=0) == "over"
    while not game.over:
        game, _ = decide(game, next_command(game))
    assert (game.winner, game.end_reason) == (None, "repetition")
    assert sum(map(len, game.hands)) == 6, "no card is left on the table"


def test_it_is_found_within_three_times_as_many_piles_as_the_way_to_the_first_return() -> None:
    """By hand, with every state kept: after so many piles a state is one that has been there."""
    chance, cycles = Random(7), 0
    deck = ["JS", "JH", "QD", "KC", "2S", "2H", "3D", "3C", "4S", "4H"]
    for _ in range(3000):
        chance.shuffle(deck)
        game = forced(f"A: {' '.join(deck[:5])} | B: {' '.join(deck[5:])}", endgame="must_play")
        seen, piles, back = set[object](), 0, 0
        while not game.over:
            before, (game, _) = game, decide(game, next_command(game))
            if before.pile and not game.pile:
                piles += 1
                ranks = [" ".join(str(card)[0] for card in hand) for hand in game.hands]
                state = game.standing.turn, str(ranks).replace("2", "x").replace("3", "x").replace("4", "x")
                back = back or (piles if state in seen else 0)
                seen.add(state)
        if game.end_reason == "repetition":
            cycles += 1
            assert back <= piles <= 3 * back
        else:
            assert not back
    assert cycles > 10


def test_where_slaps_chance_or_players_may_change_the_course_nothing_is_a_draw() -> None:
    changes: tuple[dict[str, Any], ...] = (
        {"slaps": {"double": True}},
        {"pickup": "shuffle"},
        {"stalemate": "redeal"},
        {"out_of_turn": "dead"},
        {"cheat": "split", "collect": "manual"},
        {"judge": "honour"},
    )
    for options in changes:
        game = table(CIRCLE, **{"slaps": {"double": False, "sandwich": False}, **options})
        chance = Random(1)
        for _ in range(400):
            if not game.over:
                game, _ = decide(game, next_command(game), chance.randrange)
        assert game.checkpoint is None, options
        assert game.end_reason == "play", options


def test_at_the_limit_of_a_house_the_most_cards_win_when_the_pile_is_taken() -> None:
    game = table("A: 9S 2C 4H 5C | B: 9H KC 3D 6C", limit_cards=2)
    game = do(game, "A B")  # the second card is there, but so is a double: it can still be slapped
    assert not game.over
    over = do(game, "A!")
    assert (over.winner, over.end_reason) == (0, "limit")
    assert do(game, "A B!").winner is None, "a wrong slap is no end"


def test_at_the_limit_equal_hands_are_a_draw_also_at_the_top_alone() -> None:
    game = table("A: JS 2C | B: 4H 3D 5D | C: 9C 9D 9H", limit_cards=2)
    over = do(game, "A B take")  # A has three cards, B two, C three
    assert (over.over, over.winner, over.end_reason) == (True, None, "limit")


def test_a_player_with_every_card_wins_by_that_also_at_the_limit() -> None:
    over = do(table("A: JS 2C | B: 4H", limit_cards=1), "A B take")
    assert (over.winner, over.end_reason) == (0, "play")


def test_a_game_may_get_a_limit_and_the_nearer_one_counts() -> None:
    game, events = decide(table("A: JS 2C | B: 4H 5H 6H", limit_cards=100), SetLimit(2))
    assert (events, game.limit) == ((LimitSet(2),), 2)
    assert do(game, "A B take").end_reason == "limit"
    assert decide(game, SetLimit(50)).game.limit == 50
    assert decide(game, SetLimit(500)).game.limit == 100


def test_a_limit_that_is_reached_already_ends_the_game_at_once_if_no_pile_lies_there() -> None:
    game = do(table("A: JS 2C | B: 4H 5H 6H"), "A B take")
    assert decide(game, SetLimit(2)).game.winner == 0


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
