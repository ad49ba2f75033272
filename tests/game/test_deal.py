"""Dealing: the whole deck, one card at a time, from the dealer's left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import PACK, Hand, cards
from ratscrew.errors import RulesError
from ratscrew.game.engine import deal, replay
from ratscrew.game.state import Game
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import decks
from tests.game.scene import SEATS, hands, pile, say, where


def dealt(seats: int, dealer: str, deck: str = "", **options: str) -> Game:
    """A game just dealt."""
    rules = house("classic", **options)
    return replay([deal(rules, cards(deck) if deck else PACK, seats, SEATS.index(dealer))])


def test_the_player_at_the_dealers_left_leads() -> None:
    assert [where(dealt(3, dealer)) for dealer in "ABC"] == ["B plays", "C plays", "A plays"]


def test_counter_clockwise_the_player_at_the_dealers_right_leads() -> None:
    assert [where(dealt(3, dealer, direction="ccw")) for dealer in "ABC"] == ["C plays", "A plays", "B plays"]


def test_cards_are_dealt_one_at_a_time_and_the_last_dealt_is_turned_first() -> None:
    assert hands(dealt(3, "C", "2C 3C 4C 5C 6C 7C")) == "A: 5C 2C | B: 6C 3C | C: 7C 4C"


def test_dealing_begins_with_the_player_who_leads() -> None:
    assert hands(dealt(3, "A", "2C 3C 4C 5C")) == "A: 4C | B: 5C 2C | C: 3C"
    assert hands(dealt(3, "A", "2C 3C 4C 5C", direction="ccw")) == "A: 4C | B: 3C | C: 5C 2C"


def test_who_comes_first_may_hold_one_card_more() -> None:
    assert dealt(5, "A").held == (10, 11, 11, 10, 10)
    assert dealt(3, "A", direction="ccw").held == (17, 17, 18)
    assert dealt(8, "H").held == (7, 7, 7, 7, 6, 6, 6, 6)
    assert dealt(2, "B").held == (26, 26)


@pytest.mark.parametrize("seats", [-1, 0, 1, 9])
def test_a_house_of_two_to_eight_deals_to_nobody_else(seats: int) -> None:
    with pytest.raises(RulesError) as caught:
        deal(house(), PACK, seats, 0)
    assert caught.value.problems == (f"{seats} players: this house is for 2 to 8",)


def test_a_house_for_few_deals_to_few() -> None:
    assert len(deal(house(max_players=3), PACK, 3, 0).hands) == 3
    with pytest.raises(RulesError, match="4 players: this house is for 2 to 3"):
        deal(house(max_players=3), PACK, 4, 0)


def test_a_game_begins_with_an_empty_table() -> None:
    game = dealt(2, "A")
    assert pile(game) == ""
    assert (game.strikes, game.barred, game.last, game.n, game.version) == ((0, 0), (False, False), None, 0, 1)
    assert game.winner is None


def test_a_deal_is_told_without_a_card() -> None:
    assert say(deal(house(), PACK, 4, 3)) == "52 cards, A leads"


@given(decks(), st.integers(2, 8), st.integers(0, 7), st.sampled_from(["cw", "ccw"]))
def test_the_whole_deck_is_dealt_and_evenly(deck: Hand, seats: int, dealer: int, direction: str) -> None:
    event = deal(house(direction=direction), deck, seats, dealer % seats)
    held = [len(hand) for hand in event.hands]
    assert sorted(card for hand in event.hands for card in hand) == sorted(deck)
    assert max(held) - min(held) <= 1
    assert held[event.to.turn] == max(held)
    assert held[dealer % seats] == min(held)
