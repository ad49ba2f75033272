"""Chance in the kernel: the very functions of `lab/draw.py`, compiled."""

from __future__ import annotations

import numpy as np

from ratscrew.lab import draw
from ratscrew.lab.compiled import compiled, copies, inlined
from ratscrew.lab.kernel.layout import Number, Record

_draw = copies(draw, np.uint64)
_mix, _after, _below, _beginning = _draw.mix, _draw.after, _draw.below, _draw.beginning
_SPARE = np.uint64(draw.SPARE)


@compiled
def begin(game: Record, seed: Number, number: Number) -> None:
    """The chances of a game of a seed."""
    game.state = _beginning(np.uint64(seed), np.uint64(number))


@inlined
def below(game: Record, n: int) -> Number:
    """A number from 0 to n-1."""
    game.state = _after(game.state)
    return np.int64(_below(_mix(game.state), np.uint64(n)))


@inlined
def bits(game: Record) -> Number:
    """A chance as a whole number of 53 bits: it is below a share where its number is below the share's."""
    game.state = _after(game.state)
    return np.int64(_mix(game.state) >> _SPARE)
