"""Whole games, in the kernel: what happens next, until there is nothing more; as in `lab/race.py`."""

from __future__ import annotations

import numpy as np

from ratscrew.lab.compiled import compiled, inlined, kept
from ratscrew.lab.kernel import note as told
from ratscrew.lab.kernel.cards import take
from ratscrew.lab.kernel.count import count
from ratscrew.lab.kernel.deal import deal, playing, redeal
from ratscrew.lab.kernel.layout import LAST, LAST_CHANCE, NEVER, OVER, PLAY, STALEMATE, WON, Number, Record
from ratscrew.lab.kernel.look import look
from ratscrew.lab.kernel.note import note
from ratscrew.lab.kernel.slap import award, slap
from ratscrew.lab.kernel.turn import finish, goes_on, stand, turn_card, win

NOTHING, MOVED, NEW_CARD = range(3)
"""What there is to look at after something has happened."""

LAST_PLAYER, DRAW = 0, 1
"""What becomes of a game in which nobody has a card; else all cards are dealt anew."""


@kept
def play_many(house: Record, game: Record, sums: Record, seed: Number, first: Number, games: int) -> None:
    """So many games of a seed, from number `first` on; what they come to is added to the sums.

    The way of a card that nobody slaps is all in this function: nearly all cards are such.
    """
    for number in range(games):
        deal(house, game, seed, first + np.uint64(number))
        change = NEW_CARD
        while game.phase != OVER and game.n <= house.limit:
            if change != NOTHING:
                look(house, game, change == NEW_CARD)
            turns = game.phase == PLAY or (game.phase == LAST and game.left > 0)
            moment_us = game.wait_us
            if turns:
                moment_us = max(game.turn_us + house.flight_us, game.shown_us + house.gap_us)
            move_us = next_move_us(house, game)
            game.taken, game.last_before = -1, game.last
            if turns and game.slap_first_us >= moment_us and move_us >= moment_us:
                game.now_us = game.shown_us = moment_us
                turn_card(house, game)
                if not goes_on(house, game):
                    finish(house, game)
                change = NEW_CARD
            else:
                change = something_else(house, game, moment_us, move_us)
        count(house, game, sums)


@compiled
def something_else(house: Record, game: Record, moment_us: int, move_us: int) -> Number:
    """The next thing, where it is not a card."""
    phase, turn, by, left, why, lay = game.phase, game.turn, game.by, game.left, game.why, game.hi > game.lo
    if game.slap_first_us < moment_us and game.slap_first_us <= move_us:
        game.now_us = game.slap_first_us
        slap(house, game, moment_us)
    elif move_us < moment_us:
        game.now_us = move_us
        move(house, game)
    else:
        game.now_us = moment_us
        timeout(house, game)
        finish(house, game)
    moved = phase != game.phase or turn != game.turn or by != game.by or left != game.left or why != game.why
    return MOVED if moved or (lay and game.hi == game.lo) else NOTHING


@inlined
def next_move_us(house: Record, game: Record) -> Number:
    """When somebody next does something else than to turn a card or to slap."""
    us = game.collect_us
    if house.redneck:
        for seat in range(house.seats):
            us = min(us, game.forehead_us[seat])
    return us


@compiled
def move(house: Record, game: Record) -> None:
    """Somebody touches his forehead, or picks up a pile that he has won."""
    for seat in range(house.seats):
        if game.collect_us == game.now_us and game.turn == seat:
            game.collect_us = NEVER
            if not game.out[seat]:
                bring_in(house, game)
                finish(house, game)
            return
        if game.forehead_us[seat] == game.now_us:
            game.forehead_us[seat] = NEVER
            game.touched[seat] = 1
            note(game, told.TOUCHED, seat, -1, 0)
            finish(house, game)
            return


@compiled
def timeout(house: Record, game: Record) -> None:
    """Whatever the game is waiting for has had its time."""
    if game.phase == WON:
        bring_in(house, game)
    elif game.phase == LAST:
        seat = game.turn
        take(house, game, seat, LAST_CHANCE)
        win(game, seat)
    else:
        award(house, game)


@compiled
def bring_in(house: Record, game: Record) -> None:
    """The won pile goes to its winner; where nobody held a card, to whom the house says, if to anybody."""
    if playing(house, game) == 0 or (game.why == STALEMATE and house.stalemate == DRAW):
        stand(game, OVER, game.turn, -1, 0, -1)
        note(game, told.DRAWN, game.turn, -1, 0)
    elif game.why != STALEMATE or house.stalemate == LAST_PLAYER:
        take(house, game, game.turn, game.why)
    else:
        redeal(house, game)
