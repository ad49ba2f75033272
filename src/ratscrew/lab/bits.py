"""Counting the bits of a word. Nothing here but plain arithmetic, in the form in which a compiler knows what it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratscrew.lab.jit import jit, jit_inline

ONE, TWO, FOUR, TOP = (np.uint64(number) for number in (1, 2, 4, 56))
PAIRS, FOURS, BYTES, SUM = (
    np.uint64(word) for word in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)


@jit
def popcount(word: np.uint64) -> np.uint64:
    """How many bits of a word are set."""
    word -= (word >> ONE) & PAIRS
    word = (word & FOURS) + ((word >> TWO) & FOURS)
    word = (word + (word >> FOUR)) & BYTES
    return (word * SUM) >> TOP


@jit
def trailing_zeros(word: np.uint64) -> np.uint64:
    """How many bits lie below the lowest one of a word; 64 if none is set."""
    return popcount(~word & (word - ONE))


@jit_inline
def bit_count(mask: Any) -> Any:
    """How many bits of a whole number with a sign are set."""
    return np.int64(popcount(np.uint64(mask)))


@jit_inline
def lowest_bit(mask: Any) -> Any:
    """The number of its lowest bit; it has one."""
    return np.int64(trailing_zeros(np.uint64(mask)))
