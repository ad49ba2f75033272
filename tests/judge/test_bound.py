"""No sequence of lies beats one's own reaction by more than 52 ms and the purse, or makes a rival slower.

52 ms are 25 of free credit, 23 of the margin by which a card is sent early, and 4 by which a round trip may exceed
the kernel's. A person, unlike a program, sees a card on the screen a frame later: with 13 ms for that it is 39.
The liar is modelled from the outside: a true link, a true reaction, and every message as the liar likes it.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, Judgement, SlapStamps, judge
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.judge.watermark import PendingPlayer, over_us

MS = 1_000
REVEAL_US = 10**9
MARGIN_US, KERNEL_US, FREE_US, PURSE_US, CLEAN_US = 23 * MS, 4 * MS, 25 * MS, 50 * MS, 5 * MS
"""The published constants, written out again: a change of one of them is to be seen here."""


class Lie(NamedTuple):
    """One slap of a liar: the true reaction, and all that the liar may choose."""

    reaction_us: int
    held_us: int = 0
    pong_held_us: int = 0
    painted_us: int = 0
    pressed_us: int = 0
    beat_us: int | None = None


def slap(lie: Lie, down_us: int, up_us: int, credit: Credit, frame_us: int = 0) -> Judgement:
    """The slap as the server judges it: the card goes out as early as the link seems to need, and 23 ms.

    `frame_us` after it has come the card is to be seen.
    """
    true_us = down_us + up_us
    rtt_estimator = RttEstimator(kernel_us=true_us).with_sample(0, true_us + lie.pong_held_us, lie.painted_us)
    link_estimate = rtt_estimator.link_estimate
    assert link_estimate is not None
    there_us = REVEAL_US - link_estimate.rtt_us // 2 - MARGIN_US + down_us
    arrived_us = there_us + frame_us + lie.reaction_us + lie.held_us + up_us
    shown = CardTiming(REVEAL_US, link_estimate.rtt_us, lie.painted_us)
    return judge(SlapStamps(arrived_us, lie.pressed_us, lie.beat_us), shown, credit)


WAYS = st.integers(0, 200 * MS)
STAMPS = st.integers(0, 1_000 * MS)
LIES = st.builds(
    Lie,
    reaction_us=st.integers(150 * MS, 900 * MS),
    held_us=st.just(0) | st.integers(0, 300 * MS),
    pong_held_us=st.integers(0, 300 * MS),
    painted_us=STAMPS,
    pressed_us=STAMPS,
    beat_us=st.none() | STAMPS,
)
SPREE = [Lie(400 * MS, pong_held_us=100 * MS, pressed_us=250 * MS)] * 3 + [Lie(400 * MS, pressed_us=395 * MS)] * 30


@pytest.mark.parametrize("purse_ms", [0, 50, 100])
@pytest.mark.parametrize(("frame_ms", "bound_ms"), [(0, 52), (13, 39)])
def test_the_bound_is_reached_and_not_passed(purse_ms: int, frame_ms: int, bound_ms: int) -> None:
    """Everything at once, as late as one likes: 27 ms of the link, 25 of free credit, and the purse."""
    lie = Lie(400 * MS, pong_held_us=100 * MS, painted_us=7 * MS, pressed_us=157 * MS)
    judged = slap(lie, 30 * MS, 50 * MS, Credit(purse_ms * MS), frame_ms * MS)
    assert judged.reaction_us == 400 * MS - (bound_ms + purse_ms) * MS


@given(down_us=WAYS, up_us=WAYS, lies=st.lists(LIES, min_size=1, max_size=40))
@example(down_us=30 * MS, up_us=50 * MS, lies=SPREE)
def test_no_sequence_of_lies_beats_the_reaction_by_more_than_52_ms_and_the_purse(
    down_us: int, up_us: int, lies: list[Lie]
) -> None:
    credit = Credit()
    for lie in lies:
        judged = slap(lie, down_us, up_us, credit)
        if not judged.moving:
            assert judged.reaction_us >= lie.reaction_us - (52 * MS + credit.purse_us)
        credit = judged.credit


@given(down_us=WAYS, up_us=WAYS, lies=st.lists(LIES, min_size=1, max_size=40))
@example(down_us=30 * MS, up_us=50 * MS, lies=SPREE)
def test_all_lies_together_steal_no_more_than_the_free_credit_and_what_clean_slaps_have_paid_in(
    down_us: int, up_us: int, lies: list[Lie]
) -> None:
    credit, counted, clean, stolen_us = Credit(), 0, 0, 0
    for lie in lies:
        judged = slap(lie, down_us, up_us, credit)
        credit = judged.credit
        if not judged.moving:
            counted += 1
            clean += judged.excess_us <= FREE_US
            stolen_us += lie.reaction_us - judged.reaction_us
    assert stolen_us <= counted * (MARGIN_US + KERNEL_US + FREE_US) + PURSE_US + clean * CLEAN_US


@given(
    down_us=WAYS,
    up_us=WAYS,
    lies=st.lists(LIES, min_size=2, max_size=2),
    rivals=st.lists(STAMPS, min_size=1, max_size=3),
)
def test_whatever_a_page_says_no_hand_on_another_page_is_slower_for_it(
    down_us: int, up_us: int, lies: list[Lie], rivals: list[int]
) -> None:
    """Rivals have a page each, or none; the liar has two seats on one page."""
    race = Race(1, REVEAL_US)
    for seat, reaction_us in enumerate(rivals):
        race = race.add(Contender(seat, REVEAL_US + reaction_us, reaction_us, reaction_us, seat or None))
    for seat, lie in enumerate(lies, start=10):
        judged = slap(lie, down_us, up_us, Credit())
        race = race.add(Contender(seat, REVEAL_US + judged.estimate_us, judged.reaction_us, judged.reported_us, 10))
    placed = dict(race.ruling(lambda n: 0).order)
    assert [placed[seat] for seat in range(len(rivals))] == rivals


@given(
    best_us=STAMPS,
    rivals=st.lists(st.builds(PendingPlayer, WAYS, WAYS, st.none() | STAMPS, st.none() | STAMPS), max_size=3),
    liar=st.builds(PendingPlayer, WAYS, WAYS, st.none() | STAMPS, st.none() | STAMPS),
)
def test_whatever_a_silent_page_says_nobody_else_has_less_time_for_it(
    best_us: int, rivals: list[PendingPlayer], liar: PendingPlayer
) -> None:
    opened_us = REVEAL_US + best_us
    without = over_us(REVEAL_US, best_us, opened_us, rivals)
    assert max(opened_us, over_us(REVEAL_US, best_us, opened_us, [*rivals, liar])) >= max(opened_us, without)
