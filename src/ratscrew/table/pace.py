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


def own_time(rules: Rules, to: Standing) -> bool:
    """Whether the time that runs is a player's own: he has to turn a card, to choose, or to take the pile by hand."""
    return waits_for(to) in ("turn", "split") or (to.phase == "won" and rules.collect == "manual")


def patience_us(rules: Rules, to: Standing, seat: Seat) -> int | None:
    """How long the table waits for the seat that has to act, or None: for ever, as bots turn by themselves."""
    waits = waits_for(to)
    if to.phase == "over" or (waits == "turn" and seat.mind):
        return None
    if own_time(rules, to):
        return rules.turn_ms * 1000 if seat.plays else AWAY_US
    return 1000 * (rules.collect_delay_ms if waits == "collect" else rules.contest_ms)


def next_midnight_us(now_us: int) -> int:
    """When tomorrow begins where the server stands."""
    tomorrow = datetime.fromtimestamp(now_us / 1e6).date() + timedelta(days=1)
    return int(datetime.combine(tomorrow, time.min).timestamp()) * 1_000_000
