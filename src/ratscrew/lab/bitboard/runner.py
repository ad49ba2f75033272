"""The Python interface of the bitboard: plays games of a house without slaps, and returns a tally.

Time follows from the counts: a bot that turns as soon as it can takes equally long for each card.
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
"""The games that are played at a time. Blocks are long because lanes idle at the end of each."""


class Score(NamedTuple):
    """The result of a game: cards turned, piles taken, and the winner's seat."""

    cards: int
    tricks: int
    winner: int


def run(rules: Rules, games: int, seed: int, *, first: int = 0, limit: int = MAX_CARDS, threads: int = 1) -> Tally:
    """The tally of `games` games of a seed between two players, from number `first` on, without slaps.

    It is the same with any number of threads, and the same as the simulation's with two bots that `only_turn`; but a
    game of more cards than the limit is counted in `never_ended` and nowhere else.

    Raises: RulesError if the bitboard does not support this house.
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
    """Whether there are two bots that, without slaps, only turn their cards as soon as they can."""
    return len(bots) == 2 and all(
        type(bot) is ReflexBot
        and max(bot.reflexes.pauses) <= FASTEST_US
        and not bot.reflexes.false_alarm + bot.reflexes.lure_false_alarm
        for bot in bots
    )


def scores(rules: Rules, deals: Sequence[Sequence[Hand]], limit: int = MAX_CARDS) -> list[Score | None]:
    """The score of each deal, the leader's hand first; None for a game of more cards than the limit.

    Raises: RulesError if the bitboard does not support this house.
    """
    _deck(rules)
    found = _played(rules, np.array([row(rules, hands) for hands in deals], np.uint64), limit)[:-1]
    return [None if score == NEVER else _score(int(score)) for score in found]


def _deck(rules: Rules) -> tuple[Words, tuple[np.uint64, np.uint64]]:
    """The deck before the shuffle, and the number of cards dealt to each of the two."""
    if reason := unsupported_reason(rules):
        raise RulesError([f"the bitboard does not support this house: {reason}"])
    leads, follows = deal_out(rules, deck_for(rules, 2), 2, dealer=1).hands
    return planes(rules, leads + follows), (np.uint64(len(leads)), np.uint64(len(follows)))


def _played(rules: Rules, deals: Words, limit: int) -> Words:
    found = np.empty(len(deals) + 1, np.uint64)
    play(deals, kinds(rules).chances, np.uint64(limit), found)
    return found


def _score(word: int) -> Score:
    """Unpack a score, which is from the loser's point of view."""
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
    """The time of a card, the additional time of a pile and that of the end, if everybody turns at once."""
    turn_us, delay_ms = FASTEST_US + REVEAL_DELAY_US, rules.collect_delay_ms
    card_ms = max(turn_us, MIN_CARD_GAP_US) // 1000
    pile_ms = max(turn_us // 1000 + delay_ms, card_ms) - card_ms
    return card_ms, pile_ms, delay_ms - pile_ms


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())
