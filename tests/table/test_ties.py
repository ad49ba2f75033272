"""Slaps at the same time: won by the first, by the most fingers, by none, or as the rules' judge decides."""

from __future__ import annotations

import pytest

from ratscrew.table.record.messages import Countdown, Late, TurnCancelled
from ratscrew.table.session.slap_tracker import SlapContact
from tests.table.driver import LiveTable, at_table
from tests.table.looks import clock, hands, pile, refused, where

UNTOUCHED = "2C 5D | 4H 6D | 9D KC 7D"
ANA_HAS_IT = "2C 5D 9S 9H | 4H 6D | 9D KC 7D"
CY_HAS_IT = "2C 5D | 4H 6D | 9D KC 7D 9S 9H"


def nines(tie: str) -> LiveTable:
    """Two nines lie there, and it is Cy's turn."""
    window = ";tie_window_ms=30" if tie != "earliest" else ""
    house = f"1;classic;tie={tie}{window};contest_ms=3000;turn_ms=5000"
    live = at_table("Ana: 9S 2C 5D | Bo: 9H 4H 6D | Cy: 9D KC 7D", house=house)
    live.turn(0, 1)
    return live


def together(live: LiveTable, fingers: tuple[int, int] = (1, 1), apart_ms: int = 20) -> LiveTable:
    """Ana's hand comes down, and then Cy's; and the race is over."""
    live.slap(0, after_ms=400, palm=SlapContact(fingers[0]))
    live.slap(2, after_ms=400 + apart_ms, palm=SlapContact(fingers[1]))
    live.until(live.shown_us + 450_000)
    return live


# The window


@pytest.mark.parametrize("tie", ["contact", "void", "judge"])
def test_a_verdict_waits_as_long_as_another_hand_could_come_down_together_with_the_first(tie: str) -> None:
    live = nines(tie)
    live.slap(0, after_ms=400)
    live.until(live.shown_us + 429_999)
    assert pile(live) == "9S 9H"
    live.until(live.shown_us + 430_000)
    assert hands(live) == ANA_HAS_IT


@pytest.mark.parametrize("tie", ["contact", "void", "judge"])
def test_a_hand_that_comes_down_later_than_that_is_late(tie: str) -> None:
    live = together(nines(tie), fingers=(1, 5), apart_ms=31)
    assert hands(live) == ANA_HAS_IT
    assert [late.seat for late in live.heard(Late)] == [2]


def test_once_every_hand_is_down_nobody_waits() -> None:
    live = nines("void")
    for seat, ms in ((0, 400), (1, 405), (2, 410)):
        live.slap(seat, after_ms=ms)
    assert live.told[-1] == "Voided seats=(0, 1, 2)"


def test_the_window_waits_for_the_hand_of_somebody_far_away() -> None:
    """Cy's hand is 100 ms under way: the last that could tie with Ana's at 400 comes at 530."""
    live = nines("void")
    live.far(2, 200)
    live.slap(0, after_ms=400)
    live.until(live.shown_us + 529_000)
    assert pile(live) == "9S 9H"
    live.until(live.shown_us + 530_000)
    assert hands(live) == ANA_HAS_IT


@pytest.mark.parametrize(("arrives_ms", "after"), [(525, UNTOUCHED), (495, UNTOUCHED), (460, CY_HAS_IT)])
def test_a_hand_from_far_away_ties_or_wins_by_when_it_came_down(arrives_ms: int, after: str) -> None:
    live = nines("void")
    live.far(2, 200)
    live.slap(0, after_ms=400)
    live.slap(2, after_ms=arrives_ms)
    live.pass_ms(200)
    assert hands(live) == after


def test_where_the_earliest_wins_nobody_waits_and_fingers_do_not_count() -> None:
    live = nines("earliest")
    live.slap(0, after_ms=400)
    assert hands(live) == ANA_HAS_IT
    assert hands(together(nines("earliest"), (1, 5), apart_ms=2)) == ANA_HAS_IT


# Contact


@pytest.mark.parametrize(
    ("fingers", "after"), [((1, 3), CY_HAS_IT), ((2, 5), CY_HAS_IT), ((3, 1), ANA_HAS_IT), ((2, 2), ANA_HAS_IT)]
)
def test_of_hands_together_the_one_with_most_fingers_wins_and_of_equal_ones_the_first(
    fingers: tuple[int, int], after: str
) -> None:
    live = together(nines("contact"), fingers)
    assert (where(live)[:4], hands(live)) == ("play", after)


# Nobody


def test_hands_together_count_for_nothing_and_play_goes_on() -> None:
    live = together(nines("void"))
    assert live.told[-1] == "Voided seats=(0, 2)"
    assert (where(live), pile(live), hands(live)) == ("play 2", "9S 9H", UNTOUCHED)
    assert clock(live)
    live.turn(2)
    assert pile(live) == "9S 9H 9D"


def test_whoever_slaps_it_afterwards_is_late_and_pays_nothing() -> None:
    live = together(nines("void"))
    live.slap(1, after_ms=600)
    assert [late.seat for late in live.heard(Late)] == [1]
    assert (pile(live), hands(live)) == ("9S 9H", UNTOUCHED)


def test_the_next_card_can_be_slapped_again() -> None:
    live = together(nines("void"))
    live.turn(2)
    live.slap(0, after_ms=400)
    live.pass_ms(30)
    assert hands(live) == "2C 5D 9S 9H 9D | 4H 6D | KC 7D"


def test_whose_card_was_on_its_way_has_his_turn_again() -> None:
    live = nines("void")
    live.pass_ms(390)
    live.play(2)
    together(live)
    assert live.heard(TurnCancelled) == [TurnCancelled(2)]
    assert (where(live), pile(live)) == ("play 2", "9S 9H")
    live.pass_ms(5000)
    live.pass_ms(200)
    assert pile(live) == "9S 9H 9D"


# A human judge


def test_the_house_has_a_judge_and_who_is_not_in_the_tie_names_the_first() -> None:
    live = together(nines("judge"))
    assert live.told[-1] == "Tied seats=(0, 2)"
    assert where(live) == "tie 0"
    live.do(1, "award", target=2)
    assert (where(live), hands(live)) == ("play 2", CY_HAS_IT)


@pytest.mark.parametrize("seat", [0, 2])
def test_who_is_in_the_tie_does_not_judge_it(seat: int) -> None:
    live = together(nines("judge"))
    live.do(seat, "award", target=2)
    assert (where(live), refused(live)) == ("tie 0", ["not_yours"])


@pytest.mark.parametrize("target", [1, 9, None])
def test_only_a_tied_hand_can_have_been_the_first(target: int | None) -> None:
    live = together(nines("judge"))
    live.do(1, "award", target=target)
    assert (where(live), refused(live)) == ("tie 0", ["not_playing"])


def test_if_nobody_judges_the_first_to_arrive_has_it_by_the_clock() -> None:
    live = together(nines("judge"))
    assert live.heard(Countdown)[-1] == Countdown(0, "tie", 3000)
    live.until(live.shown_us + 3_429_000)
    assert where(live) == "tie 0"
    live.until(live.shown_us + 3_431_000)
    assert (where(live), hands(live)) == ("play 0", ANA_HAS_IT)


def test_somebody_who_looks_on_may_judge() -> None:
    live = nines("judge")
    dee = live.join("Dee")
    together(live)
    live.do(dee, "award", target=2)
    assert where(live) == "play 2"


def test_while_a_tie_is_judged_nobody_plays_and_a_hand_costs_nothing() -> None:
    live = together(nines("judge"))
    live.play(2)
    live.slap(1)
    assert (where(live), pile(live), hands(live)) == ("tie 0", "9S 9H", UNTOUCHED)
    assert [late.seat for late in live.heard(Late)] == [1]
