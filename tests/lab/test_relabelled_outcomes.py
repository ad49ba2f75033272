"""Engine, kernel and bitboard favour no seat: whole games of two players, again with the seats swapped.

The game is the one that all three can play, without slaps. With the seats swapped the other one leads with the same
cards, so as many cards are turned, and the winner is the other seat. Slaps and larger tables have tests of their own:
for the engine in `tests/game/test_relabelling.py`, for the kernel in `test_relabelling.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest

from ratscrew.bots.ladder import PLAIN
from ratscrew.cards import PACK, Card, Hand
from ratscrew.game.commands import Play, Timeout
from ratscrew.game.engine import decide, replay
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.lab.bitboard.layout import ABOVE, LANES, LATER, LOW, TOP, TRICKS, Words, kinds, row
from ratscrew.lab.bitboard.play import too_long
from ratscrew.lab.bitboard.step import ROWS, SCORE, begin, final_score, over, step
from ratscrew.lab.jit import jit_cached
from ratscrew.lab.kernel.count import count
from ratscrew.lab.kernel.deal import begin as begin_kernel
from ratscrew.lab.kernel.layout import GAME, OVER, SUMS, Record
from ratscrew.lab.kernel.setup import tabulate
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from tests.lab.kernel_step import go_on

LIMIT = 1000
"""A game of more cards counts as never ended."""


class Table(NamedTuple):
    """The hands of seats 0 and 1, and the seat that leads."""

    hands: tuple[Hand, Hand]
    leader: int

    def swapped(self) -> Table:
        """The same table with the seats' numbers swapped."""
        return Table((self.hands[1], self.hands[0]), 1 - self.leader)


class Outcome(NamedTuple):
    """How a game ended: its winner, whether the winner had run out of cards, and its length."""

    winner: int
    came_back: bool
    cards: int
    tricks: int


Outcomes: TypeAlias = list[Outcome | None]
"""The outcome of each table, None for a game that never ended."""


def by_engine(rules: Rules, tables: Sequence[Table]) -> Outcomes:
    """Play each table by the game's own engine."""
    found = Outcomes()
    for hands, leader in tables:
        game = replay([Dealt(rules, hands, Standing("play", leader))])
        tricks, empty = 0, set[int]()
        while not game.over and game.n <= LIMIT:
            turns = game.standing.phase == "play"
            game, _ = decide(game, Play(game.standing.turn) if turns else Timeout())
            tricks += not turns
            empty |= {seat for seat, hand in enumerate(game.hands) if not hand}
        found.append(
            None
            if game.winner is None or game.n > LIMIT
            else Outcome(game.winner, game.winner in empty, game.n, tricks)
        )
    return found


def by_kernel(rules: Rules, tables: Sequence[Table]) -> Outcomes:
    """Play each table by the functions of the kernel."""
    config = tabulate(rules, [PLAIN["steady"]] * 2, LIMIT)
    found = Outcomes()
    for hands, leader in tables:
        game, sums = np.zeros(1, GAME)[0], np.zeros(1, SUMS)[0]
        for seat, hand in enumerate(hands):
            config["dealt"][seat] = len(hand)
            game["ring"][seat, : len(hand)] = hand
        play_kernel(config, game, sums, leader)
        found.append(
            None
            if game["winner"] < 0 or sums["cards"] > LIMIT
            else Outcome(int(sums["wins"].argmax()), bool(sums["comebacks"]), int(sums["cards"]), int(sums["tricks"]))
        )
    return found


@jit_cached
def play_kernel(config: Record, game: Record, sums: Record, leader: int) -> None:
    """Play a game of the kernel whose hands have been dealt."""
    begin_kernel(config, game)
    game.turn = leader
    while game.phase != OVER and game.n <= config.limit:
        go_on(config, game)
    count(config, game, sums)


def by_bitboard(rules: Rules, tables: Sequence[Table]) -> Outcomes:
    """Play the tables in the lanes of the bitboard, where seat 1 leads as the follower of a game that it had led."""
    assert len(tables) == LANES
    deals = [row(rules, hands if leader == 0 else hands[::-1]) for hands, leader in tables]
    leaders = [leader for _, leader in tables]
    scores = np.zeros(LANES, np.uint64)
    play_lanes(np.array(deals, np.uint64), np.array(leaders, np.uint64), kinds(rules).chances, scores)
    return [
        Outcome(
            int(score >> TOP ^ np.uint64(1)),
            bool(score >> LATER & np.uint64(1)),
            int(score & LOW),
            int(score >> ABOVE & TRICKS),
        )
        if score and score & LOW <= LIMIT
        else None
        for score in scores
    ]


@jit_cached
def play_lanes(deals: Words, leaders: Words, chances: np.uint64, scores: Words) -> None:
    """Play a deal in each lane, and write its score: 0 if it never ended."""
    state = np.zeros(ROWS * LANES, np.uint64)
    playing = np.ones(LANES, np.uint64)
    for lane in range(LANES):
        begin(state, lane, deals[lane])
        state[SCORE + lane] ^= leaders[lane] << TOP
    while playing.any():
        found = step(state, chances)
        for lane in range(LANES):
            ended = bool(found >> np.uint64(lane) & np.uint64(1)) and over(state, lane)
            if playing[lane] and ended:
                scores[lane] = final_score(state, lane)
            if ended or too_long(state, lane, np.uint64(LIMIT)):
                playing[lane] = 0
                begin(state, lane, deals[lane])


PLAYERS: dict[str, Callable[[Rules, Sequence[Table]], Outcomes]] = {
    "engine": by_engine,
    "kernel": by_kernel,
    "bitboard": by_bitboard,
}

ACE = Card.parse("AS")

HOUSES = {
    "beggar": house("beggar"),
    "more challenges": house("beggar", chances={"J": 0, "Q": 0, "8": 1, "T": 3, "K": 2, "A": 5}),
}


def tables_of(seed: int) -> list[Table]:
    """Tables with hands of different sizes, of which either seat leads. Each has an ace: the bitboard needs one."""
    chance = Random(seed)
    found = list[Table]()
    for _ in range(LANES):
        deck = [ACE, *chance.sample([card for card in PACK if card != ACE], chance.choice([4, 11, 19, 51]))]
        chance.shuffle(deck)
        cut = chance.randint(1, len(deck) - 1)
        found.append(Table((tuple(deck[:cut]), tuple(deck[cut:])), chance.randrange(2)))
    return found


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("player", PLAYERS)
def test_with_the_seats_swapped_the_other_seat_wins_the_same_game(player: str, name: str) -> None:
    rules, tables = HOUSES[name], tables_of(7)
    found = PLAYERS[player](rules, tables)
    swapped = PLAYERS[player](rules, [table.swapped() for table in tables])
    assert found == [each and each._replace(winner=1 - each.winner) for each in swapped]
    ended = [each for each in found if each]
    assert len(ended) > LANES / 2
    assert {(each.winner, each.came_back) for each in ended} == {(0, False), (0, True), (1, False), (1, True)}


@pytest.mark.parametrize("name", HOUSES)
def test_engine_kernel_and_bitboard_agree_whichever_seat_leads(name: str) -> None:
    tables = tables_of(8)
    assert {table.leader for table in tables} == {0, 1}
    engine, kernel, bitboard = (play(HOUSES[name], tables) for play in PLAYERS.values())
    assert engine == kernel == bitboard
