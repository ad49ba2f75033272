"""When to ping a page, so that its answer shows soon enough that no better slap is in flight.

In a race, pages that could still win are *asked*: pinged. Asking alone would tell a page that a rival has slapped, and
it takes longest for distant pages. So there are *cover pings* at random moments of every card, slappable or not: a
distant page mostly gets a row of them, one of which is usually answered soon after the best slap; other pages now and
then get one, when an ask could come as well. Reads no clock; the caller sends the pings. Unit: microseconds.
Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.judge.constants import FRAME_US
from ratscrew.judge.watermark import PendingPlayer

ROW_FROM_US, ROW_STEP_US, ROW_PINGS = 240_000, 70_000, 3
"""A row of cover pings reaches the page from a random moment of the first step on, one in each step."""

ROW_RANGE_US = 70_000
"""A page's chance of a row grows from 0 to 1 with how much its round trip exceeds half the longest one in the room."""

SINGLE_PERCENT = 24
"""The chance of a single cover ping on a card without a row."""

SINGLE_FROM_US, SINGLE_SPREAD_US = 240_000, 110_000
"""A single one reaches the page at this moment plus two random shares of the spread: when most asks do."""

STRAY_PERCENT, STRAY_FROM_US, STRAY_SPREAD_US = 20, 180_000, 520_000
"""So many of them are evenly spread over a longer time, because asks are now and then early or late."""

OVERDUE_US = 30_000
"""An answer this much later than the round trip is overdue: the page is asked again, which also repairs a loss."""

SOON_US = 3_000
"""A cover ping that follows so soon takes the place of an ask."""


class AskedPage(NamedTuple):
    """A page in a race, with a player who has not slapped.

    `clock_offset_us` is how far the page's clock is ahead. `pings_us` are its unanswered pings, and the cover pings
    that follow for this card: when each was or will be sent, in ascending order.
    """

    player: PendingPlayer
    clock_offset_us: int
    pings_us: Sequence[int] = ()


def cover_pings_us(rtt_us: int, farthest_us: int, draw: Draw) -> list[int]:
    """When to ping a page on any card, in ascending order, relative to the card's reveal.

    `farthest_us` is the longest round trip of the room's pages, since a verdict mostly waits for that page.
    """
    down_us = rtt_us // 2
    if draw(100) < row_percent(rtt_us, farthest_us):
        first_us = ROW_FROM_US + draw(ROW_STEP_US) - down_us
        return [first_us + step * ROW_STEP_US for step in range(ROW_PINGS)]
    if draw(100) >= SINGLE_PERCENT:
        return []
    if draw(100) < STRAY_PERCENT:
        return [STRAY_FROM_US + draw(STRAY_SPREAD_US) - down_us]
    return [SINGLE_FROM_US + draw(SINGLE_SPREAD_US) + draw(SINGLE_SPREAD_US) - down_us]


def row_percent(rtt_us: int, farthest_us: int) -> int:
    """The chance of a row of cover pings on a card, in percent: that of a page whose answer would come last."""
    return min(100, max(0, 100 * (rtt_us - farthest_us // 2) // ROW_RANGE_US))


def ask_us(reveal_us: int, level_us: int, now_us: int, page: AskedPage) -> int | None:
    """When to ask a page in a race: now, later, or not (None). To be called again after each message and each ping.

    `level_us` is the best reaction so far and the tie window. A page is not asked if its messages prove that it has no
    better slap, if an expected answer will, or if its slaps would be too late before it could answer.
    """
    player, offset_us = page.player, page.clock_offset_us
    if player.has_no_better(level_us):
        return None
    painted_us = reveal_us + offset_us + FRAME_US if player.painted_us is None else player.painted_us
    useful_us = painted_us + level_us - offset_us - player.rtt_us // 2
    at_us = max(now_us, useful_us)
    for sent_us in page.pings_us:
        overdue_us = sent_us + player.rtt_us + OVERDUE_US
        if useful_us <= sent_us <= at_us + SOON_US and now_us < overdue_us:
            at_us = overdue_us
    return at_us if at_us + player.rtt_us < player.too_late_us(reveal_us, level_us) else None
