"""When a race is over: as soon as nobody who has not slapped yet could still win it.

Messages of one connection come in order. So a message stamped later than the best hand proves that its player has no
earlier one under way; and when the longest way and the most credit have passed, nothing that still comes could win.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ratscrew.judge.constants import MAX_RACE_US, TIE_US


class PendingPlayer(NamedTuple):
    """Somebody who sees the card and has not slapped it.

    `most_us` is the most that his slap could be credited; `painted_us` is when his page painted the card and `stamp_us`
    what its newest message was stamped, both by its own clock, None as long as neither has come.
    """

    rtt_us: int
    max_credit_us: int
    painted_us: int | None = None
    stamp_us: int | None = None

    def has_no_better(self, best_us: int) -> bool:
        """Whether his own messages prove that no hand better than `best_us` is under way."""
        if self.painted_us is None or self.stamp_us is None:
            return False
        return self.stamp_us >= self.painted_us + best_us

    def too_late_us(self, reveal_us: int, best_us: int) -> int:
        """From when on nothing of his that comes could be better than `best_us`."""
        return reveal_us + best_us + self.rtt_us // 2 + self.max_credit_us


def over_us(
    reveal_us: int, best_us: int, opened_us: int, others: Iterable[PendingPlayer], window_us: int = TIE_US
) -> int:
    """When the race for a card shown at `reveal_us` is over, as things stand; a moment that is past is now.

    `best_us` is the best reaction so far and `opened_us` when the first hand of the race arrived. Hands within
    `window_us` of the best could still be a tie.
    """
    level_us = best_us + window_us
    waits_us = [other.too_late_us(reveal_us, level_us) for other in others if not other.has_no_better(level_us)]
    return min(max(waits_us, default=opened_us), opened_us + MAX_RACE_US)
