"""Dealing: the whole deck, one card at a time, from the dealer's left."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import JOKERS, PACK, Hand, cards
from ratscrew.errors import RulesError
from ratscrew.game.decide import no_draw
from ratscrew.game.engine import deal, deal_out, replay
from ratscrew.game.state import Game, SeatState
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import decks
from tests.game.scene import SEATS, hands, pile, told, where


def dealt(seats: int, dealer: str, deck: str = "", **options: Any) -> Game:
    """A game just dealt."""
    rules = house("classic", **options)
    return replay([deal_out(rules, cards(deck) if deck else PACK, seats, SEATS.index(dealer))])


def held(game: Game) -> list[int]:
    """How many cards each seat holds."""
    return list(map(game.cards_held, range(len(game.hands))))


def test_the_player_at_the_dealers_left_leads() -> None:
    assert [where(dealt(3, dealer)) for dealer in "ABC"] == ["B plays", "C plays", "A plays"]


def test_counter_clockwise_the_player_at_the_dealers_right_leads() -> None:
    assert [where(dealt(3, dealer, direction="ccw")) for dealer in "ABC"] == ["C plays", "A plays", "B plays"]


def test_cards_are_dealt_one_at_a_time_and_the_last_dealt_is_turned_first() -> None:
    assert hands(dealt(3, "C", "2C 3C 4C 5C 6C 7C")) == "A: 5C 2C | B: 6C 3C | C: 7C 4C"


def test_dealing_begins_with_the_player_who_leads() -> None:
    assert hands(dealt(3, "A", "2C 3C 4C 5C")) == "A: 4C | B: 5C 2C | C: 3C"
    assert hands(dealt(3, "A", "2C 3C 4C 5C", direction="ccw")) == "A: 4C | B: 3C | C: 5C 2C"


def test_a_player_who_comes_first_may_hold_one_card_more() -> None:
    assert held(dealt(5, "A")) == [10, 11, 11, 10, 10]
    assert held(dealt(3, "A", direction="ccw")) == [17, 17, 18]
    assert held(dealt(8, "H")) == [7, 7, 7, 7, 6, 6, 6, 6]
    assert held(dealt(2, "B")) == [26, 26]


@pytest.mark.parametrize("seats", [-1, 0, 1, 9])
def test_a_house_of_two_to_eight_deals_to_nobody_else(seats: int) -> None:
    with pytest.raises(RulesError) as caught:
        deal(house(), seats, 0, no_draw)
    assert caught.value.problems == (f"{seats} players: these rules are for 2 to 8",)


def test_a_house_for_few_deals_to_few() -> None:
    assert len(deal(house(max_players=3), 3, 0, Random(1).randrange).hands) == 3
    with pytest.raises(RulesError, match="4 players: these rules are for 2 to 3"):
        deal(house(max_players=3), 4, 0, no_draw)


def test_a_game_begins_with_an_empty_table() -> None:
    game = dealt(2, "A")
    assert pile(game) == ""
    assert (game.last, game.n, game.version, game.winner) == (None, 0, 1, None)
    assert game.seat_states == (SeatState(), SeatState())


def test_stacks_are_cut_for_the_players_in_turn_and_the_last_is_the_dealers() -> None:
    assert hands(dealt(3, "A", "2C 3C 4C 5C 6C 7C 8C", deal="stacks")) == "A: 7C 8C | B: 2C 3C 4C | C: 5C 6C"
    assert hands(dealt(3, "A", "2C 3C 4C 5C", deal="stacks", direction="ccw")) == "A: 5C | B: 4C | C: 2C 3C"


def test_what_cannot_be_dealt_evenly_may_begin_the_pile_where_it_lies_dead() -> None:
    game = dealt(3, "C", "2C 3C 4C 5C 6C", remainder="pile")
    assert hands(game) == "A: 2C | B: 3C | C: 4C"
    assert [(str(laid.card), laid.state) for laid in game.pile] == [("5C", "dead"), ("6C", "dead")]
    assert told(game, "A!") == ["A slaps wrong", "A burns 2C"]


def test_jokers_may_make_the_deal_come_out_even() -> None:
    dealt_ = deal(house(remainder="jokers"), 5, 0, Random(1).randrange)
    assert [len(hand) for hand in dealt_.hands] == [11] * 5
    assert Counter(card for hand in dealt_.hands for card in hand if card in JOKERS) == {JOKERS[1]: 2, JOKERS[0]: 1}


@pytest.mark.parametrize(("seats", "of"), [(2, 52), (6, 52), (7, 104), (12, 104), (13, 156)])
def test_there_is_one_deck_for_each_started_six_players(seats: int, of: int) -> None:
    rules = house(decks="auto", max_players=0)
    assert sum(map(len, deal(rules, seats, 0, Random(1).randrange).hands)) == of


def test_nobody_is_dealt_no_card() -> None:
    with pytest.raises(RulesError, match="49 players: these rules have only 48 cards for them"):
        deal(house(pack="pinochle", max_players=0), 49, 0, no_draw)


@pytest.mark.parametrize("shuffle", ["uniform", "riffle7"])
def test_the_deck_is_shuffled_before_it_is_dealt(shuffle: str) -> None:
    rules = house(shuffle=shuffle)
    one, same, other = (deal(rules, 4, 0, Random(seed).randrange) for seed in (1, 1, 2))
    assert one == same != other
    assert one != deal_out(rules, PACK, 4, 0)
    assert sorted(card for hand in one.hands for card in hand) == list(PACK)


@given(decks(), st.integers(2, 8), st.integers(0, 7), st.sampled_from(["cw", "ccw"]))
def test_the_whole_deck_is_dealt_and_evenly(deck: Hand, seats: int, dealer: int, direction: str) -> None:
    event = deal_out(house(direction=direction), deck, seats, dealer % seats)
    held = list(map(len, event.hands))
    assert sorted(card for hand in event.hands for card in hand) == sorted(deck)
    assert max(held) - min(held) <= 1
    assert held[event.standing.turn] == max(held)
    assert held[dealer % seats] == min(held)
