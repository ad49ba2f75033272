"""What a wrong slap costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as trial
from hypothesis import strategies as st

from ratscrew.rules.house import Rules
from ratscrew.rules.penalties import (
    NO_CARDS,
    WRONG_SLAP,
    Burn,
    BurnHand,
    Consequence,
    Give,
    Lock,
    Offence,
    Owe,
    PileToLast,
    Strike,
)
from ratscrew.rules.presets import house
from ratscrew.testing.house_strategies import houses


def cost(held: int = 5, strikes: int = 0, fouls: int = 0, /, **options: Any) -> list[Consequence]:
    """What a wrong slap costs in a house."""
    return house(**options).penalty_for(Offence(held, strikes, fouls))


def test_classic_burns_one_card_under_the_pile() -> None:
    assert cost() == [Burn(1, "bottom")]


def test_a_burn_costs_as_many_cards_as_the_house_says_and_goes_where_it_says() -> None:
    assert cost(wrong_slap={"kind": "burn", "count": 3, "place": "top"}) == [Burn(3, "top")]


def test_a_burn_may_cost_one_card_more_each_time() -> None:
    rising = {"kind": "burn", "count": 2, "escalate": True}
    assert [cost(5, 0, fouls, wrong_slap=rising) for fouls in range(3)] == [
        [Burn(2, "bottom")],
        [Burn(3, "bottom")],
        [Burn(4, "bottom")],
    ]
    assert cost(5, 0, 7) == [Burn(1, "bottom")]


@pytest.mark.parametrize(
    ("choice", "consequences"),
    [
        ({"kind": "pile_to_last"}, [PileToLast(literal=False)]),
        ({"kind": "pile_to_last", "after_fail": "literal"}, [PileToLast(literal=True)]),
        ({"kind": "give"}, [Give("last_player")]),
        ({"kind": "give", "to": "everybody"}, [Give("everybody")]),
        ({"kind": "lockout"}, [Lock("pile")]),
        ({"kind": "lockout", "until": 5}, [Lock(5)]),
        ({"kind": "none"}, []),
    ],
)
def test_a_house_may_choose_another_penalty(choice: dict[str, Any], consequences: list[Consequence]) -> None:
    assert cost(wrong_slap=choice) == consequences


@pytest.mark.parametrize(
    ("choice", "consequences"),
    [({"kind": "ignore"}, []), ({"kind": "burn_hand"}, [BurnHand()]), ({"kind": "debt"}, [Owe(1)])],
)
def test_a_player_who_has_no_cards_pays_as_the_house_says(
    choice: dict[str, Any], consequences: list[Consequence]
) -> None:
    assert cost(0, no_cards=choice) == consequences
    assert cost(1, no_cards=choice) == [Burn(1, "bottom")]


def test_without_cards_the_third_strike_of_classic_bars() -> None:
    assert [cost(0, strikes) for strikes in range(4)] == [
        [Strike()],
        [Strike()],
        [Strike(), Lock("game")],
        [Strike(), Lock("game")],
    ]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_house_bars_with_as_many_strikes_as_it_says(limit: int) -> None:
    given_ = [cost(0, strikes, no_cards={"kind": "strikes", "limit": limit}) for strikes in range(limit)]
    assert given_ == [[Strike()]] * (limit - 1) + [[Strike(), Lock("game")]]


def test_old_strikes_cost_nothing_while_there_are_cards() -> None:
    assert cost(1, 2) == [Burn(1, "bottom")]


@pytest.mark.parametrize("penalty", [*WRONG_SLAP.values(), *NO_CARDS.values()])
def test_a_penalty_says_what_it_is(penalty: Any) -> None:
    first = penalty.__doc__.partition("\n")[0]
    assert first[0].isupper()
    assert first.endswith(".")


@trial(max_examples=40, deadline=None)
@given(houses(), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_every_house_knows_what_any_wrong_slap_costs(rules: Rules, held: int, strikes: int, fouls: int) -> None:
    burned = [paid.count for paid in rules.penalty_for(Offence(held, strikes, fouls)) if isinstance(paid, Burn)]
    assert burned == ([] if rules.wrong_slap["kind"] != "burn" or not held else burned[:1])
    assert all(count >= rules.wrong_slap["count"] for count in burned)
