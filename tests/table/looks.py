"""What tests check after a scene: hands, pile, whose turn it is, refusals, the countdown."""

from __future__ import annotations

from ratscrew import cards
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.table.record.messages import Countdown, Refused
from tests.table.driver import LiveTable

ALERT = ReflexBot(Reflexes(300_000, 0, 0, 0, 700_000, miss=0, false_alarm=0, lure_false_alarm=0))
"""A bot that overlooks nothing: it slaps after 300 ms, and does everything else after 700."""


def hands(live: LiveTable) -> str:
    """All hands, top first."""
    return " | ".join(cards.text(hand) for hand in live.game.hands)


def pile(live: LiveTable) -> str:
    """The pile, bottom first; a star marks a burned or dead card."""
    return cards.text(live.game.pile)


def where(live: LiveTable) -> str:
    """Where play stands: `play 2`."""
    return f"{live.game.standing.phase} {live.game.standing.turn}"


def refused(live: LiveTable) -> list[str]:
    """Every refusal so far."""
    return [refusal.reason for refusal in live.heard(Refused)]


def clock(live: LiveTable) -> Countdown | None:
    """The countdown that players see now."""
    return live.table.clock(live.now_us)


def awake(live: LiveTable, *seats: int) -> LiveTable:
    """Make the bots of these seats alert."""
    for seat in seats:
        live.table.seats[seat].bot = ALERT
    return live
