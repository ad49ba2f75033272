"""When pages are pinged, worked out by hand: by chance on every card, and on purpose in a race."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.constants import FRAME_US, MAX_RTT_US, TIE_US
from ratscrew.judge.ping_schedule import (
    OVERDUE_US,
    ROW_FROM_US,
    ROW_PINGS,
    ROW_STEP_US,
    SINGLE_PERCENT,
    AskedPage,
    ask_us,
    cover_pings_us,
    row_percent,
)
from ratscrew.judge.watermark import PendingPlayer, over_us

MS = 1_000
REVEAL_US, LEVEL_US, AHEAD_US = 1_000 * MS, 300 * MS, 7_000 * MS
CREDIT_US = 75 * MS


def page(
    rtt_ms: int, *pings_ms: int, painted_ms: int | None = 0, stamp_ms: int | None = None, credit_us: int = CREDIT_US
) -> AskedPage:
    """A page that painted the card so late and answered with this stamp, both after the card's moment."""
    painted_us, stamp_us = (None if ms is None else REVEAL_US + AHEAD_US + ms * MS for ms in (painted_ms, stamp_ms))
    player = PendingPlayer(rtt_ms * MS, credit_us, painted_us, stamp_us)
    return AskedPage(player, AHEAD_US, [REVEAL_US + ms * MS for ms in pings_ms])


def ask_ms(page: AskedPage, now_ms: int) -> float | None:
    """When the page is asked, in milliseconds after the card's moment, in a race whose level is 300 ms."""
    at_us = ask_us(REVEAL_US, LEVEL_US, REVEAL_US + now_ms * MS, page)
    return None if at_us is None else (at_us - REVEAL_US) / MS


def test_a_page_is_asked_at_once() -> None:
    assert ask_ms(page(40), 310) == 310


def test_a_page_is_not_asked_before_its_answer_could_clear_it() -> None:
    """It painted the card 50 ms late, so it must answer 350 ms after the moment; the ping takes 20 ms."""
    assert ask_ms(page(40, painted_ms=50), 310) == 330


def test_without_its_painting_a_page_is_supposed_to_be_a_frame_late() -> None:
    assert ask_ms(page(10, painted_ms=None), 310) == 300 + FRAME_US / MS - 5


def test_a_page_whose_messages_clear_it_is_not_asked() -> None:
    assert ask_ms(page(40, stamp_ms=300), 310) is None
    assert ask_ms(page(40, stamp_ms=299), 310) == 310


def test_a_page_whose_slaps_are_too_late_before_it_could_answer_is_not_asked() -> None:
    """Its slaps are too late at 300 + 50 + 75 ms; the answer would come at 310 + 100, or at 330 + 100."""
    assert ask_ms(page(100), 310) == 310
    assert ask_ms(page(100), 330) is None


def test_a_page_is_not_asked_again_before_the_answer_is_overdue() -> None:
    overdue_ms = 310 + 20 + OVERDUE_US // MS
    assert ask_ms(page(20, 310), 320) == overdue_ms
    assert ask_ms(page(20, 310, 312), 320) == overdue_ms + 2
    assert ask_ms(page(20, 310), overdue_ms - 1) == overdue_ms
    assert ask_ms(page(20, 310), overdue_ms) == overdue_ms
    assert ask_ms(page(20, 310), overdue_ms + 4) == overdue_ms + 4
    assert ask_ms(page(20, 310), overdue_ms + 5) is None  # the answer would come when its slaps are too late


def test_a_cover_ping_on_its_way_takes_the_place_of_an_ask_if_its_answer_will_clear_the_page() -> None:
    overdue_ms = 290 + 40 + OVERDUE_US // MS
    assert ask_ms(page(40, 290, credit_us=125 * MS), 310) == overdue_ms
    assert ask_ms(page(40, 279), 310) == 310  # it is read 299 ms after the moment


def test_a_cover_ping_that_follows_at_once_takes_the_place_of_an_ask_but_no_later_one() -> None:
    assert ask_ms(page(20, 312, credit_us=125 * MS), 310) == 312 + 20 + OVERDUE_US // MS
    assert ask_ms(page(20, 330), 310) == 310


@given(
    st.integers(0, 400),
    st.integers(0, 125),
    st.none() | st.integers(-20, 200),
    st.lists(st.integers(0, 700), max_size=5).map(sorted),
    st.integers(200, 900),
)
def test_an_ask_is_neither_past_nor_useless(
    rtt_ms: int, credit_ms: int, painted_ms: int | None, pings_ms: list[int], now_ms: int
) -> None:
    asked = page(rtt_ms, *pings_ms, painted_ms=painted_ms, credit_us=credit_ms * MS)
    at_ms = ask_ms(asked, now_ms)
    if at_ms is not None:
        end_us = over_us(REVEAL_US, LEVEL_US - TIE_US, REVEAL_US + 200 * MS, [asked.player])
        assert at_ms >= now_ms
        assert REVEAL_US + at_ms * MS + rtt_ms * MS < max(end_us, asked.player.too_late_us(REVEAL_US, LEVEL_US))


def test_a_ping_that_has_just_been_sent_is_not_sent_again() -> None:
    for now_ms in range(300, 400):
        if ask_ms(asked := page(60, credit_us=125 * MS), now_ms) == now_ms:
            again_ms = ask_ms(page(60, now_ms, credit_us=asked.player.max_credit_us), now_ms)
            assert again_ms is None or again_ms > now_ms


def test_the_page_whose_answer_would_come_last_has_a_row_on_every_card() -> None:
    assert row_percent(240 * MS, 240 * MS) == 100
    assert row_percent(70 * MS, 70 * MS) == 50
    assert row_percent(120 * MS, 240 * MS) == row_percent(20 * MS, 240 * MS) == 0
    pings_us = cover_pings_us(240 * MS, 240 * MS, Random(1).randrange)
    assert len(pings_us) == ROW_PINGS
    assert {later - sooner for sooner, later in pairwise(pings_us)} == {ROW_STEP_US}
    assert ROW_FROM_US <= pings_us[0] + 120 * MS < ROW_FROM_US + ROW_STEP_US


def test_a_near_page_has_a_single_cover_ping_now_and_then() -> None:
    draw = Random(2).randrange
    cards = [cover_pings_us(20 * MS, 200 * MS, draw) for _ in range(2_000)]
    assert {len(pings_us) for pings_us in cards} == {0, 1}
    single = [pings_us[0] for pings_us in cards if pings_us]
    assert abs(100 * len(single) / len(cards) - SINGLE_PERCENT) < 4
    read = [at_us + 10 * MS for at_us in single]
    assert min(read) < 240 * MS
    assert max(read) > 600 * MS
    assert sum(280 * MS < at_us < 420 * MS for at_us in read) > len(read) / 2


@given(st.integers(0, MAX_RTT_US), st.integers(0, MAX_RTT_US), st.integers())
def test_cover_pings_follow_the_reveal_in_order(one_us: int, other_us: int, seed: int) -> None:
    pings_us = cover_pings_us(min(one_us, other_us), max(one_us, other_us), Random(seed).randrange)
    assert pings_us == sorted(pings_us)
    assert all(at_us >= 0 for at_us in pings_us)
