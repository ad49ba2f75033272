"""Chance for the lab: game `g` of a seed is the same game on any machine, however many are played beside it.

The generator is splitmix64 (Steele, Lea and Flood 2014): a counter, and a function that mixes it. The functions here
are written for numbers of 64 bits without a sign. Python's own ints are as good as such because everything is masked;
compiled, the mask does nothing.
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
    """The state `count` words later."""
    return (state + STEP * count) & MASK


def initial_state(seed: int, game: int) -> int:
    """The state in which a game of a seed begins."""
    return mix((mix(seed) + game) & MASK)


def below(word: int, n: int) -> int:
    """A number from 0 to n-1 out of a random word; for a deck of cards each is as likely to one in ten million."""
    return ((word >> HALF) * n) >> HALF


def unit_float(word: int) -> float:
    """A number from 0 up to but not including 1 out of a random word: its upper 53 bits."""
    return (word >> SPARE) * UNIT


class RandomStream:
    """All that is left to chance in one game, in the order in which it is asked for."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int = 0) -> None:
        self._state = initial_state(seed & MASK, game & MASK)

    def below(self, n: int) -> int:
        """A number from 0 to n-1, as the deck draws."""
        return below(self._word(), n)

    def chance(self) -> float:
        """A number from 0 up to but not including 1, as bots draw."""
        return unit_float(self._word())

    def _word(self) -> int:
        self._state = advance(self._state, 1)
        return mix(self._state)
