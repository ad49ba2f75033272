"""Cards, packs and piles as ints and as text; shuffling and dealing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import JOKERS, NAMES, PACK, Card, Draw, Hand, Laid, Pile, cards, deal, pile, shuffle, text
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


def test_every_card_reads_its_own_name() -> None:
    every = (*PACK, *JOKERS)
    assert [Card.parse(str(card)) for card in every] == list(range(54))
    assert len({str(card) for card in every}) == 54
    assert tuple(map(str, every)) == NAMES


@pytest.mark.parametrize("name", ["", "7", "7h", "10H", "1H", "7X", "H7", "JK", "7H ", "7H*", "JKX"])
def test_a_text_that_names_no_card_is_told_what_would(name: str) -> None:
    with pytest.raises(CardError, match=r"is no card: write a rank \(2-9 T J Q K A\) and a suit \(C D H S\)") as caught:
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
    assert pile("8C* QS JKB*") == (Laid(Card(24), False), Laid(Card(43), True), Laid(Card(52), False))
    assert text(pile("8C* QS")) == "8C* QS"


@pytest.mark.parametrize("wrong", ["8C QX*", "*", "8C**", "* 8C"])
def test_a_pile_with_a_wrong_card_is_refused(wrong: str) -> None:
    with pytest.raises(CardError):
        pile(wrong)


def test_a_hand_has_no_burned_cards() -> None:
    with pytest.raises(CardError, match=r"'8C\*' is no card"):
        cards("QS 8C*")


@given(decks(min_size=0))
def test_cards_as_text_read_back(some: Hand) -> None:
    assert cards(text(some)) == some


@given(piles())
def test_a_pile_as_text_reads_back(some: Pile) -> None:
    assert pile(text(some)) == some


def replaying(draws: Iterable[int]) -> Draw:
    """Draws that were made before, one after the other."""
    left = iter(draws)
    return lambda n: next(left)


def test_a_shuffle_can_give_every_order_and_each_as_often() -> None:
    deck = cards("2C 3C 4C 5C")
    found = Counter(shuffle(deck, replaying(draws)) for draws in product(range(4), range(3), range(2)))
    assert len(found) == 24
    assert set(found.values()) == {1}


def test_a_shuffle_draws_among_the_cards_that_are_left() -> None:
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return n - 1

    assert shuffle(PACK, draw) == PACK
    assert asked == list(range(52, 1, -1))


def test_a_shuffle_leaves_the_deck_as_it_was() -> None:
    deck = list(cards("2C 3C 4C"))
    assert shuffle(deck, lambda n: 0) == tuple(cards("3C 4C 2C"))
    assert deck == list(cards("2C 3C 4C"))


@given(decks(min_size=0), st.randoms(use_true_random=False))
def test_a_shuffle_loses_no_card(deck: Hand, chance: Random) -> None:
    assert sorted(shuffle(deck, chance.randrange)) == sorted(deck)


@given(decks(), st.integers(2, 8), st.data(), st.sampled_from([1, -1]))
def test_a_deal_goes_round_card_by_card_from_the_dealers_side(
    deck: Hand, seats: int, data: st.DataObject, step: int
) -> None:
    dealer = data.draw(st.integers(0, seats - 1))
    hands: list[list[Card]] = [[] for _ in range(seats)]
    seat = dealer
    for card in deck:
        seat = (seat + step) % seats
        hands[seat].insert(0, card)
    assert deal(deck, seats, dealer, step) == tuple(map(tuple, hands))
