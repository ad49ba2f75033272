"""The tempo of turning, for every table on which cards are turned one after the other. Unit: microseconds."""

from __future__ import annotations

REVEAL_DELAY_US = 160_000
"""From the hand's move to the card's face: everybody sees the card fly, face down, before anybody sees what it is."""

MIN_CARD_GAP_US = 500_000
"""The least time between two cards: a slower one can be slapped by anybody before the next lies on it."""
