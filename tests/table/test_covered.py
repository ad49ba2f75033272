"""Slaps of the card before the newest: a hand that was down before the next reveal, and a frame, has slapped it.

Ana's nine is card 1, Bo's nine on it card 2, and Cy's card 3 covers them 500 ms later. Di is `FAR` away, so
that Di's slaps arrive 50 ms after they were made.
"""

from __future__ import annotations

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.game.events import Withdrawn
from ratscrew.judge.credit import Credit
from ratscrew.table.record.messages import Countdown, Late, TurnCancelled
from tests.table.driver import LiveTable, at_table, change_seat, last
from tests.table.looks import clock, hands, pile, refused, where
from tests.table.pages import at_ms, hits, paints, presses, verdict_ms, wait

FAR = 100


def covered(bo: str = "9H", cy: str = "7H", *, ana_ms: float = 0, **options: object) -> LiveTable:
    """Cy's card is being revealed."""
    live = at_table(f"Ana: 9S 2C 4H | Bo: {bo} 3H 5H | Cy: {cy} KC | Di: 8H 8S", **options)  # type: ignore[arg-type]
    live.far(3, FAR)
    live.far(0, ana_ms)
    live.turn(0, 1, 2)
    assert live.shown_us == at_ms(live, 500, n=2)
    return live


def slap_double(live: LiveTable, came_down_ms: float) -> None:
    """Di's slap of the double, made so long after its reveal, arrives."""
    wait(live, came_down_ms + FAR / 2, n=2)
    live.slap(3, n=2)


# In time


def test_a_slap_at_the_card_before_takes_the_newest_one_back() -> None:
    live = covered()
    slap_double(live, 480)
    assert live.told[-3] == "double on 2: 3 480"
    assert live.told[-1] == "3 takes 2: slap:double"
    (back,) = [entry.event for entry in live.entries if isinstance(entry.event, Withdrawn)]
    assert (back.seat, back.standing.turn) == (2, 2)
    assert verdict_ms(live) == 530  # all others are near, and could not win any more
    assert (hands(live), pile(live)) == ("2C 4H | 3H 5H | KC 7H | 8H 8S 9S 9H", "")  # under Cy's hand
    assert where(live) == "play 3"


@pytest.mark.parametrize(("came_down_ms", "in_time"), [(500, True), (516.999, True), (517, False), (560, False)])
def test_it_is_in_time_until_a_frame_after_the_next_one_was_to_be_seen(came_down_ms: float, in_time: bool) -> None:
    live = covered()
    slap_double(live, came_down_ms)
    assert (live.told[-1] == "3 takes 2: slap:double") is in_time
    assert live.heard(Late) == ([] if in_time else [Late(3, 2, round(came_down_ms * 1000))])


def test_what_counts_is_when_it_came_down_by_the_page_and_its_credit() -> None:
    """It comes at 580, which would be 530; it is stamped 505, and 25 more are free."""
    live = covered()
    change_seat(live.table, 3, credit=Credit(purse_us=0))
    paints(live, 3, n=2)
    wait(live, 580, n=2)
    presses(live, 3, 505, n=2)
    assert live.told[-3] == "double on 2: 3 505"


def test_it_is_in_time_too_when_the_next_one_is_turned_and_not_to_be_seen_yet() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Cy: 7H KC | Di: 8H")
    live.turn(0, 1)
    live.play(2)
    wait(live, 490, n=2)
    assert live.game.n == 3
    live.slap(3, n=2)
    assert (live.told[-1], hands(live)) == ("3 takes 2: slap:double", "2C | 3H | KC 7H | 8H 9S 9H")


def test_whoever_has_it_leads_with_his_whole_time_and_no_number_is_used_twice() -> None:
    live = covered()
    slap_double(live, 480)
    assert clock(live) == Countdown(3, "turn", 7999)  # the verdict waited for no player, and 1 ms has passed since
    live.turn(3)
    assert (live.game.n, pile(live)) == (4, "8H")


# Wrong, late, or too much


def test_a_wrong_one_costs_a_card_and_the_newest_stays() -> None:
    live = covered(bo="TH")
    before = where(live)
    slap_double(live, 480)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 8H"]
    assert (pile(live), where(live)) == ("8H* 9S TH 7H", before)


def test_a_wrong_one_that_came_too_late_costs_nothing() -> None:
    live = covered(bo="TH")
    slap_double(live, 520)
    assert (live.told[-1], live.heard(Late)) == ("2 turns 7H", [Late(3, 2, 520_000)])


def test_after_a_wrong_one_another_may_still_be_right_at_the_newest() -> None:
    """Ten on nine is no pattern, and Cy's ten on it a double: Di slaps the first wrongly, and Bo has the second."""
    live = covered(bo="TH", cy="TD")
    slap_double(live, 480)
    live.slap(1, after_ms=200)
    wait(live, 251, n=3)
    assert live.told[-2:] == ["double on 3: 1 200", "1 takes 4: slap:double"]


def test_a_race_for_the_newest_is_dropped_for_it_and_its_hands_cost_nothing() -> None:
    """Cy's card is a third nine. Bo's slap of 190 waits for Ana, 400 away, when Di's arrives, from as far."""
    live = at_table("Ana: 9S 2C | Bo: 9H 3H 5H | Cy: 9D KC | Di: 8H 8S")
    for seat in (0, 3):
        live.far(seat, 400)
    live.turn(0, 1, 2)
    change_seat(live.table, 1, credit=(before := Credit(purse_us=7_000)))
    paints(live, 1)
    wait(live, 200, n=3)
    presses(live, 1, 190)
    wait(live, 510 + 200, n=2)
    live.slap(3, n=2)
    assert (live.told[-3], live.told[-1]) == ("double on 2: 3 510", "3 takes 2: slap:double")
    assert verdict_ms(live) == 510 + 1 + 200
    assert hands(live) == "2C | 3H 5H | KC 9D | 8H 8S 9S 9H"
    assert live.table.seats[1].credit == before


def test_who_slaps_the_newest_during_such_a_race_is_late() -> None:
    """Di's hand waits for Ana until 480 + 1 + 200: at 680, which is 180 on card 3, nobody can know better."""
    live = covered(cy="9D", ana_ms=400)
    slap_double(live, 480)
    wait(live, 180, n=3)
    assert last(live.slap(1)) == Late(1, 3, 180_000)
    live.pass_ms(1000)
    assert live.told[-1] == "3 takes 2: slap:double"


def test_only_the_card_before_the_newest_can_be_slapped_so() -> None:
    live = covered()
    live.turn(3)
    live.slap(3, n=2)
    assert refused(live) == ["too_late"]


# Bots


@pytest.mark.parametrize(("slap_ms", "held", "hand"), [(466, [TurnCancelled(2)], "7H KC"), (468, [], "KC 7H")])
def test_a_bots_hand_is_in_time_like_anybodys(slap_ms: int, held: list[TurnCancelled], hand: str) -> None:
    """Cy's card is turned at 500 - 23 - 10: until then it goes back to the hand, later it stays, under the slap."""
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Cy: 7H KC | Thoth*: 8H", plan=Plan(slap_us=slap_ms * 1000))
    live.turn(0, 1)
    live.play(2)
    live.pass_ms(600)
    assert (live.told[-1], live.heard(TurnCancelled)) == ("3 takes 2: slap:double", held)
    assert hands(live) == f"2C | 3H | {hand} | 8H 9S 9H"


# Hands that were moving


@pytest.mark.parametrize(("ms", "counts"), [(149.999, False), (150, True)])
@pytest.mark.parametrize("late_ms", [0, 40])
def test_a_hand_within_150_ms_of_the_newest_by_its_own_page_is_no_slap_at_it(
    ms: float, counts: bool, late_ms: float
) -> None:
    """The page painted the card so late; the time of arrival does not matter: by it the slap would be 300."""
    live = covered(cy="9D")
    paints(live, 3, late_ms)
    wait(live, 350)
    presses(live, 3, late_ms + ms)
    assert refused(live) == ([] if counts else ["moving"])
    assert (live.told[-1] == "3 takes 3: slap:double") is counts


@pytest.mark.parametrize(("ms", "told"), [(149.999, "2 turns 7H"), (150, "0 burns 2C")])
def test_without_stamps_it_goes_by_when_it_came(ms: float, told: str) -> None:
    live = covered()
    wait(live, ms)
    live.slap(0, n=3)
    assert live.told[-1] == told


def test_a_hand_that_was_moving_costs_nothing_and_its_owner_may_slap_again() -> None:
    live = covered(cy="9D")
    before = live.table.seats[3].credit
    paints(live, 3)
    wait(live, 150)
    presses(live, 3, 100)
    presses(live, 3, 120)
    assert (refused(live), hits(live), live.table.seats[3].credit) == (["moving", "moving"], [], before)
    wait(live, 250)
    presses(live, 3, 200)
    assert live.told[-2:] == ["double on 3: 3 200", "3 takes 3: slap:double"]
