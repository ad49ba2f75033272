"""Human reaction times and error rates. Independent of what the reaction is to.

Human reaction times are skewed to the right: the sum of a normal and an exponential part, the ex-Gaussian. Recognising
a pattern takes longer than seeing a light, about 384 ms against 220 (Laming 1968), and nobody responds to a picture in
less than about 200 ms.

A time is drawn with one random number from a table of quantiles, by linear interpolation. The same table and number
give the same time, to the microsecond.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from ratscrew.bots.bot import Chance

FASTEST_US = 200_000
"""No player recognises a pattern faster."""

QUANTILE_STEPS = 4096
"""The number of equally likely intervals of a quantile table; it has one knot more."""

_SPREAD = 0.22
"""The standard deviation of the logarithm of a pause."""

_GRID = 4096
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Reflexes:
    """A player's reaction times, pace and error rates.

    Unit: `mu_us`, `sigma_us`, `tau_us` are the ex-Gaussian's parameters and `pace_us` the median pause before a
    card is turned, in microseconds; `scan_time_us` is added for each card a pattern is longer than two. The error rates
    are from 0 to 1: `miss` is the rate of overlooked patterns, `false_alarm` that of slaps where no pattern is, and
    `lure_false_alarm` that of slaps at a pile that looks much like a pattern.
    """

    mu_us: int
    sigma_us: int
    tau_us: int
    scan_time_us: int
    pace_us: int
    miss: float
    false_alarm: float
    lure_false_alarm: float

    @property
    def reactions(self) -> Sequence[int]:
        """The quantiles of a reaction to the shortest pattern, before `scan_time_us` and the minimum."""
        return _ex_gaussian(self.mu_us, self.sigma_us, self.tau_us)

    @property
    def pauses(self) -> Sequence[int]:
        """The quantiles of a pause, log-normal around the pace."""
        return _log_normal(self.pace_us)

    def reaction_us(self, size: int, chance: Chance) -> int:
        """Draw the time to recognise and slap a pattern of `size` cards."""
        return max(FASTEST_US, quantile(self.reactions, chance()) + max(0, size - 2) * self.scan_time_us)

    def pause_us(self, chance: Chance) -> int:
        """Draw the pause before a card is turned."""
        return max(FASTEST_US, quantile(self.pauses, chance()))


def quantile(knots: Sequence[int], chance: float) -> int:
    """The quantile of a table at `chance`, interpolated."""
    place = chance * QUANTILE_STEPS
    piece = int(place)
    low = knots[piece]
    return low + int((place - piece) * (knots[piece + 1] - low))


@lru_cache(maxsize=256)
def _ex_gaussian(mu_us: int, sigma_us: int, tau_us: int) -> Sequence[int]:
    """The quantiles of the sum of a normal and an exponential time.

    If the exponential part is negligible, the sum is taken as normal. Otherwise the distribution function (Luce 1986)
    is evaluated on a grid finer than a millisecond and inverted.
    """
    if sigma_us == 0:
        return tuple(round(mu_us - tau_us * math.log1p(-share)) for share in _SHARES)
    if sigma_us > 20 * tau_us:
        spread_us = math.hypot(sigma_us, tau_us)
        return tuple(round(mu_us + tau_us + spread_us * _NORMAL.inv_cdf(share)) for share in _SHARES)
    low_us, high_us = mu_us - 5 * sigma_us, mu_us + 5 * sigma_us + 12 * tau_us
    step_us = (high_us - low_us) / _GRID
    knots, place, below, here = list[int](), 0, 0.0, 0.0
    for share in _SHARES:
        while here < share and place < _GRID:
            place += 1
            below, here = here, _ex_gaussian_share(low_us + place * step_us - mu_us, sigma_us, tau_us)
        part = (share - below) / (here - below) if here > below else 0.0
        knots.append(round(low_us + (place - 1 + part) * step_us))
    return tuple(knots)


def _ex_gaussian_share(us: float, sigma_us: int, tau_us: int) -> float:
    """The distribution function at `us` after mu."""
    ratio = sigma_us / tau_us
    tail = math.exp(ratio * ratio / 2 - us / tau_us) * _NORMAL.cdf(us / sigma_us - ratio)
    return _NORMAL.cdf(us / sigma_us) - tail


@lru_cache(maxsize=256)
def _log_normal(median_us: int) -> Sequence[int]:
    return tuple(round(median_us * math.exp(_SPREAD * _NORMAL.inv_cdf(share))) for share in _SHARES)


def _shares() -> tuple[float, ...]:
    """The probabilities of the knots.

    The first and the last are not 0 and 1, where a time would be infinite: they are chosen so that the outermost
    intervals have the mean of an exponential tail.
    """
    end = math.exp(-2) / QUANTILE_STEPS
    return (end, *(knot / QUANTILE_STEPS for knot in range(1, QUANTILE_STEPS)), 1 - end)


_SHARES = _shares()

STRENGTHS: dict[str, Reflexes] = {
    "gentle": Reflexes(
        620_000, 80_000, 220_000, 90_000, 1_000_000, miss=0.22, false_alarm=0.004, lure_false_alarm=0.10
    ),
    "steady": Reflexes(420_000, 45_000, 110_000, 60_000, 800_000, miss=0.09, false_alarm=0.002, lure_false_alarm=0.05),
    "sharp": Reflexes(300_000, 30_000, 70_000, 35_000, 620_000, miss=0.03, false_alarm=0.001, lure_false_alarm=0.02),
}
"""The basic strengths, weakest first. `sharp` is a quick, practised person (ex-Gaussian 300, 30, 70 ms)."""
