"""Cheating indicators: statistics of one player's slaps that are a reason to look at the player, never proof.

Nothing is decided here, and no game code uses it. Every indicator compares like with like: a slap with the heartbeat of
the same connection just before it, a reaction with the same player's reactions to the same pattern, by the clock of the
page that showed the card. So an indicator does not depend on how far away a player is.

An indicator is odd only if even the bound that is most favourable to the player, given the number of slaps, is past the
limit. The limits come from simulated honest players (`python -m benchmarks.suspicion`); all indicators together flag at
most 1 % of them. Unit: microseconds, or what an indicator's `unit` says. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from statistics import median
from typing import Literal, NamedTuple

from ratscrew.judge.intervals import quantile_bounds, slope_bounds, wilson_bounds

Z = 2.7
"""Confidence of a bound, as a standard normal quantile: errs about 1 in 300 times on each side."""

Z_BOTH = 1.9
"""The same where two bounds are combined: both are wrong about as rarely."""

Z_SLOPE = 3.0
"""The same for a slope, which a few outliers can tilt."""

ENOUGH, SPREAD_ENOUGH, FOLLOWS_ENOUGH = 11, 18, 100
"""The slaps that an indicator needs: a median or a proportion, a spread, a slope."""

WRONG_ENOUGH = 8
"""The wrong slaps needed for a median: players are seldom wrong, and eight slaps give bounds."""

ON_TIME_US = 36_000
"""A card is on time if its page reports painting it no later than a slow screen would."""

SLAP_LAG_US = 8_000
"""An honest page's slaps take about as long as its heartbeats; a slow device sends a slap 5 ms after stamping it."""

BEATS_US = 4_000
"""An honest page's heartbeats take about as long as its slaps; a page that falsifies only them has slower ones."""

LINE_US = 15_000
"""On a jittery connection the usual heartbeat comes this much later than the quickest answer."""

PAINT_US = 3_000
"""Cards are sent early, so a page paints the usual one at most a frame after its moment, and so much for jitter."""

SLOWEST_FRAME_US = 33_000
"""A frame of a page that draws 30 a second: the longest that excuses a late painting, whatever a page says. It counts
for pages that do not say how long theirs are, too."""

PAYS_US = 3_000
"""Network latency does not depend on whether a slap can win."""

QUICK_US = 240_000
"""The median of simple reactions to light is about 231 ms (Woods 2015); to see that two cards match takes longer."""

VERY_QUICK_US, VERY_QUICK_PERCENT = 200_000, 8
"""Few people recognise anything in less time, and no one does often."""

EVEN_US = 45_000
"""Between a quarter and three quarters of a person's reactions to one pattern lie more than 45 ms."""

WRONG_PERCENT = 50
"""A player whose slaps are mostly wrong is not looking at the cards."""

FOLLOWS_PERCENT = 10
"""A person reacts to the picture; a program that reads the packet reacts before a late picture."""

PAINT_MOST_US, REST_LEAST_US, REST_MOST_US = 30_000, -80_000, 40_000
"""Outliers are clipped to these values, so that no single one determines a slope."""

ANSWER_US = 10_000
"""A page's script answers a ping a little after the packets; a page that takes longer may be delaying on purpose."""

COARSE_US = 20_000
"""Some private modes round the clock to 100 ms: then only the server's clock is usable."""

UNANSWERED_PERCENT = 50
"""Every browser answers WebSocket ping frames by itself."""


class SlapTrace(NamedTuple):
    """One slap of a player: `pattern` is what it slapped, or None where there was nothing to slap.

    `reaction_us` is the shortest reaction claimed, by the page's clock if it has one. `excess_us` is the network delay
    that the page claims beyond the server's estimate, `lag_us` the same for its newest heartbeat, and `paint_us` how
    long after the shared reveal it painted the card. `app_us`, `control_us` and `kernel_us` are the round trips of the
    page's answers, the browser's pong frames and the TCP packets. `apart_us` is from the slap to that heartbeat, by the
    page's clock; `frame_us` is how long the page says that its frames last. None where unknown.
    """

    reaction_us: int
    pattern: str | None
    excess_us: int | None = None
    lag_us: int | None = None
    app_us: int | None = None
    kernel_us: int | None = None
    control_us: int | None = None
    paint_us: int | None = None
    apart_us: int | None = None
    frame_us: int | None = None

    @property
    def way_us(self) -> int | None:
        """How much longer the slap travelled than expected, by both clocks, without the lateness of the painting."""
        return None if self.excess_us is None or self.paint_us is None else self.excess_us - self.paint_us


@dataclass(frozen=True, slots=True)
class Indicator:
    """One statistic of a player. `meaning` explains why a value past the limit (over it, or under if `below`) is odd.

    `figure` is the estimate and `bound` the value most favourable to the player that the slaps allow; None if there are
    too few. `slaps` is the number of slaps used, `min_slaps` the number required.
    """

    name: str
    meaning: str
    limit: float
    slaps: int
    figure: float | None = None
    bound: float | None = None
    min_slaps: int = ENOUGH
    below: bool = False
    unit: Literal["us", "percent"] = "us"

    @property
    def enough(self) -> bool:
        """Whether there are enough slaps."""
        return self.bound is not None and self.slaps >= self.min_slaps

    @property
    def past(self) -> bool:
        """Whether the estimate is past the limit, perhaps by chance."""
        return self.figure is not None and (self.figure < self.limit if self.below else self.figure > self.limit)

    @property
    def flagged(self) -> bool:
        """Whether it is a reason to look: the bound is past the limit too."""
        if self.bound is None or not self.enough:
            return False
        return self.bound < self.limit if self.below else self.bound > self.limit


def indicators(slaps: Sequence[SlapTrace]) -> tuple[Indicator, ...]:
    """Every indicator of a player's slaps, in the order of docs/fairness.md.

    If the page's clock is coarse, reactions are the server's estimates, and no indicator compares the page's stamps.
    """
    if _coarse(slaps):
        slaps = [_by_server(slap) for slap in slaps]
    good = [slap for slap in slaps if slap.pattern is not None]
    rests = _rests(good)
    return (
        *_slap_lag(slaps),
        _beats(slaps),
        _paint(slaps),
        _pays(slaps),
        _quick(good),
        _very_quick(good),
        _even([rest for _, rest in rests]),
        _follows([(slap, rest) for slap, rest in rests if slap.paint_us is not None]),
        _wrong(slaps),
        _answers(slaps),
        _unanswered(slaps),
    )


def _slap_lag(slaps: Sequence[SlapTrace]) -> tuple[Indicator, Indicator]:
    more = [
        slap.way_us - slap.lag_us
        for slap in slaps
        if slap.way_us is not None and slap.lag_us is not None and slap.paint_us is not None
        if slap.paint_us <= ON_TIME_US
    ]
    slaps_mean = "slaps are said to take longer on their way than heartbeats on the same way"
    beats_mean = "heartbeats are said to take longer on their way than slaps on the same way"
    return (
        _median("slaps behind heartbeats", slaps_mean, more, SLAP_LAG_US),
        _median("heartbeats behind slaps", beats_mean, [-each for each in more], BEATS_US),
    )


def _beats(slaps: Sequence[SlapTrace]) -> Indicator:
    lags = [slap.lag_us for slap in slaps if slap.lag_us is not None]
    return _median(
        "heartbeats behind answers", "heartbeats are said to take longer than answers to pings", lags, LINE_US
    )


def _paint(slaps: Sequence[SlapTrace]) -> Indicator:
    late = [
        slap.paint_us - min(SLOWEST_FRAME_US, slap.frame_us or SLOWEST_FRAME_US)
        for slap in slaps
        if slap.paint_us is not None
    ]
    means = "most cards are said to come late by more than a frame of the page"
    return _median("cards painted late", means, late, PAINT_US)


def _pays(slaps: Sequence[SlapTrace]) -> Indicator:
    good = [slap.excess_us for slap in slaps if slap.excess_us is not None and slap.pattern is not None]
    wrong = [slap.excess_us for slap in slaps if slap.excess_us is not None and slap.pattern is None]
    resting = (len(good), ENOUGH) if len(good) < ENOUGH else (len(wrong), WRONG_ENOUGH)
    name, means = "good slaps behind wrong ones", "the network is said to be slower when there is something to win"
    figure = median(good) - median(wrong) if good and wrong else None
    most, least = quantile_bounds(good, 0.5, Z_BOTH), quantile_bounds(wrong, 0.5, Z_BOTH)
    bound = most[0] - least[1] if most and least else None
    return Indicator(name, means, PAYS_US, resting[0], figure, bound, resting[1])


def _quick(good: Sequence[SlapTrace]) -> Indicator:
    reactions = [slap.reaction_us for slap in good]
    return _median("median reaction", "people recognise nothing so fast", reactions, QUICK_US, below=True)


def _very_quick(good: Sequence[SlapTrace]) -> Indicator:
    many = sum(slap.reaction_us < VERY_QUICK_US for slap in good)
    name = f"reactions under {VERY_QUICK_US // 1000} ms"
    return _share(name, "people are seldom so fast", many, len(good), VERY_QUICK_PERCENT)


def _even(rests: Sequence[float]) -> Indicator:
    """The interquartile range; its bound combines the outermost bounds of both quartiles."""
    low, high = quantile_bounds(rests, 0.25, Z_BOTH), quantile_bounds(rests, 0.75, Z_BOTH)
    ranked = sorted(rests)
    figure = ranked[len(ranked) * 3 // 4] - ranked[len(ranked) // 4] if ranked else None
    bound = high[1] - low[0] if low and high else None
    means = "people are less even than that"
    return Indicator("spread of reactions", means, EVEN_US, len(rests), figure, bound, SPREAD_ENOUGH, below=True)


def _follows(pairs: Sequence[tuple[SlapTrace, float]]) -> Indicator:
    """How much shorter reactions become per millisecond that the card is painted later."""
    points = [
        (min(slap.paint_us or 0, PAINT_MOST_US), max(REST_LEAST_US, min(rest, REST_MOST_US))) for slap, rest in pairs
    ]
    bounds = slope_bounds(points, Z_SLOPE)
    figure, bound = (-50 * sum(bounds), -100 * bounds[1]) if bounds else (None, None)
    name, means = "reactions to the packet", "slaps follow the packet that brought the card rather than the picture"
    return Indicator(name, means, FOLLOWS_PERCENT, len(points), figure, bound, FOLLOWS_ENOUGH, unit="percent")


def _wrong(slaps: Sequence[SlapTrace]) -> Indicator:
    many = sum(slap.pattern is None for slap in slaps)
    return _share("wrong slaps", "most slaps are on cards that cannot be slapped", many, len(slaps), WRONG_PERCENT)


def _answers(slaps: Sequence[SlapTrace]) -> Indicator:
    late = [slap.app_us - slap.kernel_us for slap in slaps if slap.app_us is not None and slap.kernel_us is not None]
    return _median("answers behind packets", "the page answers late on a line that is faster", late, ANSWER_US)


def _unanswered(slaps: Sequence[SlapTrace]) -> Indicator:
    asked = [slap for slap in slaps if slap.app_us is not None]
    many = sum(slap.control_us is None for slap in asked)
    means = "the page answers, and its browser does not"
    return _share("browser does not answer", means, many, len(asked), UNANSWERED_PERCENT)


def _coarse(slaps: Sequence[SlapTrace]) -> bool:
    """Whether all differences between two stamps of the page are multiples of 20 ms or more."""
    apart = [slap.apart_us for slap in slaps if slap.apart_us is not None]
    step_us = gcd(*apart)
    return len(apart) >= ENOUGH and (step_us == 0 or step_us >= COARSE_US)


def _by_server(slap: SlapTrace) -> SlapTrace:
    """The slap as the server's clock alone has it."""
    estimate_us = slap.reaction_us + (slap.excess_us or 0)
    return SlapTrace(estimate_us, slap.pattern, None, None, slap.app_us, slap.kernel_us, slap.control_us)


def _rests(good: Sequence[SlapTrace]) -> list[tuple[SlapTrace, float]]:
    """Each good slap with its residual: its reaction less the player's median for that pattern, given five or more."""
    kinds: dict[str | None, list[SlapTrace]] = defaultdict(list)
    for slap in good:
        kinds[slap.pattern].append(slap)
    usual = {name: median(slap.reaction_us for slap in kind) for name, kind in kinds.items() if len(kind) > 4}
    return [(slap, slap.reaction_us - usual[slap.pattern]) for slap in good if slap.pattern in usual]


def _median(name: str, means: str, values: Sequence[float], limit: float, below: bool = False) -> Indicator:
    bounds = quantile_bounds(values, 0.5, Z)
    bound = bounds[below] if bounds else None
    return Indicator(name, means, limit, len(values), median(values) if values else None, bound, below=below)


def _share(name: str, means: str, many: int, of: int, limit: float) -> Indicator:
    bounds = wilson_bounds(many, of, Z)
    figure, bound = (100 * many / of, 100 * bounds[0]) if bounds else (None, None)
    return Indicator(name, means, limit, of, figure, bound, unit="percent")
