"""The lab's random numbers: game `g` of a seed is the same on any machine, in any chunk.

The generator is splitmix64 (Steele, Lea and Flood 2014): a counter, and a function that mixes it. The functions work on
unsigned 64-bit integers. They work with Python ints too, because everything is masked; in compiled code the mask does
nothing.
"""

from __future__ import annotations

MASK = 0xFFFFFFFFFFFFFFFF
STEP = 0x9E3779B97F4A7C15
ONE, OTHER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
FIRST, SECOND, THIRD = 30, 27, 31
HALF, SPARE = 32, 11
UNIT = 2.0**-53


def mix(state: int) -> int:
    """The random word of a state."""
    word = ((state ^ (state >> FIRST)) * ONE) & MASK
    word = ((word ^ (word >> SECOND)) * OTHER) & MASK
    return word ^ (word >> THIRD)


def advance(state: int, count: int) -> int:
    """The state after `count` more words."""
    return (state + STEP * count) & MASK


def initial_state(seed: int, game: int) -> int:
    return mix((mix(seed) + game) & MASK)


def below(word: int, n: int) -> int:
    """Map a random word to 0 … n-1; for a deck of cards the bias is below one in ten million."""
    return ((word >> HALF) * n) >> HALF


def unit_float(word: int) -> float:
    """Map a random word to a float from 0 up to but not including 1: its upper 53 bits."""
    return (word >> SPARE) * UNIT


class RandomStream:
    """The random numbers of one game, in the order of the draws."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int = 0) -> None:
        self._state = initial_state(seed & MASK, game & MASK)

    def below(self, n: int) -> int:
        """A number from 0 to n-1, for the deck."""
        return below(self._word(), n)

    def chance(self) -> float:
        """A float from 0 up to but not including 1, for bots."""
        return unit_float(self._word())

    def _word(self) -> int:
        self._state = advance(self._state, 1)
        return mix(self._state)
