"""What can be slapped, in the kernel: a few look-ups in the tables of a house, whatever its patterns."""

from __future__ import annotations

import numpy as np

from ratscrew.cards import JOKER, NO_COLOUR, NO_SUIT
from ratscrew.lab.bits import lowest
from ratscrew.lab.compiled import compiled, copies, inlined
from ratscrew.lab.kernel.layout import CONSECUTIVE, COVERED, FACE, MONOTONE, ONE_COLOUR, ONE_SUIT, Number, Record
from ratscrew.rules import ranks
from ratscrew.rules.ranks import JACK, KING, WILD

_ranks = copies(ranks, np.int64)
_reaches, _in_row, _monotone, _alike = _ranks.reaches, _ranks.in_row, _ranks.monotone, _ranks.alike

_EACH = 0x01010101
"""Of each of the four cards under the newest one, the lowest bit."""


@inlined
def found(house: Record, game: Record) -> Number:
    """The number of the first pattern that lies on top, or -1: then a slap is wrong."""
    if game.covered or game.hi == game.lo:
        return -1
    card = game.pile[game.hi - 1] & FACE
    mask = house.ranks[game.ranks] | house.suits[game.suits] | house.faces[card]
    if house.around:
        mask |= house.answers[card, game.chance] | beside(house, game, card)
    mask &= house.deep_enough[min(game.seen, house.depth)]
    if house.sums and not mask & (house.sums - 1) and adds_up(house, game):
        mask |= house.sums
    if house.long_rows:
        mask |= long_rows(house, game)
    return lowest(mask) if mask else -1


@compiled
def adds_up(house: Record, game: Record) -> bool:
    """Whether number cards on top add up to the total: what may be read of the view, in ranks, is what it takes."""
    count = numbers = 0
    for place in range(game.hi - 1, game.lo - 1, -1):
        card = game.pile[place]
        if card & COVERED:
            if house.skip:
                continue
            break
        code = house.rank_code[card & FACE]
        game.readable[count] = WILD if code > JOKER else code
        count += 1
        numbers += code < JACK or code > KING
        if code == JOKER or numbers > house.total:
            break
    return bool(_reaches(game.readable[:count], house.total, house.addends, house.gap, house.ace))


@compiled
def long_rows(house: Record, game: Record) -> Number:
    """The rows on top that are longer than the windows; `seen` says that there are as many cards to read."""
    mask = 0
    for number in range(house.long_rows):
        length, of = house.row_length[number], house.row_of[number]
        if game.seen < length:
            continue
        count, place = 0, game.hi - 1
        while count < length:
            card = game.pile[place]
            if not card & COVERED:
                game.readable[count] = mark_of(house, np.int64(card & FACE), of)
                count += 1
            place -= 1
        if is_row(game.readable[:length], of, house.row_ends[number]):
            mask |= house.row_bit[number]
    return mask


@inlined
def mark_of(house: Record, card: Number, of: int) -> Number:
    """What of a card counts in a row: its rank, suit or colour; a wild one may have any."""
    if of == ONE_COLOUR:
        return house.colour_code[card]
    if of == ONE_SUIT:
        suit = house.suit_code[card]
        return WILD if suit > NO_SUIT else suit
    rank = house.rank_code[card]
    return WILD if rank > JOKER else rank


@compiled
def is_row(marks: Record, of: int, ends: int) -> bool:
    """Whether marks are a row, as `rules/ranks.py` has it."""
    if of == CONSECUTIVE:
        return bool(_in_row(marks, ends))
    if of == MONOTONE:
        return bool(_monotone(marks, ends))
    return bool(_alike(marks, NO_SUIT if of == ONE_SUIT else NO_COLOUR))


@compiled
def beside(house: Record, game: Record, card: int) -> Number:
    """The patterns that the top card makes with the first card of the pile, its lowest, or the first of the game."""
    burned = 1 if game.burned or game.pile[game.lo] & COVERED else 0
    mask = 0
    if game.n > 1:
        mask |= house.beside[burned, 2, card, game.opening]
    if game.hi - game.lo > 1:
        mask |= house.beside[burned, 1, card, game.pile[game.lo] & FACE]
        if game.live > 1:
            mask |= house.beside[burned, 0, card, game.first]
    return mask


@inlined
def looks_like_one(game: Record) -> bool:
    """Whether the newest card's rank lies among the four under it: what people slap by mistake."""
    recent = game.recent
    while recent and not recent & 0xFF:
        recent >>= 8
    others = (recent >> 8) ^ (recent & 0xFF) * _EACH
    return bool(recent and (others - _EACH) & ~others & _EACH << 7)
