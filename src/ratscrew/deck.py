"""Shuffling and dealing. No rules of the game here; the caller provides the random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

from ratscrew.cards import Card, Hand

Draw: TypeAlias = Callable[[int], int]
"""`draw(n)` gives a uniformly random int from 0 to n-1: `secrets.randbelow`, or a seeded one in tests."""


def shuffle(deck: Sequence[Card], draw: Draw) -> Hand:
    """The deck in a uniformly random order (Fisher-Yates)."""
    mixed = list(deck)
    for i in range(len(mixed) - 1, 0, -1):
        j = draw(i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return tuple(mixed)


def riffle(deck: Sequence[Card], draw: Draw, times: int = 7) -> Hand:
    """The deck after `times` riffle shuffles.

    Each cuts the deck at a binomially distributed place; the next card falls from a half with a probability
    proportional to that half's size. Source: the model of Gilbert, Shannon and Reeds.
    """
    mixed = list(deck)
    for _ in range(times):
        cut = sum(draw(2) for _ in mixed)
        left, right = mixed[:cut], mixed[cut:]
        mixed = []
        while left or right:
            half = left if draw(len(left) + len(right)) < len(left) else right
            mixed.append(half.pop(0))
    return tuple(mixed)


def deal_round(deck: Sequence[Card], seats: int, dealer: int, step: int = 1) -> tuple[Hand, ...]:
    """The deck dealt one card at a time, beginning next to the dealer; the first players may get one more.

    Each card goes on top of the earlier ones, so the last card dealt to a hand is the first to be turned.
    """
    return tuple(tuple(deck[((seat - dealer) * step - 1) % seats :: seats])[::-1] for seat in range(seats))


def deal_stacks(deck: Sequence[Card], seats: int, dealer: int, step: int = 1) -> tuple[Hand, ...]:
    """The deck cut into stacks of nearly equal size: the player after the dealer gets the first, the dealer last."""
    sizes = [len(deck) // seats + (place < len(deck) % seats) for place in range(seats)]
    ends = list(accumulate(sizes))
    places = [((seat - dealer) * step - 1) % seats for seat in range(seats)]
    return tuple(tuple(deck[ends[place] - sizes[place] : ends[place]]) for place in places)
