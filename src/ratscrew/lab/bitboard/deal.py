"""Deals for the bitboard: the same as the engine's of a seed, many at once.

A deck is three words: the positions of the challenges, and the two bits of their kinds. The index of a bit is that of
its card in the dealt hands, leader's cards first, so the shuffled deck is dealt already. Swapping two cards means
swapping two bits in each word.
"""

from __future__ import annotations

import numpy as np

from ratscrew.lab import random_stream
from ratscrew.lab.bitboard.layout import CARD, LANES, ONE, TWO, ZERO, Words
from ratscrew.lab.bits import popcount, trailing_zeros
from ratscrew.lab.jit import jit, jit_cached, jit_module

MASK, LOWER, UPPER, CHANCE = (place * LANES for place in range(4))
"""Where the rows of a shuffle begin: the words of the deck, and the state of the random numbers."""

_stream = jit_module(random_stream, np.uint64)
_mix, _advance, _below, _initial_state = _stream.mix, _stream.advance, _stream.below, _stream.initial_state


@jit_cached
def deal(seed: np.uint64, first: np.uint64, deck: Words, leads: np.uint64, follows: np.uint64, deals: Words) -> None:
    """Deal the games of a seed, from number `first` on, with hands of so many cards. `deck` is not shuffled."""
    rows = np.empty(4 * LANES, np.uint64)
    for start in range(0, len(deals), LANES):
        for lane in range(LANES):
            rows[MASK + lane], rows[LOWER + lane], rows[UPPER + lane] = deck[0], deck[1], deck[2]
            rows[CHANCE + lane] = _initial_state(seed, first + np.uint64(start + lane))
        for number in range(np.int64(leads + follows) - 1, 0, -1):
            swap(rows, np.uint64(number), leads, follows)
        for lane in range(min(LANES, len(deals) - start)):
            lay_out(rows, lane, leads, follows, deals[start + lane])


@jit
def place(number: np.uint64, leads: np.uint64, follows: np.uint64) -> np.uint64:
    """The bit index of a card of the deck: the leader is dealt the first card, and the last one dealt is on top."""
    return leads - ONE - (number >> ONE) + (follows if number & ONE else ZERO)


@jit
def swap(rows: Words, number: np.uint64, leads: np.uint64, follows: np.uint64) -> None:
    """One step of a shuffle (`deck.shuffle`), in each lane."""
    here = ONE << place(number, leads, follows)
    for lane in range(LANES):
        rows[CHANCE + lane] = _advance(rows[CHANCE + lane], ONE)
        drawn = _below(_mix(rows[CHANCE + lane]), number + ONE)
        both = here | (ONE << place(drawn, leads, follows))
        rows[MASK + lane] = swapped(rows[MASK + lane], both)
        rows[LOWER + lane] = swapped(rows[LOWER + lane], both)
        rows[UPPER + lane] = swapped(rows[UPPER + lane], both)


@jit
def swapped(word: np.uint64, both: np.uint64) -> np.uint64:
    """A word with two bits swapped."""
    found = word & both
    return word ^ both if (found != ZERO) & (found != both) else word


@jit
def lay_out(rows: Words, lane: int, leads: np.uint64, follows: np.uint64, deal: Words) -> None:
    """Write the hands of a shuffled deck in the format of `layout`."""
    mask, lower, upper = rows[MASK + lane], rows[LOWER + lane], rows[UPPER + lane]
    marks, marked, left = ZERO, ZERO, mask
    while left != ZERO:
        challenge = trailing_zeros(left)
        marks |= (((lower >> challenge) & ONE) | (((upper >> challenge) & ONE) << ONE)) << marked
        marked += TWO
        left &= left - ONE
    mine = mask & ((ONE << leads) - ONE)
    split = TWO * popcount(mine)
    deal[0], deal[1], deal[2] = mine, marks & ((ONE << split) - ONE), leads * CARD + split
    deal[3], deal[4], deal[5] = mask >> leads, marks >> split, follows * CARD + marked - split
