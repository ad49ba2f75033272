"""When a race is over: as soon as no player who has not slapped yet could still win it.

Messages of one connection arrive in order, so a message stamped later than the best slap proves that its player has no
earlier one in flight (a watermark). Once the round trip and the largest credit have passed, no later slap could win.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ratscrew.judge.constants import MAX_RACE_US, TIE_US


class PendingPlayer(NamedTuple):
    """A player who sees the card and has not slapped it.

    `max_credit_us` is the most that their slap could be credited. `painted_us` is when their page painted the card, and
    `stamp_us` the stamp of its newest message, both by the page's clock; None until received.
    """

    rtt_us: int
    max_credit_us: int
    painted_us: int | None = None
    stamp_us: int | None = None

    def has_no_better(self, best_us: int) -> bool:
        """Whether the page's messages prove that no slap better than `best_us` is in flight."""
        if self.painted_us is None or self.stamp_us is None:
            return False
        return self.stamp_us >= self.painted_us + best_us

    def too_late_us(self, reveal_us: int, best_us: int) -> int:
        """The time after which no slap of this player could be better than `best_us`."""
        return reveal_us + best_us + self.rtt_us // 2 + self.max_credit_us


def over_us(
    reveal_us: int, best_us: int, opened_us: int, others: Iterable[PendingPlayer], window_us: int = TIE_US
) -> int:
    """When the race for a card shown at `reveal_us` is over, as things stand; a past time means now.

    `best_us` is the best reaction so far, `opened_us` the arrival of the race's first slap. Slaps within `window_us` of
    the best could still tie.
    """
    level_us = best_us + window_us
    waits_us = [other.too_late_us(reveal_us, level_us) for other in others if not other.has_no_better(level_us)]
    return min(max(waits_us, default=opened_us), opened_us + MAX_RACE_US)
