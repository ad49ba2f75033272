"""Wrong slaps in the kernel: what a house's tables say they cost, in the moves of `game/penalty_logic.py`, compiled."""

from __future__ import annotations

import numpy as np

from ratscrew.game import penalty_logic
from ratscrew.game.penalty_logic import BURN, BURN_HAND, GIVE, LOCK, OWE, STRIKE, TAKE, UNTIL_TAKEN
from ratscrew.lab.jit import jit, jit_module
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import burn, draw_card, put_on_bottom, take, update_barred
from ratscrew.lab.kernel.layout import CHALLENGE, COSTS, FOULS, PENALTY, STRIKES, WON, Number, Record
from ratscrew.lab.kernel.trace import emit

_logic = jit_module(penalty_logic, np.int64)
_penalty_refusal, _streak_after, _is_eliminated = _logic.penalty_refusal, _logic.streak_after, _logic.is_eliminated
_move_count, _penalty_move = _logic.move_count, _logic.penalty_move
_has_receiver, _receiver = _logic.has_receiver, _logic.receiver


@jit
def cost(config: Record, game: Record, seat: int, number: int, part: int) -> Number:
    """A part of a consequence of a seat's wrong slap: its kind, amount, or place."""
    if game.held[seat]:
        return config.wrong_slap[min(game.fouls[seat], FOULS - 1), number, part]
    return config.no_cards[min(game.strikes[seat], STRIKES - 1), number, part]


@jit
def is_ignored(config: Record, game: Record, seat: int) -> bool:
    """Whether the house ignores a wrong slap."""
    final = (game.phase == WON and game.why == CHALLENGE) or (game.was_by >= 0 and game.was_left == 1)
    costs, undoes = 0, False
    for number in range(COSTS):
        what = cost(config, game, seat, number, 0)
        costs += what != 0
        undoes |= what == TAKE and not cost(config, game, seat, number, 1)
    return bool(_penalty_refusal(game.phase, final, config.final_free, game.held[seat], costs, undoes))


@jit
def penalise(config: Record, game: Record, seat: int) -> None:
    """Penalise a wrong slap. Turn and chances stay as they are."""
    game.wrong[seat] += 1
    whose, row = game.held[seat], min(game.fouls[seat] if game.held[seat] else game.strikes[seat], FOULS - 1)
    game.streak[seat] = _streak_after(game.streak[seat], game.streak_n[seat], game.n)
    game.streak_n[seat] = game.n
    game.fouls[seat] += 1
    game.convicted[seat] = 1
    emit(game, trace.FOULED, seat, -1, game.streak[seat])
    for number in range(COSTS):
        if whose:
            carry_out(config, game, seat, config.wrong_slap[row, number])
        else:
            carry_out(config, game, seat, config.no_cards[min(row, STRIKES - 1), number])
    if _is_eliminated(config.max_streak, game.streak[seat]):
        burn(config, game, seat, game.held[seat], 0, trace.ELIMINATED)
        game.out[seat] = 1
        update_barred(config, game)
        if seat == game.last:
            game.was_by = -1


@jit
def carry_out(config: Record, game: Record, seat: int, cost: Record) -> None:
    """Carry out one consequence of a wrong slap, move by move."""
    kind, number, how = cost[0], cost[1], cost[2]
    for at in range(_move_count(kind, how, config.seats)):
        to = receiver(config, game, seat, how, at) if _has_receiver(kind) else -1
        what, amount = _penalty_move(kind, number, to, game.n, game.held[seat], game.strikes[seat], game.debt[seat])
        make(config, game, seat, what, to, amount, how)


@jit
def receiver(config: Record, game: Record, seat: int, how: int, at: int) -> Number:
    """The seat that gets cards by a move, or -1."""
    return _receiver(how, at, seat, game.last, game.held[: config.seats], game.out[: config.seats], config.step)


@jit
def make(config: Record, game: Record, seat: int, what: int, to: int, amount: int, how: int) -> None:
    """Make one move."""
    if what == BURN:
        burn(config, game, seat, amount, how, trace.BURNED)
    elif what == TAKE:
        take(config, game, to, PENALTY)
    elif what == GIVE:
        card = draw_card(config, game, seat)
        put_on_bottom(config, game, to, card)
        emit(game, trace.GIVEN, seat, card, to)
    elif what == LOCK:
        game.locked[seat] = amount
        if amount >= UNTIL_TAKEN:
            update_barred(config, game)
        else:
            game.locked_till = max(game.locked_till, amount)
        emit(game, trace.LOCKED, seat, -1, amount)
    elif what == STRIKE:
        game.strikes[seat] = amount
        emit(game, trace.STRUCK, seat, -1, amount)
    elif what == BURN_HAND:
        game.hand_burned[seat] = 1
        update_barred(config, game)
        emit(game, trace.HAND_BURNED, seat, -1, 0)
    elif what == OWE:
        game.debt[seat] = amount
        emit(game, trace.INDEBTED, seat, -1, amount)
