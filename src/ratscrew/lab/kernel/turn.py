"""Turns in the kernel: the standing after a card, after a loss of cards, and at the end of an event.

The decisions are those of `game/turn_logic.py`, compiled; what a house adds to them is as in
`game/decide/turn_order.py` and `end_conditions.py`. Nobody joins in the lab, so a seat's number is its place in the
circle.
"""

from __future__ import annotations

import numpy as np

from ratscrew.game import turn_logic
from ratscrew.lab.bits import lowest_bit
from ratscrew.lab.jit import jit, jit_inline, jit_module
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import draw_card, lay_card
from ratscrew.lab.kernel.layout import CHALLENGE, LAST, OVER, PLAY, SOLE_HOLDER, STALEMATE, WON, Number, Record
from ratscrew.lab.kernel.trace import emit

PLAY_OUT, ENDS_ALONE, MUST_PLAY = range(3)
"""The values of the option `endgame`."""

_flow = jit_module(turn_logic, np.int64)
_after_card, _after_loss, _next_holder = _flow.after_card, _flow.after_loss, _flow.next_holder
_neighbour = _flow.neighbour
_GOES_ON, _WON = turn_logic.PLAY, turn_logic.WON


@jit_inline
def set_standing(game: Record, phase: int, turn: int, by: int, left: int, why: int) -> None:
    """Set the standing."""
    game.phase, game.turn, game.by, game.left, game.why = phase, turn, by, left, why


@jit_inline
def set_from_flow(game: Record, state: int, turn: int, by: int, left: int) -> None:
    """Set the standing from the result of `flow`."""
    if state == _GOES_ON:
        set_standing(game, PLAY, turn, by, left, -1)
    else:
        set_standing(game, WON, turn, -1, 0, CHALLENGE if state == _WON else STALEMATE)


@jit_inline
def turn_card(config: Record, game: Record) -> None:
    """The seat in turn turns its top card."""
    seat = game.turn
    card = draw_card(config, game, seat)
    lay_card(config, game, card)
    chances, stops = config.chances[card], config.stops[card]
    challenged = game.by >= 0 and game.phase == PLAY
    game.n += 1
    game.chance = game.chance + 1 if challenged and chances == 0 else 0
    game.touched[seat] = game.voided = 0
    game.was_by, game.was_left = game.by if challenged and game.last >= 0 else -1, game.left
    game.last = seat
    if game.opening < 0:
        game.opening = card
    if config.withdraw_ms:
        game.turned_ms = game.now_us // 1000
    if game.phase == LAST:
        game.left -= 1
    else:
        after_card(config, game, seat, chances, challenged and stops and not chances)
    emit(game, trace.PLAYED, seat, card, game.n)


@jit_inline
def after_card(config: Record, game: Record, seat: int, chances: int, stops: bool) -> None:
    """Set the standing after a card that gives so many chances, or that stops a challenge."""
    by = -1 if stops else game.by
    if chances == 0 and by >= 0 and game.left > 1 and game.held[seat] == 0 and config.challenger_takes:
        set_standing(game, WON, by, -1, 0, CHALLENGE)
        return
    state, turn, by, left = _after_card(seat, chances, by, game.left, game.held[: config.seats], config.step)
    set_from_flow(game, state, turn, by, left)
    if config.endgame != PLAY_OUT and game.phase == PLAY and game.by < 0:
        holder = sole_holder(game)
        if holder >= 0 and (config.endgame == ENDS_ALONE or holder == seat):
            set_standing(game, WON, holder, -1, 0, SOLE_HOLDER)


@jit
def after_loss(config: Record, game: Record) -> None:
    """Set the standing after the seat in turn has lost its last card otherwise."""
    if game.by >= 0 and config.challenger_takes:
        set_standing(game, WON, game.by, -1, 0, CHALLENGE)
        return
    last = game.turn if game.last < 0 else game.last
    held = game.held[: config.seats]
    state, turn, by, left = _after_loss(game.turn, game.by, game.left, last, held, config.step)
    set_from_flow(game, state, turn, by, left)


@jit
def before(config: Record, game: Record, seat: int) -> Number:
    """The nearest earlier seat that holds cards, or -1."""
    held = game.held[seat]
    game.held[seat] = 0
    other = _next_holder(seat, game.held[: config.seats], -config.step)
    game.held[seat] = held
    return other


@jit_inline
def sole_holder(game: Record) -> Number:
    """The only seat that holds cards, or -1."""
    holding = game.holding
    return lowest_bit(holding) if holding and not holding & (holding - 1) else -1


@jit_inline
def play_continues(config: Record, game: Record) -> bool:
    """Whether play just continues, as it mostly does: then `finish` has nothing to do."""
    sure = game.phase == PLAY and game.hi > game.lo and config.endgame != ENDS_ALONE
    return bool(sure and game.held[game.turn] > 0)


@jit
def finish(config: Record, game: Record) -> None:
    """Pass the turn to a seat that can play, or end the game."""
    seat, empty = game.turn, game.hi == game.lo
    if game.phase == PLAY:
        if game.held[seat] == 0 and not (empty and sole_holder(game) >= 0):
            after_loss(config, game)
            passed(game)
    elif game.phase == LAST and game.left and game.held[seat] == 0:
        game.left = 0
        passed(game)
    if (game.phase == WON or game.phase == LAST) and game.out[game.turn]:
        after_exit(config, game)
    if game.phase == PLAY and config.endgame == ENDS_ALONE and game.by < 0 and not empty:
        holder = sole_holder(game)
        if holder >= 0:
            set_standing(game, WON, holder, -1, 0, SOLE_HOLDER)
            passed(game)
    if game.phase == PLAY and empty:
        holder = sole_holder(game)
        if holder >= 0:
            end(config, game, holder)


@jit
def after_exit(config: Record, game: Record) -> None:
    """Set the standing after the player for whom a pile waits is out: the next one leads, or nobody holds a card."""
    leader = _next_holder(game.turn, game.held[: config.seats], config.step)
    if leader >= 0:
        set_standing(game, PLAY, leader, -1, 0, -1)
        passed(game)
        return
    heir = game.turn if game.last < 0 else game.last
    for _ in range(config.seats):
        if game.out[heir]:
            heir = _neighbour(heir, config.step, config.seats)
    if game.phase != WON or game.turn != heir or game.why != STALEMATE:
        set_standing(game, WON, heir, -1, 0, STALEMATE)
        passed(game)


@jit
def passed(game: Record) -> None:
    """Trace a change of the standing without a card."""
    emit(game, trace.PASSED, game.turn, game.phase, game.left)


@jit
def end(config: Record, game: Record, seat: int) -> None:
    """A seat with every card wins; after a challenge the house may give the others a last chance."""
    if config.last_chance and game.taken == CHALLENGE:
        by = -1
        if config.last_chance_opponent:
            by = game.last_before
            if by < 0 or by == seat:
                by = (seat + config.step) % config.seats
        set_standing(game, LAST, seat, by, min(config.last_chance, game.held[seat]), -1)
        emit(game, trace.SPARED, seat, by, game.left)
    else:
        win(game, seat)


@jit
def win(game: Record, seat: int) -> None:
    """End the game with its winner."""
    game.winner = seat
    set_standing(game, OVER, seat, -1, 0, -1)
    emit(game, trace.WON, seat, -1, 0)
