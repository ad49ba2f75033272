"""The delays and timeouts of a table, in one place. Unit: microseconds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import NamedTuple

from ratscrew.game.card_timing import REVEAL_DELAY_US
from ratscrew.game.standing import Standing
from ratscrew.judge.constants import MAX_HEAD_START_US, MAX_RTT_US
from ratscrew.judge.frame_alignment import aligned_reveal_us
from ratscrew.judge.page_state import PageState
from ratscrew.rules.house import Rules
from ratscrew.table.record.messages import Awaited
from ratscrew.table.session.seat import Seat

LOG_MARGIN_US = 10_000
"""How long the log has to store a card before it is sent to the page that needs it first."""

AWAY_US = 1_500_000
"""How long a table waits for a player who is away before their card is turned for them."""

SLAP_WINDOW_US = 2_000_000 + MAX_RTT_US
"""How long a card can be slapped before a pause: then also the slowest hands have come, over the slowest lines."""

FILL_US = 8_000_000
"""How long a room for strangers waits for players before bots take the empty seats."""

FULL_US = 2_000_000
"""How long after its last seat is taken a room for strangers begins: time to see who is there."""


class RevealPlan(NamedTuple):
    """The plan of a card on its way: all see it at `reveal_us`, and it is sent at most `head_start_us` sooner."""

    reveal_us: int
    head_start_us: int

    @property
    def turned_us(self) -> int:
        """When it is turned, for the log; from then on it cannot be cancelled."""
        return self.reveal_us - self.head_start_us - LOG_MARGIN_US


def plan_reveal(now_us: int, open_us: int, page_states: Iterable[PageState]) -> RevealPlan:
    """Plan the reveal of a card that leaves a hand now: when every page can have it, and not before `open_us`.

    It comes half a frame later if that suits pages better that draw few frames.
    """
    visible = [page_state for page_state in page_states if page_state.visible]
    head_start_us = min(MAX_HEAD_START_US, max((page_state.need_us for page_state in visible), default=0))
    reveal_us = max(now_us + max(REVEAL_DELAY_US, head_start_us + LOG_MARGIN_US), open_us)
    frames = [page_state.frame_times for page_state in visible]
    return RevealPlan(aligned_reveal_us(reveal_us, [each for each in frames if each]), head_start_us)


def waits_for(to: Standing) -> Awaited:
    """What the game waits for: a card to be turned, the pile to be taken, or a decision that the rules have."""
    match to.phase:
        case "claim" | "tie" | "grab" | "split":
            return to.phase
        case "play":
            return "turn"
        case "last_chance" if to.chances_left:
            return "turn"
    return "collect"


def is_own_time(rules: Rules, to: Standing) -> bool:
    """Whether the countdown is a player's own: they have to turn a card, to choose, or to take the pile by hand."""
    return waits_for(to) in ("turn", "split") or (to.phase == "won" and rules.collect == "manual")


def turn_timeout_us(rules: Rules, to: Standing, seat: Seat) -> int | None:
    """How long the table waits for the seat that has to act; None if a bot turns by itself, or the game is over."""
    waits = waits_for(to)
    if to.phase == "over" or (waits == "turn" and seat.bot):
        return None
    if is_own_time(rules, to):
        return rules.turn_ms * 1000 if seat.plays else AWAY_US
    return 1000 * (rules.collect_delay_ms if waits == "collect" else rules.contest_ms)


def next_midnight_us(now_us: int) -> int:
    """When the next day begins, in the server's time zone."""
    tomorrow = datetime.fromtimestamp(now_us / 1e6).date() + timedelta(days=1)
    return int(datetime.combine(tomorrow, time.min).timestamp()) * 1_000_000
