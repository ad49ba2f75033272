"""What a bot may want, and how much: traits from 0 to 1, and what follows from them in numbers.

Nothing in this file knows a table: its functions are of numbers and cards alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ratscrew.bots.reflexes import FASTEST_US
from ratscrew.cards import Card, Pile, PileCard
from ratscrew.game.decide.deal import deck_for
from ratscrew.rules.house import Rules

SIMPLE_REACTION = 0.3
"""Who knows what comes need not recognise it: of what a reaction takes beyond the fastest, so much is left.

To see a light takes about 220 ms, to recognise a sign about 384 (Laming 1968).
"""

FATIGUE_CARDS = 1000
"""After so many cards one is as tired as one gets."""

MAX_READINESS, LIKELY_ODDS = 0.35, 0.25
"""How far on the way from a recognition to a simple reaction the odds bring who has them in mind, where a pattern is
so likely."""

RICH_SHARE, MIN_KNOWN = 0.4, 4
"""A hand is rich if so much of what is recalled of it are letter cards, and not too few are; of a pack 0.31 are."""

FEINT_RATE, FEINTS_PER_FOUL = 0.05, 10
"""The share of the cards at which one pretends; whoever slaps wrongly at one card in ten is lured at each of them."""

BLUFF_RATE, CHEAT_RATE, LATE_NOTICE_RATE = 0.1, 0.02, 0.3
"""At such shares of the cards the boldest claims what is nothing, or steals the pile, and the most watchful notices a
theft that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyTraits:
    """What a bot makes of a game besides slapping what it sees; each trait is a share from 0 to 1.

    It recalls `memory` of the cards that it saw collected, and knows them when they come. It leaves `refuse_filler` of
    the piles without a letter card to others, if its own hand is rich in them. It slaps `risk` of the cards blindly
    that decide a challenge of its own. It pretends: a slap (`fake_slap`), a card (`feint`), a pattern where slaps are
    on one's honour (`bluff`), a right to the pile (`cheat`). It slaps wrongly on purpose to have a letter card at hand
    in a challenge (`burn_to_face`) or before one (`burn_to_shift`). With `odds` it is ready when a pattern is likely.
    It contests and protests at `contest` and `notice` of what it sees. Without cards, `focus` keeps it from slapping
    what it is not sure of. `tires` is how much slower it gets.
    """

    memory: float = 0.0
    refuse_filler: float = 0.0
    risk: float = 0.0
    fake_slap: float = 0.0
    feint: float = 0.0
    bluff: float = 0.0
    cheat: float = 0.0
    burn_to_face: float = 0.0
    burn_to_shift: float = 0.0
    odds: float = 0.0
    contest: float = 1.0
    notice: float = 1.0
    focus: float = 0.0
    tires: float = 0.0


def anticipated_us(reaction_us: int, share: float) -> int:
    """A reaction that is so far on the way to a simple one: with 1 it is one, and never is it too fast for people."""
    left = 1 - share * (1 - SIMPLE_REACTION)
    return FASTEST_US + round((reaction_us - FASTEST_US) * left)


def fatigued_us(reaction_us: int, n: int, tires: float) -> int:
    """A reaction after `n` cards of a game."""
    return round(reaction_us * (1 + tires * min(n, FATIGUE_CARDS) / FATIGUE_CARDS))


def readiness(odds: float, share: float) -> float:
    """How far the odds prepare whoever minds them so much for a pattern that has come."""
    return share * MAX_READINESS * min(1.0, odds / LIKELY_ODDS)


def lure_rate(fouls: int, n: int) -> float:
    """How often it is worth pretending before somebody with so many wrong slaps after `n` cards."""
    return min(1.0, FEINT_RATE + FEINTS_PER_FOUL * fouls / max(n, 50))


def count_face_cards(cards: Sequence[Card | None], chances: Sequence[int]) -> int:
    """How many of these are known to be challenges."""
    return sum(card is not None and chances[card] > 0 for card in cards)


def is_rich(hand: Sequence[Card | None], chances: Sequence[int]) -> bool:
    """Whether letter cards are many among what is known of a hand."""
    known = sum(card is not None for card in hand)
    return known >= MIN_KNOWN and count_face_cards(hand, chances) >= RICH_SHARE * known


def burn_reaches_answer(hand: Sequence[Card | None], left: int, burn: int, chances: Sequence[int]) -> bool:
    """Whether who has `left` chances knows that they hold no answer, and that after burning so many cards they would.

    Shape: `hand` is top first, with None for what is not known.
    """
    near, then = hand[:left], hand[burn : burn + left]
    return burn > 0 and None not in near and not count_face_cards(near, chances) and count_face_cards(then, chances) > 0


def pattern_odds(rules: Rules, seats: int, pile: Pile, opening: Card | None) -> float:
    """How likely the next card makes a pattern, to a player who counts ranks: what lies in the pile does not come.

    `seats` is how many players were dealt cards; the number of packs and of jokers may depend on it. The newest answer
    is remembered, because every bot of a table asks for the same one.
    """
    global _newest_odds
    if (newest := _newest_odds) and newest[0] is rules and newest[1:4] == (seats, pile, opening):
        return newest[4]
    odds = _pattern_odds(rules, seats, pile, opening)
    _newest_odds = rules, seats, pile, opening, odds
    return odds


_newest_odds: tuple[Rules, int, Pile, Card | None, float] | None = None
"""The last arguments and result of `pattern_odds`. A tuple that is replaced as a whole, so threads cannot mix it up."""


def _pattern_odds(rules: Rules, seats: int, pile: Pile, opening: Card | None) -> float:
    left = Counter(card.rank for card in deck_for(rules, seats))
    left.subtract(laid.card.rank for laid in pile if laid.face_up)
    comes = [rank for rank, many in left.items() if many > 0]
    fits = [rank for rank in comes if rules.first_match(rules.sight_of((*pile, PileCard(Card(rank * 4))), opening))]
    return sum(left[rank] for rank in fits) / max(1, sum(left[rank] for rank in comes))
