"""The probability that a verdict is right: that the winner's true reaction was the shortest. No I/O.

The reaction that a page reports is longer than the true one by what no page can see: how long the input waited to be
polled, and a frame that the screen left out; and it is rounded to the grain of the page's clock. Where part of a delay
was not credited, the page may have been right all the same. And a player who was waited for in vain may have been
faster.
The shares below are assumptions about devices and networks, those of `benchmarks.player_model`.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

STEP_US = 500
"""The resolution of the distribution of errors."""

POLLING_US = ((1_000, 0.25), (8_000, 0.5), (16_000, 0.25))
"""The longest that an input waits to be polled, and the share of such devices: 1,000, 125 and 60 times a second."""

DROPPED_FRAMES, DROPPED_US = 0.01, 17_000
"""The share of slaps whose screen showed the card a frame later than the page knows, and the length of that frame.

Twice as many cards are shown late; but a reaction that was so much shorter than a quick reported one is rare by itself.
"""

GRAINS_US = (100_000, 20_000, 2_000, 1_000)
"""The grains of browsers' clocks that matter here; others are finer."""

FASTER_UNSEEN, FASTER_MORE_UNSEEN = 0.03, 0.01
"""The chance that a player was faster whose page had not proved that they had no slap when the race ended, and what
each further such player adds."""

MAX_PERCENT, MIN_PERCENT = 99, 1
"""No verdict is called surer than this, since models leave something out."""


class MeasuredSlap(NamedTuple):
    """A slap of a race: the reaction that its own page reports, and the grain of that page's clock.

    `exact`: nothing was measured by a page, as for a bot.
    """

    reported_us: int
    grain_us: int = 0
    exact: bool = False


class _Errors(NamedTuple):
    """How much longer a report is than the true reaction: probabilities of steps from `low` on, and their sums."""

    low: int
    shares: tuple[float, ...]
    below: tuple[float, ...]


_EXACT = _Errors(0, (1.0,), (0.5, 1.0))


def confidence_percent(slaps: Sequence[MeasuredSlap], unseen: int = 0) -> int:
    """The probability that the first of these slaps was truly the fastest, in percent.

    `unseen` players had not slapped, and their pages had not proved it yet when the race ended.

    Raises: ValueError if there is no slap.
    """
    if not slaps:
        raise ValueError("nobody has slapped")
    chance = _chance(slaps[0], slaps[1:])
    if unseen:
        chance *= 1 - FASTER_UNSEEN - FASTER_MORE_UNSEEN * (unseen - 1)
    return min(MAX_PERCENT, max(MIN_PERCENT, round(100 * chance)))


def clock_grain_us(stamps_us: Sequence[int]) -> int:
    """The grain of the clock from which these times come; 0 if it is too fine to matter."""
    return next((grain_us for grain_us in GRAINS_US if not any(stamp_us % grain_us for stamp_us in stamps_us)), 0)


def _chance(first: MeasuredSlap, others: Sequence[MeasuredSlap]) -> float:
    """The sum, over the winner's possible errors, of the chance that every other slap was truly slower."""
    errors = _errors(first)
    rivals = [
        ((other.reported_us - first.reported_us) // STEP_US + errors.low - theirs.low, theirs.below)
        for other, theirs in ((other, _errors(other)) for other in others)
    ]
    near = [(ahead, below) for ahead, below in rivals if ahead < len(below) - 1]
    if not near:
        return 1.0
    chance = 0.0
    for step, share in enumerate(errors.shares):
        for ahead, below in near:
            at = ahead + step
            share *= 0.0 if at < 0 else below[min(at, len(below) - 1)]
        chance += share
    return chance


def _errors(slap: MeasuredSlap) -> _Errors:
    return _EXACT if slap.exact else _report_errors(slap.grain_us)


@lru_cache(maxsize=8)
def _report_errors(grain_us: int) -> _Errors:
    """The errors of a report: polling, a dropped frame, and the rounding of two stamps to the clock's grain."""
    polling = [0.0] * (POLLING_US[-1][0] // STEP_US)
    for longest_us, share in POLLING_US:
        steps = longest_us // STEP_US
        for step in range(steps):
            polling[step] += share / steps
    screen = [1 - DROPPED_FRAMES, *[0.0] * (DROPPED_US // STEP_US - 1), DROPPED_FRAMES]
    steps = max(1, grain_us // STEP_US)
    rounding = _sum([1 / steps] * steps, [1 / steps] * steps)
    shares = _sum(_sum(polling, screen), rounding)
    sums = list(accumulate(shares))
    halves = [total - share / 2 for total, share in zip(sums, shares, strict=True)]
    return _Errors(1 - steps, tuple(shares), (*halves, 1.0))


def _sum(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The distribution of the sum of two independent errors."""
    found = [0.0] * (len(one) + len(other) - 1)
    for k, share in enumerate(one):
        for j, more in enumerate(other):
            found[k + j] += share * more
    return found
