"""What can be slapped, in the kernel: a few look-ups in the tables of a house, whatever its patterns."""

from __future__ import annotations

import numpy as np

from ratscrew.cards import JOKER
from ratscrew.lab.bits import lowest
from ratscrew.lab.compiled import compiled, copies, inlined
from ratscrew.lab.kernel.layout import COVERED, FACE, Number, Record
from ratscrew.rules import ranks
from ratscrew.rules.ranks import JACK, KING, WILD

_reaches = copies(ranks, np.int64).reaches

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
