"""Random numbers in the kernel: the functions of `lab/random_stream.py`, compiled, with a lookahead.

The next numbers depend only on the state. So the kernel computes many at a time, several in one register, and notes
whether each is below a threshold; most of the time nothing else about them matters.
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
    """Seed the random numbers of a game."""
    game.state = _initial_state(np.uint64(seed), np.uint64(number))
    game.spent = WORDS


@jit_inline
def below(game: Record, n: int) -> Number:
    """Draw a number from 0 to n-1."""
    skip(game, 1)
    return np.int64(_below(_mix(game.state), np.uint64(n)))


@jit_inline
def random_bits(game: Record) -> Number:
    """Draw a random integer of 53 bits; compare it with a probability scaled to 53 bits."""
    skip(game, 1)
    return np.int64(_mix(game.state) >> _SPARE)


@jit_inline
def bits_at(state: Number, place: int) -> Number:
    """The random integer of 53 bits that is drawn `place` numbers later."""
    return bits_of(_advance(state, np.uint64(place + 1)))


@jit_inline
def bits_of(state: Number) -> Number:
    """The random integer of 53 bits of a state."""
    return np.int64(_mix(state) >> _SPARE)


@jit_inline
def advance(state: Number, count: int) -> Number:
    """The state so many numbers later."""
    return _advance(state, np.uint64(count))


@jit_inline
def skip(game: Record, count: int) -> None:
    """Skip so many random numbers."""
    game.state = advance(game.state, count)
    game.spent += count


@jit_inline
def none_below(config: Record, game: Record, count: int, but: int, share: int) -> bool:
    """Whether none of the next `count` random numbers, except that at `but`, is below a threshold in `small`."""
    if game.spent + count > WORDS:
        fill_lookahead(config, game)
    return not (game.is_small[share] >> np.uint64(game.spent)) & span_of(count, but)


@jit_inline
def span_of(count: int, but: int) -> Number:
    """The bits of the next `count` random numbers, except that at `but`."""
    return ((_ONE << np.uint64(count)) - _ONE) & ~(_ONE << np.uint64(but))


@jit_inline
def fill_lookahead(config: Record, game: Record) -> None:
    """Compute which of the next random numbers are below the thresholds."""
    game.spent = 0
    game.is_small[0], game.is_small[1] = lookahead(config, game.state)


@jit
def lookahead(config: Record, state: Number) -> tuple[Number, Number]:
    """Which of the next random numbers after a state are below each threshold in `small`, one bit for each number."""
    first, second = np.uint64(config.small[0]), np.uint64(config.small[1])
    below_first = below_second = _NONE
    for place in range(WORDS):
        chance = _mix(_advance(state, np.uint64(place + 1))) >> _SPARE
        below_first |= np.uint64(chance < first) << np.uint64(place)
        below_second |= np.uint64(chance < second) << np.uint64(place)
    return below_first, below_second
