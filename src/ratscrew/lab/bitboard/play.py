"""Plays many games in lanes to their end, and adds them up. No rules here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratscrew.lab import tally
from ratscrew.lab.bitboard.layout import ABOVE, CARD, LANES, LATER, LOW, NEVER, ONE, TOP, TRICKS, ZERO, Words
from ratscrew.lab.bitboard.step import ROWS, SCORE, begin, final_score, over, step
from ratscrew.lab.bits import trailing_zeros
from ratscrew.lab.jit import jit, jit_cached

PATIENCE = 1024
"""The lanes are checked for endless games every so many steps."""

SUMS = 8
"""Games that never ended; of the others cards, their squares, tricks, their squares, cards times tricks, comebacks, and
games won by the leader."""

_bin_of = jit(tally.bin_of)


@jit_cached
def play(deals: Words, chances: np.uint64, limit: np.uint64, scores: Words) -> None:
    """Play every deal to its end and write its score, which is `NEVER` if it has more cards than the limit.

    `scores` has one word more than there are deals: idle lanes play the first deal, and its score goes there.
    """
    state = np.zeros(ROWS * LANES, np.uint64)
    game = np.full(LANES, len(deals))
    found, dealt, left, steps = ~ZERO, 0, len(deals), 0
    while left > 0:
        while found != ZERO:
            lane = int(trailing_zeros(found))
            found &= found - ONE
            if steps > 0 and not (over(state, lane) or too_long(state, lane, limit)):
                continue
            score = final_score(state, lane)
            scores[game[lane]] = NEVER if (score & LOW) > limit else score
            left -= game[lane] < len(deals)
            game[lane] = min(dealt, len(deals))
            begin(state, lane, deals[dealt if dealt < len(deals) else 0])
            dealt += 1
        found = step(state, chances)
        steps += 1
        if steps % PATIENCE == 0:
            found = ~ZERO


@jit
def too_long(state: Words, lane: int, limit: np.uint64) -> bool:
    """Whether a lane would be over the limit even without the cards of its last step."""
    return bool((state[SCORE + lane] & LOW) > limit + CARD)


@jit_cached
def summed(scores: Words, sums: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
    """Add scores to `sums` (see `SUMS`) and to the counts of lengths."""
    for score in scores:
        if score == NEVER:
            sums[0] += 1
            continue
        cards, tricks = np.int64(score & LOW), np.int64((score >> ABOVE) & TRICKS)
        sums[1] += cards
        sums[2] += cards * cards
        sums[3] += tricks
        sums[4] += tricks * tricks
        sums[5] += cards * tricks
        sums[6] += np.int64((score >> LATER) & ONE)
        sums[7] += np.int64(score >> TOP)
        lengths[_bin_of(int(cards))] += 1
