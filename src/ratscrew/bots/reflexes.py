"""How fast people react, and how often they err. Nothing in this file knows what is to be reacted to.

Human reaction times are skewed to the right: a normal part and an exponential one, together ex-Gaussian. To
recognise a pattern takes longer than to see a light: about 384 ms against 220 (Laming 1968), and nobody answers
a picture in less than about 200 ms.

A time is drawn by one chance from a table of quantiles, linear in between, so that whoever has the table and the
chance has the time, to the microsecond.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from ratscrew.bots.bot import Chance

FASTEST_US = 200_000
"""Nobody recognises a pattern faster."""

QUANTILE_STEPS = 4096
"""How many pieces of equal chance a table of quantiles has; it has one knot more."""

_SPREAD = 0.22
"""How much pauses differ: the deviation of their logarithm."""

_GRID = 4096
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Reflexes:
    """One player's reactions to the shortest pattern, his pace, and his errors.

    Unit: `mu_us`, `sigma_us`, `tau_us` are the ex-Gaussian's parameters and `pace_us` the median pause before a
    card is turned, in microseconds; `scan_time_us` is added for each card a pattern is longer than two. The shares
    are from 0 to 1: `miss` of the patterns are overlooked; a card that is none is slapped all the same with
    `false_alarm`, one that looks much like a pattern with `lure_false_alarm`.
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
        """The quantiles of a reaction to the shortest pattern, before anything is added or cut off."""
        return _ex_gaussian(self.mu_us, self.sigma_us, self.tau_us)

    @property
    def pauses(self) -> Sequence[int]:
        """The quantiles of a pause, log-normal around the pace."""
        return _log_normal(self.pace_us)

    def reaction_us(self, size: int, chance: Chance) -> int:
        """A time in which a pattern of `size` cards is recognised and slapped."""
        return max(FASTEST_US, quantile(self.reactions, chance()) + max(0, size - 2) * self.scan_time_us)

    def pause_us(self, chance: Chance) -> int:
        """A pause before one's own card is turned."""
        return max(FASTEST_US, quantile(self.pauses, chance()))


def quantile(knots: Sequence[int], chance: float) -> int:
    """The time below which a share `chance` of all times lies."""
    place = chance * QUANTILE_STEPS
    piece = int(place)
    low = knots[piece]
    return low + int((place - piece) * (knots[piece + 1] - low))


@lru_cache(maxsize=256)
def _ex_gaussian(mu_us: int, sigma_us: int, tau_us: int) -> Sequence[int]:
    """The quantiles of a normal time and an exponential one after the other.

    Where the exponential part is a trifle, the sum is as good as normal. Else the distribution function (Luce 1986)
    is taken on a grid that is finer than a millisecond and read the other way round.
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
    """How many of all times are shorter than `us` after mu."""
    ratio = sigma_us / tau_us
    tail = math.exp(ratio * ratio / 2 - us / tau_us) * _NORMAL.cdf(us / sigma_us - ratio)
    return _NORMAL.cdf(us / sigma_us) - tail


@lru_cache(maxsize=256)
def _log_normal(median_us: int) -> Sequence[int]:
    return tuple(round(median_us * math.exp(_SPREAD * _NORMAL.inv_cdf(share))) for share in _SHARES)


def _shares() -> tuple[float, ...]:
    """The shares of the knots.

    The first and the last are not 0 and 1, where a time would be endless, but lie so that the outermost pieces have
    the mean of an exponential tail.
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
"""The bots' strengths, weakest first. `sharp` is a quick, practised person (ex-Gaussian 300, 30, 70 ms)."""
