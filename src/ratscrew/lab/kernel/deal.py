"""Dealing in the kernel: shuffles as `deck.py` does, and deals by the tables of a house."""

from __future__ import annotations

import numpy as np

from ratscrew.lab.jit import jit
from ratscrew.lab.kernel import rng, trace
from ratscrew.lab.kernel.cards import clear, put_on_bottom, refresh_recent, shuffle
from ratscrew.lab.kernel.layout import COVERED, FACE, MIDDLE, NEVER, PLAY, Number, Record
from ratscrew.lab.kernel.trace import emit
from ratscrew.lab.kernel.turn import set_standing

RIFFLES = 7


@jit
def deal(config: Record, game: Record, seed: Number, number: Number) -> None:
    """Shuffle and deal a new game; seat 0 leads."""
    rng.seed_rng(game, seed, number)
    begin(config, game)
    for place in range(config.cards):
        game.mixed[place] = config.deck[place]
    if config.riffle:
        for _ in range(RIFFLES):
            riffle(game, config.cards)
    else:
        shuffle(game, game.mixed, 0, config.cards)
    for place in range(config.cards):
        seat, lies = config.place[place, 0], config.place[place, 1]
        if seat >= 0:
            game.ring[seat, lies] = game.mixed[place]
        else:
            game.pile[MIDDLE + lies] = game.mixed[place] | COVERED
            game.hi += 1
            game.covered = 1
    refresh_recent(game)


@jit
def begin(config: Record, game: Record) -> None:
    """Reset the record for a new game."""
    clear(config, game)
    set_standing(game, PLAY, 0, -1, 0, -1)
    game.now_us = game.shown_us = game.n = game.all_lose = game.tricks = game.rows = 0
    game.barred = game.locked_till = game.holding = game.pauses = game.missed = 0
    game.limited = game.repeated = game.kept_span = game.kept_age = 0
    game.slap_first_us = NEVER
    game.opening = game.winner = game.tied = game.taken = game.loser = -1
    for seat in range(config.seats):
        game.held[seat] = config.dealt[seat]
        game.holding |= (config.dealt[seat] > 0) << seat
        game.head[seat] = game.empty[seat] = game.out[seat] = game.strikes[seat] = game.fouls[seat] = 0
        game.streak[seat] = game.locked[seat] = game.debt[seat] = game.convicted[seat] = game.touched[seat] = 0
        game.streak_n[seat] = -1
        game.slap_us[seat] = game.forehead_us[seat] = NEVER


@jit
def riffle(game: Record, cards: int) -> None:
    """One riffle, as `deck.riffle` does it, with the still empty pile as scratch space."""
    cut = 0
    for place in range(cards):
        cut += rng.below(game, 2)
        game.pile[place] = game.mixed[place]
    left, right = 0, cut
    for place in range(cards):
        if rng.below(game, cut - left + cards - right) < cut - left:
            game.mixed[place] = game.pile[left]
            left += 1
        else:
            game.mixed[place] = game.pile[right]
            right += 1


@jit
def redeal(config: Record, game: Record) -> None:
    """Deal all cards again to every player who is not out; the player of the last card deals, the next leads."""
    cards, players = game.hi - game.lo, playing(config, game)
    for place in range(cards):
        game.mixed[place] = game.pile[game.lo + place] & FACE
    shuffle(game, game.mixed, 0, cards)
    for seat in range(config.seats):
        game.held[seat] = 0
    game.holding = place = 0
    lead = -1
    for far in range(1, config.seats + 1):
        seat = (game.turn + config.step * far) % config.seats
        if not game.out[seat]:
            if lead < 0:
                lead = seat
            for turned in range((cards - place + players - 1) // players):
                under = (cards - place - 1) // players - turned
                put_on_bottom(config, game, seat, np.int64(game.mixed[place + under * players]))
            place += 1
    clear(config, game)
    set_standing(game, PLAY, lead, -1, 0, -1)
    emit(game, trace.REDEALT, lead, -1, cards)


@jit
def playing(config: Record, game: Record) -> Number:
    """The number of players who are not out."""
    count = 0
    for seat in range(config.seats):
        if not game.out[seat]:
            count += 1
    return count
