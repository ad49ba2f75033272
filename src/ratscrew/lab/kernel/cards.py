"""Cards in the kernel: hands as ring buffers, the pile with room for cards under it, and the windows on top of it."""

from __future__ import annotations

import numpy as np

from ratscrew.game.penalty_logic import UNTIL_TAKEN
from ratscrew.game.slap_logic import ONCE
from ratscrew.lab.jit import jit, jit_inline
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.layout import (
    CARDS,
    CHALLENGE,
    COVERED,
    FACE,
    FACE_DOWN,
    MIDDLE,
    PLAY,
    RANK_BITS,
    SLAP,
    STRETCH,
    SUIT_BITS,
    Number,
    Record,
)
from ratscrew.lab.kernel.rng import below
from ratscrew.lab.kernel.trace import emit

NEWEST = 5
"""How many of the newest cards can look like a pattern."""

RING = CARDS - 1
RECENT = (1 << 8 * NEWEST) - 1
"""The bits of a place in a ring buffer, and of the ranks of the newest cards."""

REVERSE, SHUFFLE, SHUFFLE_HAND = 1, 2, 3
"""How a pile is picked up; otherwise as it lies."""

LEAD_NEXT, LEAD_LOSER = 1, 2
"""Who leads after a pile is taken; otherwise its taker."""

_RING, _STRETCH = np.uint64(RING), np.uint64(STRETCH)


@jit_inline
def draw_card(config: Record, game: Record, seat: int) -> Number:
    """Remove and return the top card of a hand."""
    card = np.int64(game.ring[seat, game.head[seat] & RING])
    game.head[seat] += 1
    game.held[seat] -= 1
    if game.held[seat] == 0:
        game.empty[seat] = 1
        game.holding &= ~(1 << seat)
    return card


@jit_inline
def put_on_bottom(config: Record, game: Record, seat: int, card: Number) -> None:
    """Put a card under a hand."""
    game.ring[seat, (game.head[seat] + game.held[seat]) & RING] = card
    game.held[seat] += 1
    game.holding |= 1 << seat
    game.missed &= ~(1 << seat)


@jit_inline
def lay_card(config: Record, game: Record, card: int) -> None:
    """Turn a card onto the pile."""
    game.pile[game.hi] = card
    game.hi += 1
    game.recent, game.ranks, game.suits = windows_after(config, card, game.recent, game.ranks, game.suits)
    game.covered = 0
    game.seen += 1
    if game.live == 0:
        game.first = card
    game.live += 1


@jit_inline
def windows_after(config: Record, card: int, recent: Number, ranks: Number, suits: Number) -> Number:
    """The ranks of the newest cards, and the windows of ranks and suits, after a card was turned onto them.

    Older cards stay in the higher bits, which readers mask.
    """
    return (
        recent << 8 | (card >> 2) + 1,
        ranks << RANK_BITS | config.rank_code[card],
        suits << SUIT_BITS | config.suit_code[card],
    )


@jit
def burn(config: Record, game: Record, seat: int, count: int, on_top: int, kind: int) -> None:
    """Burn cards of a hand, each to the bottom of the pile or onto the top."""
    count = min(count, game.held[seat])
    flags = COVERED | FACE_DOWN if config.face_down else COVERED
    if count and (on_top or game.lo == game.hi):
        game.covered = 1
        if not config.skip:
            game.seen = game.ranks = game.suits = 0
    first = -1
    for _ in range(count):
        card = draw_card(config, game, seat)
        if first < 0:
            first = card
        if on_top:
            game.pile[game.hi] = card | flags
            game.hi += 1
        else:
            game.lo -= 1
            game.pile[game.lo] = card | flags
    if count:
        game.burned = 1
        refresh_recent(game)
    emit(game, kind, seat, first, count)


@jit
def refresh_recent(game: Record) -> None:
    """Recompute the ranks of the newest cards, after cards have come in other ways than by being turned."""
    game.recent = 0
    for place in range(max(game.lo, game.hi - NEWEST), game.hi):
        card = game.pile[place]
        game.recent = game.recent << 8 | (0 if card & FACE_DOWN else ((card & FACE) >> 2) + 1)


@jit
def take(config: Record, game: Record, seat: int, why: int) -> None:
    """A seat takes the pile under its hand, leads, and pays its debt under the next pile.

    Cards are moved in stretches, most piles in one: a branch on each card costs more than to move too many. What is
    moved beyond the pile's end comes beyond the hand's end, where it does not count.
    """
    count = game.hi - game.lo
    if config.pickup == SHUFFLE:
        shuffle(game, game.pile, game.lo, count)
    elif config.pickup == REVERSE:
        reverse(game.pile, game.lo, game.hi)
    whose, end = np.uint64(seat), np.uint64(game.head[seat] + game.held[seat] - game.lo)
    for begun in range(np.uint64(game.lo), np.uint64(game.hi), _STRETCH):
        for place in range(begun, begun + _STRETCH):
            game.ring[whose, (end + place) & _RING] = game.pile[place] & FACE
    game.held[seat] += count
    if count:
        game.holding |= 1 << seat
        game.missed &= ~(1 << seat)
    if config.pickup == SHUFFLE_HAND:
        shuffle_hand(game, seat)
    if config.slap_in == ONCE and why >= SLAP:
        game.missed |= ~game.holding & ((1 << config.seats) - 1)
    leader = seat
    if config.lead == LEAD_NEXT:
        leader = (seat + config.step) % config.seats
    elif config.lead == LEAD_LOSER and why == CHALLENGE and game.loser >= 0:
        leader = game.loser
    game.phase, game.turn, game.by, game.left, game.why = PLAY, leader, -1, 0, -1
    emit(game, trace.TAKEN, seat, why, count)
    clear(config, game)
    game.taken = why
    game.tricks += 1
    if why >= SLAP:
        game.fouls[seat] = game.streak[seat] = 0
        game.streak_n[seat] = -1
    if config.forced:
        compare_state(config, game, leader)
    if game.debt[seat]:
        owed = min(game.debt[seat], game.held[seat])
        burn(config, game, seat, owed, 0, trace.BURNED)
        game.debt[seat] -= owed


@jit
def reverse(some: Record, begin: int, end: int) -> None:
    """Turn cards over as a whole."""
    for place in range((end - begin) // 2):
        card = some[begin + place]
        some[begin + place] = some[end - 1 - place]
        some[end - 1 - place] = card


@jit
def shuffle_hand(game: Record, seat: int) -> None:
    """Shuffle a hand."""
    for place in range(game.held[seat]):
        game.mixed[place] = game.ring[seat, (game.head[seat] + place) & RING]
    shuffle(game, game.mixed, 0, game.held[seat])
    for place in range(game.held[seat]):
        game.ring[seat, (game.head[seat] + place) & RING] = game.mixed[place]


@jit
def compare_state(config: Record, game: Record, leader: int) -> None:
    """Compare the state with the kept one, and keep it after 1, 2, 4, 8 ... piles, as in `game/repetition.py`."""
    same = game.kept_span > 0 and game.kept_turn == leader
    for seat in range(config.seats):
        same = same and game.held[seat] == game.kept_held[seat]
    if same and is_kept(config, game):
        game.repeated = 1
        return
    game.kept_age += 1
    if game.kept_age < game.kept_span:
        return
    game.kept_turn, game.kept_span, game.kept_age = leader, max(1, 2 * game.kept_span), 0
    place = 0
    for seat in range(config.seats):
        game.kept_held[seat] = game.held[seat]
        for lies in range(game.held[seat]):
            game.kept_cards[place] = config.effects[game.ring[seat, (game.head[seat] + lies) & RING]]
            place += 1


@jit
def is_kept(config: Record, game: Record) -> bool:
    """Whether hands of the sizes that are kept also have the cards, by what they do."""
    place = 0
    for seat in range(config.seats):
        for lies in range(game.held[seat]):
            if game.kept_cards[place] != config.effects[game.ring[seat, (game.head[seat] + lies) & RING]]:
                return False
            place += 1
    return True


@jit
def clear(config: Record, game: Record) -> None:
    """Reset the table after its pile has been taken."""
    game.lo = game.hi = MIDDLE
    game.recent = 0
    game.last = game.first = game.was_by = -1
    game.chance = game.voided = game.covered = game.seen = game.ranks = game.suits = game.live = game.burned = 0
    if game.barred:
        for seat in range(config.seats):
            game.hand_burned[seat] = 0
            if game.locked[seat] == UNTIL_TAKEN:
                game.locked[seat] = 0
        update_barred(config, game)


@jit
def update_barred(config: Record, game: Record) -> None:
    """Recompute the mask of seats whose slaps have no effect; locks for a number of cards are not in it."""
    game.barred = 0
    for seat in range(config.seats):
        if game.out[seat] or game.hand_burned[seat] or game.locked[seat] >= UNTIL_TAKEN:
            game.barred |= 1 << seat


@jit
def shuffle(game: Record, some: Record, begin: int, count: int) -> None:
    """Shuffle cards uniformly, as `deck.shuffle` does."""
    for place in range(count - 1, 0, -1):
        other = below(game, place + 1)
        card = some[begin + place]
        some[begin + place] = some[begin + other]
        some[begin + other] = card
