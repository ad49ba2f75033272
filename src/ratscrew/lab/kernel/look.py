"""Looking, in the kernel: what each seat means to do about what it sees, with the chances of `ReflexBot.plan` and
`RiskSlapper.plan`.

`intend` is the whole mind of a seat: another kind of bot would have another one.
"""

from __future__ import annotations

import numpy as np

from ratscrew.bots.reflexes import FASTEST_US, PIECES
from ratscrew.bots.wits import SIMPLE
from ratscrew.lab.bits import count
from ratscrew.lab.compiled import compiled, inlined
from ratscrew.lab.kernel.chance import bits, bits_ahead, none_small, spend
from ratscrew.lab.kernel.layout import FACE, FACE_DOWN, LAST, NEVER, OVER, PLAY, TIE, WON, WORDS, Number, Record
from ratscrew.lab.kernel.sight import found, looks_like_one
from ratscrew.lab.kernel.slap import EVERYBODY, may_slap_in

_REST = 53 - (PIECES.bit_length() - 1)
_PART = 2.0**-_REST
_BLIND = 1 - 1.0 * (1 - SIMPLE)
"""Of what a reaction takes beyond the fastest, what is left to who need not recognise a card, as in `nearer_us`."""


@inlined
def look(house: Record, game: Record, new_card: bool) -> None:
    """Everybody looks, in order of seats; at a new card they forget what they meant to do about the last one."""
    if new_card and game.slap_first_us < NEVER:
        for seat in range(house.seats):
            game.slap_us[seat] = NEVER
        game.slap_first_us = NEVER
    game.turn_us = game.collect_us = NEVER
    if house.redneck:
        for seat in range(house.seats):
            game.forehead_us[seat] = NEVER
    phase = game.phase
    if phase == OVER:
        return
    if phase == TIE:
        game.wait_us = game.now_us + house.contest_us
    else:
        game.wait_us = game.now_us + (house.turn_us if phase == WON and house.manual else house.collect_delay_us)
    open_to_slaps = house.slappable and phase != TIE and not game.voided and game.hi > game.lo
    pattern, like_one = -1, False
    if open_to_slaps:
        pattern = found(house, game)
        like_one = pattern < 0 and looks_like_one(game)
    if pattern < 0 and house.calm and nobody_slaps(house, game, like_one, open_to_slaps):
        return
    everybody(house, game, pattern, like_one, open_to_slaps, new_card)


@compiled
def everybody(house: Record, game: Record, pattern: int, like_one: bool, open_to_slaps: bool, new_card: bool) -> None:
    """Each seat means to do something, in their order."""
    for seat in range(house.seats):
        intend(house, game, seat, pattern, like_one, open_to_slaps, new_card)


@inlined
def nobody_slaps(house: Record, game: Record, like_one: bool, open_to_slaps: bool) -> bool:
    """Whether everybody would leave things alone but who has the turn; then it is as if all had looked.

    It is so most of the time, and this is much of the kernel's speed: no seat is looked at.
    """
    hands, turns, turn = 0, game.phase == PLAY, np.int64(game.turn)
    if game.n < game.locked_till or not (turns or game.phase == WON):
        return False
    if open_to_slaps:
        every = (1 << house.seats) - 1
        hands = (every if may_slap_in(house, game) else game.holding) & ~game.barred
    slappers, before = count(hands), count(hands & ((1 << turn) - 1))
    chances = slappers + int(turns)
    if not none_small(house, game, chances, before if turns else WORDS - 1, int(like_one)):
        return False
    if turns:
        game.turn_us = game.now_us + think_us(house, game.turn, bits_ahead(game, before))
    spend(game, chances)
    return True


@inlined
def intend(
    house: Record,
    game: Record,
    seat: int,
    pattern: int,
    like_one: bool,
    open_to_slaps: bool,
    new_card: bool,
) -> None:
    """What a seat means to do: turn when it is its turn; slap what looks like a pattern, mostly when it is one."""
    mine = game.turn == seat
    if mine and (game.phase == PLAY or (game.phase == LAST and game.left > 0)):
        game.turn_us = game.now_us + pause_us(house, game, seat)
    slaps = open_to_slaps and may_slap(house, game, seat)
    if slaps:
        us = slap_us(house, game, seat, pattern, like_one)
        if new_card and us < NEVER:
            game.slap_us[seat] = us
            game.slap_first_us = min(us, game.slap_first_us)
    if mine and game.phase == WON and house.manual:
        us = game.now_us + pause_us(house, game, seat)
        game.collect_us = max(us, game.shown_us + house.gap_us)
    if slaps and house.redneck and not game.touched[seat] and (house.redneck == EVERYBODY or game.convicted[seat]):
        game.forehead_us[seat] = game.now_us + pause_us(house, game, seat) // 4


@inlined
def slap_us(house: Record, game: Record, seat: int, pattern: int, like_one: bool) -> Number:
    """When a seat slaps: blindly where enough is at stake, else what it sees, or NEVER."""
    if game.hi - game.lo >= house.stake[seat] and tempted(house, game, seat) and bits(game) < house.risk[seat]:
        us = max(FASTEST_US, quantile(house, house.rows[seat], bits(game)))
        return game.now_us + FASTEST_US + int(np.rint((us - FASTEST_US) * _BLIND))
    chance = bits(game)
    if pattern >= 0:
        sees, glances = chance >= house.miss[seat], house.size[pattern]
    else:
        sees, glances = chance < (house.fooled[seat] if like_one else house.twitch[seat]), 0
    if not sees:
        return NEVER
    us = quantile(house, house.rows[seat], bits(game)) + glances * house.glance_us[seat]
    return game.now_us + max(FASTEST_US, us)


@compiled
def tempted(house: Record, game: Record, seat: int) -> bool:
    """Whether as many letter cards as it wants lie beneath the card on top, or it was the last against its own one."""
    if house.stake_last[seat] and not (game.was_by == seat and game.was_left == 1):
        return False
    left, place = house.stake_letters[seat], game.lo
    while left and place < game.hi - 1:
        card = game.pile[place]
        left -= not card & FACE_DOWN and house.chances[card & FACE] > 0
        place += 1
    return bool(left == 0)


@inlined
def may_slap(house: Record, game: Record, seat: int) -> bool:
    """Whether a seat's slap could count, as far as one can see it; the game has the last word."""
    if game.n < game.locked[seat] or game.hand_burned[seat] or game.out[seat]:
        return False
    if game.phase == LAST:
        return bool(game.turn != seat and (game.by < 0 or game.by == seat))
    return bool(game.held[seat]) or may_slap_in(house, game)


@inlined
def pause_us(house: Record, game: Record, seat: int) -> Number:
    """A pause before a card is turned."""
    return think_us(house, seat, bits(game))


@inlined
def think_us(house: Record, seat: int, chance: int) -> Number:
    """A pause before a card is turned, by a chance."""
    return max(FASTEST_US, quantile(house, house.rows[seat] + 1, chance))


@inlined
def quantile(house: Record, row: int, chance: int) -> Number:
    """The time below which a share of all times lies; `reflexes.quantile` for a chance of 53 bits."""
    piece = chance >> _REST
    low = house.knots[row, piece]
    return low + int((chance & ((1 << _REST) - 1)) * _PART * (house.knots[row, piece + 1] - low))
