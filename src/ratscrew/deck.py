"""Shuffling and dealing. Nothing in this file knows a rule of the game; the draws come from the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

from ratscrew.cards import Card, Hand

Draw: TypeAlias = Callable[[int], int]
"""`draw(n)` gives an int from 0 to n-1, each as likely: `secrets.randbelow`, or a seeded one in tests."""


def shuffle(deck: Sequence[Card], draw: Draw) -> Hand:
    """The deck in a uniformly random order (Fisher and Yates)."""
    mixed = list(deck)
    for i in range(len(mixed) - 1, 0, -1):
        j = draw(i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return tuple(mixed)


def riffle(deck: Sequence[Card], draw: Draw, times: int = 7) -> Hand:
    """The deck after riffle shuffles as people do them.

    Each cuts the deck at a binomial place and lets the next card fall from a half as likely as the half is thick.
    Source: the model of Gilbert, Shannon and Reeds.
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
    """The deck dealt out one card at a time, beginning next to the dealer; who comes first may hold one more.

    Each card is laid on the ones before it, so the last card dealt to a hand is the first to be turned.
    """
    return tuple(tuple(deck[((seat - dealer) * step - 1) % seats :: seats])[::-1] for seat in range(seats))


def deal_stacks(deck: Sequence[Card], seats: int, dealer: int, step: int = 1) -> tuple[Hand, ...]:
    """The deck cut into stacks as equal as can be: the player after the dealer takes the first, the dealer the last."""
    sizes = [len(deck) // seats + (place < len(deck) % seats) for place in range(seats)]
    ends = list(accumulate(sizes))
    places = [((seat - dealer) * step - 1) % seats for seat in range(seats)]
    return tuple(tuple(deck[ends[place] - sizes[place] : ends[place]]) for place in places)
