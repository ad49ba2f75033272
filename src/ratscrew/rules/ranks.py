"""Arithmetic of ranks: rows, climbs and sums. Nothing in this file knows a house or a pile.

Ranks come as the pile is read, from the top downwards. WILD may be any rank; a joker that is not wild breaks
every row and every sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.cards import JOKER

WILD = -9
"""A wild card as a rank (or a suit, or a colour): it may be any."""

SIX, NINE, TEN, JACK, QUEEN, KING, ACE = 4, 7, 8, 9, 10, 11, 12
LOW_ACE = -1

ADDENDS = {"two": 2, "many": 99}
"""How many number cards may add up."""

GAPS = {"block": 0, "skip_one": 1, "skip": 99}
"""How many letter cards may lie between two of them."""

_ENDS = {"low": (LOW_ACE,), "high": (ACE,), "either": (LOW_ACE, ACE), "wrap": (LOW_ACE, ACE)}
"""Where an ace may stand: under the two, over the king, at either end; `wrap` goes round the corner."""


def in_row(ranks: Sequence[int], ace: str) -> bool:
    """Whether ranks go one step at a time, all up or all down; `wrap` lets a row go on from king over ace to two."""
    if JOKER in ranks:
        return False
    if ace == "wrap":
        return any(_steps(ranks, start, step, around=True) for start in range(13) for step in (1, -1))
    return any(
        _steps(values, start, step)
        for values, low, high in _placed(ranks, ace)
        for start in range(low, high + 1)
        for step in (1, -1)
        if low <= start + step * (len(ranks) - 1) <= high
    )


def monotone(ranks: Sequence[int], ace: str) -> bool:
    """Whether ranks all go up or all go down, gaps allowed; an ace that wraps may stand at either end."""
    if JOKER in ranks:
        return False
    return any(
        _climbs(values, low, high) or _climbs(values[::-1], low, high) for values, low, high in _placed(ranks, ace)
    )


def reaches(ranks: Sequence[int], total: int, most: int, gap: int, ace: int) -> bool:
    """Whether the newest number cards, two or more and at most `most`, add up to `total` exactly.

    An ace counts `ace`; with 0 it is a letter card like jack, queen and king, of which `gap` may lie between two
    number cards. Nothing in this function but ints, so it can be compiled: bit `n` of `sums` says that they may add up
    to `n`.
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


def alike(marks: Sequence[int], none: int) -> bool:
    """Whether suits (or colours) are one and the same but for wild cards; `none` is what a joker has."""
    plain = {mark for mark in marks if mark != WILD}
    return none not in plain and len(plain) <= 1


def _placed(ranks: Sequence[int], ace: str) -> list[tuple[list[int], int, int]]:
    """The ranks with their aces at each end allowed, and the lowest and highest value there is then."""
    return [([end if rank == ACE else rank for rank in ranks], min(end, 0), max(end, KING)) for end in _ENDS[ace]]


def _steps(values: Sequence[int], start: int, step: int, around: bool = False) -> bool:
    for place, value in enumerate(values):
        wanted = start + step * place
        if value not in (WILD, wanted % 13 if around else wanted):
            return False
    return True


def _climbs(values: Sequence[int], low: int, high: int) -> bool:
    """Whether values go up, each wild one taking the least that it can."""
    last = low - 1
    for value in values:
        if value != WILD and value <= last:
            return False
        last = last + 1 if value == WILD else value
    return last <= high
