"""When a race is over, worked out by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, SlapStamps, judge
from ratscrew.judge.watermark import PendingPlayer, over_us

MS = 1_000
SHOWN_US, BEST_US, OPENED_US = 1_000 * MS, 400 * MS, 1_410 * MS


def over_ms(*others: PendingPlayer, window_ms: int = 0) -> float:
    """When a race is over that a hand of 400 ms has opened at 1,410, for a card shown at 1,000."""
    return over_us(SHOWN_US, BEST_US, OPENED_US, others, window_ms * MS) / MS


def test_where_nobody_else_is_there_it_is_over_at_once() -> None:
    assert over_ms() == 1_410


def test_it_waits_for_half_a_round_trip_and_the_most_that_could_be_credited() -> None:
    assert over_ms(PendingPlayer(80 * MS, 75 * MS)) == 1_000 + 400 + 40 + 75


def test_it_waits_for_the_one_who_could_come_last() -> None:
    assert over_ms(PendingPlayer(20 * MS, 25 * MS), PendingPlayer(200 * MS, 25 * MS)) == 1_525


def test_a_message_stamped_after_the_best_hand_clears_its_player() -> None:
    assert over_ms(PendingPlayer(200 * MS, 75 * MS, painted_us=50_000 * MS, stamp_us=50_400 * MS)) == 1_410
    assert over_ms(PendingPlayer(200 * MS, 75 * MS, painted_us=50_000 * MS, stamp_us=50_399 * MS)) == 1_575


def test_a_player_whose_page_has_not_painted_the_card_is_not_cleared_by_its_heartbeats() -> None:
    assert over_ms(PendingPlayer(200 * MS, 75 * MS, stamp_us=99_999 * MS)) == 1_575


def test_within_a_window_a_hand_could_still_be_a_tie() -> None:
    assert over_ms(PendingPlayer(20 * MS, 25 * MS), window_ms=30) == 1_465
    assert over_ms(PendingPlayer(20 * MS, 25 * MS, 0, 400 * MS), window_ms=30) == 1_465
    assert over_ms(PendingPlayer(20 * MS, 25 * MS, 0, 430 * MS), window_ms=30) == 1_410


def test_no_race_is_longer_than_600_ms() -> None:
    assert over_us(SHOWN_US, 2_000 * MS, OPENED_US, [PendingPlayer(400 * MS, 125 * MS)]) == OPENED_US + 600 * MS


@given(
    rtt_us=st.integers(0, 400 * MS),
    purse_us=st.integers(0, 100 * MS),
    after_us=st.integers(1, 300 * MS),
    claimed_us=st.integers(150 * MS, 900 * MS),
)
def test_what_comes_after_the_verdict_could_not_have_won(
    rtt_us: int, purse_us: int, after_us: int, claimed_us: int
) -> None:
    credit = Credit(purse_us)
    over = over_us(SHOWN_US, BEST_US, OPENED_US, [PendingPlayer(rtt_us, credit.max_credit_us)], 0)
    if over == OPENED_US + 600 * MS:
        return
    late = judge(SlapStamps(over + after_us, claimed_us), CardTiming(SHOWN_US, rtt_us, 0), credit)
    assert late.reaction_us >= BEST_US
