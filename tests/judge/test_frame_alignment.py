"""The moment of a card, where a page draws 30 frames a second: it is half a frame later if that suits it better.

The frames here last 33 ms, and half a frame is 16.666.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.frame_alignment import FrameTimes, aligned_reveal_us

MS = 1_000
HALF_MS = 16.666


def aligned_ms(reveal_ms: int, *pages_ms: Sequence[int]) -> float:
    """The moment, where each page showed a frame at the first time, and each lasts the second."""
    pages = [FrameTimes(shown_ms * MS, frame_ms * MS) for shown_ms, frame_ms in pages_ms]
    return aligned_reveal_us(reveal_ms * MS, pages) / MS


@pytest.mark.parametrize(
    ("reveal_ms", "late_ms", "later_ms"),
    [
        (2037, 20, HALF_MS),  # a frame becomes visible 20 ms later, 12 from the best; half a frame later it is 3
        (2040, 17, HALF_MS),  # 9 from the best, or 8
        (2041, 16, 0),  # 8 from the best, or 9
        (2057, 0, 0),  # 8 from the best; half a frame later the next one is 16 late
        (2058, 32, HALF_MS),  # 9 from the best
    ],
)
def test_a_card_comes_half_a_frame_later_if_a_page_with_few_frames_then_shows_it_nearer_to_8_ms_late(
    reveal_ms: int, late_ms: int, later_ms: float
) -> None:
    """Frames become visible at 1,001, 1,034, ..., 2,057."""
    assert (1_001 - reveal_ms) % 33 == late_ms
    assert aligned_ms(reveal_ms, (1_001, 33)) == reveal_ms + later_ms


@pytest.mark.parametrize("frame_ms", [7, 8, 17, 25, 31, 36, 50, 100])
def test_no_card_comes_later_for_a_page_that_draws_more_frames_or_is_busy(frame_ms: int) -> None:
    assert [aligned_ms(reveal_ms, (1_000, frame_ms)) for reveal_ms in range(2_000, 2_100)] == list(range(2_000, 2_100))
    assert aligned_ms(2_005) == 2_005


def test_a_frame_of_long_ago_does_not_say_when_the_next_ones_are_due() -> None:
    """Of 1,000: 20 ms after 5,996 one becomes visible, since 5,016 is 152 times 33."""
    assert aligned_ms(5_996, (1_000, 33)) == 5_996 + HALF_MS
    assert aligned_ms(6_029, (1_000, 33)) == 6_029


def test_of_two_pages_the_one_that_is_worse_off_counts() -> None:
    """At 2,037 frames follow after 20 and after 6 ms: 12 and 2 from the best. Half a frame later it is 5 and 15."""
    assert aligned_ms(2_037, (1_001, 33)) == 2_037 + HALF_MS
    assert aligned_ms(2_037, (1_001, 33), (987, 33)) == 2_037


FRAMES_US = st.sampled_from([33_333, 33_367]) | st.integers(0, 10**9)
PAGES = st.lists(st.builds(FrameTimes, st.integers(0, 10**7), FRAMES_US), max_size=6)


@given(st.integers(0, 10**7), PAGES)
def test_whatever_pages_say_a_card_comes_at_its_moment_or_half_a_frame_later(
    reveal_us: int, pages: list[FrameTimes]
) -> None:
    assert aligned_reveal_us(reveal_us, pages) - reveal_us in (0, 16_666)


@given(st.integers(0, 33_333), st.sampled_from([2, 4]))
def test_a_screen_of_60_or_120_frames_shows_its_card_as_late_at_either_moment(reveal_us: int, frames: int) -> None:
    """So a liar gains no moment that suits their own screen: half a slow frame is one frame of 60, and two of 120."""
    frame_us = 33_333 / frames
    later_us = aligned_reveal_us(reveal_us, [FrameTimes(0, 33_333)])
    assert -later_us % frame_us == pytest.approx(-reveal_us % frame_us, abs=1)
