"""The probability that the next card makes a pattern."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ratscrew.bots.memory import memory_from_events, memory_from_view
from ratscrew.bots.strategy_traits import pattern_odds
from ratscrew.cards import cards, pile
from ratscrew.game.engine import deal, replay
from ratscrew.game.events import Arrived
from ratscrew.game.view import view
from ratscrew.rules.presets import house

DOUBLE = {"double": True, "sandwich": False, "instant": []}
SANDWICH = {"double": False, "sandwich": True, "instant": []}
JOKERS = {"double": False, "sandwich": False, "instant": ["JK"]}

FIVE_SEVENS = "7S 2C 7H 3D 7D 4S 7C 5H 7S"
"""Nine cards. Of the eight sevens of two packs three are left."""


@pytest.mark.parametrize(
    ("options", "seats", "lies", "odds"),
    [
        # one pack: three nines among 51 cards
        ({"slaps": DOUBLE}, 2, "9S", Fraction(3, 51)),
        # two packs, chosen or because there are more than six players: three sevens among 104 - 9
        ({"slaps": DOUBLE, "decks": 2}, 2, FIVE_SEVENS, Fraction(3, 95)),
        ({"slaps": DOUBLE, "decks": "auto"}, 8, FIVE_SEVENS, Fraction(3, 95)),
        ({"slaps": DOUBLE, "decks": "auto"}, 7, "9S", Fraction(7, 103)),
        ({"slaps": DOUBLE, "decks": "auto"}, 6, "9S", Fraction(3, 51)),
        # three packs for 13 players: twelve nines less one among 156 - 1
        ({"slaps": DOUBLE, "decks": "auto", "max_players": 0}, 13, "9S", Fraction(11, 155)),
        # eight fives in two packs, of which one lies under the seven
        ({"slaps": SANDWICH, "decks": "auto"}, 8, "5H 7S", Fraction(7, 102)),
        # jokers are so many for each pack: 2 * 2 among 2 * 54 - 1, and 3 * 3 among 3 * 55 - 1
        ({"slaps": JOKERS, "jokers": 2, "decks": 2}, 4, "9S", Fraction(4, 107)),
        ({"slaps": JOKERS, "jokers": 3, "decks": "auto", "max_players": 0}, 18, "9S", Fraction(9, 164)),
        # one of them lies in the pile
        ({"slaps": JOKERS, "jokers": 2, "decks": 2}, 4, "JKR 9S", Fraction(3, 106)),
        # 52 cards do not come out even for five players: three jokers make it 55
        ({"slaps": JOKERS, "remainder": "jokers"}, 5, "9S", Fraction(3, 54)),
        # the other pack has nine to ace, each twice: seven nines among 48 - 1
        ({"slaps": DOUBLE, "pack": "pinochle"}, 2, "9S", Fraction(7, 47)),
    ],
)
def test_the_odds_of_a_pattern_are_those_of_the_cards_that_are_left(
    options: dict[str, Any], seats: int, lies: str, odds: Fraction
) -> None:
    """Counted by hand: the cards that would make a pattern among those that do not lie in the pile."""
    assert pattern_odds(house(**options), seats, pile(lies), cards(lies)[0]) == pytest.approx(float(odds), abs=1e-12)


def test_a_bot_knows_how_many_were_dealt_cards_and_a_newcomer_how_many_sit_there() -> None:
    dealt = deal(house("everything2"), 7, 0, lambda n: n - 1)
    assert memory_from_events([dealt, Arrived(7)]).dealt == 7
    assert memory_from_view(view(replay([dealt, Arrived(7)]))).dealt == 7
