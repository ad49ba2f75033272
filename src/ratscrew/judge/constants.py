"""The judge's constants, each with its reason. Unit: microseconds, except where a name says otherwise.

Source: docs/fairness.md, where the figures behind each choice stand.
"""

from __future__ import annotations

MAX_RTT_US = 400_000
"""The longest round trip that is made up for; what goes beyond it is the player's own loss."""

MAX_RACE_US = 600_000
"""The longest race, from the arrival of its first slap: nobody waits longer for somebody else's network."""

TIE_US = 1_000
"""Reactions this close are a tie: no clock in a browser tells them apart."""

FREE_CREDIT_US = 25_000
"""How much of what a page says the network ate is credited on every slap without question."""

PURSE_START_US, MAX_PURSE_US, PURSE_GAIN_US = 50_000, 100_000, 5_000
"""A purse for spikes beyond that: what it holds at first and at most, and what each clean slap puts in."""

MAX_FREE_MEDIAN_US = 10_000
"""Whose median excess is above this loses so much of the free credit: an honest line has a median of 2 to 11 ms."""

SLAPS_REMEMBERED, MIN_SLAPS_FOR_MEDIAN = 24, 8
"""How many slaps are remembered, and from how many on their median says something; shares are of no fewer."""

PENALTY_EXCESS_US = FREE_CREDIT_US + 5_000
"""Who claims more than this in over half of the slaps remembered has no credit, until it is less than a quarter.

Half of what is remembered so far: half of 24 would let who lies from the first slap on lie 12 times for nothing, and
his best lie was worth a point more (`benchmarks.fairness`).
"""

SEND_MARGIN_US = 23_000
"""A card is sent so much earlier than the network should need: 10 ms for its moods, 13 for a frame.

A page draws a card in the frame after it has come, and the screen shows that a frame later. With 10 ms alone pages
near the server show every card late, and that eats their credit (90.7 % of races right instead of 95.0); with 25 it
pays the best liars almost a point more to see it early.
"""

MAX_LEAD_US = 250_000
"""The longest that a reveal is put off for the farthest player."""

MIN_REACTION_US = 150_000
"""Nobody reacts to a card faster: what comes earlier was a hand already moving."""

FRAME_US = 17_000
"""One frame: a slap counts as before the next card if it is not later by more."""

HEARTBEAT_INTERVAL_US = 50_000
"""How often a page says that nothing has been slapped, while a card can be."""

SHARED_PAGE_WAIT_US = 100_000
"""So long a hand is waited for on a page on which another has come down, if the page says no word: two beats of it."""

HEARTBEAT_SLACK_US = 12_000
"""A slap may be stamped so much before a heartbeat that came first; more is stamped back."""

KERNEL_RTT_SLACK_US = 4_000
"""A round trip may exceed the kernel's least one by no more: who delays his answers gains nothing."""

SAMPLE_TTL_US = 30_000_000
"""How long a round trip is evidence."""

SAMPLE_AGING_US_PER_S = 100
"""A sample counts as so much longer for each second of its age, so that a better new one is preferred."""

MAX_STAMP_AHEAD_US = 60_000
"""A page's stamp may be so much later than its clock should be: frames to come, and an uneven line."""

CARDS_REMEMBERED = 4
"""How many of the newest cards a page is remembered to have been shown."""
