"""The data layout of the bitboard: cards as bits of 64-bit words.

A hand is three words: its mask (bit 0 is the top card; set for challenges), its marks (two bits for the kind of each
challenge), and its size: the number of cards in multiples of `CARD`, and below it the number of bits of marks. Marks
are indices of the house's `Kinds`. A deal is a row of six words, the leader's hand first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratscrew.cards import Card
from ratscrew.game.decide.deal import deck_for
from ratscrew.rules.house import Rules

Words: TypeAlias = NDArray[np.uint64]

LANES = 64
"""One for each bit of a word. With only 8 or 16 the compiler does not vectorise."""

ZERO, ONE, TWO, THREE, EIGHT = (np.uint64(number) for number in (0, 1, 2, 3, 8))

CARD, SIX, BITS = np.uint64(64), np.uint64(6), np.uint64(63)
"""Parts of a size: one card, the shift of the cards, and the mask of the bits of marks."""

LOW, TRICK, COMEBACK, FOLLOWER = (np.uint64(number) for number in (0xFFFFFFFF, 1 << 32, 1 << 62, 1 << 63))
ABOVE, LATER, TOP = np.uint64(32), np.uint64(62), np.uint64(63)
"""Parts of a score: cards turned, piles taken, whether the winner had run out, and whether the follower lost."""

TRICKS = np.uint64((1 << 30) - 1)

NEVER = ~ZERO
"""The score of a game with too many cards."""

MOST_CARDS, MOST_CHALLENGES, MOST_KINDS = 54, 31, 4


class Kinds(NamedTuple):
    """The kinds of challenges of a house, by how many chances they give."""

    by_card: tuple[int, ...]
    """The kind of each card, from 1; 0 is no challenge."""

    chances: np.uint64
    """How many chances each kind gives: a byte each, the first one lowest."""


def kinds(rules: Rules) -> Kinds:
    """The kinds of challenges of a house."""
    known = sorted({chances for chances in rules.chances_by_card if chances})
    by_card = tuple(known.index(chances) + 1 if chances else 0 for chances in rules.chances_by_card)
    return Kinds(by_card, np.uint64(sum(chances << 8 * kind for kind, chances in enumerate(known[:MOST_KINDS]))))


def row(rules: Rules, hands: Sequence[Sequence[Card]]) -> list[int]:
    """A deal in the format of the bitboard."""
    words: list[int] = []
    by_card = kinds(rules).by_card
    for hand in hands:
        challenges = [(place, by_card[card] - 1) for place, card in enumerate(hand) if by_card[card]]
        mask = sum(1 << place for place, _ in challenges)
        marks = sum(kind << 2 * number for number, (_, kind) in enumerate(challenges))
        words += mask, marks, len(hand) * int(CARD) + 2 * len(challenges)
    return words


def planes(rules: Rules, hands: Sequence[Card]) -> Words:
    """The cards of both hands, one after the other, as three words: the mask, and the two bits of the marks."""
    by_card = kinds(rules).by_card
    marks = [(place, by_card[card] - 1) for place, card in enumerate(hands) if by_card[card]]
    words = (sum(1 << place for place, kind in marks if (kind | 4) & bit) for bit in (4, 1, 2))
    return np.array(list(words), np.uint64)


def unsupported_reason(rules: Rules) -> str:
    """Why the bitboard does not support a house; empty if it does."""
    deck = deck_for(rules, 2)
    challenges = sum(rules.chances_by_card[card] > 0 for card in deck)
    reasons = {
        "its piles can be slapped": bool(rules.patterns),
        "its piles are not collected automatically (collect, judge)": (rules.collect, rules.judge) != ("auto", "auto"),
        "players without cards are not always out (endgame)": rules.endgame != "must_play",
        "there is a last chance (last_chance)": rules.last_chance > 0,
        "an answer may stop a challenge (stoppers)": bool(rules.stops),
        "a pile's taker does not lead (lead)": rules.lead != "taker",
        "piles are shuffled (pickup)": rules.pickup != "keep",
        "the deck is not shuffled evenly (shuffle)": rules.shuffle != "uniform",
        "the cards are not dealt one by one (deal)": rules.deal != "one_by_one",
        "cards may be left over (remainder)": rules.remainder == "pile" and len(deck) % 2 > 0,
        f"more than {MOST_CARDS} cards": len(deck) > MOST_CARDS,
        f"challenges are not 1 to {MOST_CHALLENGES} cards": not 1 <= challenges <= MOST_CHALLENGES,
        f"more than {MOST_KINDS} kinds of challenges": len({*rules.chances_by_card} - {0}) > MOST_KINDS,
    }
    return "; ".join(reason for reason, holds in reasons.items() if holds)
