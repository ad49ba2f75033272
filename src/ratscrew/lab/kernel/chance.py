"""Chance in the kernel: the very functions of `lab/draw.py`, compiled, and a look ahead.

What comes next depends on nothing but how much has come. So the kernel looks at many words at a time, several in one
register, and knows of each whether it is small; most of the time nothing else about them matters.
"""

from __future__ import annotations

import numpy as np

from ratscrew.lab import draw
from ratscrew.lab.compiled import compiled, copies, inlined
from ratscrew.lab.kernel.layout import WORDS, Number, Record

_draw = copies(draw, np.uint64)
_mix, _ahead, _below, _beginning = _draw.mix, _draw.ahead, _draw.below, _draw.beginning
_SPARE = np.uint64(draw.SPARE)
_NONE, _ONE = np.uint64(0), np.uint64(1)


@compiled
def begin(game: Record, seed: Number, number: Number) -> None:
    """The chances of a game of a seed."""
    game.state = _beginning(np.uint64(seed), np.uint64(number))
    game.spent = WORDS


@inlined
def below(game: Record, n: int) -> Number:
    """A number from 0 to n-1."""
    spend(game, 1)
    return np.int64(_below(_mix(game.state), np.uint64(n)))


@inlined
def bits(game: Record) -> Number:
    """A chance as a whole number of 53 bits: it is below a share where its number is below the share's."""
    spend(game, 1)
    return np.int64(_mix(game.state) >> _SPARE)


@inlined
def bits_ahead(game: Record, place: int) -> Number:
    """The chance at a place of those to come, which are not spent."""
    return np.int64(_mix(_ahead(game.state, np.uint64(place + 1))) >> _SPARE)


@inlined
def spend(game: Record, count: int) -> None:
    """So many chances are gone."""
    game.state = _ahead(game.state, np.uint64(count))
    game.spent += count


@inlined
def none_small(house: Record, game: Record, count: int, but: int, share: int) -> bool:
    """Whether none of the next `count` chances, that at place `but` apart, is below a `small` share of the house."""
    if game.spent + count > WORDS:
        look_ahead(house, game)
    span = ((_ONE << np.uint64(count)) - _ONE) & ~(_ONE << np.uint64(but))
    return not (game.is_small[share] >> np.uint64(game.spent)) & span


@compiled
def look_ahead(house: Record, game: Record) -> None:
    """Which of the next words are small."""
    state, first, second = game.state, np.uint64(house.small[0]), np.uint64(house.small[1])
    below_first = below_second = _NONE
    for place in range(WORDS):
        chance = _mix(_ahead(state, np.uint64(place + 1))) >> _SPARE
        below_first |= np.uint64(chance < first) << np.uint64(place)
        below_second |= np.uint64(chance < second) << np.uint64(place)
    game.spent, game.is_small[0], game.is_small[1] = 0, below_first, below_second
