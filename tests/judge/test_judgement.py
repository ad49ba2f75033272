"""One slap, judged: worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, SlapStamps, judge

MS = 1_000

# shown at 1,000 ms of ours to a player 60 ms away, whose page painted it at 51,000 ms of its own clock
SHOWN = CardTiming(reveal_us=1_000 * MS, rtt_us=60 * MS, painted_us=51_000 * MS)


def test_an_undisturbed_slap_is_what_both_clocks_say() -> None:
    seen = judge(SlapStamps(arrived_us=1_430 * MS, pressed_us=51_400 * MS), SHOWN, Credit())
    assert (seen.estimate_us, seen.reported_us, seen.excess_us, seen.reaction_us) == (400 * MS, 400 * MS, 0, 400 * MS)


def test_a_spike_of_the_network_is_made_up_for() -> None:
    seen = judge(SlapStamps(1_490 * MS, 51_400 * MS), SHOWN, Credit())  # 60 ms late: 25 free, 35 from the purse
    assert seen.reaction_us == 400 * MS
    assert seen.credit.purse_us == 15 * MS


def test_a_claim_is_believed_no_further_than_the_credit() -> None:
    seen = judge(SlapStamps(1_530 * MS, 51_400 * MS), SHOWN, Credit())  # 100 ms late, 75 credited
    assert (seen.granted_us, seen.reaction_us) == (75 * MS, 425 * MS)


def test_what_is_stamped_back_past_a_heartbeat_is_moved_up_to_it() -> None:
    seen = judge(SlapStamps(1_430 * MS, 51_300 * MS, beat_us=51_380 * MS), SHOWN, Credit())
    assert seen.back_dated
    assert seen.reported_us == 368 * MS  # the heartbeat, less 12 ms
    assert not judge(SlapStamps(1_430 * MS, 51_370 * MS, beat_us=51_380 * MS), SHOWN, Credit()).back_dated


def test_a_hand_that_was_moving_already_counts_for_nothing_and_costs_no_credit() -> None:
    seen = judge(SlapStamps(1_179 * MS, 51_149 * MS), SHOWN, Credit(purse_us=7 * MS))
    assert seen.moving
    assert seen.credit == Credit(purse_us=7 * MS)
    assert not judge(SlapStamps(1_180 * MS, 51_150 * MS), SHOWN, Credit()).moving


@pytest.mark.parametrize(("estimate_ms", "moving"), [(-20, True), (122, True), (123, False)])
def test_so_was_one_that_came_in_before_anybody_could_have_seen_the_card_whatever_its_page_says(
    estimate_ms: int, moving: bool
) -> None:
    """150 ms, less the 23 by which a card is sent early and the 4 by which the round trip may be wrong.

    The page claims a painting long ago, and so a slow hand, for a slap that the server has at once.
    """
    shown = CardTiming(1_000 * MS, 60 * MS, 50_000 * MS)
    assert judge(SlapStamps((1_030 + estimate_ms) * MS, 50_300 * MS), shown, Credit()).moving == moving


@given(
    way_us=st.tuples(st.integers(0, 200 * MS), st.integers(0, 200 * MS)),
    reaction_us=st.integers(150 * MS, 900 * MS),
    early_us=st.integers(0, 23 * MS),
    lied_rtt_us=st.integers(0, 4 * MS),
    held_us=st.integers(0, 500 * MS),
    painted_us=st.integers(-(10**9), 10**9),
    pressed_us=st.integers(-(10**9), 10**9),
    purse_us=st.integers(0, 100 * MS),
)
def test_no_lie_gains_more_than_52_ms_and_the_purse(
    way_us: tuple[int, int],
    reaction_us: int,
    early_us: int,
    lied_rtt_us: int,
    held_us: int,
    painted_us: int,
    pressed_us: int,
    purse_us: int,
) -> None:
    """Any claim of a page with a card that it had `early_us` before the reveal, and a kernel round trip that agrees."""
    down_us, up_us = way_us
    reveal_us = 10**7
    seen_us = reveal_us - (down_us + up_us) // 2 - early_us + down_us
    arrived_us = seen_us + reaction_us + held_us + up_us
    shown = CardTiming(reveal_us, down_us + up_us + lied_rtt_us, painted_us)
    judged = judge(SlapStamps(arrived_us, pressed_us), shown, Credit(purse_us))
    assume(not judged.moving)
    assert judged.reaction_us >= reaction_us - (52 * MS + purse_us)
