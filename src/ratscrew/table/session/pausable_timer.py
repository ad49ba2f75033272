"""The timer of the seat that has to act: it runs while a player is at the table. Unit: microseconds."""

from __future__ import annotations

from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.table.session.seat import Seat
from ratscrew.table.session.timing import AWAY_US, turn_timeout_us
from ratscrew.table.state.table_state import TableState


class PausableTimer:
    """Measures how long a seat has had to act. It is stopped at first, with `spent_us` already spent."""

    def __init__(self, spent_us: int = 0) -> None:
        self._since_us = 0
        self._stopped_us: int | None = spent_us

    def start(self, at_us: int) -> None:
        """Start for a seat that has to act from `at_us`; after a stop, go on with the time already spent."""
        spent_us = 0 if self._stopped_us is None else max(0, self._stopped_us - self._since_us)
        self._since_us, self._stopped_us = at_us - spent_us, None

    def stop(self, now_us: int) -> None:
        """Stop, because no player is at the table."""
        if self._stopped_us is None:
            self._stopped_us = now_us

    def end_us(self, rules: Rules, to: Standing, seat: Seat, now_us: int) -> int | None:
        """When the time of the seat that has to act is over; None if it has no limit.

        The seat has at least `AWAY_US` from now, but a player who comes and goes does not hold up the table for ever.
        """
        wait_us = turn_timeout_us(rules, to, seat)
        if wait_us is None:
            return None
        at_us = max(self._since_us + wait_us, now_us + min(wait_us, AWAY_US))
        return max(now_us, min(at_us, self._since_us + rules.turn_ms * 1000 + AWAY_US))


def spent_us(state: TableState, until_us: int) -> int:
    """How much time the seat that has to act had spent, as a server has stored it that was alive until `until_us`."""
    running_us = 0 if state.turn_since_us is None else max(0, until_us - state.turn_since_us)
    return min(state.turn_spent_us + running_us, state.rules.turn_ms * 1000)
