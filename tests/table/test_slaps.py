"""Slaps at a table: right, wrong, late and refused ones."""

from __future__ import annotations

import msgspec
import pytest

from ratscrew.bots.bot import Plan
from ratscrew.errors import RefusalReason
from ratscrew.game.events import Slapped, Taken
from ratscrew.table.core.pause import RESUME_ALONE_US
from ratscrew.table.record.entries import Judged, LateSlap, Proof
from ratscrew.table.record.messages import Countdown, Late, Refused, TurnCancelled
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import SlapTracker
from tests.table.driver import LiveTable, at_table, last


def double() -> LiveTable:
    """Ana's nine, Bo's nine on it; Cy and Di watch. All are near."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H | Cy: 7H KC | Di: 8H 8S")
    live.turn(0, 1)
    return live


def nothing() -> LiveTable:
    """Ana's nine, Bo's ten on it: no pattern."""
    live = at_table("Ana: 9S 2C 4H 6H | Bo: TH 3H 5H | Cy: 7H KC | Di: 8H 8S")
    live.turn(0, 1)
    return live


# Good and wrong


def test_a_good_slap_takes_the_pile_and_leads() -> None:
    live = double()
    live.slap(2, after_ms=412.345)
    assert live.told[-2:] == ["double on 2: 2 412.345", "2 takes 2: slap:double"]
    assert live.stores[-1].entries[0].event.n == 2  # type: ignore[union-attr]
    assert [type(entry.event) for entry in live.stores[-1].entries] == [Judged, Slapped, Taken]  # in one batch
    live.turn(2)
    assert live.told[-1] == "2 turns 7H"


def test_a_wrong_slap_burns_a_card_and_the_turn_goes_on() -> None:
    live = nothing()
    assert live.table.clock(live.now_us) == Countdown(2, "turn", 8000)
    live.slap(3)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 8H"]
    assert live.table.clock(live.now_us) == Countdown(2, "turn", 7849)  # 150 until a hand can be there, and 1
    live.turn(2)
    assert live.told[-1] == "2 turns 7H"


def test_the_second_wrong_slap_at_one_card_costs_nothing() -> None:
    live = nothing()
    live.slap(3)
    assert last(live.slap(3)) == Refused("slap", RefusalReason.TWICE)
    assert live.game.cards_held(3) == 1


def test_each_player_may_be_wrong_once_at_one_card() -> None:
    live = nothing()
    live.slap(3)
    live.slap(0)
    assert live.told[-4:] == ["3 slaps wrong", "3 burns 8H", "0 slaps wrong", "0 burns 2C"]


def test_at_the_next_card_one_may_be_wrong_again() -> None:
    live = nothing()
    live.slap(3)
    live.turn(2)
    live.slap(3)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 8S"]


def test_a_card_that_lay_there_when_everybody_was_away_is_no_card_to_be_wrong_at() -> None:
    live = at_table("Ana: 9S 2C 4H | Thoth*: TH 3H")
    live.turn(0)
    live.slap(0)
    live.go(0)
    live.clock.advance(60_000_000)
    live.come(0)
    assert live.answer(live.slap(0)) == (Refused("slap", RefusalReason.PAUSED), 0)
    live.pass_ms(RESUME_ALONE_US / 1000)
    assert live.answer(live.slap(0)) == (Refused("slap", RefusalReason.TWICE), 0)


def test_a_burned_card_is_no_new_card_to_be_wrong_at() -> None:
    live = nothing()
    live.slap(3)
    live.slap(0)
    assert last(live.slap(3)) == Refused("slap", RefusalReason.TWICE)


def test_a_slap_that_comes_twice_is_one_hand_in_the_race() -> None:
    live = double()
    live.far(0, 200)
    live.slap(2, after_ms=400)
    assert last(live.slap(2)) == Refused("slap", RefusalReason.TWICE)
    live.pass_ms(100)
    assert live.told[-2:] == ["double on 2: 2 400", "2 takes 2: slap:double"]


def test_a_player_who_is_barred_may_not_slap() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 3H 9H | Cy:", no_cards={"kind": "strikes", "limit": 1})
    live.turn(0)
    live.slap(2)
    assert live.told[-3:] == ["2 slaps wrong", "2 has strike 1", "2 is locked: game"]
    live.turn(1)
    assert live.answer(live.slap(2)) == (Refused("slap", RefusalReason.LOCKED_OUT), 2)


def test_who_is_barred_holds_up_nothing() -> None:
    """Cy sees the double too: Cy's slap opens no race, and the card on its way goes on."""
    live = at_table("Ana: 3S 9S 4H | Bo: 9H 5H | Cy:", no_cards={"kind": "strikes", "limit": 1})
    live.turn(0)
    live.slap(2)
    live.turn(1, 0)
    live.play(1)
    assert live.answer(live.slap(2)) == (Refused("slap", RefusalReason.LOCKED_OUT), 2)
    assert live.heard(TurnCancelled) == []
    live.slap(0)
    assert live.told[-2:] == ["double on 3: 0 151", "0 takes 3: slap:double"]


def test_who_has_no_cards_may_slap_back_in() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H | Cy:")
    live.turn(0, 1)
    live.slap(2)
    assert live.told[-1] == "2 takes 2: slap:double"


# Late


def test_a_slap_at_a_covered_card_is_late_and_not_wrong() -> None:
    """Cy's seven has covered the double for more than a frame when Di's hand comes: no penalty, and all are told."""
    live = double()
    live.turn(2)
    live.pass_ms(20)
    assert live.answer(live.slap(3, n=2)) == (Late(3, 2, 520_000), None)
    assert live.told[-1] == "2 turns 7H"


def test_a_slap_at_a_taken_pile_is_late_and_not_wrong() -> None:
    live = double()
    live.slap(2, after_ms=400)
    assert last(live.slap(3, after_ms=415)) == Late(3, 2, 415_000)
    assert live.told[-1] == "2 takes 2: slap:double"


def test_who_has_won_the_pile_and_slaps_once_more_is_not_late() -> None:
    """Many players slap twice: the second slap is ignored, whether they were first or second."""
    live = double()
    live.far(3, 20)
    live.far(0, 400)
    live.slap(2, after_ms=400)
    live.slap(3)
    live.pass_ms(200)
    assert live.told[-2] == "double on 2: 3 391, 2 400"
    for seat in (2, 3):
        assert live.answer(live.slap(seat, n=2)) == (Refused("slap", RefusalReason.TWICE), seat)


def test_a_late_hand_is_counted_by_its_reaction() -> None:
    live = double()
    live.far(3, 100)
    live.slap(2, after_ms=400)
    assert last(live.slap(3, after_ms=460)) == Late(3, 2, 410_000)


def test_a_late_hand_of_one_card_is_told_once() -> None:
    live = double()
    live.slap(2, after_ms=400)
    live.slap(3)
    assert last(live.slap(3)) == Refused("slap", RefusalReason.TWICE)


def test_a_late_hand_at_a_covered_card_is_told_once() -> None:
    live = double()
    live.turn(2)
    live.pass_ms(17)
    for _ in range(3):
        live.slap(3, n=2)
    assert len(live.heard(Late)) == 1


def logged_late(live: LiveTable) -> list[LateSlap]:
    return [entry.event for entry in live.entries if isinstance(entry.event, LateSlap)]


def test_a_late_hand_is_logged_with_its_proof_and_costs_no_credit() -> None:
    """Di is 100 ms away and arrives 460 after the card: 410 by the server's clock. Her page says 400, and painted the
    card 3 ms after its moment."""
    live = double()
    live.far(3, 100)
    live.slap(2, after_ms=400)
    shown_us, credit = live.shown_us, live.table.seats[3].credit
    live.page_state(3).add_card(2, shown_us, 100_000)
    live.until(shown_us + 460_000)
    live.act(live.table.slap(3, 2, Press(live.now_us, shown_us + 3_000, shown_us + 403_000), live.now_us))
    (late,) = logged_late(live)
    assert (late.n, late.slap.seat, late.slap.us) == (2, 3, 410_000)
    assert late.slap.proof
    assert (late.slap.proof.arrived_us, late.slap.proof.rtt_us) == (460_000, 100_000)
    assert (late.slap.proof.pressed_us, late.slap.proof.paint_us) == (400_000, 3_000)
    assert live.table.seats[3].credit == credit


def test_a_late_hand_is_logged_once_a_card_however_often_the_pile_opens_again() -> None:
    live = double()
    live.turn(2)
    live.pass_ms(17)
    assert live.table.session
    for _ in range(3):
        live.slap(3, n=2)
        live.table.session.tracker.forget_slaps()
    assert len(live.heard(Late)) == 3
    assert [late.slap.seat for late in logged_late(live)] == [3]


def test_late_hands_are_remembered_for_the_last_two_cards() -> None:
    tracker = SlapTracker([])
    tracker.reveal(2, 0)
    assert tracker.log_late(3, 2)
    tracker.forget_slaps()
    assert not tracker.log_late(3, 2)
    tracker.reveal(3, 500_000)
    assert (tracker.log_late(3, 2), tracker.log_late(3, 3), tracker.log_late(2, 2)) == (False, True, True)


def test_a_proof_without_a_painting_says_nothing_of_it() -> None:
    old = b'{"arrived_us":1,"rtt_us":2,"pressed_us":3,"free_us":4,"purse_us":5,"granted_us":6}'
    assert msgspec.json.decode(old, type=Proof).paint_us is None


def test_a_late_hand_of_a_bot_is_not_logged() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H | *Cy: 7C 8C")
    live.turn(0, 1)
    live.slap(0, after_ms=300)
    live.slap(2, after_ms=415)
    assert [late.seat for late in live.heard(Late)] == [2]
    assert logged_late(live) == []


def test_who_was_wrong_at_a_card_is_not_late_at_it_as_well() -> None:
    live = nothing()
    live.slap(3)
    live.turn(2)
    assert live.answer(live.slap(3, n=2)) == (Refused("slap", RefusalReason.TWICE), 3)


def test_a_late_hand_does_not_cost_the_slap_at_the_card_that_lies_there() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Cy: 9D 4H | Di: 8H")
    live.turn(0, 1, 2)
    live.pass_ms(17)
    live.slap(3, n=2)  # late: the third nine has covered the second for a frame
    assert live.heard(Late) == [Late(3, 2, 517_000)]
    live.slap(3)
    assert live.told[-1] == "3 takes 3: slap:double"


def test_who_was_late_may_still_be_wrong_at_the_card_that_covers_once() -> None:
    live = nothing()
    live.turn(2)
    live.pass_ms(17)
    live.slap(3, n=2)
    live.slap(3)
    live.slap(3)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 8H"]
    assert live.game.cards_held(3) == 1


# Refused


@pytest.mark.parametrize("n", [3, 4, 10**9])
def test_a_card_that_has_not_come_cannot_be_slapped(n: int) -> None:
    live = double()
    assert last(live.slap(2, n=n)) == Refused("slap", RefusalReason.TOO_SOON)
    live.slap(2)
    assert live.told[-1] == "2 takes 2: slap:double"


@pytest.mark.parametrize("n", [0, 1, -5])
def test_a_card_long_covered_cannot_be_slapped(n: int) -> None:
    live = double()
    live.turn(2)
    live.turn(3)
    assert last(live.slap(3, n=n)) == Refused("slap", RefusalReason.TOO_LATE)
    live.slap(3)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 8S"]


def test_before_the_first_card_there_is_nothing_to_slap() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H")
    live.slap(1)
    assert live.told[3:] == []
    live.turn(0, 1)
    live.slap(1)
    assert live.told[-1] == "1 takes 2: slap:double"


def test_nothing_is_slapped_when_the_game_is_over() -> None:
    live = at_table("Ana: 9S | Bo: 9H")
    live.turn(0, 1)
    live.slap(0)
    assert last(live.slap(1)) == Refused("slap", RefusalReason.GAME_OVER)


# Bots


def test_a_bot_slaps_when_it_has_seen_enough() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Thoth*: 4H", plan=Plan(slap_us=430_000))
    live.turn(0, 1)
    live.pass_ms(431)  # and a tie is waited for
    assert live.told[-2:] == ["double on 2: 2 430", "2 takes 2: slap:double"]


def test_a_bot_whose_card_was_covered_keeps_its_hand() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Cy: 4H | Thoth*: 5H", plan=Plan(slap_us=600_000), wild=True)
    live.turn(0, 1, 2)
    live.pass_ms(599)
    assert live.told[-1] == "2 turns 4H"
    live.pass_ms(1)
    assert live.told[-2:] == ["3 slaps wrong", "3 burns 5H"]  # 600 ms after the four, and at it


def test_a_bot_does_not_look_again_because_the_turn_has_changed() -> None:
    """Cy burns the last card, so that it is another player's turn: the bot's slap comes when it was planned."""
    live = at_table("Ana: 9S 2C | Bo: TH 3H | Cy: 7H | Thoth*: 4H 5H 6H", plan=Plan(slap_us=400_000), wild=True)
    live.turn(0, 1)
    live.slap(2, after_ms=200)
    assert (live.told[-1], live.game.standing.turn) == ("2 burns 7H", 3)
    live.until(live.shown_us + 400_000)
    assert live.told[-2] == "3 slaps wrong"


def test_a_person_quicker_than_the_bot_takes_the_pile_and_the_bot_is_late() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Thoth*: 4H", plan=Plan(slap_us=430_000))
    live.turn(0, 1)
    live.slap(0, after_ms=429)
    live.pass_ms(1)
    assert live.told[-1] == "0 takes 2: slap:double"
    assert live.heard(Late) == [Late(2, 2, 430_000)]
