"""The pace of a table, in one place. Unit: microseconds."""

from __future__ import annotations

from ratscrew.game.events import Phase
from ratscrew.rules.house import Rules
from ratscrew.table.seat import Seat

FLIGHT_US = 160_000
"""From the hand's move to the card's face: everybody sees the card fly, face down, before anybody sees what it is."""

GAP_US = 500_000
"""The least time between two cards: a slower one can be slapped by anybody before the next lies on it."""

AWAY_US = 1_500_000
"""How long a table waits for a player who is not there before his card is turned for him."""


def patience_us(rules: Rules, phase: Phase, seat: Seat) -> int | None:
    """How long the table waits for the seat that has to act, or None: for ever, as bots act by themselves."""
    if phase == "won":
        return rules.collect_delay_ms * 1000
    if phase == "over" or seat.mind:
        return None
    return rules.turn_ms * 1000 if seat.here else AWAY_US
