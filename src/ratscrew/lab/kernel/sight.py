"""What can be slapped, in the kernel: a few look-ups in the tables of a house, whatever its patterns."""

from __future__ import annotations

from ratscrew.lab.compiled import compiled, inlined
from ratscrew.lab.kernel.layout import COVERED, FACE, FACE_DOWN, Number, Record

NEWEST = 5
"""How many cards on top people look at who are fooled by them."""


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
    return lowest(mask) if mask else -1


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
def lowest(mask: int) -> Number:
    """The number of the lowest bit of a mask that has one."""
    number = 0
    while not mask >> number & 1:
        number += 1
    return number


@inlined
def looks_like_one(game: Record) -> bool:
    """Whether the newest card's rank lies among the four under it: what people slap by mistake."""
    rank, place, end = -1, game.hi - 1, max(game.lo, game.hi - NEWEST)
    while place >= end:
        card = game.pile[place]
        if not card & FACE_DOWN:
            if rank == (card & FACE) >> 2:
                return True
            if rank < 0:
                rank = (card & FACE) >> 2
        place -= 1
    return False
