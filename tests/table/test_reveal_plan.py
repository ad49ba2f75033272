"""A card is on its way before it is revealed: 160 ms, at least half a second after the one before; it may be held.

All players are near: a card is turned 33 ms before its reveal, 10 for the log and 23 for the way.
"""

from __future__ import annotations

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.errors import RefusalReason
from ratscrew.game.events import Played
from ratscrew.judge.page_state import PageState
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.table.record.effects import RevealTime
from ratscrew.table.record.messages import Refused, TurnCancelled, Turning
from ratscrew.table.session.timing import plan_reveal
from tests.table.driver import START_US, at_table, last

MS = 1_000
FOUR = "Ana: 9S 2C 4H | Bo: TH 3H 5H"


# How long


def test_a_card_is_seen_160_ms_after_it_was_played_and_turned_33_ms_before_that() -> None:
    live = at_table(FOUR)
    live.pass_ms(1000)
    assert last(live.play(0)) == Turning(0)
    live.pass_ms(126.999)
    assert live.told[3:] == []
    live.pass_ms(0.001)
    assert live.told[3:] == ["0 turns 9S"]
    assert live.when_ms(Played) == [1127]
    assert live.stores[-1].reveal == RevealTime(1, START_US + 1_160_000)


@pytest.mark.parametrize(
    ("played_after_ms", "shown_after_ms"), [(0, 500), (100, 500), (339, 500), (340, 500), (341, 501), (2000, 2160)]
)
def test_a_card_never_comes_less_than_500_ms_after_the_one_before(played_after_ms: int, shown_after_ms: int) -> None:
    live = at_table(FOUR)
    live.turn(0)
    before = live.shown_us
    live.pass_ms(played_after_ms)
    live.turn(1)
    assert live.shown_us - before == shown_after_ms * 1000


def test_the_gap_counts_after_a_taken_pile_too() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    before = live.shown_us
    live.slap(0, after_ms=250)
    live.turn(0)
    assert live.shown_us - before == 500_000


def test_a_bot_keeps_the_pace_of_people() -> None:
    live = at_table("Ana: 9S 2C 4H | Thoth*: TH 3H 5H", plan=Plan(turn_us=200_000))
    live.turn(0)
    live.pass_ms(5000)
    first, second = live.when_ms(Played)[:2]
    assert second - first == 500


# Pages with few frames


def page(ahead_ms: int, painted_ms: int) -> PageState:
    """A near page whose clock is ahead: it draws 30 frames a second, and has painted a card at this time of its own."""
    page_state = PageState(RttEstimator().with_sample(0, 20 * MS, (10 + ahead_ms) * MS), frame_us=33 * MS)
    page_state.add_card(1, 1_000 * MS, 500 * MS)
    page_state.record_paint(1, painted_ms * MS, 1_050 * MS)
    return page_state


def test_a_card_comes_half_a_frame_later_for_a_page_with_few_frames() -> None:
    """Painted at 51,010 of a clock that is 50,000 ahead: frames at 1,010, ... 2,000, which is 20 ms after 1,980."""
    slow = page(50_000, 51_010)
    assert plan_reveal(1_820 * MS, 1_500 * MS, [slow]).reveal_us == 1_980 * MS + 16_666
    assert plan_reveal(1_832 * MS, 1_500 * MS, [slow]).reveal_us == 1_992 * MS
    slow.frame_us = 17 * MS
    assert plan_reveal(1_820 * MS, 1_500 * MS, [slow]).reveal_us == 1_980 * MS


def test_a_hidden_page_or_one_that_has_painted_nothing_does_not_count() -> None:
    slow = page(0, 1_010)
    slow.visible = False
    assert PageState(frame_us=33 * MS).frame_times is None
    assert plan_reveal(1_820 * MS, 0, [slow, PageState(frame_us=33 * MS)]).reveal_us == 1_980 * MS


# Which seats may


def test_a_card_is_refused_out_of_turn() -> None:
    live = at_table(FOUR)
    assert live.answer(live.play(1)) == (Refused("play", RefusalReason.NOT_YOUR_TURN), 1)
    live.pass_ms(1000)
    assert live.told[3:] == []


@pytest.mark.parametrize("n", [0, 2, 99, -1])
def test_a_card_is_refused_to_who_has_not_seen_the_newest(n: int) -> None:
    live = at_table("Ana: JS 2C 4H | Bo: TH 3H 5H")
    live.turn(0)
    assert last(live.play(1, n=n)) == Refused("play", RefusalReason.NOT_YOUR_TURN)
    assert last(live.play(1, n=1)) == Turning(1)


def test_a_message_that_comes_twice_plays_once() -> None:
    """Bo has to answer Ana's queen with two cards, so it is Bo's turn again after the first."""
    live = at_table("Ana: QS 2C 4H | Bo: TH 3H 5H")
    live.turn(0)
    live.play(1, n=1)
    assert last(live.play(1, n=1)) == Refused("play", RefusalReason.TWICE)  # it is on its way
    live.pass_ms(500)
    assert last(live.play(1, n=1)) == Refused("play", RefusalReason.NOT_YOUR_TURN)  # it lies there
    live.pass_ms(1000)
    assert live.told[3:] == ["0 turns QS", "1 turns TH"]


def test_a_card_is_refused_while_one_is_in_the_air() -> None:
    live = at_table(FOUR)
    live.play(0)
    assert last(live.play(0)) == Refused("play", RefusalReason.TWICE)
    assert last(live.play(1)) == Refused("play", RefusalReason.NOT_YOUR_TURN)
    live.pass_ms(2000)
    assert live.told[3:] == ["0 turns 9S"]


def test_a_card_is_refused_while_a_race_is_on() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.far(0, 300)
    live.slap(1, after_ms=400)
    assert last(live.play(0)) == Refused("play", RefusalReason.NOT_YOUR_TURN)
    live.pass_ms(150)
    assert live.told[-1] == "1 takes 2: slap:double"


def test_a_card_is_refused_while_a_won_pile_waits() -> None:
    live = at_table("Ana: JS 2C 4H | Bo: TH 3H 5H")
    live.turn(0, 1)
    assert last(live.play(0)) == Refused("play", RefusalReason.NOT_YOUR_TURN)


def test_nothing_is_played_when_the_game_is_over() -> None:
    live = at_table("Ana: 9S | Bo: 9H")
    live.turn(0, 1)
    live.slap(1, after_ms=300)
    assert live.told[-1] == "1 wins"
    assert last(live.play(1)) == Refused("play", RefusalReason.GAME_OVER)
    assert live.table.wake_us() is None


# Back to the hand


def test_a_flying_card_goes_back_when_a_race_opens() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.pass_ms(380)
    live.play(0)
    live.slap(1)
    assert [type(said.message) for said in live.said[-3:-1]] == [Turning, TurnCancelled]
    assert live.heard(TurnCancelled) == [TurnCancelled(0)]
    live.pass_ms(160)
    assert live.told[-1] == "1 takes 2: slap:double"
    live.turn(1)
    assert live.told[-1] == "1 turns 3H"
    assert [live.game.cards_held(seat) for seat in (0, 1)] == [2, 3]


def test_the_card_goes_back_before_the_verdict() -> None:
    """Ana is 200 away: her card of 380 would be turned at 540 - 123 - 10, and she is waited for until 400 + 1 + 100."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.far(0, 200)
    live.pass_ms(380)
    live.play(0)
    live.slap(1, after_ms=400)
    assert live.heard(TurnCancelled) == [TurnCancelled(0)]
    assert "slap" not in live.told[-1]


def test_a_wrong_slap_does_not_hold_the_card() -> None:
    """Bo burns one while Ana's card is on its way: hers comes when it was due."""
    live = at_table("Ana: 9S 2C 4H | Bo: TH 3H 5H")
    live.turn(0, 1)
    live.pass_ms(400)
    live.play(0)
    live.pass_ms(100)
    live.slap(1)
    assert live.heard(TurnCancelled) == []
    live.pass_ms(60)
    assert live.told[5:] == ["1 slaps wrong", "1 burns 3H", "0 turns 2C"]


def test_who_burns_the_card_in_the_air_turns_the_next_one() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: TH 3H 5H")
    live.turn(0, 1)
    live.play(0)
    live.slap(0)
    live.pass_ms(500)
    assert live.told[5:] == ["0 slaps wrong", "0 burns 2C", "0 turns 4H"]


def test_a_flying_card_that_is_burned_away_as_the_last_one_goes_back() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H 5H")
    live.turn(0, 1)
    live.play(0)
    live.slap(0)
    assert live.told[5:] == ["0 slaps wrong", "0 burns 2C"]
    assert live.heard(TurnCancelled) == [TurnCancelled(0)]
    assert live.game.standing.turn == 1
    live.pass_ms(1000)
    assert live.told[7:] == []
    live.turn(1)
    assert live.told[-1] == "1 turns 3H"


def test_nobody_has_a_card_left_after_the_flying_one_was_burned() -> None:
    """Ana has none; Bo's last is on its way, Bo slaps wrongly: it is burned, and Bo, the last to play, has the pile."""
    live = at_table("Ana: 9S | Bo: TH 3H 5H")
    live.turn(0, 1, 1)
    live.play(1)
    live.slap(1, after_ms=300)
    assert live.told[-2:] == ["1 slaps wrong", "1 burns 5H"]
    assert (live.game.standing.phase, live.game.standing.turn, live.game.standing.reason) == ("won", 1, "stalemate")
    assert live.heard(TurnCancelled) == [TurnCancelled(1)]
    live.pass_ms(1500)
    assert live.told[-2:] == ["1 takes 4: stalemate", "1 wins"]


def test_a_time_that_runs_out_while_a_card_is_in_the_air_plays_no_other() -> None:
    live = at_table(FOUR, turn_ms=1000)
    live.pass_ms(950)
    live.play(0)
    live.pass_ms(1000)
    assert live.told[3:] == ["0 turns 9S"]
    assert live.heard(Turning) == [Turning(0)]


def test_a_card_in_the_air_cannot_be_shown_before_its_time() -> None:
    live = at_table(FOUR)
    live.turn(0)
    before = live.shown_us
    live.play(1)
    assert live.answer(live.do(1, "reveal")) == (Refused("act", RefusalReason.TWICE), 1)
    live.pass_ms(1000)
    assert live.told[3:] == ["0 turns 9S", "1 turns TH"]
    assert live.shown_us - before == 500_000


def test_a_card_in_the_air_goes_back_when_another_is_laid_for_its_owner() -> None:
    """Bo owes Ana's queen two answers. Ana lays Bo's ten, which is set aside, while Bo's three is on its way."""
    live = at_table("Ana: QS 2C 4H | Bo: TH JD 3H 5H", house="1;classic;out_of_turn=aside")
    live.play(1)
    live.play(1)
    live.turn(0)
    live.pass_ms(600)
    live.play(1)
    live.pass_ms(100)
    live.do(0, "place", 1)
    assert live.heard(TurnCancelled) == [TurnCancelled(1)]
    before = live.shown_us
    live.turn(1)
    assert live.told[-1] == "1 turns JD"
    assert live.shown_us - before == 500_000
