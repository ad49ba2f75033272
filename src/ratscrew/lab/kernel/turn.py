"""Turns in the kernel: the standing after a card, and at the end of an event.

The decisions are those of `game/turn_logic.py`, compiled. Nobody joins in the lab, so a seat's number is its place in
the circle, and nobody steals a pile.
"""

from __future__ import annotations

import numpy as np

from ratscrew.game import turn_logic
from ratscrew.game.slap_logic import UNTIL_TURN
from ratscrew.lab.bits import lowest_bit
from ratscrew.lab.jit import jit, jit_inline, jit_module
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import draw_card, lay_card, take
from ratscrew.lab.kernel.layout import CHALLENGE, LAST, OVER, PLAY, SOLE_HOLDER, WON, Record
from ratscrew.lab.kernel.trace import emit

_logic = jit_module(turn_logic, np.int64)
_after_card, _passed_on, _goes_on, _winner = _logic.after_card, _logic.passed_on, _logic.goes_on, _logic.winner
_last_chance_of, _waits, _neighbour = _logic.last_chance_of, _logic.waits, _logic.neighbour
_most_cards = _logic.most_cards
among_holders = _logic.among_holders


@jit_inline
def set_standing(game: Record, phase: int, turn: int, by: int, left: int, why: int) -> None:
    game.phase, game.turn, game.by, game.left, game.why = phase, turn, by, left, why


@jit_inline
def turn_card(config: Record, game: Record) -> None:
    """The seat in turn turns its top card."""
    seat, plays = game.turn, game.phase == PLAY
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
        after_card(config, game, seat, chances, challenged and stops)
        game.loser = seat if game.chance and game.phase == WON and game.why == CHALLENGE else -1
        if config.slap_in == UNTIL_TURN and plays and not (game.turn == seat and game.by >= 0):
            note_missed(config, game, seat)
    emit(game, trace.PLAYED, seat, card, game.n)


@jit
def note_missed(config: Record, game: Record, seat: int) -> None:
    """Players without cards after `seat`, up to the one in turn, lose their chance to slap in."""
    if game.phase != PLAY:
        return
    other = _neighbour(seat, config.step, config.seats)
    while other != game.turn:
        if game.held[other] == 0:
            game.missed |= 1 << other
        other = _neighbour(other, config.step, config.seats)


@jit_inline
def after_card(config: Record, game: Record, seat: int, chances: int, stops: bool) -> None:
    """Set the standing after a card that gives so many chances, or that stops a challenge."""
    by, held = -1 if stops else game.by, game.held[: config.seats]
    takes, ends = config.challenger_takes, config.ends_alone[game.hi - game.lo]
    game.phase, game.turn, game.by, game.left, game.why = _after_card(
        seat, chances, by, game.left, held, config.step, takes, ends
    )


@jit
def note_next_holders(config: Record, game: Record) -> None:
    """Note the next seat that holds cards after each one, against the direction of play from one that does."""
    seat = following = lowest_bit(game.holding)
    for _ in range(config.seats):
        seat = _neighbour(seat, -config.step, config.seats)
        game.next_holder[seat] = following
        following = seat if game.holding >> seat & 1 else following
    game.next_of = game.holding


@jit_inline
def play_continues(config: Record, game: Record) -> bool:
    """Whether play just continues, as it mostly does: then `finish` has nothing to do."""
    return play_goes_on(config, game.phase, game.held[game.turn], game.hi - game.lo)


@jit_inline
def play_goes_on(config: Record, phase: int, held: int, pile: int) -> bool:
    """Whether play just goes on in a phase, where the seat in turn holds so many cards, and so many lie on the pile."""
    return bool(_goes_on(phase, held, pile, config.ends_alone[pile]))


@jit
def finish(config: Record, game: Record) -> None:
    """Pass the turn to a seat that can play, or end the game."""
    if game.phase == OVER or (_waits(game.phase, game.out[game.turn]) and not config.at_once):
        return
    held, out, pile = game.held[: config.seats], game.out[: config.seats], game.hi > game.lo
    takes, ends = config.challenger_takes, config.ends_alone[game.hi - game.lo]
    while True:
        before = game.phase, game.turn, game.by, game.left, game.why
        after = _passed_on(before, game.last, held, out, pile, 0, config.step, takes, ends)
        if after == before:
            break
        if after[4] == CHALLENGE:
            game.loser = game.turn
        game.phase, game.turn, game.by, game.left, game.why = after
        if config.slap_in == UNTIL_TURN and before[0] == PLAY and game.phase == PLAY and before[1] != game.turn:
            if game.held[before[1]] == 0:
                game.missed |= 1 << before[1]
            note_missed(config, game, before[1])
        emit(game, trace.PASSED, game.turn, game.phase, game.left)
    seat = _winner(game.phase, held, pile, 0, ends)
    if seat >= 0:
        if pile:
            take(config, game, seat, SOLE_HOLDER)
        end(config, game, seat)
    elif game.phase == PLAY and not pile and is_due(config, game):
        end_early(config, game)


@jit
def end(config: Record, game: Record, seat: int) -> None:
    """A seat with every card wins; after a challenge the house may give the others a last chance."""
    if config.last_chance and game.taken == CHALLENGE:
        game.phase, game.turn, game.by, game.left, game.why = _last_chance_of(
            seat,
            game.loser,
            config.last_chance_anyone,
            config.last_chance,
            game.held[seat],
            config.step,
            config.seats,
        )
        emit(game, trace.SPARED, seat, game.by, game.left)
    else:
        win(game, seat)


@jit_inline
def is_due(config: Record, game: Record) -> bool:
    """Whether a game ends when there is no pile, because it repeats or has reached its limit."""
    return bool(game.repeated or (config.limit_cards and game.n >= config.limit_cards))


@jit
def end_early(config: Record, game: Record) -> None:
    """A game that repeats is a draw; at its limit it is won by most cards."""
    game.limited = not game.repeated
    seat = _most_cards(game.held[: config.seats]) if game.limited else -1
    if seat >= 0:
        win(game, seat)
    else:
        draw(game)


@jit
def win(game: Record, seat: int) -> None:
    """End the game with its winner."""
    game.winner = seat
    set_standing(game, OVER, seat, -1, 0, -1)
    emit(game, trace.WON, seat, -1, game.limited)


@jit
def draw(game: Record) -> None:
    """End the game without a winner."""
    set_standing(game, OVER, game.turn, -1, 0, -1)
    emit(game, trace.DRAWN, game.turn, -1, 2 if game.repeated else game.limited)
