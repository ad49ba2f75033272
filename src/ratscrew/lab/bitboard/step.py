"""A step of all lanes: from one challenge to the next, or to the end of the pile, without a loop over cards.

There are no branches, so the compiler puts several games into one register. When a game is over, the state of its lane
is meaningless except for the score.
"""

from __future__ import annotations

import numpy as np

from ratscrew.lab.bitboard.layout import (
    BITS,
    COMEBACK,
    EIGHT,
    FOLLOWER,
    LANES,
    ONE,
    SIX,
    THREE,
    TOP,
    TRICK,
    TWO,
    ZERO,
    Words,
)
from ratscrew.lab.bits import trailing_zeros
from ratscrew.lab.jit import jit

ROWS = 12
MINE, MY_MARKS, MY_SIZE, THEIRS, THEIR_MARKS, THEIR_SIZE, PILE, PILE_MARKS, PILE_SIZE, LEFT, EMPTY, SCORE = (
    place * LANES for place in range(ROWS)
)
"""Where the rows of the state begin: the player who has to answer (mine), the challenger (theirs), the pile, the
chances left, the players who have run out of cards (bit 0 for the leader of the game), the score.

They lie in one array, one after the other, so that the compiler sees that they do not overlap.
"""

BYTE = np.uint64(255)


@jit
def begin(state: Words, lane: int, deal: Words) -> None:
    """Start a game in a lane, as if its leader had just taken an empty pile."""
    for word in range(3):
        state[THEIRS + word * LANES + lane] = deal[word]
        state[MINE + word * LANES + lane] = deal[3 + word]
    for place in range(PILE, SCORE, LANES):
        state[place + lane] = ZERO
    state[SCORE + lane] = FOLLOWER - TRICK


@jit
def step(state: Words, chances: np.uint64) -> np.uint64:
    """Advance every lane; returns the mask of lanes in which a player has no card. The rows of `state` are above."""
    found = ZERO
    for lane in range(LANES):
        mine, my_marks, my_size = state[MINE + lane], state[MY_MARKS + lane], state[MY_SIZE + lane]
        theirs, their_marks, their_size = state[THEIRS + lane], state[THEIR_MARKS + lane], state[THEIR_SIZE + lane]
        pile, pile_marks, size = state[PILE + lane], state[PILE_MARKS + lane], state[PILE_SIZE + lane]
        left, score = state[LEFT + lane], state[SCORE + lane]

        # The player answers, with as many cards as there are chances or until a challenge comes.
        plain = trailing_zeros(mine | (ONE << left))
        answered = plain < left
        mark = my_marks & THREE
        turned = plain + ONE if answered else plain
        cards = (turned << SIX) + TWO if answered else turned << SIX
        pile = pile | (ONE << ((size >> SIX) + plain)) if answered else pile
        pile_marks = pile_marks | (mark << (size & BITS)) if answered else pile_marks
        size += cards
        mine >>= turned
        my_marks = my_marks >> TWO if answered else my_marks
        my_size -= cards
        score += turned

        # If none has come, the challenger takes the pile.
        won = not answered
        theirs = theirs | (pile << (their_size >> SIX)) if won else theirs
        their_marks = their_marks | (pile_marks << (their_size & BITS)) if won else their_marks
        their_size = their_size + size if won else their_size

        # Then the challenger leads, and both turn cards until a challenge comes. A missing card makes a size negative.
        before, behind = trailing_zeros(theirs), trailing_zeros(mine)
        by_them, by_me = won & (before <= behind), won & (before > behind)
        they_turn, i_turn = min(before, behind) + ONE, min(before, behind + ONE)
        turned = they_turn + i_turn
        mark = (their_marks if by_them else my_marks) & THREE if won else mark
        theirs = theirs >> they_turn if won else theirs
        mine = mine >> i_turn if won else mine
        their_marks = their_marks >> TWO if by_them else their_marks
        my_marks = my_marks >> TWO if by_me else my_marks
        their_size = their_size - (they_turn << SIX) if won else their_size
        my_size = my_size - (i_turn << SIX) if won else my_size
        their_size = their_size - TWO if by_them else their_size
        my_size = my_size - TWO if by_me else my_size
        pile = ONE << (turned - ONE) if won else pile
        pile_marks = mark if won else pile_marks
        size = (turned << SIX) + TWO if won else size
        score = score + turned + TRICK if won else score

        # Subtract one, so that a player without cards is below zero too.
        found |= (((my_size - ONE) | (their_size - ONE)) >> TOP) << np.uint64(lane)

        # The player of the challenge becomes the challenger. The loser of a game has to answer.
        changes = answered | by_me
        state[MINE + lane], state[THEIRS + lane] = theirs if changes else mine, mine if changes else theirs
        state[MY_MARKS + lane] = their_marks if changes else my_marks
        state[THEIR_MARKS + lane] = my_marks if changes else their_marks
        state[MY_SIZE + lane] = their_size if changes else my_size
        state[THEIR_SIZE + lane] = my_size if changes else their_size
        state[PILE + lane], state[PILE_MARKS + lane], state[PILE_SIZE + lane] = pile, pile_marks, size
        state[LEFT + lane] = (chances >> (EIGHT * mark)) & BYTE
        state[SCORE + lane] = score ^ FOLLOWER if changes else score
    return found


@jit
def over(state: Words, lane: int) -> bool:
    """Whether the game of a lane in which a player has no card is over; if not, records that player."""
    if missing(state, lane) != ZERO:
        return True
    follows = state[SCORE + lane] >> TOP
    if state[MY_SIZE + lane] == ZERO:
        state[EMPTY + lane] |= ONE << follows
    if state[THEIR_SIZE + lane] == ZERO:
        state[EMPTY + lane] |= TWO >> follows
    return False


@jit
def final_score(state: Words, lane: int) -> np.uint64:
    """The score of a lane that has ended."""
    score = state[SCORE + lane] + missing(state, lane)
    came_back = (state[EMPTY + lane] >> (ONE - (score >> TOP))) & ONE
    final: np.uint64 = score + came_back * COMEBACK
    return final


@jit
def missing(state: Words, lane: int) -> np.uint64:
    """The correction of a score when a game is over, for cards that did not exist; 0 if it is not over.

    A player who fails to answer has lost before the next pile begins. A player who lacks a card in turn loses that pile
    too, and the other has not turned the cards after it.
    """
    led, has = np.int64(state[PILE_SIZE + lane] >> SIX), np.int64(state[MY_SIZE + lane]) >> 6
    had = has + (led >> 1)
    if led & 1 == 1 and had <= 0:
        return np.uint64(had - led)
    return np.uint64(2 * has) + TRICK if has < 0 else ZERO
