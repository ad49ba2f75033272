"""Shuffling and dealing: every order equally likely, riffles as people do them, and where each card goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations
from math import comb, factorial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import PACK, Card, Hand, cards
from ratscrew.deck import Draw, deal_round, deal_stacks, riffle, shuffle
from ratscrew.game.recorded_shuffles import draws_for_order
from ratscrew.testing.strategies import decks

FOUR = cards("2C 3C 4C 5C")


def replaying(draws: Iterable[int]) -> Draw:
    """Draws that were made before, one after the other."""
    left = iter(draws)
    return lambda n: next(left)


class Unmade(Exception):
    """A draw of one of `n` that is still to be made."""

    def __init__(self, n: int) -> None:
        self.n = n


def chances(mix: Callable[[Draw], Hand]) -> dict[Hand, Fraction]:
    """The probability of each outcome, by enumeration of all draws."""
    found: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    open_ends: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_ends:
        draws, likely = open_ends.pop()
        left = iter(draws)

        def draw(n: int, left: Iterable[int] = left) -> int:
            for made in left:
                return made
            raise Unmade(n)

        try:
            found[mix(draw)] += likely
        except Unmade as unmade:
            open_ends += [((*draws, way), likely / unmade.n) for way in range(unmade.n)]
    return dict(found)


def rising_sequences(deck: Hand, order: Hand) -> int:
    """In how many runs through a shuffled deck its cards are picked up in their old order."""
    places = [order.index(card) for card in deck]
    return 1 + sum(later < earlier for earlier, later in pairwise(places))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_shuffle_gives_every_order_and_each_as_likely(size: int) -> None:
    deck = PACK[:size]
    assert chances(partial(shuffle, deck)) == {order: Fraction(1, factorial(size)) for order in permutations(deck)}


def test_a_shuffle_draws_among_the_cards_that_are_left() -> None:
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return n - 1

    assert shuffle(PACK, draw) == PACK
    assert asked == list(range(52, 1, -1))


def test_a_shuffle_leaves_the_deck_as_it_was() -> None:
    deck = list(cards("2C 3C 4C"))
    assert shuffle(deck, lambda n: 0) == cards("3C 4C 2C")
    assert deck == list(cards("2C 3C 4C"))


@given(decks(min_size=0), st.randoms(use_true_random=False))
def test_no_shuffle_loses_a_card(deck: Hand, chance: Random) -> None:
    assert sorted(shuffle(deck, chance.randrange)) == sorted(deck)
    assert sorted(riffle(deck, chance.randrange)) == sorted(deck)


@given(decks(min_size=0), st.randoms(use_true_random=False))
def test_the_draws_of_a_shuffle_follow_from_its_outcome(deck: Hand, chance: Random) -> None:
    twice = deck + deck[:3]
    mixed = shuffle(twice, chance.randrange)
    assert shuffle(twice, replaying(draws_for_order(twice, mixed))) == mixed


def test_other_cards_are_no_outcome_of_a_shuffle() -> None:
    with pytest.raises(ValueError, match="these are not the cards that were shuffled"):
        draws_for_order(FOUR, cards("2C 3C 4C 6C"))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_one_riffle_leaves_at_most_two_rising_sequences(size: int) -> None:
    """Of 2**n equally likely ways, n + 1 lead to the old order and one to each other order of two rising sequences."""
    deck = PACK[:size]
    likely = chances(partial(riffle, deck, times=1))
    orders = [order for order in permutations(deck) if rising_sequences(deck, order) <= 2]
    ways = {order: Fraction(size + 1 if order == deck else 1, 2**size) for order in orders}
    assert likely == ways
    assert len(likely) == 2**size - size


@pytest.mark.parametrize("times", [2, 3])
def test_riffles_are_as_likely_as_their_rising_sequences_say(times: int) -> None:
    """After k riffles an order of r rising sequences has the chance C(2**k + n - r, n) / 2**(k n).

    Source: Bayer and Diaconis, Trailing the dovetail shuffle to its lair, 1992.
    """
    deck = PACK[:3]
    ends = {
        order: Fraction(comb(2**times + 3 - rising_sequences(deck, order), 3), 2 ** (times * 3))
        for order in permutations(deck)
    }
    likely = {deck: Fraction(1)}
    for _ in range(times):
        after: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        for before, chance in likely.items():
            for order, more in chances(partial(riffle, before, times=1)).items():
                after[order] += chance * more
        likely = dict(after)
    assert likely == {order: chance for order, chance in ends.items() if chance}


def test_several_riffles_are_one_after_the_other() -> None:
    one, other = Random(3), Random(3)
    deck = PACK
    for _ in range(7):
        deck = riffle(deck, one.randrange, times=1)
    assert riffle(PACK, other.randrange) == deck


def test_cards_are_dealt_one_at_a_time_from_beside_the_dealer() -> None:
    seven = cards("2C 3C 4C 5C 6C 7C 8C")
    assert deal_round(seven, 3, 0) == (cards("7C 4C"), cards("8C 5C 2C"), cards("6C 3C"))
    assert deal_round(seven, 3, 0, step=-1) == (cards("7C 4C"), cards("6C 3C"), cards("8C 5C 2C"))


def test_stacks_are_cut_in_turn_and_the_dealers_is_the_last() -> None:
    seven = cards("2C 3C 4C 5C 6C 7C 8C")
    assert deal_stacks(seven, 3, 0) == (cards("7C 8C"), cards("2C 3C 4C"), cards("5C 6C"))
    assert deal_stacks(seven, 3, 1, step=-1) == (cards("2C 3C 4C"), cards("7C 8C"), cards("5C 6C"))


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
    assert deal_round(deck, seats, dealer, step) == tuple(map(tuple, hands))


@given(decks(), st.integers(2, 8), st.data(), st.sampled_from([1, -1]))
def test_stacks_are_about_equal_and_lie_in_the_order_of_the_deck(
    deck: Hand, seats: int, data: st.DataObject, step: int
) -> None:
    dealer = data.draw(st.integers(0, seats - 1))
    stacks = deal_stacks(deck, seats, dealer, step)
    in_turn = [stacks[(dealer + step * (k + 1)) % seats] for k in range(seats)]
    assert sum(in_turn, ()) == deck
    assert [len(stack) for stack in in_turn] == sorted(map(len, stacks), reverse=True)
    assert max(map(len, stacks)) - min(map(len, stacks)) <= 1
