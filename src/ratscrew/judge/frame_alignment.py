"""Shifts a card's shared moment to suit pages that draw 30 frames a second. No I/O.

Phones do so to save power, on screens that could show 60. Such a page waits up to 33 ms for its next frame, so it would
show many cards late, and the judge would take that for network delay. Its frames are regular, and it says when its last
card was visible. So where the moment of the next card would be a bad one for it, all players get the card half a frame
later. That is a whole frame of 60 a second, and two of 120: a page that lies about its frames gains no moment that is
better for its own screen. Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratscrew.judge.constants import (
    REVEAL_TO_FRAME_US,
    SLOW_FRAME_MAX_US,
    SLOW_FRAME_MIN_US,
    SLOW_FRAME_US,
    SLOW_FRAMES_KNOWN_US,
)


class FrameTimes(NamedTuple):
    """The frames of a page: one became visible at `shown_us` by the server's clock, and each lasts `frame_us`."""

    shown_us: int
    frame_us: int

    def are_slow(self, reveal_us: int) -> bool:
        """Whether they are 30 a second, and were seen so recently that it is known when the next ones are due."""
        known = reveal_us - self.shown_us < SLOW_FRAMES_KNOWN_US
        return known and SLOW_FRAME_MIN_US <= self.frame_us <= SLOW_FRAME_MAX_US

    def distance_us(self, reveal_us: int) -> int:
        """How far a frame becomes visible from `REVEAL_TO_FRAME_US` after this moment."""
        late_us = (self.shown_us - reveal_us - REVEAL_TO_FRAME_US) % self.frame_us
        return min(late_us, self.frame_us - late_us)


def aligned_reveal_us(reveal_us: int, pages: Sequence[FrameTimes]) -> int:
    """This moment or half a slow frame later: what is better for that page with slow frames which is worse off."""
    slow = [page for page in pages if page.are_slow(reveal_us)]
    moments_us = (reveal_us, reveal_us + SLOW_FRAME_US // 2)
    return min(moments_us, key=lambda at_us: max((page.distance_us(at_us) for page in slow), default=0))
