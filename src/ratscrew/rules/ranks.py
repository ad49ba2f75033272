"""Arithmetic of ranks: rows, climbs and sums. Functions of ints only, so that numba can compile them.

Ranks are in the order of the view, from the top downwards. WILD may be any rank; a joker that is not wild breaks
every row and every sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.cards import JOKER

WILD = -9
"""A wild card as a rank, suit or colour: it may be any."""

SIX, NINE, TEN, JACK, QUEEN, KING, ACE = 4, 7, 8, 9, 10, 11, 12
LOW_ACE = -1

ADDENDS = {"two": 2, "three": 3, "many": 99}
"""How many number cards may add up."""

GAPS = {"block": 0, "skip_one": 1, "skip": 99}
"""How many face cards may lie between two of them."""

UNDER, OVER, ROUND = 1, 2, 4
ENDS = {"low": UNDER, "high": OVER, "either": UNDER | OVER, "wrap": UNDER | OVER | ROUND}
"""Where an ace may stand: under the two, over the king; or a row goes round that corner."""

CIRCLE = 13
"""How many ranks there are from two to ace."""


def in_row(ranks: Sequence[int], ends: int) -> bool:
    """Whether ranks go one step at a time, all up or all down; `ends` is one of `ENDS`."""
    if ends & ROUND:
        return steps(ranks, 1, ACE, CIRCLE) or steps(ranks, -1, ACE, CIRCLE)
    under = ends & UNDER and (steps(ranks, 1, LOW_ACE, 0) or steps(ranks, -1, LOW_ACE, 0))
    return bool(under or (ends & OVER and (steps(ranks, 1, ACE, 0) or steps(ranks, -1, ACE, 0))))


def monotone(ranks: Sequence[int], ends: int) -> bool:
    """Whether ranks all go up or all go down, gaps allowed; an ace that wraps may stand at either end."""
    under = ends & UNDER and (climbs(ranks, 1, LOW_ACE) or climbs(ranks, -1, LOW_ACE))
    return bool(under or (ends & OVER and (climbs(ranks, 1, ACE) or climbs(ranks, -1, ACE))))


def any_order(ranks: Sequence[int], length: int, ends: int) -> bool:
    """Whether ranks, put in order, are a row of this length or a part of one."""
    if ends & ROUND:
        return gathers(ranks, length, ACE, CIRCLE)
    under = ends & UNDER and gathers(ranks, length, LOW_ACE, 0)
    return bool(under or (ends & OVER and gathers(ranks, length, ACE, 0)))


def gathers(ranks: Sequence[int], length: int, ace: int, around: int) -> bool:
    """Whether ranks are all different and lie within `length` neighbours; `ace` and `around` as in `steps`.

    A wild card is whichever of the neighbours is missing.
    """
    low = min(ace, 0)
    held, last = 0, CIRCLE - 1 if around else max(ace, KING) - low - length + 1
    for rank in ranks:
        if rank == JOKER:
            return False
        if rank == WILD:
            continue
        bit = 1 << ((ace if rank == ACE else rank) - low)
        if held & bit:
            return False
        held |= bit
    for start in range(last + 1):
        within = ((1 << length) - 1) << start
        if around:
            within |= within >> around
        if not held & ~within:
            return True
    return False


def steps(ranks: Sequence[int], step: int, ace: int, around: int) -> bool:
    """Whether each rank is `step` from the one before, an ace counting `ace`; with `around` ranks count as a circle."""
    found, start, whole = False, 0, step * (len(ranks) - 1)
    for place in range(len(ranks)):
        rank = ranks[place]
        if rank == JOKER:
            return False
        if rank == WILD:
            continue
        here = (ace if rank == ACE else rank) - step * place
        if around:
            here %= around
        if found and here != start:
            return False
        found, start = True, here
    if around:
        return True
    low, high = min(ace, 0), max(ace, KING)
    if not found:
        return abs(whole) <= high - low
    return low <= min(start, start + whole) and max(start, start + whole) <= high


def climbs(ranks: Sequence[int], step: int, ace: int) -> bool:
    """Whether ranks go up (with `step` -1 read backwards), an ace counting `ace`, a wild one what it must."""
    last = min(ace, 0) - 1
    for place in range(len(ranks)):
        rank = ranks[place if step > 0 else len(ranks) - 1 - place]
        if rank == JOKER:
            return False
        value = ace if rank == ACE else rank
        if rank == WILD:
            value = last + 1
        if value <= last:
            return False
        last = value
    return last <= max(ace, KING)


def reaches(ranks: Sequence[int], total: int, most: int, gap: int, ace: int) -> bool:
    """Whether the newest number cards, two or more and at most `most`, add up to `total` exactly.

    An ace counts `ace`; with 0 it is a face card like jack, queen and king, of which `gap` may lie between two number
    cards. Bit `n` of `sums` says that they may add up to `n`.
    """
    sums, count, skipped, within = 1, 0, 0, (2 << total) - 1
    for rank in ranks:
        if rank == JOKER:
            return False
        if JACK <= rank <= KING or (rank == ACE and ace == 0):
            skipped += 1
            if count == 0 or skipped > gap:
                return False
            continue
        count, skipped, before, sums = count + 1, 0, sums, 0
        least, highest = (1 if ace else 2, 10) if rank == WILD else (rank + 2, rank + 2)
        if rank == ACE:
            least = highest = ace
        for worth in range(least, highest + 1):
            sums |= before << worth & within
        if count >= 2 and sums >> total & 1:
            return True
        if count == most or sums == 0:
            return False
    return False


def places_taken(cards: Sequence[int], exact: Sequence[int], by_rank: Sequence[int]) -> bool:
    """Whether each of these cards has a place of its own.

    `exact` is how many places there are for a card alone, by card, `by_rank` for any card of a rank, by rank. A card
    takes a place of its own first: no other card could. A wild card takes any place that is left.
    """
    for place in range(len(cards)):
        if cards[place] == WILD:
            continue
        rank, over = cards[place] >> 2, 0
        for other in range(len(cards)):
            if cards[other] == WILD or cards[other] >> 2 != rank:
                continue
            before = 0
            for earlier in range(other):
                before += cards[earlier] == cards[other]
            over += before >= exact[cards[other]]
        if over > by_rank[rank]:
            return False
    return True


def worth(rank: int) -> int:
    """What a number card counts: an ace one, a jack, queen, king or joker 0."""
    return 1 if rank == ACE else 0 if rank > TEN else rank + 2


def alike(marks: Sequence[int], none: int) -> bool:
    """Whether suits (or colours) are all the same, except for wild cards; `none` is a joker's."""
    first = WILD
    for mark in marks:
        if mark == none or (mark != WILD and first not in (WILD, mark)):
            return False
        if mark != WILD:
            first = mark
    return True
