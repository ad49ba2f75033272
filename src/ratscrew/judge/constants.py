"""The judge's constants, each with its reason. Unit: microseconds."""

from __future__ import annotations

RTT_MOST_US = 400_000
"""The longest round trip that is made up for; what goes beyond it is the player's own loss."""

RACE_MOST_US = 600_000
"""The longest race, from the arrival of its first slap: nobody waits longer for somebody else's network."""

TIE_US = 1_000
"""Reactions this close are a tie: no clock in a browser tells them apart."""
