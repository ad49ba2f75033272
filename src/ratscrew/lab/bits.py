"""Counting the bits of a word. Nothing here but plain arithmetic, in the form in which a compiler knows what it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratscrew.lab.compiled import compiled, inlined

ONE, TWO, FOUR, TOP = (np.uint64(number) for number in (1, 2, 4, 56))
PAIRS, FOURS, BYTES, SUM = (
    np.uint64(word) for word in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)


@compiled
def ones(word: np.uint64) -> np.uint64:
    """How many bits of a word are set."""
    word -= (word >> ONE) & PAIRS
    word = (word & FOURS) + ((word >> TWO) & FOURS)
    word = (word + (word >> FOUR)) & BYTES
    return (word * SUM) >> TOP


@compiled
def zeros_below(word: np.uint64) -> np.uint64:
    """How many bits lie below the lowest one of a word; 64 if none is set."""
    return ones(~word & (word - ONE))


@inlined
def count(mask: Any) -> Any:
    """How many bits of a whole number with a sign are set."""
    return np.int64(ones(np.uint64(mask)))


@inlined
def lowest(mask: Any) -> Any:
    """The number of its lowest bit; it has one."""
    return np.int64(zeros_below(np.uint64(mask)))
