"""The timing of turned cards, for every kind of table. Unit: microseconds."""

from __future__ import annotations

REVEAL_DELAY_US = 160_000
"""From the start of a turn to the card's face: players see the card move, face down, before its face."""

MIN_CARD_GAP_US = 500_000
"""The least time between two cards, so that each can be slapped before the next one covers it."""
