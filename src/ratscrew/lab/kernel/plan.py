"""The bots in the kernel: each seat plans with the random numbers of `ReflexBot.plan` and `RiskSlapper.plan`.

`plan_seat` is the whole model of a bot: another kind of bot would need another one.
"""

from __future__ import annotations

import numpy as np

from ratscrew.bots.reflexes import FASTEST_US, QUANTILE_STEPS
from ratscrew.lab.bits import bit_count
from ratscrew.lab.jit import jit, jit_inline
from ratscrew.lab.kernel.layout import FACE, FACE_DOWN, LAST, NEVER, OVER, PLAY, TIE, WON, WORDS, Number, Record
from ratscrew.lab.kernel.patterns import find_pattern, looks_like_pattern
from ratscrew.lab.kernel.rng import bits_at, none_below, random_bits, skip
from ratscrew.lab.kernel.slap import barred, may_slap_in, needs_forehead

_REST = 53 - (QUANTILE_STEPS.bit_length() - 1)
_PART = 2.0**-_REST


@jit_inline
def plan_all(config: Record, game: Record, new_card: bool) -> None:
    """Every seat plans, in their order; a new card cancels the plans for the last one."""
    if new_card and game.slap_first_us < NEVER:
        drop_slaps(config, game)
    game.turn_us = game.collect_us = NEVER
    if config.redneck:
        for seat in range(config.seats):
            game.forehead_us[seat] = NEVER
    phase = game.phase
    if phase == OVER:
        return
    if phase == TIE:
        game.wait_us = game.now_us + config.contest_us
    else:
        game.wait_us = game.now_us + (config.turn_us if phase == WON and config.manual else config.collect_delay_us)
    open_to_slaps = config.slappable and phase != TIE and not game.voided and game.hi > game.lo
    pattern, like_one = -1, False
    if open_to_slaps:
        pattern = find_pattern(config, game)
        like_one = pattern < 0 and looks_like_pattern(game.recent)
    if pattern < 0 and config.calm and plan_if_nobody_slaps(config, game, like_one, open_to_slaps):
        return
    plan_each_seat(config, game, pattern, like_one, open_to_slaps, new_card)


@jit
def drop_slaps(config: Record, game: Record) -> None:
    """Cancel all planned slaps."""
    for seat in range(config.seats):
        game.slap_us[seat] = NEVER
    game.slap_first_us = NEVER


@jit
def plan_each_seat(
    config: Record, game: Record, pattern: int, like_one: bool, open_to_slaps: bool, new_card: bool
) -> None:
    for seat in range(config.seats):
        plan_seat(config, game, seat, pattern, like_one, open_to_slaps, new_card)


@jit_inline
def plan_if_nobody_slaps(config: Record, game: Record, like_one: bool, open_to_slaps: bool) -> bool:
    """Whether no seat would slap; then the result is as if all seats had planned.

    This is the usual case, and much of the kernel's speed: no seat is examined.
    """
    hands, turns, turn = 0, game.phase == PLAY, np.int64(game.turn)
    if game.n < game.locked_till or not (turns or game.phase == WON):
        return False
    if open_to_slaps:
        every = (1 << config.seats) - 1
        hands = (every & ~game.missed if may_slap_in(config, game) else game.holding) & ~game.barred
    slappers, before = bit_count(hands), bit_count(hands & ((1 << turn) - 1))
    chances = slappers + int(turns)
    if not none_below(config, game, chances, before if turns else WORDS - 1, int(like_one)):
        return False
    if turns:
        game.turn_us = game.now_us + think_us(config, game.turn, bits_at(game.state, before))
    skip(game, chances)
    return True


@jit_inline
def plan_seat(
    config: Record,
    game: Record,
    seat: int,
    pattern: int,
    like_one: bool,
    open_to_slaps: bool,
    new_card: bool,
) -> None:
    """Plan for a seat: turn in its turn; slap what looks like a pattern, mostly when it is one."""
    mine = game.turn == seat
    if mine and (game.phase == PLAY or (game.phase == LAST and game.left > 0)):
        game.turn_us = game.now_us + pause_us(config, game, seat)
    slaps = open_to_slaps and not barred(config, game, seat)
    if slaps:
        us = slap_us(config, game, seat, pattern, like_one)
        if new_card and us < NEVER:
            game.slap_us[seat] = us
            game.slap_first_us = min(us, game.slap_first_us)
    if mine and game.phase == WON and config.manual:
        us = game.now_us + pause_us(config, game, seat)
        game.collect_us = max(us, game.shown_us + config.gap_us)
    if slaps and needs_forehead(config, game, seat):
        game.forehead_us[seat] = game.now_us + pause_us(config, game, seat) // 4


@jit_inline
def slap_us(config: Record, game: Record, seat: int, pattern: int, like_one: bool) -> Number:
    """The time of a seat's slap: blind where enough is at stake, else of what it sees; or NEVER."""
    if (
        game.hi - game.lo >= config.stake[seat]
        and tempted(config, game, seat)
        and random_bits(game) < config.risk[seat]
    ):
        us = max(FASTEST_US, quantile(config, config.rows[seat], random_bits(game)))
        return game.now_us + FASTEST_US + int(np.rint((us - FASTEST_US) * config.simple_reaction[seat]))
    chance = random_bits(game)
    if pattern >= 0:
        sees, scan_count = chance >= config.miss[seat], config.size[pattern]
    else:
        sees, scan_count = chance < (config.lure_false_alarm[seat] if like_one else config.false_alarm[seat]), 0
    if not sees:
        return NEVER
    us = quantile(config, config.rows[seat], random_bits(game)) + scan_count * config.scan_time_us[seat]
    return game.now_us + max(FASTEST_US, us)


@jit
def tempted(config: Record, game: Record, seat: int) -> bool:
    """Whether enough face cards lie beneath the top card, and, if required, it decides a challenge of the seat."""
    if config.stake_last[seat] and not (game.was_by == seat and game.was_left == 1):
        return False
    left, place = config.stake_face_cards[seat], game.lo
    while left and place < game.hi - 1:
        card = game.pile[place]
        left -= not card & FACE_DOWN and config.chances[card & FACE] > 0
        place += 1
    return bool(left == 0)


@jit_inline
def pause_us(config: Record, game: Record, seat: int) -> Number:
    """Draw a pause before a card is turned."""
    return think_us(config, seat, random_bits(game))


@jit_inline
def think_us(config: Record, seat: int, chance: int) -> Number:
    """The pause before a card is turned for a random number."""
    return max(FASTEST_US, quantile(config, config.rows[seat] + 1, chance))


@jit_inline
def quantile(config: Record, row: int, chance: int) -> Number:
    """`reflexes.quantile` for a random number of 53 bits."""
    kind, piece = np.uint64(row), chance >> _REST
    low = config.knots[kind, np.uint64(piece)]
    return low + int((chance & ((1 << _REST) - 1)) * _PART * (config.knots[kind, np.uint64(piece + 1)] - low))
