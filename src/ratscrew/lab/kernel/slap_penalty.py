"""Wrong slaps in the kernel: what a house's tables say they cost, carried out as in `game/decide/slap_penalty.py`."""

from __future__ import annotations

from ratscrew.lab.jit import jit
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import burn, draw_card, pay, put_on_bottom, take, update_barred
from ratscrew.lab.kernel.layout import (
    BURN,
    BURN_HAND,
    CHALLENGE,
    COSTS,
    FOULS,
    GIVE_ALL,
    GIVE_LAST,
    LOCK,
    LOCKED_PILE,
    OWE,
    PENALTY,
    PILE_TO_LAST,
    STRIKE,
    STRIKES,
    WON,
    Number,
    Record,
)
from ratscrew.lab.kernel.trace import emit
from ratscrew.lab.kernel.turn import before


@jit
def cost(config: Record, game: Record, seat: int, number: int, part: int) -> Number:
    """A part of a consequence of a seat's wrong slap: its kind, amount, or place."""
    if game.held[seat]:
        return config.wrong_slap[min(game.fouls[seat], FOULS - 1), number, part]
    return config.no_cards[min(game.strikes[seat], STRIKES - 1), number, part]


@jit
def is_ignored(config: Record, game: Record, seat: int) -> bool:
    """Whether the house ignores a wrong slap."""
    won = game.phase == WON
    if won and game.why == CHALLENGE and config.final_free:
        return True
    if game.held[seat] == 0 and cost(config, game, seat, 0, 0) == 0:
        return True
    for number in range(COSTS):
        if won and cost(config, game, seat, number, 0) == PILE_TO_LAST and not cost(config, game, seat, number, 1):
            return True
    return False


@jit
def penalise(config: Record, game: Record, seat: int) -> None:
    """Penalise a wrong slap. Turn and chances stay as they are."""
    game.wrong[seat] += 1
    whose, row = game.held[seat], min(game.fouls[seat] if game.held[seat] else game.strikes[seat], FOULS - 1)
    if game.streak_n[seat] != game.n:
        game.streak[seat] = game.streak[seat] + 1 if game.streak_n[seat] == game.n - 1 else 1
    game.streak_n[seat] = game.n
    game.fouls[seat] += 1
    game.convicted[seat] = 1
    emit(game, trace.FOULED, seat, -1, game.streak[seat])
    for number in range(COSTS):
        if whose:
            carry_out(config, game, seat, config.wrong_slap[row, number])
        else:
            carry_out(config, game, seat, config.no_cards[min(row, STRIKES - 1), number])
    if 0 < config.max_streak < game.streak[seat]:
        burn(config, game, seat, game.held[seat], 0, trace.ELIMINATED)
        game.out[seat] = 1
        update_barred(config, game)
        if seat == game.last:
            game.was_by = -1


@jit
def carry_out(config: Record, game: Record, seat: int, cost: Record) -> None:
    """Carry out one consequence of a wrong slap."""
    what, number, how = cost[0], cost[1], cost[2]
    if what == BURN:
        if game.held[seat]:
            pay(config, game, seat, number, how)
    elif what == PILE_TO_LAST:
        receiver = last_player(config, game, seat)
        if receiver >= 0:
            take(config, game, receiver, PENALTY)
    elif what == GIVE_LAST:
        receiver = last_player(config, game, seat)
        if receiver >= 0:
            give(config, game, seat, receiver)
    elif what == GIVE_ALL:
        for far in range(1, config.seats):
            receiver = (seat + config.step * far) % config.seats
            if not game.out[receiver]:
                give(config, game, seat, receiver)
    elif what == LOCK:
        lock(config, game, seat, number)
        emit(game, trace.LOCKED, seat, -1, game.locked[seat])
    elif what == STRIKE:
        game.strikes[seat] += 1
        emit(game, trace.STRUCK, seat, -1, game.strikes[seat])
    elif what == BURN_HAND:
        game.hand_burned[seat] = 1
        update_barred(config, game)
        emit(game, trace.HAND_BURNED, seat, -1, 0)
    elif what == OWE:
        game.debt[seat] += number
        emit(game, trace.INDEBTED, seat, -1, game.debt[seat])


@jit
def lock(config: Record, game: Record, seat: int, number: int) -> None:
    """Lock a seat's slaps for so many cards, or until the pile is taken or the game is over."""
    if number >= LOCKED_PILE:
        game.locked[seat] = number
        update_barred(config, game)
    else:
        game.locked[seat] = game.n + number
        game.locked_till = max(game.locked_till, game.locked[seat])


@jit
def last_player(config: Record, game: Record, seat: int) -> Number:
    """The player of the newest card; if that is the seat itself or a player who is out, the player before the seat."""
    last = game.last
    if last >= 0 and (last == seat or game.out[last]):
        return before(config, game, seat)
    return last


@jit
def give(config: Record, game: Record, seat: int, receiver: int) -> None:
    """A seat gives its top card to another."""
    if game.held[seat]:
        card = draw_card(config, game, seat)
        put_on_bottom(config, game, receiver, card)
        emit(game, trace.GIVEN, seat, card, receiver)
