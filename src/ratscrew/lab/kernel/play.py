"""The event loop of the kernel, which plays whole games; as in `lab/simulation.py`."""

from __future__ import annotations

import numpy as np

from ratscrew.lab.jit import jit, jit_cached, jit_inline
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import take
from ratscrew.lab.kernel.count import count
from ratscrew.lab.kernel.deal import deal, playing, redeal
from ratscrew.lab.kernel.layout import LAST, LAST_CHANCE, NEVER, OVER, PLAY, STALEMATE, WON, Number, Record
from ratscrew.lab.kernel.plan import drop_slaps, plan_all
from ratscrew.lab.kernel.quick import add_up, go_on, turn_cards
from ratscrew.lab.kernel.slap import award, slap
from ratscrew.lab.kernel.trace import emit
from ratscrew.lab.kernel.turn import draw, finish, play_continues, turn_card, win

NOTHING, MOVED, NEW_CARD = range(3)
"""What an event has changed."""

LAST_PLAYER, DRAW = 0, 1
"""The outcomes if nobody holds a card; otherwise all cards are dealt again."""


@jit_cached
def play_many(config: Record, game: Record, sums: Record, seed: Number, first: Number, games: int) -> None:
    """Play so many games of a seed, from number `first` on, and add their results to the sums.

    Nearly all events are usual ones, which `turn_cards` and `go_on` execute without planning for each seat.
    """
    for number in range(games):
        deal(config, game, seed, first + np.uint64(number))
        change = NEW_CARD
        while game.phase != OVER and game.n <= config.limit:
            if config.quick and (change == NEW_CARD or (change == MOVED and game.hi == game.lo)):
                if game.slap_first_us < NEVER:
                    drop_slaps(config, game)
                if turn_cards(config, game):
                    change = NEW_CARD
                    if game.n > config.limit:
                        break
                if go_on(config, game):
                    change = NEW_CARD
                    continue
                add_up(config, game)
            if change != NOTHING:
                plan_all(config, game, change == NEW_CARD)
            turns = game.phase == PLAY or (game.phase == LAST and game.left > 0)
            moment_us = game.wait_us
            if turns:
                moment_us = max(game.turn_us + config.flight_us, game.shown_us + config.gap_us)
            move_us = next_move_us(config, game)
            game.taken = -1
            if turns and game.slap_first_us >= moment_us and move_us >= moment_us:
                game.now_us = game.shown_us = moment_us
                turn_card(config, game)
                if not play_continues(config, game):
                    finish(config, game)
                change = NEW_CARD
            else:
                change = other_event(config, game, moment_us, move_us)
        add_up(config, game)
        count(config, game, sums)


@jit
def other_event(config: Record, game: Record, moment_us: int, move_us: int) -> Number:
    """Execute the next event if it is not a card."""
    phase, turn, by, left, why, lay = game.phase, game.turn, game.by, game.left, game.why, game.hi > game.lo
    if game.slap_first_us < moment_us and game.slap_first_us <= move_us:
        game.now_us = game.slap_first_us
        slap(config, game, moment_us)
    elif move_us < moment_us:
        game.now_us = move_us
        move(config, game)
    else:
        game.now_us = moment_us
        timeout(config, game)
        finish(config, game)
    moved = phase != game.phase or turn != game.turn or by != game.by or left != game.left or why != game.why
    return MOVED if moved or (lay and game.hi == game.lo) else NOTHING


@jit_inline
def next_move_us(config: Record, game: Record) -> Number:
    """The time of the next move besides turning and slapping."""
    us = game.collect_us
    if config.redneck:
        for seat in range(config.seats):
            us = min(us, game.forehead_us[seat])
    return us


@jit
def move(config: Record, game: Record) -> None:
    """A seat touches its forehead, or collects a pile that it has won."""
    for seat in range(config.seats):
        if game.collect_us == game.now_us and game.turn == seat:
            game.collect_us = NEVER
            if not game.out[seat]:
                collect_pile(config, game)
                finish(config, game)
            return
        if game.forehead_us[seat] == game.now_us:
            game.forehead_us[seat] = NEVER
            game.touched[seat] = 1
            emit(game, trace.TOUCHED, seat, -1, 0)
            finish(config, game)
            return


@jit
def timeout(config: Record, game: Record) -> None:
    """End the current wait."""
    if game.phase == WON:
        collect_pile(config, game)
    elif game.phase == LAST:
        seat = game.turn
        take(config, game, seat, LAST_CHANCE)
        win(game, seat)
    else:
        award(config, game)


@jit
def collect_pile(config: Record, game: Record) -> None:
    """The winner takes the pile; if nobody held a card, the house's stalemate rule applies."""
    if playing(config, game) == 0 or (game.why == STALEMATE and config.stalemate == DRAW):
        draw(game)
    elif game.why != STALEMATE or config.stalemate == LAST_PLAYER:
        take(config, game, game.turn, game.why)
    else:
        redeal(config, game)
