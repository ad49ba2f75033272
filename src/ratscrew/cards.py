"""Cards as small ints, and piles of them. No rules of the game here.

Ranks run from 0 (two) over 8 (ten), 9 to 11 (jack, queen, king) to 12 (ace) and 13 (joker); suits are
0 clubs, 1 diamonds, 2 hearts, 3 spades, and 4 for jokers, which have none.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Literal, NamedTuple, TypeAlias

from ratscrew.errors import CardError

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "JK")
SUITS = ("C", "D", "H", "S")
NINE, JOKER = 7, 13
NO_SUIT, NO_COLOUR = 4, 2


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

    @property
    def colour(self) -> int:
        """0 black, 1 red; 2 for a joker, which is neither."""
        return NO_COLOUR if self >= 52 else int(self.suit in (1, 2))

    def __str__(self) -> str:
        return NAMES[self]

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card of a text such as `7H`, `TD` or `JKR`.

        Raises: CardError if it is not a card.
        """
        try:
            return _BY_NAME[text]
        except KeyError:
            raise CardError(
                f"{text!r} is not a card: write a rank (2-9 T J Q K A) and a suit (C D H S), such as 7H, or JKR, JKB"
            ) from None


NAMES = (*(rank + suit for rank in RANKS[:JOKER] for suit in SUITS), "JKB", "JKR")
PACK = tuple(Card(i) for i in range(52))
JOKERS = (Card(52), Card(53))
_BY_NAME = {name: Card(i) for i, name in enumerate(NAMES)}

Hand: TypeAlias = tuple[Card, ...]
"""A player's cards, top first: the next card to be turned is `hand[0]`."""


CardState: TypeAlias = Literal["live", "burned", "dead"]


class PileCard(NamedTuple):
    """A card on the pile. A slap may not use a burned card (a penalty) or a dead one (played out of turn)."""

    card: Card
    state: CardState = "live"
    face_up: bool = True

    @property
    def live(self) -> bool:
        """Whether a slap may use the card."""
        return self.state == "live"

    def __str__(self) -> str:
        return f"{self.card}" if self.state == "live" else f"{self.card}*"


Pile: TypeAlias = tuple[PileCard, ...]
"""The cards on the table, bottom first: the newest is `pile[-1]`."""


def cards(text: str) -> Hand:
    """The cards of a text such as `7H 2C 7D`, in its order.

    Raises: CardError.
    """
    return tuple(Card.parse(word) for word in text.split())


def pile(text: str) -> Pile:
    """The pile of a text such as `8C* QS 4H`, bottom first; a star marks a burned card.

    Raises: CardError.
    """
    return tuple(
        PileCard(Card.parse(word.removesuffix("*")), "burned" if word.endswith("*") else "live")
        for word in text.split()
    )


def text(some: Iterable[Card | PileCard]) -> str:
    """Cards or a pile as text; `cards` and `pile` parse it."""
    return " ".join(map(str, some))


def full_deck(pack: str, decks: int, jokers: int, without: Container[Card] = ()) -> Hand:
    """Every card of a game, in order: `decks` packs (`standard`, or `pinochle` with nine to ace twice) and jokers.

    Some cards are taken out of each pack (`without`). Jokers alternate, red first.
    """
    one = PACK if pack == "standard" else tuple(card for card in PACK if card.rank >= NINE for _ in range(2))
    whole = one * decks + tuple(JOKERS[1 - i % 2] for i in range(jokers))
    return tuple(card for card in whole if card not in without)
