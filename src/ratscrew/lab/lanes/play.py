"""Many games in the lanes: played to their end, and added up. Nothing in this file knows a rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratscrew.lab import tally
from ratscrew.lab.compiled import compiled, kept
from ratscrew.lab.lanes.bits import zeros_below
from ratscrew.lab.lanes.layout import ABOVE, CARD, FOLLOWER, LANES, LOW, NEVER, ONE, TOP, ZERO, Words
from ratscrew.lab.lanes.step import ROWS, SCORE, begin, final_score, step

PATIENCE = 1024
"""After so many steps the lanes are looked at for games that do not end."""

SUMS = 6
"""Games that never ended; of the others cards, their squares, tricks, their squares, and games that the leader won."""

_bin_of = compiled(tally.bin_of)


@kept
def play(deals: Words, chances: np.uint64, limit: np.uint64, scores: Words) -> None:
    """Play every deal to its end; each leaves its score, which is `NEVER` if it has turned more cards than the limit.

    `scores` has a word more than there are deals: a lane that nothing is left for plays the first deal, for nobody.
    """
    state = np.zeros(ROWS * LANES, np.uint64)
    game = np.full(LANES, len(deals))
    over, dealt, left, steps = ~ZERO, 0, len(deals), 0
    while left > 0:
        while over != ZERO:
            lane = int(zeros_below(over))
            over &= over - ONE
            score = final_score(state, lane)
            scores[game[lane]] = NEVER if (score & LOW) > limit else score
            left -= game[lane] < len(deals)
            game[lane] = min(dealt, len(deals))
            begin(state, lane, deals[dealt if dealt < len(deals) else 0])
            dealt += 1
        over = step(state, chances)
        steps += 1
        if steps % PATIENCE == 0:
            over |= endless(state, limit)


@compiled
def endless(state: Words, limit: np.uint64) -> np.uint64:
    """The bits of the lanes that have turned too many cards."""
    found = ZERO
    for lane in range(LANES):
        found |= (ONE if (state[SCORE + lane] & LOW) > limit + CARD else ZERO) << np.uint64(lane)
    return found


@kept
def summed(scores: Words, sums: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
    """Add scores to `sums` (see `SUMS`) and to the counts of lengths."""
    for score in scores:
        if score == NEVER:
            sums[0] += 1
            continue
        cards, tricks = np.int64(score & LOW), np.int64((score & ~FOLLOWER) >> ABOVE)
        sums[1] += cards
        sums[2] += cards * cards
        sums[3] += tricks
        sums[4] += tricks * tricks
        sums[5] += np.int64(score >> TOP)
        lengths[_bin_of(int(cards))] += 1
