"""Wrong slaps in the kernel: what the tables of a house say they cost, carried out as in `game/decide/wrong.py`."""

from __future__ import annotations

from ratscrew.lab.compiled import compiled
from ratscrew.lab.kernel import note as told
from ratscrew.lab.kernel.cards import bar, burn, draw_off, pay, put_under, take
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
from ratscrew.lab.kernel.note import note
from ratscrew.lab.kernel.turn import before


@compiled
def cost(house: Record, game: Record, seat: int, number: int, part: int) -> Number:
    """A part of something that a wrong slap costs a seat: what, how much, and where or how."""
    if game.held[seat]:
        return house.wrong_slap[min(game.fouls[seat], FOULS - 1), number, part]
    return house.no_cards[min(game.strikes[seat], STRIKES - 1), number, part]


@compiled
def passes(house: Record, game: Record, seat: int) -> bool:
    """Whether the house lets a wrong slap pass: it has no effect."""
    won = game.phase == WON
    if won and game.why == CHALLENGE and house.final_free:
        return True
    if game.held[seat] == 0 and cost(house, game, seat, 0, 0) == 0:
        return True
    for number in range(COSTS):
        if won and cost(house, game, seat, number, 0) == PILE_TO_LAST and not cost(house, game, seat, number, 1):
            return True
    return False


@compiled
def wrong(house: Record, game: Record, seat: int) -> None:
    """The seat has slapped wrongly. Turn and chances stay as they are."""
    game.wrong[seat] += 1
    whose, row = game.held[seat], min(game.fouls[seat] if game.held[seat] else game.strikes[seat], FOULS - 1)
    if game.streak_n[seat] != game.n:
        game.streak[seat] = game.streak[seat] + 1 if game.streak_n[seat] == game.n - 1 else 1
    game.streak_n[seat] = game.n
    game.fouls[seat] += 1
    game.convicted[seat] = 1
    note(game, told.FOULED, seat, -1, game.streak[seat])
    for number in range(COSTS):
        if whose:
            carry_out(house, game, seat, house.wrong_slap[row, number])
        else:
            carry_out(house, game, seat, house.no_cards[min(row, STRIKES - 1), number])
    if 0 < house.max_streak < game.streak[seat]:
        burn(house, game, seat, game.held[seat], 0, told.ELIMINATED)
        game.out[seat] = 1
        bar(house, game)
        if seat == game.last:
            game.was_by = -1


@compiled
def carry_out(house: Record, game: Record, seat: int, cost: Record) -> None:
    """One thing that a wrong slap costs."""
    what, number, how = cost[0], cost[1], cost[2]
    if what == BURN:
        if game.held[seat]:
            pay(house, game, seat, number, how)
    elif what == PILE_TO_LAST:
        receiver = last_player(house, game, seat)
        if receiver >= 0:
            take(house, game, receiver, PENALTY)
    elif what == GIVE_LAST:
        receiver = last_player(house, game, seat)
        if receiver >= 0:
            give(house, game, seat, receiver)
    elif what == GIVE_ALL:
        for far in range(1, house.seats):
            receiver = (seat + house.step * far) % house.seats
            if not game.out[receiver]:
                give(house, game, seat, receiver)
    elif what == LOCK:
        lock(house, game, seat, number)
        note(game, told.LOCKED, seat, -1, game.locked[seat])
    elif what == STRIKE:
        game.strikes[seat] += 1
        note(game, told.STRUCK, seat, -1, game.strikes[seat])
    elif what == BURN_HAND:
        game.hand_burned[seat] = 1
        bar(house, game)
        note(game, told.HAND_BURNED, seat, -1, 0)
    elif what == OWE:
        game.debt[seat] += number
        note(game, told.INDEBTED, seat, -1, game.debt[seat])


@compiled
def lock(house: Record, game: Record, seat: int, number: int) -> None:
    """A seat's hands count for nothing for so many cards, or until the pile is taken or the game is over."""
    if number >= LOCKED_PILE:
        game.locked[seat] = number
        bar(house, game)
    else:
        game.locked[seat] = game.n + number
        game.locked_till = max(game.locked_till, game.locked[seat])


@compiled
def last_player(house: Record, game: Record, seat: int) -> Number:
    """The player of the newest card; if that is the seat itself or he is out of the game, the player before it."""
    last = game.last
    if last >= 0 and (last == seat or game.out[last]):
        return before(house, game, seat)
    return last


@compiled
def give(house: Record, game: Record, seat: int, receiver: int) -> None:
    """A seat gives its top card to another."""
    if game.held[seat]:
        card = draw_off(house, game, seat)
        put_under(house, game, receiver, card)
        note(game, told.GIVEN, seat, card, receiver)
