"""Honour: a slap or a taking is a claim, and for a while any player who holds a card may contest it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ratscrew.table.record.messages import Countdown, Late, TurnCancelled
from tests.table.driver import LiveTable, at_table
from tests.table.looks import awake, clock, hands, pile, refused, where

HONOUR = "1;classic;judge=honour;contest_ms=3000;turn_ms=5000"


def nines(bo: str = "Bo") -> LiveTable:
    """Two nines lie there: a slap is right."""
    live = at_table(f"Ana: 9S 2C 5D | {bo}: 9H 4H 6D | Cy: KC 3D 7D", house=HONOUR)
    live.turn(0, 1)
    return live


def nothing(ana: str = "Ana") -> LiveTable:
    """A nine and a three: a slap is wrong."""
    live = at_table(f"{ana}: 9S 2C 5D | Bo: 3H 4H 6D | Cy: KC 3D 7D", house=HONOUR)
    live.turn(0, 1)
    return live


def won() -> LiveTable:
    """Ana's jack has not been answered."""
    live = at_table("Ana: JS 2C 5D | Bo: 3H 4H 6D | Cy: KC 3D 7D", house=HONOUR)
    live.turn(0, 1)
    return live


# Slaps


def test_a_slap_is_a_claim_and_can_be_contested_for_a_while() -> None:
    live = nines()
    live.slap(2, after_ms=400)
    assert (where(live), pile(live)) == ("claim 2", "9S 9H")
    assert clock(live) == Countdown(2, "claim", 3000)
    live.pass_ms(2999)
    assert where(live) == "claim 2"
    live.pass_ms(1)
    assert (where(live), hands(live)) == ("play 2", "2C 5D | 4H 6D | KC 3D 7D 9S 9H")
    assert live.told[-1] == "2 takes 2: slap:double"


def test_a_false_slap_that_nobody_contests_takes_the_pile_all_the_same() -> None:
    live = nothing()
    live.slap(2, after_ms=400)
    live.pass_ms(3000)
    assert (where(live), hands(live)) == ("play 2", "2C 5D | 4H 6D | KC 3D 7D 9S 3H")


def test_who_claimed_falsely_gives_a_card_to_each_who_said_so_in_the_order_of_the_seats() -> None:
    live = nothing()
    live.slap(2, after_ms=400)
    live.pass_ms(500)
    live.do(1, "contest")
    live.do(0, "contest")
    live.pass_ms(2500)
    assert (where(live), pile(live), hands(live)) == ("play 2", "9S 3H", "2C 5D KC | 4H 6D 3D | 7D")


def test_who_contested_a_true_claim_gives_his_top_card_and_it_goes_under_the_pile() -> None:
    live = nines()
    live.slap(2, after_ms=400)
    live.pass_ms(500)
    live.do(1, "contest")
    live.pass_ms(2500)
    assert (where(live), hands(live)) == ("play 2", "2C 5D | 6D | KC 3D 7D 9S 9H 4H")


def test_a_contest_does_not_end_the_time_to_contest() -> None:
    live = nothing()
    live.slap(2, after_ms=400)
    live.pass_ms(2000)
    live.do(0, "contest")
    live.pass_ms(999)
    assert where(live) == "claim 2"
    live.pass_ms(1)
    assert where(live) == "play 2"


@pytest.mark.parametrize(("who", "why"), [((2,), "not_yours"), ((0, 0), "twice"), ((1,), "no_cards")])
def test_a_claim_is_contested_once_by_who_did_not_make_it_and_holds_a_card(who: tuple[int, ...], why: str) -> None:
    live = at_table("Ana: 9S 2C | Bo: | Cy: 3H KC 3D", house=HONOUR)
    live.turn(0, 2)
    live.slap(2, after_ms=400)
    for seat in who:
        live.do(seat, "contest")
    assert refused(live) == [why]


def test_when_the_time_is_over_nobody_contests_any_more() -> None:
    live = nothing()
    live.slap(2, after_ms=400)
    live.pass_ms(3000)
    live.do(0, "contest")
    assert refused(live) == ["too_late"]


@pytest.mark.parametrize("lies", [nines, nothing])
def test_the_first_hand_makes_the_claim_true_or_false_and_the_others_none(lies: Callable[[], LiveTable]) -> None:
    live = lies()
    live.far(0, 200)
    live.slap(2, after_ms=400)
    live.slap(0, after_ms=460)  # came down after 360
    live.pass_ms(200)
    assert where(live) == "claim 0"
    assert live.game.claim
    assert live.game.claim.contesters == ()


def test_a_hand_that_comes_down_while_a_claim_stands_is_late_and_costs_nothing() -> None:
    live = nothing()
    live.slap(2, after_ms=400)
    live.slap(1, after_ms=700)
    assert [late.seat for late in live.heard(Late)] == [1]
    live.pass_ms(3000)
    assert hands(live) == "2C 5D | 4H 6D | KC 3D 7D 9S 3H"


def test_a_card_on_its_way_goes_back_and_its_owner_has_a_whole_turn_once_the_claim_has_fallen() -> None:
    live = nothing()
    live.pass_ms(400)
    live.play(2)
    live.slap(1, after_ms=450)
    assert live.heard(TurnCancelled) == [TurnCancelled(2)]
    live.do(0, "contest")
    live.pass_ms(3000)
    assert (where(live), pile(live)) == ("play 2", "9S 3H")
    assert clock(live) == Countdown(2, "turn", 5000)
    live.turn(2)
    assert pile(live) == "9S 3H KC"


def test_nobody_turns_a_card_while_a_claim_stands() -> None:
    live = nothing()
    live.slap(1, after_ms=400)
    live.play(2)
    live.pass_ms(1000)
    assert (where(live), pile(live)) == ("claim 1", "9S 3H")


def test_a_bot_contests_what_it_sees_to_be_false() -> None:
    live = awake(nothing("Thoth*"), 0)
    live.slap(1, after_ms=200)
    live.pass_ms(699)
    assert live.told[-1].startswith("Claimed")
    live.pass_ms(1)
    assert live.told[-1] == "Contested seat=0"


def test_a_bot_lets_a_true_claim_stand() -> None:
    live = awake(nines("Thoth*"), 1)
    live.slap(0, after_ms=200)
    live.pass_ms(3000)
    assert live.told[-1] == "0 takes 2: slap:double"
    assert hands(live).endswith("4H 6D | KC 3D 7D")


def test_a_bots_slap_is_a_claim_like_any_other() -> None:
    live = at_table("Ana: 9S 2C 5D | Thoth*: 9H 4H 6D | Cy: KC 3D 7D", house=HONOUR)
    live.turn(0)
    awake(live, 1)
    live.play(1)
    live.pass_ms(501)
    assert pile(live) == "9S 9H"
    live.pass_ms(300)
    assert where(live) == "claim 1"


# Takings


def test_who_has_won_the_pile_claims_it_or_it_comes_to_him() -> None:
    claimed, waited = won(), won()
    claimed.pass_ms(600)
    claimed.do(0, "collect")
    assert where(claimed) == "claim 0"
    claimed.pass_ms(3000)
    waited.pass_ms(1500)
    for live in (claimed, waited):
        assert (where(live), hands(live)) == ("play 0", "2C 5D JS 3H | 4H 6D | KC 3D 7D")
        assert live.told[-1] == "0 takes 2: challenge"


def test_who_takes_what_is_not_his_gives_a_card_for_it_if_somebody_says_so() -> None:
    live = won()
    live.pass_ms(600)
    live.do(1, "collect")
    live.do(0, "contest")
    live.pass_ms(3000)
    assert (where(live), pile(live), hands(live)) == ("won 0", "JS 3H", "2C 5D 4H | 6D | KC 3D 7D")
    live.pass_ms(1500)
    assert where(live) == "play 0"


def test_who_takes_what_is_not_his_has_it_if_nobody_says_so() -> None:
    live = won()
    live.pass_ms(600)
    live.do(1, "collect")
    live.pass_ms(3000)
    assert (where(live), hands(live)) == ("play 1", "2C 5D | 4H 6D JS 3H | KC 3D 7D")


def test_where_the_judge_judges_there_is_nothing_to_contest() -> None:
    live = at_table("Ana: 9S 2C | Bo: 3H 4H", house="1;classic")
    live.turn(0, 1)
    live.do(0, "contest")
    assert refused(live) == ["too_late"]
