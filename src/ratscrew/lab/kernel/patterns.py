"""Pattern matching in the kernel: a few look-ups in the tables of a house."""

from __future__ import annotations

import numpy as np

from ratscrew.cards import JOKER, NO_COLOUR, NO_SUIT
from ratscrew.lab.bits import lowest_bit
from ratscrew.lab.jit import jit, jit_inline, jit_module
from ratscrew.lab.kernel.cards import RECENT
from ratscrew.lab.kernel.layout import (
    ANY_ORDER,
    CONSECUTIVE,
    COVERED,
    FACE,
    FAMILY,
    MONOTONE,
    ONE_COLOUR,
    ONE_SUIT,
    Number,
    Record,
)
from ratscrew.rules import ranks
from ratscrew.rules.ranks import CIRCLE, JACK, KING, WILD

_ranks = jit_module(ranks, np.int64)
_reaches, _in_row, _monotone = _ranks.reaches, _ranks.in_row, _ranks.monotone
_any_order, _alike, _places_taken = _ranks.any_order, _ranks.alike, _ranks.places_taken

_EACH = 0x01010101
"""The lowest bit of each of the four cards under the newest one."""


@jit_inline
def find_pattern(config: Record, game: Record) -> Number:
    """The index of the first pattern on top, or -1: then a slap is wrong."""
    if game.covered or game.hi == game.lo:
        return -1
    card = game.pile[game.hi - 1] & FACE
    mask = (
        config.ranks[game.ranks & config.rank_mask] | config.suits[game.suits & config.suit_mask] | config.faces[card]
    )
    if config.around:
        mask |= config.answers[card, number_of(config, game)] | beside(config, game, card)
    if config.gaps:
        mask |= pairs(config, game, card)
    mask &= config.deep_enough[min(game.seen, config.depth)]
    if config.sums and not mask & (config.sums - 1) and adds_up(config, game):
        mask |= config.sums
    if config.long_rows:
        mask |= long_rows(config, game)
    return lowest_bit(mask) if mask else -1


@jit_inline
def number_of(config: Record, game: Record) -> Number:
    """The number of the top card that the house counts: of the answer, or from ace to king in the pile or the game."""
    if config.counted == 0:
        return game.chance
    return (game.live - 1 if config.counted == 1 else game.n - 1) % CIRCLE + 1


@jit
def adds_up(config: Record, game: Record) -> bool:
    """Whether number cards on top add up to the total, by the ranks of the readable cards."""
    count = numbers = 0
    for place in range(game.hi - 1, game.lo - 1, -1):
        card = game.pile[place]
        if card & COVERED:
            if config.skip:
                continue
            break
        code = config.rank_code[card & FACE]
        game.readable[count] = WILD if code > JOKER else code
        count += 1
        numbers += code < JACK or code > KING
        if code == JOKER or numbers > config.total:
            break
    return bool(_reaches(game.readable[:count], config.total, config.addends, config.gap, config.ace))


@jit
def long_rows(config: Record, game: Record) -> Number:
    """The mask of the rows on top that are longer than the windows; `seen` is the number of readable cards."""
    mask = 0
    for number in range(config.long_rows):
        length, of = config.row_length[number], config.row_of[number]
        if game.seen < length:
            continue
        count, place = 0, game.hi - 1
        while count < length:
            card = game.pile[place]
            if not card & COVERED:
                game.readable[count] = mark_of(config, np.int64(card & FACE), of)
                count += 1
            place -= 1
        if is_row(config, game.readable[:length], of, config.row_ends[number]):
            mask |= config.row_bit[number]
    return mask


@jit_inline
def mark_of(config: Record, card: Number, of: int) -> Number:
    """The property of a card that counts in a row: rank, suit, colour or all of it; a wild card may have any."""
    if of == ONE_COLOUR:
        return config.colour_code[card]
    if of == ONE_SUIT:
        suit = config.suit_code[card]
        return WILD if suit > NO_SUIT else suit
    rank = config.rank_code[card]
    if rank > JOKER:
        return WILD
    return card if of == FAMILY else rank


@jit
def is_row(config: Record, marks: Record, of: int, ends: int) -> bool:
    """Whether marks are a row, by the functions of `rules/ranks.py`."""
    if of == CONSECUTIVE:
        return bool(_in_row(marks, ends))
    if of == MONOTONE:
        return bool(_monotone(marks, ends))
    if of == ANY_ORDER:
        return bool(_any_order(marks, len(marks), ends))
    if of == FAMILY:
        return bool(_places_taken(marks, config.family_cards, config.family_ranks))
    return bool(_alike(marks, NO_SUIT if of == ONE_SUIT else NO_COLOUR))


@jit
def pairs(config: Record, game: Record, card: int) -> Number:
    """The mask of the pairs that the top card makes with a card under it."""
    mask, gap = 0, -1
    for place in range(game.hi - 2, game.lo - 1, -1):
        other = game.pile[place]
        if other & COVERED:
            if config.skip:
                continue
            break
        gap += 1
        if config.gaps >> gap == 0:
            break
        mask |= config.pairs[gap, card, other & FACE]
    return mask


@jit
def beside(config: Record, game: Record, card: int) -> Number:
    """The mask of the patterns of the top card with the pile's first or lowest card, or the first card of the game."""
    burned = 1 if game.burned or game.pile[game.lo] & COVERED else 0
    mask = 0
    if game.n > 1:
        mask |= config.beside[burned, 2, card, game.opening]
    if game.hi - game.lo > 1:
        mask |= config.beside[burned, 1, card, game.pile[game.lo] & FACE]
        if game.live > 1:
            mask |= config.beside[burned, 0, card, game.first]
    return mask


@jit_inline
def looks_like_pattern(recent: int) -> bool:
    """Whether the newest card's rank is among the four cards under it: what people slap by mistake."""
    recent &= RECENT
    while recent and not recent & 0xFF:
        recent >>= 8
    return bool(recent and newest_is_among_others(recent))


@jit_inline
def newest_is_among_others(recent: int) -> bool:
    """The same if the newest card lies face up, without a branch."""
    others = (recent >> 8) ^ (recent & 0xFF) * _EACH
    return bool((others - _EACH) & ~others & _EACH << 7)
