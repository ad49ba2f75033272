"""Cards: small ints that know their names. Nothing in this file knows a rule of the game.

Ranks run from 0 (two) over 8 (ten), 9 to 11 (jack, queen, king) to 12 (ace) and 13 (joker); suits are
0 clubs, 1 diamonds, 2 hearts, 3 spades, and 4 for jokers, which have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ratscrew.errors import CardError

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "JK")
SUITS = ("C", "D", "H", "S")
JOKER = 13
NO_SUIT = 4

Draw: TypeAlias = Callable[[int], int]
"""`draw(n)` gives an int from 0 to n-1, each as likely: `secrets.randbelow`, or a seeded one in tests."""


class Card(int):
    """One playing card: an int from 0 to 53 (rank * 4 + suit; 52 is the black joker, 53 the red one)."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """0 for a two to 12 for an ace; 13 for a joker."""
        return int(self) >> 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades; 4 for a joker."""
        return NO_SUIT if self >= 52 else int(self) & 3

    def __str__(self) -> str:
        return NAMES[self]

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that a text such as `7H`, `TD` or `JKR` names.

        Raises: CardError if it names none.
        """
        try:
            return _BY_NAME[text]
        except KeyError:
            raise CardError(
                f"{text!r} is no card: write a rank (2-9 T J Q K A) and a suit (C D H S), such as 7H, or JKR, JKB"
            ) from None


NAMES = (*(rank + suit for rank in RANKS[:JOKER] for suit in SUITS), "JKB", "JKR")
PACK = tuple(Card(i) for i in range(52))
JOKERS = (Card(52), Card(53))
_BY_NAME = {name: Card(i) for i, name in enumerate(NAMES)}

Hand: TypeAlias = tuple[Card, ...]
"""A player's cards, top first: the next card to be turned is `hand[0]`."""


class Laid(NamedTuple):
    """A card on the table. A burned or dead one is not live: no slap may use it."""

    card: Card
    live: bool = True

    def __str__(self) -> str:
        return f"{self.card}" if self.live else f"{self.card}*"


Pile: TypeAlias = tuple[Laid, ...]
"""The cards on the table, bottom first: the newest is `pile[-1]`."""


def cards(text: str) -> Hand:
    """The cards of a text such as `7H 2C 7D`, in its order.

    Raises: CardError.
    """
    return tuple(Card.parse(word) for word in text.split())


def pile(text: str) -> Pile:
    """The pile of a text such as `8C* QS 4H`, bottom first; a star marks a burned or dead card.

    Raises: CardError.
    """
    return tuple(Laid(Card.parse(word.removesuffix("*")), not word.endswith("*")) for word in text.split())


def text(some: Iterable[Card | Laid]) -> str:
    """Cards or a pile as text; `cards` and `pile` read it back."""
    return " ".join(map(str, some))


def shuffle(deck: Sequence[Card], draw: Draw) -> Hand:
    """The deck in a uniformly random order (Fisher and Yates), by the caller's draws."""
    mixed = list(deck)
    for i in range(len(mixed) - 1, 0, -1):
        j = draw(i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return tuple(mixed)


def deal(deck: Sequence[Card], seats: int, dealer: int, step: int = 1) -> tuple[Hand, ...]:
    """The deck dealt out one card at a time, beginning at the dealer's left; who comes first may hold one more.

    Each card is laid on the ones before it, so the last card dealt to a hand is the first to be turned.
    """
    return tuple(tuple(deck[((seat - dealer) * step - 1) % seats :: seats])[::-1] for seat in range(seats))
