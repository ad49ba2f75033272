"""Cards, packs and piles as ints and as text."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given

from ratscrew.cards import JOKERS, NAMES, PACK, Card, CardState, Hand, Pile, PileCard, cards, full_deck, pile, text
from ratscrew.errors import CardError, RatscrewError
from ratscrew.testing.strategies import decks, piles


def test_a_pack_has_four_suits_of_thirteen_ranks() -> None:
    assert Counter(card.rank for card in PACK) == dict.fromkeys(range(13), 4)
    assert Counter(card.suit for card in PACK) == dict.fromkeys(range(4), 13)


@pytest.mark.parametrize(
    ("name", "number", "rank", "suit"),
    [("2C", 0, 0, 0), ("2S", 3, 0, 3), ("7H", 22, 5, 2), ("TD", 33, 8, 1), ("AS", 51, 12, 3)],
)
def test_a_card_is_an_int_that_knows_its_name_rank_and_suit(name: str, number: int, rank: int, suit: int) -> None:
    card = Card.parse(name)
    assert (card, str(card), repr(card), card.rank, card.suit) == (number, name, name, rank, suit)


def test_jokers_have_a_rank_and_no_suit() -> None:
    assert [(str(card), card.rank, card.suit) for card in JOKERS] == [("JKB", 13, 4), ("JKR", 13, 4)]


def test_clubs_and_spades_are_black_diamonds_and_hearts_red_and_jokers_neither() -> None:
    assert [Card.parse(name).colour for name in ("7C", "7D", "7H", "7S", "JKB", "JKR")] == [0, 1, 1, 0, 2, 2]


def test_every_card_reads_its_own_name() -> None:
    every = (*PACK, *JOKERS)
    assert [Card.parse(str(card)) for card in every] == list(range(54))
    assert len({str(card) for card in every}) == 54
    assert tuple(map(str, every)) == NAMES


@pytest.mark.parametrize("name", ["", "7", "7h", "10H", "1H", "7X", "H7", "JK", "7H ", "7H*", "JKX"])
def test_the_error_for_a_wrong_card_names_the_right_forms(name: str) -> None:
    with pytest.raises(CardError, match=r"not a card: write a rank \(2-9 T J Q K A\) and a suit \(C D H S\)") as caught:
        Card.parse(name)
    assert repr(name) in str(caught.value)
    assert isinstance(caught.value, RatscrewError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.__suppress_context__


def test_cards_are_written_with_spaces_between() -> None:
    assert cards("7H 2C JKR") == (22, 0, 53)
    assert cards("  7H \n 2C ") == (22, 0)
    assert cards("") == ()
    assert text(cards("7H 2C JKR")) == "7H 2C JKR"


def test_a_star_marks_a_burned_card_of_a_pile() -> None:
    assert pile("8C* QS JKB*") == (
        PileCard(Card(24), "burned"),
        PileCard(Card(43), "live"),
        PileCard(Card(52), "burned"),
    )
    assert text(pile("8C* QS")) == "8C* QS"


@pytest.mark.parametrize("wrong", ["8C QX*", "*", "8C**", "* 8C"])
def test_a_pile_with_a_wrong_card_is_refused(wrong: str) -> None:
    with pytest.raises(CardError):
        pile(wrong)


def test_a_hand_has_no_burned_cards() -> None:
    with pytest.raises(CardError, match=r"'8C\*' is not a card"):
        cards("QS 8C*")


@given(decks(min_size=0))
def test_cards_as_text_read_back(some: Hand) -> None:
    assert cards(text(some)) == some


@given(piles())
def test_a_pile_as_text_reads_back(some: Pile) -> None:
    back = pile(text(some))
    assert [laid.card for laid in back] == [laid.card for laid in some]
    assert [laid.live for laid in back] == [laid.live for laid in some]


def test_no_slap_may_use_a_burned_or_a_dead_card() -> None:
    assert [PileCard(Card(0), kind).live for kind in get_args(CardState)] == [True, False, False]
    assert [str(PileCard(Card(0), kind)) for kind in get_args(CardState)] == ["2C", "2C*", "2C*"]


def test_a_standard_deck_is_every_card_of_each_pack() -> None:
    assert full_deck("standard", 1, 0) == PACK
    assert Counter(full_deck("standard", 3, 0)) == dict.fromkeys(PACK, 3)


def test_a_pinochle_deck_has_nine_to_ace_twice() -> None:
    assert Counter(full_deck("pinochle", 1, 0)) == dict.fromkeys(PACK[28:], 2)
    assert len(full_deck("pinochle", 2, 0)) == 96


@pytest.mark.parametrize(("jokers", "names"), [(1, "JKR"), (2, "JKR JKB"), (3, "JKR JKB JKR")])
def test_jokers_come_red_and_black_by_turns(jokers: int, names: str) -> None:
    assert full_deck("standard", 1, jokers)[52:] == cards(names)
