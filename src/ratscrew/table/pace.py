"""The pace of a table, in one place. Unit: microseconds."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.table.message import Awaited
from ratscrew.table.seat import Seat

FLIGHT_US = 160_000
"""From the hand's move to the card's face: everybody sees the card fly, face down, before anybody sees what it is."""

GAP_US = 500_000
"""The least time between two cards: a slower one can be slapped by anybody before the next lies on it."""

AWAY_US = 1_500_000
"""How long a table waits for a player who is not there before his card is turned for him."""


def waits_for(to: Standing) -> Awaited:
    """What the game waits for: that somebody turns a card, takes the pile, or one of the house's other matters."""
    match to.phase:
        case "claim" | "tie" | "grab" | "split":
            return to.phase
        case "play":
            return "turn"
        case "last" if to.left:
            return "turn"
    return "collect"


def patience_us(rules: Rules, to: Standing, seat: Seat) -> int | None:
    """How long the table waits for the seat that has to act, or None: for ever, as bots act by themselves."""
    match waits_for(to):
        case "turn" if seat.mind:
            return None
        case "turn" | "split":
            return rules.turn_ms * 1000 if seat.plays else AWAY_US
        case "collect" if to.phase == "won" and rules.collect == "manual":
            return rules.turn_ms * 1000 if seat.plays else AWAY_US
        case "collect":
            return None if to.phase == "over" else rules.collect_delay_ms * 1000
    return rules.contest_ms * 1000


def next_midnight_us(now_us: int) -> int:
    """When tomorrow begins where the server stands."""
    tomorrow = datetime.fromtimestamp(now_us / 1e6).date() + timedelta(days=1)
    return int(datetime.combine(tomorrow, time.min).timestamp()) * 1_000_000
