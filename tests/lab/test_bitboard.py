"""The bitboard: games without slaps have the same results as the engine's and as published ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numba import njit

from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.cards import PACK, Hand
from ratscrew.errors import RulesError
from ratscrew.game.engine import deal
from ratscrew.game.evolve import evolve
from ratscrew.game.playout import Playout, play_out
from ratscrew.lab import simulation
from ratscrew.lab.bitboard.runner import BLOCK, Score, only_turn, run, scores
from ratscrew.lab.bits import popcount, trailing_zeros
from ratscrew.lab.kernel import runner as kernel
from ratscrew.lab.lineup import parse_lineup
from ratscrew.lab.random_stream import RandomStream
from ratscrew.lab.tally import Tally, bin_of
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

RECORDS = Path(__file__).resolve().parent.parent / "golden" / "records.txt"
BEGGAR = house("beggar")
OFF = dict.fromkeys("JQKA", 0)
"""Without the challenges of `classic`."""

HOUSES: dict[str, dict[str, Any]] = {
    "beggar": {},
    "more kinds, and tens": {"chances": {**OFF, "T": 10, "J": 1, "Q": 5, "A": 52}},
    "one kind": {"chances": {**OFF, "A": 3}},
    "single cards": {"chances": {**OFF, "AS": 2, "AH": 3, "7D": 1}},
    "a deck that does not come out even": {"jokers": 1, "chances": {**OFF, "JKR": 9, "K": 2, "A": 4}},
    "jokers": {"jokers": 2, "chances": {**OFF, "JKR": 9, "JKB": 9, "A": 4, "5": 1}},
    "the other pack": {"pack": "pinochle", "chances": {**OFF, "J": 1, "A": 4}},
    "the other way round": {"direction": "ccw"},
}


def records() -> list[tuple[str, str, int, int]]:
    """The deals that others have published, with cards and tricks."""
    lines = [line.split() for line in RECORDS.read_text().splitlines() if not line.startswith("#")]
    return [(leads, follows, int(cards), int(tricks)) for leads, follows, cards, tricks in lines]


def hands(*texts: str) -> tuple[Hand, ...]:
    """Hands of which only the challenges are known."""
    of = {rank: [card for card in PACK if str(card)[0] == rank] for rank in "JQKA"} | {"-": list(PACK[:36])}
    return tuple(tuple(of[mark].pop() for mark in text) for text in texts)


def on_the_engine(rules: Rules, seed: int, game: int) -> Playout:
    """A game of a seed, card by card."""
    return play_out(evolve(None, deal(rules, 2, 1, RandomStream(seed, game).below)))


@cache
def many() -> Tally:
    """So many games that their means are known well."""
    return run(BEGGAR, 1_500_000, seed=20)


def test_games_that_others_have_published_go_as_long_here() -> None:
    published = records()
    found = scores(BEGGAR, [hands(leads, follows) for leads, follows, *_ in published])
    assert len(found) == 45
    assert [(each.cards, each.tricks) for each in found if each] == [tuple(lengths) for _, _, *lengths in published]


@pytest.mark.parametrize(
    ("leads", "follows", "score"),
    [
        pytest.param("J", "--", Score(4, 2, 0), id="a jack takes one card, and the other after it"),
        pytest.param("J", "-J", Score(5, 2, 1), id="two tricks"),
        pytest.param("A", "----", Score(5, 1, 0), id="an ace is worth four cards"),
        pytest.param("-A", "----K", Score(7, 1, 1), id="a king beats an ace"),
        pytest.param("-", "-J", Score(2, 1, 1), id="who leads cannot go on"),
        pytest.param("--A", "-", Score(3, 1, 0), id="nor can the other"),
        pytest.param("-", "J-", Score(2, 1, 1), id="who has no card cannot answer"),
        pytest.param("A", "--", Score(3, 1, 0), id="who has too few cards has not answered"),
        pytest.param("J--", "-J-", None, id="a game that never ends"),
    ],
)
def test_a_small_game_can_be_counted_on_the_fingers(leads: str, follows: str, score: Score | None) -> None:
    assert scores(BEGGAR, [hands(leads, follows)]) == [score]


@pytest.mark.parametrize("name", HOUSES)
def test_each_game_of_a_seed_is_that_of_the_engine(name: str) -> None:
    rules = house("beggar", **HOUSES[name])
    for game in range(12):
        played = on_the_engine(rules, 5, game)
        found = run(rules, 1, 5, first=game)
        if played.outcome == "cycle":
            assert found == Tally(games=1, never_ended=1)  # and nothing else is said of it
        else:
            assert (found.cards, found.tricks) == (played.cards, played.tricks)
            assert found.leader_wins == (played.winner == 0)
            assert found.wins == ((1,) if played.winner == 0 else (0, 1))
            assert found.lengths[bin_of(played.cards)] == 1


@pytest.mark.parametrize("options", [{}, {"chances": {**OFF, "A": 4, "J": 2}, "collect_delay_ms": 100}])
def test_the_tally_is_that_of_two_who_only_turn_their_cards(options: dict[str, Any]) -> None:
    rules, bots = house("beggar", **options), parse_lineup(["quiet", "quiet"])
    found = run(rules, 3_000, 3)
    assert found == kernel.run(rules, [bot for bot in bots if isinstance(bot, ReflexBot)], 3_000, 3)
    assert run(rules, 10, 3) == simulation.run(rules, bots, 10, 3)
    assert found.comebacks > 0


def test_a_player_who_may_slap_or_takes_their_time_does_more_than_turn_their_cards() -> None:
    assert only_turn(parse_lineup(["quiet", "quiet"]))
    for other in ("steady", "quiet:false_alarm=0.01", "quiet:lure_false_alarm=0.01", "quiet:pace_us=200000"):
        assert not only_turn(parse_lineup(["quiet", other]))
    assert not only_turn(parse_lineup(["quiet"] * 3))


def test_however_many_are_played_beside_it_a_game_stays_the_same() -> None:
    rows = [Random(seed).sample(PACK, 52) for seed in range(300)]
    deals = [(tuple(deck[:26]), tuple(deck[26:])) for deck in rows]
    assert scores(BEGGAR, deals) == [score for each in deals for score in scores(BEGGAR, [each])]


def test_games_add_up_however_they_are_split() -> None:
    games = 2 * BLOCK + 77
    whole = run(BEGGAR, games, 9)
    assert run(BEGGAR, games, 9, threads=2) == whole
    assert run(BEGGAR, 100, 9) + run(BEGGAR, games - 100, 9, first=100) == whole
    assert run(BEGGAR, games, 10) != whole
    assert run(BEGGAR, 0, 9) == Tally()


def test_a_mean_game_is_as_long_as_is_known() -> None:
    """254.69 ± 0.06 cards with a standard deviation of 205.9, 35.25 tricks with one of 28.8."""
    found = many()
    cards, tricks = found.cards / found.games, found.tricks / found.games
    root = found.games**0.5
    assert abs(cards - 254.69) < 4 * 205.9 / root + 0.06
    assert abs(tricks - 35.25) < 4 * 28.8 / root + 0.01
    assert abs((found.cards2 / found.games - cards**2) ** 0.5 - 205.9) < 1
    assert abs((found.tricks2 / found.games - tricks**2) ** 0.5 - 28.8) < 0.2


def test_the_leader_wins_a_little_less_than_half_of_the_games() -> None:
    found = many()
    share = found.leader_wins / found.games
    assert abs(share - 0.49769) < 4 * 0.5 / found.games**0.5 + 0.00014
    assert share < 0.5 - 2 * 0.5 / found.games**0.5
    assert found.wins == (found.leader_wins, found.games - found.leader_wins)
    assert sum(found.lengths) == found.games


def test_a_game_of_too_many_cards_never_ends_and_counts_as_nothing_else() -> None:
    played = [on_the_engine(BEGGAR, 3, game) for game in range(40)]
    short = [each for each in played if each.cards <= 200]
    assert 0 < len(short) < 40
    found = run(BEGGAR, 40, 3, limit=200)
    assert (found.games, found.never_ended) == (40, 40 - len(short))
    assert (found.cards, found.tricks) == (sum(each.cards for each in short), sum(each.tricks for each in short))
    assert sum(found.lengths) == len(short)


def test_games_that_never_end_hold_nobody_up() -> None:
    endless, short = hands("J--", "-J-"), hands("J", "--")
    assert scores(BEGGAR, [endless, short] * 100) == [None, Score(4, 2, 0)] * 100


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"slaps": {"double": True}}, "slapped"),
        ({"collect": "manual"}, "collect"),
        ({"judge": "honour"}, "judge"),
        ({"endgame": "play_out"}, "endgame"),
        ({"last_chance": 1}, "last_chance"),
        ({"stoppers": ["T"]}, "stoppers"),
        ({"pickup": "shuffle"}, "pickup"),
        ({"shuffle": "riffle7"}, "shuffle"),
        ({"deal": "stacks"}, "deal"),
        ({"jokers": 1, "remainder": "pile"}, "remainder"),
        ({"decks": 2}, "more than 54 cards"),
        ({"pack": "pinochle"}, "31"),
        ({"chances": {}}, "1 to 31"),
        ({"chances": {**OFF, "T": 5, "J": 1, "Q": 2, "K": 3, "A": 4}}, "more than 4 kinds"),
    ],
)
def test_a_house_that_the_bitboard_cannot_play_is_rejected(options: dict[str, Any], reason: str) -> None:
    rules = house("beggar", **options)
    for refused in (lambda: run(rules, 1, 0), lambda: scores(rules, [])):
        with pytest.raises(RulesError, match=reason):
            refused()


def test_bits_are_counted() -> None:
    counted = njit(lambda word: (popcount(word), trailing_zeros(word)))
    for word in (0, 1, 2**63, 2**64 - 1, *(Random(1).getrandbits(64) for _ in range(200))):
        lowest = (word & -word).bit_length() - 1 if word else 64
        assert counted(np.uint64(word)) == (word.bit_count(), lowest)
