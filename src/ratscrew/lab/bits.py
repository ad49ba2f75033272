"""Bit operations in plain arithmetic, in forms that the compiler recognises and replaces by single instructions."""

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
    """The number of set bits of a word."""
    word -= (word >> ONE) & PAIRS
    word = (word & FOURS) + ((word >> TWO) & FOURS)
    word = (word + (word >> FOUR)) & BYTES
    return (word * SUM) >> TOP


@jit
def trailing_zeros(word: np.uint64) -> np.uint64:
    """The number of zeros below the lowest set bit of a word; 64 if none is set."""
    return popcount(~word & (word - ONE))


@jit_inline
def bit_count(mask: Any) -> Any:
    """The number of set bits of a signed integer."""
    return np.int64(popcount(np.uint64(mask)))


@jit_inline
def lowest_bit(mask: Any) -> Any:
    """The index of the lowest set bit of a signed integer that is not 0."""
    return np.int64(trailing_zeros(np.uint64(mask)))
