"""The strategy traits of a bot, from 0 to 1, and the formulas that use them.

Pure functions of numbers and cards: no view, no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ratscrew.bots.memory import HALF_LIFE
from ratscrew.bots.reflexes import FASTEST_US
from ratscrew.cards import Card, Pile, PileCard
from ratscrew.game.decide.deal import deck_for
from ratscrew.rules.house import Rules

SIMPLE_REACTION = 0.3
"""The part of a reaction beyond the fastest that is left if the card is expected and need not be recognised.

Seeing a light takes about 220 ms, recognising a sign about 384 (Laming 1968).
"""

FATIGUE_CARDS = 1000
"""Fatigue is complete after so many cards."""

MAX_READINESS, LIKELY_ODDS = 0.35, 0.25
"""The readiness of a bot that minds the odds, where a pattern is at least as likely as `LIKELY_ODDS`."""

RICH_SHARE, MIN_KNOWN = 0.4, 4
"""A hand is rich if so large a share of its known cards are face cards, and at least so many are known; of a pack 0.31
are."""

FEINT_RATE, FEINTS_PER_FOUL = 0.05, 10
"""The rate of feints per card, and its rise by the wrong slaps per card of others: at one in ten it is 1."""

BLUFF_RATE, CHEAT_RATE, LATE_NOTICE_RATE = 0.1, 0.02, 0.3
"""The rates per card at which a bot with the full trait makes a false claim, steals the pile, or notices a theft that
is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyTraits:
    """The strategy of a bot besides slapping the patterns it sees; each trait is a rate from 0 to 1.

    The bot recalls `memory` of the cards that it saw collected, and expects them. It leaves `refuse_filler` of the
    piles without a face card to others, if its own hand is rich in them. It blindly slaps `risk` of the cards that
    decide a challenge of its own. It feigns a slap (`fake_slap`), a card (`feint`), a pattern where slaps are on one's
    honour (`bluff`), or a right to the pile (`cheat`). It slaps wrongly on purpose to have a face card at hand in a
    challenge (`burn_to_face`) or before one (`burn_to_shift`). With `odds` it is ready when a pattern is likely. It
    contests and protests at the rates `contest` and `notice`. Without cards, `focus` keeps it from uncertain slaps.
    `tires` is how much slower it gets in a long game.

    The last three are assumptions about people, not strategies: `simple_reaction` is `SIMPLE_REACTION`, `half_life` the
    `HALF_LIFE` of its memory in cards, and `max_readiness` `MAX_READINESS`.
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
    simple_reaction: float = SIMPLE_REACTION
    half_life: int = HALF_LIFE
    max_readiness: float = MAX_READINESS


def anticipated_us(reaction_us: int, share: float, simple_reaction: float = SIMPLE_REACTION) -> int:
    """A reaction time shortened towards a simple reaction; with a share of 1 it is one. Never below `FASTEST_US`."""
    left = 1 - share * (1 - simple_reaction)
    return FASTEST_US + round((reaction_us - FASTEST_US) * left)


def fatigued_us(reaction_us: int, n: int, tires: float) -> int:
    """A reaction time with the fatigue of `n` cards."""
    return round(reaction_us * (1 + tires * min(n, FATIGUE_CARDS) / FATIGUE_CARDS))


def readiness(odds: float, share: float, most: float = MAX_READINESS) -> float:
    """The readiness for a pattern with these odds, for a bot that minds odds by this share."""
    return share * most * min(1.0, odds / LIKELY_ODDS)


def lure_rate(fouls: int, n: int) -> float:
    """How often a feint is worth it against a player with so many wrong slaps after `n` cards."""
    return min(1.0, FEINT_RATE + FEINTS_PER_FOUL * fouls / max(n, 50))


def count_face_cards(cards: Sequence[Card | None], chances: Sequence[int]) -> int:
    """How many of these cards are known to be face cards, that is, challenges."""
    return sum(card is not None and chances[card] > 0 for card in cards)


def is_rich(hand: Sequence[Card | None], chances: Sequence[int]) -> bool:
    """Whether many of the known cards of a hand are face cards."""
    known = sum(card is not None for card in hand)
    return known >= MIN_KNOWN and count_face_cards(hand, chances) >= RICH_SHARE * known


def burn_reaches_answer(hand: Sequence[Card | None], left: int, burn: int, chances: Sequence[int]) -> bool:
    """Whether a player with `left` chances knows that the hand has no answer, and would have one after the burn.

    Shape: `hand` is top first, with None for unknown cards.
    """
    near, then = hand[:left], hand[burn : burn + left]
    return burn > 0 and None not in near and not count_face_cards(near, chances) and count_face_cards(then, chances) > 0


def pattern_odds(rules: Rules, seats: int, pile: Pile, opening: Card | None) -> float:
    """The probability that the next card makes a pattern, for a player who counts the ranks in the pile.

    `seats` is how many players were dealt cards; the number of packs and of jokers may depend on it. The last result is
    cached, because every bot of a table needs the same one.
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
