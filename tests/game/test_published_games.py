"""Games of Beggar-My-Neighbour that others have published: without slaps, ours go as long as theirs.

There a player who has to turn a card and has none has lost, so a game is counted to that moment; what then lies on
the table is its last trick. Left is the top of a hand, `-` is a number card, and the first hand leads.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ratscrew.cards import PACK, Card, Hand
from ratscrew.game.commands import Collect, Play
from ratscrew.game.engine import apply
from ratscrew.game.events import Standing
from ratscrew.game.state import Game
from ratscrew.rules.presets import house
from tests.game.scene import SEATS

MILL = house(slaps={"double": False, "sandwich": False})


class Course(NamedTuple):
    """How a game went: who won, and after how many cards and tricks; or how it goes round in a circle."""

    winner: str | None
    cards: int
    tricks: int
    entered: int = 0


def set_out(*hands: str) -> Game:
    """A game of these hands."""
    left = {rank: [card for card in PACK if str(card)[0] == rank] for rank in "JQKA"}
    numbers = [card for card in PACK if str(card)[0] not in "JQKA"]

    def card(mark: str) -> Card:
        return left.get(mark, numbers).pop()

    dealt = tuple(tuple(map(card, hand)) for hand in hands)
    return Game(MILL, dealt, Standing("play", 0), (), (0, 0), (False, False))


def marks(hand: Hand) -> str:
    """A hand in which all number cards are alike."""
    return "".join(str(card)[0] if str(card)[0] in "JQKA" else "-" for card in hand)


def played_out(game: Game) -> Course:
    """The course of a game that nobody slaps."""
    tricks = 0
    met: dict[tuple[object, ...], tuple[int, int]] = {}
    while True:
        seat = game.to.turn
        if game.to.phase == "won":
            game, _ = apply(game, Collect())
            tricks += 1
            if game.winner is not None:
                return Course(SEATS[seat], game.n, tricks)
            state = (*map(marks, game.hands), seat)
            if state in met:
                n, before = met[state]
                return Course(None, game.n - n, tricks - before, entered=n)
            met[state] = (game.n, tricks)
        else:
            game, _ = apply(game, Play(seat))
            if game.to == Standing("play", seat):
                return Course(SEATS[seat], game.n, tricks + 1)


@pytest.mark.parametrize(
    ("hands", "course"),
    [
        pytest.param(("-", "-"), Course("B", 2, 1), id="two number cards"),
        pytest.param(("-A", "----K"), Course("B", 7, 1), id="the king beats the ace"),
        pytest.param(("J", "-J"), Course("B", 5, 2), id="two tricks"),
        pytest.param(
            ("------------KAQ----J------", "-JQQK---K----JK--QA-A-JA--"), Course("A", 4791, 670), id="Paulhus 1999"
        ),
        pytest.param(
            ("---JQ---K-A----A-J-K---QK-", "-J-----------AJQA----K---Q"), Course("A", 5790, 805), id="Kleber 1999"
        ),
        pytest.param(
            ("K-KK----K-A-----JAA--Q--J-", "---Q---Q-J-----J------AQ--"), Course("B", 7157, 1007), id="Mann, Wu 2007"
        ),
        pytest.param(
            ("-J------Q------AAA-----QQ-", "K----JA-----------KQ-K-JJK"), Course("B", 7959, 1122), id="Rucklidge 2014"
        ),
        pytest.param(
            ("---AJ--Q---------QAKQJJ-QK", "-----A----KJ-K--------A---"), Course("B", 8344, 1164), id="Nessler 2022"
        ),
    ],
)
def test_a_published_game_goes_as_long_here(hands: tuple[str, str], course: Course) -> None:
    assert played_out(set_out(*hands)) == course


def test_the_game_that_never_ends_does_not_end_here() -> None:
    """Casella and others, 2024."""
    game = set_out("---K---Q-KQAJ-----AAJ--J--", "----------Q----KQ-J-----KA")
    assert played_out(game) == Course(None, 440, 62, entered=34)
