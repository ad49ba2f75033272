"""The kernel's data layout: one record for a house with its bots, and one for a game in progress.

No rules here. All fields are integers; -1 means none.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ratscrew.bots.reflexes import QUANTILE_STEPS
from ratscrew.game.turn_logic import CHALLENGE, PHASES, SOLE_HOLDER, STALEMATE
from ratscrew.lab.tally import BINS

__all__ = ["CHALLENGE", "SOLE_HOLDER", "STALEMATE"]

Record: TypeAlias = Any
"""A numpy record of one of these types; its fields are known to numba but not to type checkers."""

Number: TypeAlias = Any
"""A 64-bit integer from or for a record."""

SEATS = 64
"""The most players of a table."""

CARDS = 1024
"""The places of a ring buffer: a power of two."""

STRETCH = 8
"""How many cards are moved at once when a pile is taken; so many places of a ring buffer must stay free."""

KINDS = 16
"""The most different bots at one table."""

PATTERNS = 31
"""The most patterns of a house: one bit each in a signed integer."""

FACES, RANKS = 54, 14
"""The numbers of different cards, and of ranks with jokers."""

FOULS = 512
STRIKES = 64
COSTS = 2
"""The most consequences of one wrong slap."""

ROW = ("us", "kind", "seat", "card", "count")
ROWS = 1 << 15
"""The columns of the trace, and its most rows."""

NEVER = 1 << 62
"""A time that is never reached."""

PLAY, WON, LAST, TIE, OVER = PHASES
"""Phases: a card has to be turned; a pile waits to be taken; a last chance; the judge decides a tie; the end."""

PENALTY, LAST_CHANCE, SLAP = range(STALEMATE + 1, STALEMATE + 4)
"""Why a pile is taken, besides `CHALLENGE`, `SOLE_HOLDER`, `STALEMATE`; for slaps the pattern's index is added."""

FACE, COVERED, FACE_DOWN = 63, 64, 128
"""A card on the pile: its face, whether it is burned or dead, and whether it lies face down."""

MIDDLE = CARDS
"""The index where a pile begins, so that cards can be put under it."""

RANK_BITS, SUIT_BITS = 4, 3
RANK_DEPTH, SUIT_DEPTH = 4, 5
"""The bits per card of the windows of ranks and of suits, and their depths in cards."""

LONG_ROWS = 4
"""The most patterns of a house that are rows longer than the windows."""

CONSECUTIVE, MONOTONE, ANY_ORDER, ONE_SUIT, ONE_COLOUR, FAMILY = range(6)
"""The kinds of long rows."""

GAPS = 4
"""How many cards may lie between two that make a pair: fewer than this."""

PAUSES = 256
"""The most pauses whose lengths are computed together."""

WORDS = 64
"""The lookahead in random words: one bit each in a word."""

SIGHTS = ("first", "lowest", "opening")
"""The cards that a pattern may depend on besides those on top."""

_I, _W = np.int64, np.int32

_CONFIG_FIELDS = """
seats step cards riffle skip challenger_takes slap_window final_free tie tie_window_ms withdraw_ms redneck
max_streak face_down slap_in last_chance last_chance_anyone stalemate pickup manual collect_delay_us contest_us
turn_us depth limit limit_cards forced flight_us gap_us around sums total addends gap ace calm quick windows others
long_rows rank_mask suit_mask lead gaps at_once counted
"""
_GAME_FIELDS = """
now_us shown_us turn_us wait_us collect_us slap_first_us phase turn by left why loser back_phase back_turn back_by
back_left back_why last n chance opening turned_ms voided tied winner all_lose taken lo hi covered seen ranks suits
live first burned tricks limited kept_turn kept_span kept_age repeated missed
tracing rows was_by was_left spent recent barred locked_till holding next_of pauses
"""
_SEAT_FIELDS = """
head held empty slap_us forehead_us out strikes fouls streak streak_n locked hand_burned debt convicted touched hands
good wrong
"""
_SUMS_FIELDS = """
games drawn all_lose limited never_ended cards cards2 tricks tricks2 time_us time2_ms comebacks leader_wins
"""

CONFIG = np.dtype(
    [
        *((name, _I) for name in _CONFIG_FIELDS.split()),
        ("deck", np.uint8, CARDS),
        ("place", np.int16, (CARDS, 2)),
        ("dealt", _I, SEATS),
        ("chances", _I, FACES),
        ("stops", _I, FACES),
        ("effects", np.uint8, FACES),
        ("rank_code", _I, FACES),
        ("suit_code", _I, FACES),
        ("wrong_slap", _I, (FOULS, COSTS, 3)),
        ("no_cards", _I, (STRIKES, COSTS, 3)),
        ("ends_alone", _I, CARDS + 1),
        ("ranks", _W, 1 << RANK_BITS * RANK_DEPTH),
        ("some_ranks", np.uint8, 1 << RANK_BITS * RANK_DEPTH),
        ("suits", _W, 1 << SUIT_BITS * SUIT_DEPTH),
        ("faces", _W, FACES),
        ("answers", _W, (FACES, FACES)),
        ("beside", _W, (2, len(SIGHTS), FACES, FACES)),
        ("pairs", _W, (GAPS, FACES, FACES)),
        ("family_cards", _I, FACES),
        ("family_ranks", _I, RANKS),
        ("row_of", _I, LONG_ROWS),
        ("row_bit", _W, LONG_ROWS),
        ("row_length", _I, LONG_ROWS),
        ("row_ends", _I, LONG_ROWS),
        ("colour_code", _I, FACES),
        ("slappable", _I),
        ("deep_enough", _W, 16),
        ("ends", _I, PATTERNS),
        ("size", _I, PATTERNS),
        ("miss", _I, SEATS),
        ("false_alarm", _I, SEATS),
        ("lure_false_alarm", _I, SEATS),
        ("stake", _I, SEATS),
        ("stake_face_cards", _I, SEATS),
        ("stake_last", _I, SEATS),
        ("risk", _I, SEATS),
        ("simple_reaction", np.float64, SEATS),
        ("scan_time_us", _I, SEATS),
        ("rows", _I, SEATS),
        ("small", _I, 2),
        ("knots", _W, (2 * KINDS, QUANTILE_STEPS + 1)),
    ],
    align=True,
)
"""A house with its bots. A mask of patterns has one bit each, in reading order.

Shape: `deck` is every card in order; `place` is the hand and the position in it for each index of the shuffled deck,
with seat -1 for the pile; `ranks` and `suits` are indexed by the windows (`some_ranks` says where `ranks` is not 0),
`faces` by the top card, `answers` by it and the number of the answer, `beside` by whether cards are burned, the sight,
the top card and the other one. `calm` is set if all bots only turn and slap by reflex: then only random numbers below
the thresholds in `small` matter, the greatest false alarm rates without and with a lure. `quick` is set if moreover the
first of several slaps always wins, and wins the pile, which leaves nothing to slap (debts would). `windows` is set if
every pattern is in the tables of windows and of the top card, `others` if not all are in the window of ranks.
`rank_mask` and `suit_mask` are the bits of the windows that matter. `stops` is -1 for a card that stops a challenge
without being one, else 0. `forced`, `effects` are those of `game/repetition.py`.
"""

GAME = np.dtype(
    [
        ("state", np.uint64),
        ("is_small", np.uint64, 2),
        *((name, _I) for name in _GAME_FIELDS.split()),
        *((name, _I, SEATS) for name in _SEAT_FIELDS.split()),
        ("slaps", _I, PATTERNS),
        ("next_holder", _I, SEATS),
        ("pause_state", np.uint64, PAUSES),
        ("pause_row", _I, PAUSES),
        ("pause_late", _I, PAUSES),
        ("kept_held", _I, SEATS),
        ("kept_cards", np.uint8, CARDS),
        ("readable", _I, CARDS),
        ("mixed", np.uint8, CARDS),
        ("pile", np.uint8, 2 * CARDS),
        ("ring", np.uint8, (SEATS, CARDS)),
        ("trace_rows", _I, (ROWS, len(ROW))),
    ],
    align=True,
)
"""A game in progress. A hand is a ring buffer that begins at `head`; the pile extends from `lo` up to `hi`.

Shape: `holding` is the mask of seats that hold cards, and `next_holder` has the next one after each seat if the mask is
still `next_of`. `barred` is the mask of seats whose slaps have no effect until something is cleared; until card
`locked_till` there may be others. `kept_...` are the state that later ones are compared with. `recent` has a byte for
the rank of each of the newest cards; it and the windows `ranks` and `suits` keep older cards in their higher bits.
`is_small` has a bit for each of the next `WORDS` random numbers, of which `spent` are used: whether it is small. Times
are short by `pauses` whose lengths have not been computed yet: each by its random number, its row of quantiles, and how
long after the last card was shown it began.
"""

SUMS = np.dtype(
    [
        *((name, _I) for name in _SUMS_FIELDS.split()),
        ("wins", _I, SEATS),
        ("lengths", _I, BINS),
    ],
    align=True,
)
"""The sums of a block of games; slaps are counted in the game's record."""
