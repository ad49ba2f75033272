"""Chance in the kernel: the very functions of `lab/random_stream.py`, compiled, and a look ahead.

What comes next depends on nothing but how much has come. So the kernel looks at many words at a time, several in one
register, and knows of each whether it is small; most of the time nothing else about them matters.
"""

from __future__ import annotations

import numpy as np

from ratscrew.lab import random_stream
from ratscrew.lab.jit import jit, jit_inline, jit_module
from ratscrew.lab.kernel.layout import WORDS, Number, Record

_stream = jit_module(random_stream, np.uint64)
_mix, _advance, _below, _initial_state = _stream.mix, _stream.advance, _stream.below, _stream.initial_state
_SPARE = np.uint64(random_stream.SPARE)
_NONE, _ONE = np.uint64(0), np.uint64(1)


@jit
def seed_rng(game: Record, seed: Number, number: Number) -> None:
    """The chances of a game of a seed."""
    game.state = _initial_state(np.uint64(seed), np.uint64(number))
    game.spent = WORDS


@jit_inline
def below(game: Record, n: int) -> Number:
    """A number from 0 to n-1."""
    skip(game, 1)
    return np.int64(_below(_mix(game.state), np.uint64(n)))


@jit_inline
def random_bits(game: Record) -> Number:
    """A chance as a whole number of 53 bits: it is below a share where its number is below the share's."""
    skip(game, 1)
    return np.int64(_mix(game.state) >> _SPARE)


@jit_inline
def peek_bits(game: Record, place: int) -> Number:
    """The chance at a place of those to come, which are not spent."""
    return np.int64(_mix(_advance(game.state, np.uint64(place + 1))) >> _SPARE)


@jit_inline
def skip(game: Record, count: int) -> None:
    """So many chances are gone."""
    game.state = _advance(game.state, np.uint64(count))
    game.spent += count


@jit_inline
def none_below(config: Record, game: Record, count: int, but: int, share: int) -> bool:
    """Whether none of the next `count` chances, that at place `but` apart, is below a `small` share of the house."""
    if game.spent + count > WORDS:
        fill_lookahead(config, game)
    span = ((_ONE << np.uint64(count)) - _ONE) & ~(_ONE << np.uint64(but))
    return not (game.is_small[share] >> np.uint64(game.spent)) & span


@jit
def fill_lookahead(config: Record, game: Record) -> None:
    """Which of the next words are small."""
    state, first, second = game.state, np.uint64(config.small[0]), np.uint64(config.small[1])
    below_first = below_second = _NONE
    for place in range(WORDS):
        chance = _mix(_advance(state, np.uint64(place + 1))) >> _SPARE
        below_first |= np.uint64(chance < first) << np.uint64(place)
        below_second |= np.uint64(chance < second) << np.uint64(place)
    game.spent, game.is_small[0], game.is_small[1] = 0, below_first, below_second
