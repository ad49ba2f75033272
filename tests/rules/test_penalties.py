"""What a wrong slap costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.rules.house import Rules
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Fine
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import houses


def burning(**choice: Any) -> Rules:
    """A house that burns cards for a wrong slap."""
    return house(wrong_slap={"kind": "burn", **choice})


def striking(**choice: Any) -> Rules:
    """A house that gives strikes to who has no cards."""
    return house(no_cards={"kind": "strikes", **choice})


def test_classic_burns_one_card_to_the_bottom() -> None:
    assert house().fine(held=5, strikes=0) == Fine(burn=1, place="bottom", strike=False, barred=False)


def test_a_burn_costs_as_many_cards_as_the_house_says() -> None:
    assert burning(count=3).fine(held=5, strikes=0).burn == 3


def test_nobody_burns_more_cards_than_he_has() -> None:
    assert [burning(count=3).fine(held, 0).burn for held in (1, 2, 3, 4)] == [1, 2, 3, 3]


def test_without_a_number_one_card_is_burned() -> None:
    assert burning().fine(held=5, strikes=0) == Fine(burn=1)


def test_classic_gives_a_strike_to_who_has_no_cards() -> None:
    assert house().fine(held=0, strikes=0) == Fine(burn=0, strike=True, barred=False)


def test_with_the_third_strike_classic_bars() -> None:
    assert [house().fine(0, strikes).barred for strikes in range(5)] == [False, False, True, True, True]


def test_a_house_bars_after_as_many_strikes_as_it_says() -> None:
    assert [striking(limit=1).fine(0, strikes).barred for strikes in range(2)] == [True, True]
    assert [striking(limit=2).fine(0, strikes).barred for strikes in range(2)] == [False, True]
    assert [striking().fine(0, strikes).barred for strikes in range(3)] == [False, False, True]


def test_old_strikes_cost_nothing_while_there_are_cards() -> None:
    assert house().fine(held=1, strikes=2) == Fine(burn=1)


@pytest.mark.parametrize("penalty", [*WRONG_SLAP.values(), *NO_CARDS.values()])
def test_a_penalty_says_what_it_is(penalty: Any) -> None:
    assert penalty.__doc__.strip()[0].isupper()


@given(houses(), st.integers(0, 9), st.integers(0, 9))
def test_no_penalty_costs_cards_that_are_not_there(rules: Rules, held: int, strikes: int) -> None:
    assert 0 <= rules.fine(held, strikes).burn <= held
