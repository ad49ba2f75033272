"""The lanes' front door: a house without slaps, so many games of a seed, and what they came to.

Time needs no clock here: whoever turns as soon as he can takes equally long for each card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ratscrew.bots.bot import Bot
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import FASTEST_US
from ratscrew.cards import Hand
from ratscrew.errors import RulesError
from ratscrew.game.card_timing import MIN_CARD_GAP_US, REVEAL_DELAY_US
from ratscrew.game.decide.deal import deal_out, deck_for
from ratscrew.lab.bitboard.deal import deal
from ratscrew.lab.bitboard.layout import ABOVE, LOW, NEVER, TOP, TRICKS, Words, kinds, planes, row, unsupported_reason
from ratscrew.lab.bitboard.play import SUMS, play, summed
from ratscrew.lab.random_stream import MASK
from ratscrew.lab.simulation import MAX_CARDS
from ratscrew.lab.tally import BINS, Tally, strip_zeros
from ratscrew.rules.house import Rules

__all__ = ["BLOCK", "Score", "only_turn", "run", "scores", "unsupported_reason"]

BLOCK = 65_536
"""So many games are dealt, played and added up at a time. At the end of a block lanes stand idle: it is long."""


class Score(NamedTuple):
    """What one game came to: cards turned, piles taken, and the seat that won."""

    cards: int
    tricks: int
    winner: int


def run(rules: Rules, games: int, seed: int, *, first: int = 0, limit: int = MAX_CARDS, threads: int = 1) -> Tally:
    """What `games` games of a seed come to, from number `first` on, between two whom nobody slaps.

    It is the same however many threads there are, and the same as on the lab's table between two who `only_turn`; but a
    game of more cards than the limit is counted in `never_ended`, and nowhere else.

    Raises: RulesError if the lanes cannot play this house.
    """
    deck, sizes = _deck(rules)

    def block(start: int) -> Tally:
        deals = np.empty((min(BLOCK, first + games - start), 6), np.uint64)
        deal(np.uint64(seed & MASK), np.uint64(start & MASK), deck, *sizes, deals)
        return _tally(rules, _played(rules, deals, limit)[:-1])

    starts = range(first, first + games, BLOCK)
    if threads == 1:
        return _sum(map(block, starts))
    with ThreadPoolExecutor(threads) as pool:
        return _sum(pool.map(block, starts))


def only_turn(bots: Sequence[Bot]) -> bool:
    """Whether two bots do nothing where nobody can slap but turn their cards, and that as soon as they can."""
    return len(bots) == 2 and all(
        type(bot) is ReflexBot
        and max(bot.reflexes.pauses) <= FASTEST_US
        and not bot.reflexes.false_alarm + bot.reflexes.lure_false_alarm
        for bot in bots
    )


def scores(rules: Rules, deals: Sequence[Sequence[Hand]], limit: int = MAX_CARDS) -> list[Score | None]:
    """What each of some deals comes to, the hand of who leads first; None for a game of more cards than the limit.

    Raises: RulesError if the lanes cannot play this house.
    """
    _deck(rules)
    found = _played(rules, np.array([row(rules, hands) for hands in deals], np.uint64), limit)[:-1]
    return [None if score == NEVER else _score(int(score)) for score in found]


def _deck(rules: Rules) -> tuple[Words, tuple[np.uint64, np.uint64]]:
    """The deck as it lies before it is shuffled, and how many cards each of the two is dealt."""
    if reason := unsupported_reason(rules):
        raise RulesError([f"the lanes cannot play this house: {reason}"])
    leads, follows = deal_out(rules, deck_for(rules, 2), 2, dealer=1).hands
    return planes(rules, leads + follows), (np.uint64(len(leads)), np.uint64(len(follows)))


def _played(rules: Rules, deals: Words, limit: int) -> Words:
    found = np.empty(len(deals) + 1, np.uint64)
    play(deals, kinds(rules).chances, np.uint64(limit), found)
    return found


def _score(word: int) -> Score:
    """A score in words. It is that of who has lost."""
    return Score(word & int(LOW), (word >> int(ABOVE)) & int(TRICKS), 1 - (word >> int(TOP)))


def _tally(rules: Rules, found: Words) -> Tally:
    sums, lengths = np.zeros(SUMS, np.int64), np.zeros(BINS, np.int64)
    summed(found, sums, lengths)
    never_ended, cards, cards2, tricks, tricks2, cards_tricks, comebacks, lead_wins = (int(number) for number in sums)
    ended = len(found) - never_ended
    card, trick, end = _tempo_ms(rules)
    return Tally(
        games=len(found),
        wins=strip_zeros((lead_wins, ended - lead_wins)),
        never_ended=never_ended,
        cards=cards,
        cards2=cards2,
        tricks=tricks,
        tricks2=tricks2,
        time_us=(card * cards + trick * tricks + end * ended) * 1000,
        time2_ms=card**2 * cards2
        + trick**2 * tricks2
        + end**2 * ended
        + 2 * (card * trick * cards_tricks + card * end * cards + trick * end * tricks),
        comebacks=comebacks,
        leader_wins=lead_wins,
        lengths=strip_zeros(tuple(int(count) for count in lengths)),
    )


def _tempo_ms(rules: Rules) -> tuple[int, int, int]:
    """How long a game is for each card, more for each pile, and more for its end, if everybody turns at once."""
    turn_us, delay_ms = FASTEST_US + REVEAL_DELAY_US, rules.collect_delay_ms
    card_ms = max(turn_us, MIN_CARD_GAP_US) // 1000
    pile_ms = max(turn_us // 1000 + delay_ms, card_ms) - card_ms
    return card_ms, pile_ms, delay_ms - pile_ms


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())
