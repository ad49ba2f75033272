"""How far a player's own clock is believed: free credit, a purse for spikes, and the last excesses claimed.

The *excess* of a slap is how much longer the network took, by the player's clock, than the server's estimate says. On
an honest connection it is small and mostly steady. A player's credit outlives their connections.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ratscrew.judge.constants import (
    FREE_CREDIT_US,
    MAX_FREE_MEDIAN_US,
    MAX_PURSE_US,
    MIN_SLAPS_FOR_MEDIAN,
    PENALTY_EXCESS_US,
    PURSE_GAIN_US,
    PURSE_START_US,
    SLAPS_REMEMBERED,
)


@dataclass(frozen=True, slots=True)
class Credit:
    """One player's credit: the purse, the last excesses, and whether the player claims too much too often.

    A penalised player has no purse, and starts again with an empty one.
    """

    purse_us: int = PURSE_START_US
    excesses_us: tuple[int, ...] = ()
    penalised: bool = False

    @property
    def free_us(self) -> int:
        """The unconditional credit: less if the player's median excess is high, 0 if penalised."""
        if self.penalised:
            return 0
        usual_us = int(median(self.excesses_us)) if len(self.excesses_us) >= MIN_SLAPS_FOR_MEDIAN else 0
        return max(0, FREE_CREDIT_US - max(0, usual_us - MAX_FREE_MEDIAN_US))

    @property
    def max_credit_us(self) -> int:
        """The most that one slap can be credited now."""
        return self.free_us + self.purse_us

    def grant_us(self, excess_us: int) -> int:
        """The credit for a slap with this excess: never more than the excess, which may be below 0."""
        return min(excess_us, self.free_us + self.purse_us)

    def after(self, excess_us: int) -> Credit:
        """The credit after a slap with this excess."""
        beyond_us = excess_us - self.free_us
        purse_us = self.purse_us - beyond_us if beyond_us > 0 else self.purse_us + PURSE_GAIN_US
        excesses_us = (*self.excesses_us, excess_us)[-SLAPS_REMEMBERED:]
        many = len([each_us for each_us in excesses_us if each_us > PENALTY_EXCESS_US])
        of = max(MIN_SLAPS_FOR_MEDIAN, len(excesses_us))
        penalised = many * 4 >= of if self.penalised else many * 2 > of
        return Credit(0 if penalised else min(MAX_PURSE_US, max(0, purse_us)), excesses_us, penalised)
