"""How fast people react, and how often they err. Nothing in this file knows what is to be reacted to.

Human reaction times are skewed to the right: a normal part and an exponential one, together ex-Gaussian. To
recognise a pattern takes longer than to see a light: about 384 ms against 220 (Laming 1968), and nobody answers
a picture in less than about 200 ms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ratscrew.bots.bot import Chance

FASTEST_US = 200_000
"""Nobody recognises a pattern faster."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Reflexes:
    """One player's reactions to the shortest pattern, his pace, and his errors.

    Unit: `mu_us`, `sigma_us`, `tau_us` are the ex-Gaussian's parameters and `pace_us` the median pause before a
    card is turned, in microseconds; `glance_us` is added for each card a pattern is longer than two. The shares
    are from 0 to 1: `miss` of the patterns are overlooked; a card that is none is slapped all the same with
    `twitch`, one that looks much like a pattern with `fooled`.
    """

    mu_us: int
    sigma_us: int
    tau_us: int
    glance_us: int
    pace_us: int
    miss: float
    twitch: float
    fooled: float

    def reaction_us(self, size: int, chance: Chance) -> int:
        """A time in which a pattern of `size` cards is recognised and slapped."""
        normal = self.mu_us + self.sigma_us * _NORMAL.inv_cdf(min(max(chance(), 1e-9), 1 - 1e-9))
        tail = -self.tau_us * math.log(1 - chance())
        return max(FASTEST_US, round(normal + tail) + max(0, size - 2) * self.glance_us)

    def pause_us(self, chance: Chance) -> int:
        """A pause before one's own card is turned: log-normal around the pace."""
        spread = 0.22 * _NORMAL.inv_cdf(min(max(chance(), 1e-9), 1 - 1e-9))
        return max(FASTEST_US, round(self.pace_us * math.exp(spread)))


STRENGTHS: dict[str, Reflexes] = {
    "gentle": Reflexes(620_000, 80_000, 220_000, 90_000, 1_000_000, miss=0.22, twitch=0.004, fooled=0.10),
    "steady": Reflexes(420_000, 45_000, 110_000, 60_000, 800_000, miss=0.09, twitch=0.002, fooled=0.05),
    "sharp": Reflexes(300_000, 30_000, 70_000, 35_000, 620_000, miss=0.03, twitch=0.001, fooled=0.02),
}
"""The bots' strengths, weakest first. `sharp` is a quick, practised person (ex-Gaussian 300, 30, 70 ms)."""
