"""The judge's constants, each with its reason. Unit: microseconds, except where a name says otherwise.

Source: docs/fairness.md has the figures behind each choice.
"""

from __future__ import annotations

MAX_RTT_US = 400_000
"""The longest round trip that is compensated; anything beyond it counts against the player."""

MAX_RACE_US = 600_000
"""The longest race, from the arrival of its first slap: no player waits longer for another player's network."""

TIE_US = 1_000
"""Reactions this close are a tie: no browser clock can tell them apart."""

FREE_CREDIT_US = 25_000
"""How much of the network delay that a page claims is credited on every slap unconditionally."""

PURSE_START_US, MAX_PURSE_US, PURSE_GAIN_US = 50_000, 100_000, 5_000
"""The purse for latency spikes beyond that: its first balance, its maximum, and what each clean slap adds."""

MAX_FREE_MEDIAN_US = 10_000
"""A median excess above this reduces the free credit by the difference: honest connections have 2 to 11 ms."""

SLAPS_REMEMBERED, MIN_SLAPS_FOR_MEDIAN = 24, 8
"""How many slaps are remembered, and how many a median needs; shares are taken of at least as many."""

PENALTY_EXCESS_US = FREE_CREDIT_US + 5_000
"""A player with excesses above this in over half of the remembered slaps has no credit until it is under a quarter.

Half of the slaps so far, not of 24: otherwise a player who lies from the first slap on could lie 12 times for free, and
the best lie was worth a point more (`benchmarks.fairness`).
"""

SEND_MARGIN_US = 23_000
"""How much earlier than the network should need a card is sent: 10 ms for jitter, 13 for a frame.

A page draws a card in the frame after it arrives, and the screen shows it a frame later. With 10 ms alone, pages near
the server show every card late, which uses up their credit (90.7 % of races right instead of 95.0); with 25, seeing the
card early pays the best liars almost a point more.
"""

SLOW_FRAME_US, SLOW_FRAME_MIN_US, SLOW_FRAME_MAX_US = 33_333, 32_000, 35_000
"""A frame of a page that draws 30 a second, and what such a page may measure (see `frame_alignment`)."""

REVEAL_TO_FRAME_US = 8_000
"""How long after a card's moment a frame of such a page becomes visible at best: it is drawn 17 ms before that, and the
card has to be there by then."""

SLOW_FRAMES_KNOWN_US = 5_000_000
"""How long after a painted card the frames of such a page are known: their length is, to some hundredths of a
millisecond."""

MAX_HEAD_START_US = 250_000
"""The longest delay of a reveal for the farthest player."""

MIN_REACTION_US = 150_000
"""No human reacts to a card faster: in an earlier slap the hand was already moving."""

FRAME_US = 17_000
"""One frame: a slap up to this much after the next card's reveal still counts as before it."""

SHARED_PAGE_WAIT_US = 100_000
"""How much longer to wait for a slap from a silent page that another player has slapped on."""

SAME_TOUCH_US = 60_000
"""Fingers that come down together reach their page one after the other, all of them within this time."""

HEARTBEAT_SLACK_US = 12_000
"""How much older than an earlier stamp of the page a slap's may be; more than this was back-dated."""

KERNEL_RTT_SLACK_US = 4_000
"""The most by which a round trip may exceed the kernel's minimum, so that delaying answers gains nothing."""

SAMPLE_TTL_US = 30_000_000
"""How long a round-trip sample is used."""

SAMPLE_AGING_US_PER_S = 100
"""How much is added to a sample for each second of its age, so that newer samples are preferred."""

MAX_STAMP_AHEAD_US = 60_000
"""How far a page's stamp may be ahead of its estimated clock: future frames, and asymmetric latency."""

CARDS_REMEMBERED = 4
"""How many of the newest cards are remembered for each page."""
