"""What the kernel works on: one record that is a house with its bots, and one that is a game under way.

Nothing in this file knows a rule. All is whole numbers; -1 stands for nobody and for nothing.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ratscrew.bots.reflexes import QUANTILE_STEPS
from ratscrew.lab.tally import BINS

Record: TypeAlias = Any
"""A numpy record of one of these types: numba knows its fields, Python's types do not."""

Number: TypeAlias = Any
"""A whole number of 64 bits, out of a record or on its way into one."""

SEATS = 64
"""How many can sit at a table of the kernel."""

CARDS = 1024
"""How many cards a game can have: a power of two, for the rings."""

KINDS = 16
"""How many different bots can sit at one table."""

PATTERNS = 31
"""How many patterns a house can have: a bit for each in a whole number with a sign."""

FACES = 54
"""How many different cards there are."""

FOULS = 512
STRIKES = 64
COSTS = 2
"""How many things follow from one wrong slap at most."""

ROW = ("us", "kind", "seat", "card", "count")
ROWS = 1 << 15
"""What is noted of each thing that happens, and of how many at most."""

NEVER = 1 << 62
"""A time that does not come."""

PLAY, WON, LAST, TIE, OVER = range(5)
"""Phases: somebody has to turn a card; a pile waits to be taken; a last chance; the house's judge thinks; the end."""

CHALLENGE, SOLE_HOLDER, STALEMATE, PENALTY, LAST_CHANCE, SLAP = range(6)
"""Why a pile is won or taken; with slaps the number of the pattern is added."""

BURN, PILE_TO_LAST, GIVE_LAST, GIVE_ALL, LOCK, STRIKE, BURN_HAND, OWE = range(1, 9)
"""What a wrong slap may cost; 0 is nothing more."""

LOCKED_PILE, LOCKED_GAME = 1 << 40, 1 << 41
"""Locks that no card number reaches."""

FACE, COVERED, FACE_DOWN = 63, 64, 128
"""A card on the pile: its face, whether it is burned or dead, and whether it lies face down."""

MIDDLE = CARDS
"""Where a pile begins, so that cards can go under it."""

RANK_BITS, SUIT_BITS = 4, 3
RANK_DEPTH, SUIT_DEPTH = 4, 5
"""How many cards the windows of ranks and of suits show, and how many bits each of them takes."""

LONG_ROWS = 4
"""How many patterns a house can have that are longer rows than the windows show."""

CONSECUTIVE, MONOTONE, ONE_SUIT, ONE_COLOUR = range(4)
"""What a long row is a row of."""

WORDS = 64
"""How many random words the kernel looks ahead: a bit each in a word."""

SIGHTS = ("first", "lowest", "opening")
"""The cards that a pattern may look at besides those on top."""

_I, _W = np.int64, np.int32

_CONFIG_FIELDS = """
seats step cards riffle skip challenger_takes endgame slap_window final_free tie tie_window_ms withdraw_ms redneck
max_streak face_down slap_in last_chance last_chance_opponent stalemate shuffle manual collect_delay_us contest_us
turn_us depth limit flight_us gap_us around sums total addends gap ace calm long_rows
"""
_GAME_FIELDS = """
now_us shown_us turn_us wait_us collect_us slap_first_us phase turn by left why back_phase back_turn back_by back_left
back_why last last_before n chance opening turned_ms voided tied winner all_lose taken lo hi covered seen ranks suits
live first burned tricks tracing rows was_by was_left spent recent barred locked_till holding
"""
_SEAT_FIELDS = """
head held empty slap_us forehead_us out strikes fouls streak streak_n locked hand_burned debt convicted touched hands
good wrong
"""
_SUMS_FIELDS = """
games drawn all_lose never_ended cards cards2 tricks tricks2 time_us time2_ms comebacks leader_wins
"""

CONFIG = np.dtype(
    [
        *((name, _I) for name in _CONFIG_FIELDS.split()),
        ("deck", np.uint8, CARDS),
        ("place", np.int16, (CARDS, 2)),
        ("dealt", _I, SEATS),
        ("chances", _I, FACES),
        ("stops", _I, FACES),
        ("rank_code", _I, FACES),
        ("suit_code", _I, FACES),
        ("wrong_slap", _I, (FOULS, COSTS, 3)),
        ("no_cards", _I, (STRIKES, COSTS, 3)),
        ("ranks", _W, 1 << RANK_BITS * RANK_DEPTH),
        ("suits", _W, 1 << SUIT_BITS * SUIT_DEPTH),
        ("faces", _W, FACES),
        ("answers", _W, (FACES, FACES)),
        ("beside", _W, (2, len(SIGHTS), FACES, FACES)),
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
        ("scan_time_us", _I, SEATS),
        ("rows", _I, SEATS),
        ("small", _I, 2),
        ("knots", _W, (2 * KINDS, QUANTILE_STEPS + 1)),
    ],
    align=True,
)
"""A house with its bots. The masks of patterns have a bit for each, in reading order.

Shape: `deck` is every card in order; `place` says for each place of the shuffled deck in which hand it comes to lie,
and where there, or seat -1 for the pile; `ranks` and `suits` are indexed by the windows, `faces` by the top card,
`answers` by it and the number of the answer, `beside` by whether cards are burned, the sight, the top card and the
other one. `calm` says that people only turn and slap, by reflex: the chances that matter then are below a share in
`small`, of people who see no pattern, or something like one.
"""

GAME = np.dtype(
    [
        ("state", np.uint64),
        ("is_small", np.uint64, 2),
        *((name, _I) for name in _GAME_FIELDS.split()),
        *((name, _I, SEATS) for name in _SEAT_FIELDS.split()),
        ("slaps", _I, PATTERNS),
        ("readable", _I, CARDS),
        ("mixed", np.uint8, CARDS),
        ("pile", np.uint8, 2 * CARDS),
        ("ring", np.uint8, (SEATS, CARDS)),
        ("trace_rows", _I, (ROWS, len(ROW))),
    ],
    align=True,
)
"""A game under way. A hand is a ring that begins at `head`; a pile lies from `lo` up to `hi`.

Shape: `holding` has a bit for each seat that holds cards, `barred` for each whose hand counts for nothing until
something is cleared away; till card `locked_till` there may be others. `recent` has a byte for the rank of each of the
newest cards. `is_small` says of each of the next `WORDS` chances, of which so many are `spent`, whether it is small.
"""

SUMS = np.dtype(
    [
        *((name, _I) for name in _SUMS_FIELDS.split()),
        ("wins", _I, SEATS),
        ("lengths", _I, BINS),
    ],
    align=True,
)
"""What a block of games came to; slaps are counted in the game's record."""
