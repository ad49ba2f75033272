"""The judge's state of one page, and the messages that it does not accept from the page.

The page is 60 ms away, and its clock is 50 s ahead of ours. Card 1 is to be seen at 1,000 ms of ours: 51,000 there.
"""

from __future__ import annotations

import gc
from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.judge.constants import SAME_TOUCH_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, Judgement, SlapStamps, judge
from ratscrew.judge.page_state import PageState, Stamp
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator

MS = 1_000
AHEAD = 50_000 * MS


def page() -> PageState:
    """It has answered a ping of 800 at 860, and is shown card 1."""
    page_state = PageState(RttEstimator().with_sample(800 * MS, 860 * MS, 830 * MS + AHEAD))
    page_state.add_card(1, 1_000 * MS, max_head_start_us=250 * MS)
    return page_state


def painted(page_state: PageState, n: int = 1) -> int | None:
    """When the page has painted card `n`."""
    card_display = page_state.card_display(n)
    assert card_display
    return card_display.painted_us


# How far, and what it was shown


def test_a_page_is_taken_to_be_near_until_it_has_answered() -> None:
    assert PageState().link_estimate == LinkEstimate(0, 0)
    assert PageState().need_us == 23 * MS


def test_and_nobody_knows_when_its_clock_shows_a_moment_of_ours() -> None:
    page_state = PageState()
    page_state.add_card(1, 1_500 * MS, 250 * MS)
    shown = page_state.card_display(1)
    assert shown
    assert (shown.at_us, shown.painted_us) == (None, None)


def test_a_card_should_be_sent_half_a_round_trip_and_23_ms_before_its_moment() -> None:
    assert page().link_estimate == LinkEstimate(60 * MS, AHEAD)
    assert page().need_us == 53 * MS


def test_farther_than_400_ms_is_the_players_own_loss() -> None:
    page_state = PageState(RttEstimator().with_sample(0, 900 * MS, 450 * MS))
    assert page_state.link_estimate.rtt_us == 400 * MS
    assert page_state.need_us == 223 * MS


@pytest.mark.parametrize(("most_ms", "lead_ms"), [(250, 53), (40, 40), (15, 15)])
def test_it_is_sent_no_earlier_than_the_table_lets(most_ms: int, lead_ms: int) -> None:
    page_state = page()
    page_state.add_card(2, 1_500 * MS, most_ms * MS)
    card_display = page_state.card_display(2)
    assert card_display
    assert (card_display.head_start_us, card_display.at_us) == (lead_ms * MS, 51_500 * MS)


def test_a_card_keeps_the_line_as_it_was_when_it_was_sent() -> None:
    page_state = page()
    page_state.record_pong(1_000 * MS, 1_020 * MS, 51_010 * MS)
    card_display = page_state.card_display(1)
    assert card_display
    assert (card_display.link_estimate.rtt_us, page_state.link_estimate.rtt_us) == (60 * MS, 20 * MS)


def test_the_last_four_cards_are_remembered() -> None:
    page_state = page()
    for n in range(2, 6):
        page_state.add_card(n, n * 1_000 * MS, 0)
    assert [n for n in range(7) if page_state.card_display(n)] == [2, 3, 4, 5]


# Messages that are not accepted


def say(page_state: PageState, what: str, number: int, stamp_us: int, now_us: int) -> None:
    """The page says that it has seen card `number`, or a heartbeat, or that a hand of this number has come down."""
    match what:
        case "saw":
            page_state.record_paint(number, stamp_us, now_us)
        case "beat":
            page_state.record_heartbeat(stamp_us, now_us)
        case "press":
            page_state.record_press(number % 2, (number, 1), stamp_us, now_us)


def refuses(page_state: PageState, why: RefusalReason, what: str, number: int, stamp_us: int, now_us: int) -> None:
    """That it says so is refused, counted, and changes nothing."""
    before = deepcopy(page_state)
    with pytest.raises(Refusal) as refusal:
        say(page_state, what, number, stamp_us, now_us)
    assert refusal.value.reason == why
    assert page_state.refused - before.refused == Counter([why])
    before.refused = page_state.refused
    assert page_state == before


@pytest.mark.parametrize("what", ["saw", "beat", "press"])
def test_a_stamp_later_than_its_clock_can_be_is_refused(what: str) -> None:
    """It comes at 1,100 of ours. A round trip of 60, and 60 more for frames and an uneven line: 120 are believed."""
    for stamp_ms in (51_220.001, 10**9):
        refuses(page(), RefusalReason.FUTURE_STAMP, what, 1, round(stamp_ms * MS), 1_100 * MS)
    page_state = page()
    say(page_state, what, 1, 51_220 * MS, 1_100 * MS)
    assert (page_state != page(), page_state.refused.total()) == (True, 0)


def test_a_heartbeat_cannot_go_back() -> None:
    page_state = page()
    page_state.record_heartbeat(51_100 * MS, 1_130 * MS)
    refuses(page_state, RefusalReason.OUT_OF_ORDER, "beat", 0, 51_099 * MS, 1_131 * MS)
    page_state.record_heartbeat(51_100 * MS, 1_132 * MS)
    assert page_state.newest == Stamp(51_100 * MS, 1_132 * MS)


def test_a_card_is_seen_once_and_its_first_time_counts() -> None:
    page_state = page()
    page_state.record_paint(1, 51_008 * MS, 1_038 * MS)
    for again_ms in (51_030, 51_008):
        refuses(page_state, RefusalReason.TWICE, "saw", 1, again_ms * MS, 1_060 * MS)
    assert painted(page_state) == 51_008 * MS


def test_answers_to_pings_say_again_and_again_when_a_card_was_painted_and_the_first_counts() -> None:
    page_state = page()
    for painted_ms in (51_008, 51_030, 51_008):
        page_state.note_paint(1, painted_ms * MS, 1_060 * MS)
    assert painted(page_state) == 51_008 * MS
    assert not page_state.refused


@pytest.mark.parametrize("n", [-1, 2, 99])
def test_a_card_that_it_was_not_shown_cannot_be_seen(n: int) -> None:
    refuses(page(), RefusalReason.NOT_SHOWN, "saw", n, 51_008 * MS, 1_038 * MS)


def test_a_hand_comes_once_whichever_way_and_more_fingers_of_it_are_more() -> None:
    page_state, at = page(), (51_200 * MS, 1_230 * MS)
    assert page_state.record_press(0, (7, 1), *at)
    assert not page_state.record_press(0, (7, 1), *at, second=True)  # the copy
    assert page_state.record_press(0, (7, 2), *at, second=True)  # one finger more, over the second socket first
    assert not page_state.record_press(0, (7, 2), *at)
    assert page_state.record_press(1, (6, 5), *at)  # the other seat before the same page
    assert not page_state.refused


@pytest.mark.parametrize("second", [False, True])
def test_by_the_same_way_it_comes_once_and_in_its_order(second: bool) -> None:
    page_state, at = page(), (51_200 * MS, 1_230 * MS)
    page_state.record_press(0, (7, 1), *at, second)
    for serial in ((7, 1), (6, 5)):
        with pytest.raises(Refusal) as refusal:
            page_state.record_press(0, serial, *at, second)
        assert refusal.value.reason == RefusalReason.TWICE
    assert page_state.refused == {RefusalReason.TWICE: 2}


def test_its_slaps_are_complete_when_it_has_sent_a_stamp_long_enough_after_them() -> None:
    """Fingers that come down together reach the page one after the other."""
    page_state, at = page(), (51_200 * MS, 1_230 * MS)
    page_state.record_press(0, (7, 1), *at)
    assert not page_state.slaps_complete
    page_state.record_pong(1_280 * MS, 1_290 * MS, 51_200 * MS + SAME_TOUCH_US - 1)
    assert not page_state.slaps_complete
    page_state.record_pong(1_281 * MS, 1_291 * MS, 51_200 * MS + SAME_TOUCH_US)
    assert page_state.slaps_complete
    assert not page_state.record_press(0, (7, 1), *at, second=True)  # the copy says nothing new
    assert page_state.slaps_complete


def test_a_stamp_that_a_slap_has_overtaken_by_the_second_socket_does_not_make_them_complete() -> None:
    page_state, at = page(), (51_200 * MS, 1_230 * MS)
    page_state.record_press(0, (7, 1), *at, second=True)
    page_state.record_heartbeat(51_270 * MS, 1_291 * MS)
    assert not page_state.slaps_complete
    page_state.record_press(0, (7, 1), *at)
    assert not page_state.slaps_complete
    page_state.record_heartbeat(51_280 * MS, 1_292 * MS)
    assert page_state.slaps_complete


def test_an_answer_that_is_stamped_before_the_newest_word_does_not_take_it_back() -> None:
    page_state = page()
    page_state.record_heartbeat(51_100 * MS, 1_130 * MS)
    page_state.record_pong(1_000 * MS, 1_140 * MS, 51_050 * MS)
    assert page_state.newest == Stamp(51_100 * MS, 1_130 * MS)


# Any message


def judged(page_state: PageState) -> Judgement:
    """An honest hand of 400, painted at 51,008 and there at 1,430 of ours, as the table has it judged."""
    card_display = page_state.card_display(1)
    assert card_display
    assert page_state.record_press(0, (10**6, 1), 51_408 * MS, 1_438 * MS)
    hand = SlapStamps(1_438 * MS, 51_408 * MS, page_state.newest.stamp_us if page_state.newest else None)
    return judge(
        hand, CardTiming(card_display.reveal_us, card_display.link_estimate.rtt_us, card_display.painted_us), Credit()
    )


STAMPS = st.one_of(st.integers(50_900, 51_400), st.integers(51_600, 10**7), st.integers(-(10**7), 0)).map(
    lambda ms: ms * MS
)
"""Stamps of a page that says anything but one thing: that after 51,408 nothing had been slapped."""

WORDS = st.tuples(
    st.sampled_from(["pong", "saw", "beat", "press"]), st.integers(-1, 9), STAMPS, st.integers(1_050, 1_400)
)


@given(st.lists(WORDS))
def test_no_garbage_before_it_changes_what_an_honest_hand_is_worth(said: list[tuple[str, int, int, int]]) -> None:
    """Neither cards seen twice or never shown, nor stamps out of order or from the future, once the card is painted."""
    honest, page_state = page(), page()
    for each in (honest, page_state):
        each.record_paint(1, 51_008 * MS, 1_038 * MS)
    for what, number, stamp_us, now_ms in sorted(said, key=lambda each: each[3]):
        refused = page_state.refused.total()
        try:
            if what == "pong":  # its clock is what it is, and the line is uneven
                rtt_us = (50 + number) * MS
                page_state.record_pong(now_ms * MS - rtt_us, now_ms * MS, now_ms * MS + AHEAD - stamp_us % rtt_us)
            say(page_state, what, number, stamp_us, now_ms * MS)
        except Refusal:
            assert page_state.refused.total() == refused + 1
    assert judged(page_state).reaction_us == judged(honest).reaction_us == 400 * MS


def test_of_the_cards_of_a_game_before_nothing_is_left_when_the_next_game_shows_its_first() -> None:
    page_state = PageState()
    for n in (197, 198, 199, 200, 1):
        page_state.add_card(n, 1_000 * MS, max_head_start_us=250 * MS)
    assert [n for n in range(202) if page_state.card_display(n)] == [1]


def test_the_collector_does_not_track_what_an_answer_to_a_ping_replaces() -> None:
    """It would visit what all pages have at present, however few new objects there are: the old ones go as new come."""
    page_state = page()
    page_state.record_pong(1_000 * MS, 1_140 * MS, 51_050 * MS)
    rtt_estimator = page_state.rtt_estimator
    replaced = [
        rtt_estimator,
        *rtt_estimator.samples,
        rtt_estimator.best,
        rtt_estimator.link_estimate,
        page_state.newest,
        page_state.pings_us,
    ]
    assert None not in replaced
    assert not any(map(gc.is_tracked, replaced))
