"""The usual path of the kernel: cards that nobody slaps by mistake, patterns, and won piles.

The result is the same as by planning, and executing one event after the other, as `play.py` does otherwise. But no seat
is examined that does not matter: a slap that comes after the first one at a pattern, or after the next card, has no
effect.
"""

from __future__ import annotations

import numpy as np

from ratscrew.bots.reflexes import FASTEST_US
from ratscrew.lab.bits import bit_count
from ratscrew.lab.jit import jit, jit_inline
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import RING, take, windows_after
from ratscrew.lab.kernel.layout import CHALLENGE, FACE, NEVER, PAUSES, PLAY, SLAP, WON, WORDS, Number, Record
from ratscrew.lab.kernel.patterns import find_pattern, looks_like_pattern, newest_is_among_others
from ratscrew.lab.kernel.plan import quantile, think_us
from ratscrew.lab.kernel.rng import advance, bits_at, bits_of, fill_lookahead, none_below, skip, span_of
from ratscrew.lab.kernel.slap import may_slap_in
from ratscrew.lab.kernel.trace import emit
from ratscrew.lab.kernel.turn import among_holders, finish, is_due, note_next_holders, play_continues, turn_card


@jit_inline
def go_on(config: Record, game: Record) -> bool:
    """Execute the next event if it is a usual one; if not, returns False and changes nothing.

    No slap is planned before it, nor after it.
    """
    turns = game.phase == PLAY
    if not (turns or (game.phase == WON and game.why == CHALLENGE)) or game.n < game.locked_till or game.voided:
        return False
    hands, pattern, like_one = 0, -1, False
    if game.hi > game.lo and config.slappable:
        every = (1 << config.seats) - 1
        hands = (every if may_slap_in(config, game) else game.holding) & ~game.barred
        pattern = find_pattern(config, game)
        if pattern >= 0:
            compete(config, game, pattern, hands)
            return True
        like_one = looks_like_pattern(game.recent)
    before = bit_count(hands & ((1 << game.turn) - 1))
    count = bit_count(hands) + int(turns)
    if not none_below(config, game, count, before if turns else WORDS - 1, int(like_one)):
        return False
    if turns:
        if game.pauses == PAUSES:
            add_up(config, game)
        put_off(config, game, game.pauses, game.turn, advance(game.state, before + 1))
        game.pause_late[game.pauses] = game.now_us - game.shown_us
        game.pauses += 1
        game.shown_us = game.now_us
        if game.tracing:
            add_up(config, game)
        skip(game, count)
        turn(config, game)
    else:
        skip(game, count)
        take_up(config, game, game.turn, CHALLENGE, game.now_us + config.collect_delay_us)
    return True


@jit_inline
def turn_cards(config: Record, game: Record) -> bool:
    """Turn cards as long as nothing else happens, and return whether any was turned."""
    before, more = game.n, True
    while more:
        if game.spent + config.seats + 1 > WORDS:
            fill_lookahead(config, game)
        more = turn_many(config, game)
    return bool(game.n > before)


@jit
def turn_many(config: Record, game: Record) -> bool:
    """Turn cards as long as nothing else happens, and return whether it goes on so with new random numbers.

    This is `go_on` for many cards, with the game in local variables. It stops before a card that may be slapped, for a
    pattern or by mistake, and before a seat's last card; so until then the same seats hold cards, and the same hands
    count. It also stops after a card that wins the pile, and where random numbers or pauses have to be computed.
    Indices are unsigned: a signed one may count from the end, which costs a comparison. What only other patterns and
    bots read of a game (`opening`, `first`, `live`, `chance`, `was_by`) is not kept.
    """
    holding, turn, lo, hi = game.holding, game.turn, game.lo, game.hi
    ready = game.phase == PLAY and holding & (holding - 1) and not game.covered and not game.voided
    if not ready or game.n < game.locked_till or not config.windows:
        return False
    if game.next_of != holding:
        note_next_holders(config, game)
    by, left, ranks, suits, recent = game.by, game.left, game.ranks, game.suits, game.recent
    rank_mask, suit_mask, phase = config.rank_mask, config.suit_mask, PLAY
    every = (1 << config.seats) - 1
    hands = (every if may_slap_in(config, game) else holding) & ~game.barred if config.slappable else 0
    spent, state = game.spent, advance(game.state, -game.spent)
    begun, pauses = hi, game.pauses - hi
    end = hi + min(config.limit - game.n + 1, PAUSES - game.pauses, 1 if game.tracing else PAUSES)
    card: Number = np.int64(game.pile[hi - 1] & FACE) if hi > lo else np.int64(0)
    whose, more = hands if hi > lo else 0, False
    while hi < end and game.held[np.uint64(turn)] > 1:
        window = np.uint64(ranks & rank_mask)
        other = 0
        if config.others:
            other = config.suits[np.uint64(suits & suit_mask)] | config.faces[np.uint64(card)]
        if config.some_ranks[window] | other:
            seen = np.uint64(min(game.seen + hi - begun, config.depth))
            if (config.ranks[window] | other) & config.deep_enough[seen]:
                break
        before, count = bit_count(whose & ((1 << turn) - 1)), bit_count(whose) + 1
        if spent + count > WORDS:
            more = True
            break
        small = game.is_small[np.uint64(newest_is_among_others(recent))]
        if small >> np.uint64(spent) & span_of(count, before):
            break
        seat, game.last, whose = np.uint64(turn), turn, hands
        put_off(config, game, np.uint64(pauses + hi), seat, advance(state, spent + before + 1))
        spent += count
        card = np.int64(game.ring[seat, np.uint64(game.head[seat] & RING)])
        game.head[seat] += 1
        game.held[seat] -= 1
        game.pile[np.uint64(hi)] = card
        hi += 1
        recent, ranks, suits = windows_after(config, card, recent, ranks, suits)
        chances, challenger = config.chances[np.uint64(card)], by | config.stops[np.uint64(card)]
        phase, turn, by, left, _ = among_holders(turn, chances, challenger, left, game.next_holder[seat])
        if phase != PLAY:
            break
    if hi == begun:
        return False
    game.state, game.spent = advance(state, spent), spent
    game.hi, game.seen, game.recent, game.ranks, game.suits = hi, game.seen + hi - begun, recent, ranks, suits
    game.phase, game.turn, game.by, game.left = phase, turn, by, left
    game.n, game.taken = game.n + hi - begun, -1
    game.pause_late[game.pauses] = game.now_us - game.shown_us
    game.pauses, game.shown_us = pauses + hi, game.now_us
    if game.tracing:
        add_up(config, game)
        emit(game, trace.PLAYED, game.last, card, game.n)
    if phase != PLAY:
        game.why, game.loser = CHALLENGE, game.last
        finish(config, game)
    return more


@jit
def compete(config: Record, game: Record, pattern: int, hands: int) -> None:
    """All seats of a mask look at a pattern, and react: the first takes the pile, if that is before play goes on."""
    first_us, first, turns, state = NEVER, -1, game.phase == PLAY, game.state
    drawn = turn_at = 0
    for seat in range(config.seats):
        if turns and game.turn == seat:
            turn_at = drawn
            drawn += 1
        if hands >> seat & 1:
            drawn += 1
            if bits_at(state, drawn - 1) >= config.miss[seat]:
                us = quantile(config, config.rows[seat], bits_at(state, drawn))
                us = game.now_us + max(FASTEST_US, us + config.size[pattern] * config.scan_time_us[seat])
                drawn += 1
                if us < first_us:
                    first_us, first = us, seat
                if game.tracing:
                    game.slap_us[seat] = us
    skip(game, drawn)
    turn_us = game.now_us + think_us(config, game.turn, bits_at(state, turn_at)) if turns else NEVER
    next_us = next_card_us(config, game, turn_us) if turns else game.now_us + config.collect_delay_us
    if first_us < next_us:
        if game.tracing:
            trace_slaps(config, game, first_us, next_us)
        game.slaps[pattern] += 1
        game.good[first] += 1
        take_up(config, game, first, SLAP + pattern, first_us)
    elif turns:
        turn_next(config, game, turn_us)
    else:
        take_up(config, game, game.turn, CHALLENGE, next_us)
    if game.tracing:
        for seat in range(config.seats):
            game.slap_us[seat] = NEVER


@jit_inline
def put_off(config: Record, game: Record, place: Number, seat: Number, state: Number) -> None:
    """The pause of a seat before its card is over; its length is computed later, with others, from a state.

    Until then the game's times are short by it: nothing in this path depends on them, but on differences between them.
    """
    game.pause_state[place] = state
    game.pause_row[place] = config.rows[seat]


@jit
def add_up(config: Record, game: Record) -> None:
    """Compute the lengths of the pauses that were put off, several at a time, and set the clock forward."""
    us = 0
    for number in range(game.pauses):
        pause = quantile(config, game.pause_row[number] + 1, bits_of(game.pause_state[number]))
        us += max(max(FASTEST_US, pause) + config.flight_us, config.gap_us - game.pause_late[number])
    for number in range(game.pauses):
        game.pause_late[number] = 0
    game.now_us += us
    game.shown_us += us
    game.pauses = 0


@jit_inline
def next_card_us(config: Record, game: Record, turn_us: int) -> Number:
    """When a card is shown that leaves the hand at a time."""
    return max(turn_us + config.flight_us, game.shown_us + config.gap_us)


@jit_inline
def turn_next(config: Record, game: Record, turn_us: int) -> None:
    """The seat in turn turns a card, which leaves its hand at a time."""
    game.now_us = game.shown_us = next_card_us(config, game, turn_us)
    turn(config, game)


@jit_inline
def turn(config: Record, game: Record) -> None:
    """The seat in turn turns a card."""
    game.taken = -1
    turn_card(config, game)
    if not play_continues(config, game):
        finish(config, game)


@jit_inline
def take_up(config: Record, game: Record, seat: int, why: int, us: int) -> None:
    """A seat takes the pile at a time."""
    game.now_us = us
    game.taken = -1
    take(config, game, seat, why)
    if game.hi > game.lo or not game.holding & (game.holding - 1) or is_due(config, game):
        finish(config, game)


@jit
def trace_slaps(config: Record, game: Record, first_us: int, next_us: int) -> None:
    """Trace the slaps that are decided together, in their order: those in the tie window, before play goes on."""
    last_ms, count = first_us // 1000 + config.tie_window_ms, 0
    for seat in range(config.seats):
        count += game.slap_us[seat] < next_us and game.slap_us[seat] // 1000 <= last_ms
    game.now_us = first_us
    for _ in range(count):
        first = 0
        for seat in range(config.seats):
            if game.slap_us[seat] < game.slap_us[first]:
                first = seat
        emit(game, trace.SLAPPED, first, -1, count)
        game.slap_us[first] = NEVER
