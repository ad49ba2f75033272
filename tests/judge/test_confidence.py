"""How sure a verdict is: worked examples, a simulation that draws every error, and what the stamps say of a clock."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ratscrew.judge.confidence import (
    DROPPED_FRAMES,
    DROPPED_US,
    POLLING_US,
    MeasuredSlap,
    clock_grain_us,
    confidence_percent,
)

MS = 1000


def hand(claim_ms: float, grain_ms: float = 0) -> MeasuredSlap:
    return MeasuredSlap(round(claim_ms * MS), round(grain_ms * MS))


def bot(us: int) -> MeasuredSlap:
    return MeasuredSlap(us, exact=True)


def test_between_equal_claims_the_chance_is_even() -> None:
    assert confidence_percent([hand(300), hand(300)]) == 50
    assert confidence_percent([hand(300), hand(300), hand(300)]) == 33


def test_it_grows_with_the_lead_to_near_certainty_and_never_beyond() -> None:
    found = [confidence_percent([hand(300), hand(300 + lead)]) for lead in range(60)]
    assert all(one <= other for one, other in pairwise(found))
    assert found[-1] == confidence_percent([hand(300)]) == 99


def test_who_leads_only_because_credit_ran_out_is_probably_not_the_fastest() -> None:
    """The order is the judge's; the claims say the opposite."""
    one, other = confidence_percent([hand(310), hand(300)]), confidence_percent([hand(300), hand(310)])
    assert one < 30
    assert one + other == 100


def test_a_coarse_clock_makes_a_short_lead_less_sure() -> None:
    fine, coarse = ([hand(300, grain), hand(306, grain)] for grain in (0, 20))
    assert confidence_percent(coarse) < confidence_percent(fine) - 10


def test_between_bots_nothing_is_measured_and_nothing_is_in_doubt() -> None:
    assert confidence_percent([bot(300_000), bot(302_000)]) == 99


def test_each_player_whose_page_was_not_heard_makes_it_less_sure() -> None:
    """In 30,000 modelled races (`benchmarks.fairness --asking`), 3 % were faster if one was unseen, 4 % of two."""
    assert [confidence_percent([hand(300)], unseen) for unseen in range(4)] == [99, 97, 96, 95]


@pytest.mark.parametrize("grain_ms", [0, 1, 2])
@pytest.mark.parametrize("leads_ms", [(4,), (2, 9), (12, 12, 30)])
def test_it_is_the_share_that_drawing_every_error_gives(grain_ms: int, leads_ms: tuple[int, ...]) -> None:
    """A true reaction is the claim less polling, a dropped frame, and the rounding of both stamps."""
    rng, many = Random(7), 40_000

    def true_ms(claim_ms: float) -> float:
        longest_us, _ = rng.choices(POLLING_US, [share for _, share in POLLING_US])[0]
        frame_us = DROPPED_US if rng.random() < DROPPED_FRAMES else 0
        rounding = grain_ms * (rng.random() - rng.random())
        return claim_ms - (rng.random() * longest_us + frame_us) / MS - rounding

    hands = [300.0, *(300.0 + lead for lead in leads_ms)]
    right = 0
    for _ in range(many):
        first, *others = map(true_ms, hands)
        right += all(first < other for other in others)
    assert confidence_percent([hand(each, grain_ms) for each in hands]) == pytest.approx(100 * right / many, abs=2)


@pytest.mark.parametrize(
    ("stamps_us", "grain_us"),
    [([301_000, 12_000], 1_000), ([302_000], 2_000), ([301_234, 5_000], 0), ([-200_000], 100_000), ([40_020], 0)],
)
def test_the_stamps_show_the_grain_of_their_clock(stamps_us: list[int], grain_us: int) -> None:
    assert clock_grain_us(stamps_us) == grain_us


def test_without_a_hand_there_is_no_verdict() -> None:
    with pytest.raises(ValueError, match="nobody has slapped"):
        confidence_percent([])
