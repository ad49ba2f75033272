"""Decisions about slaps as functions of small ints only, so that numba can compile them.

Who may slap; `penalty_logic` has what wrong slaps cost. Seats are ints, -1 is none, and yes or no is 1 or 0. The
engine, the bots and the lab's kernel describe the house by `SlapHouse` and the table by `SlapTable`.

What a seat is like are arguments, because a tuple for each seat that looks at each card would take longer: `held`, how
many cards it has; `locked`, the number of the card before which it may not slap, or `FOREVER`; whether it is `out`, a
`newcomer` (not dealt in), has `missed` its chance to slap in without cards, its hand is burned, it has `touched` its
forehead, and is `convicted` of a wrong slap.
"""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.game.turn_logic import LAST_CHANCE, PLAY, SETTLING

(
    COUNTS,
    NOT_PLAYING,
    TOO_LATE,
    EMPTY_PILE,
    LOCKED_OUT,
    HAND_BURNED,
    CLOSED,
    SLAP_IN,
    FOREHEAD,
    WITHDRAW,
    WON_ALREADY,
    NO_SLAPS,
) = range(12)
"""Whether a slap counts, or why not."""

SLAP_WINDOWS = ("always", "not_after_fail", "not_during_challenge")
SLAP_INS = ("no", "while_two_active", "always", "once", "until_turn")
REDNECKS = ("off", "convicted", "all")
"""The values of options in the order of their ints."""

ALWAYS, NOT_AFTER_FAIL, NOT_DURING_CHALLENGE = range(3)
NO, WHILE_TWO_ACTIVE, ANY_TIME, ONCE, UNTIL_TURN = range(5)
OFF, CONVICTED, EVERYBODY = range(3)

FOREVER = 1 << 40
"""A lock that no card ends: until the pile is taken, or for the rest of the game."""


class SlapHouse(NamedTuple):
    """The options that decide whether a slap counts; `withdraw_ms` as in the house.

    `slappable`: there is something that can be slapped at all.
    """

    slappable: int
    slap_window: int
    slap_in: int
    redneck: int
    withdraw_ms: int


class SlapTable(NamedTuple):
    """What everybody sees of the table.

    `failed`: a challenge has just failed, and won the pile. `cards`: something lies there that could be slapped. `n` is
    the number of the newest card, and `last` the seat that turned it. `two_active`: two seats or more hold cards.
    """

    phase: int
    failed: int
    challenger: int
    cards: int
    n: int
    last: int
    two_active: int


def slap_refusal(
    house: SlapHouse,
    table: SlapTable,
    seat: int,
    held: int,
    out: int,
    newcomer: int,
    missed: int,
    locked: int,
    hand_burned: int,
    touched: int,
    convicted: int,
    waited_ms: int,
) -> int:
    """Why a slap does not count, or `COUNTS`; `waited_ms` is how long after the newest card was turned it is."""
    why = slap_bar(house, table, seat, held, out, newcomer, missed, locked, hand_burned)
    if why != COUNTS and why != SLAP_IN:
        return why
    if table.failed and house.slap_window != ALWAYS:
        return CLOSED
    if house.slap_window == NOT_DURING_CHALLENGE and table.phase == PLAY and table.challenger >= 0:
        return CLOSED
    if why == SLAP_IN:
        return SLAP_IN
    if house.redneck != OFF and needs_forehead(house.redneck, touched, convicted):
        return FOREHEAD
    if table.last == seat and waited_ms < house.withdraw_ms:
        return WITHDRAW
    return COUNTS


def slap_bar(
    house: SlapHouse,
    table: SlapTable,
    seat: int,
    held: int,
    out: int,
    newcomer: int,
    missed: int,
    locked: int,
    hand_burned: int,
) -> int:
    """What bars a seat from this pile, whatever it does and however long it waits; `COUNTS` if nothing does.

    `slap_in` is for players who have lost their cards; a newcomer comes in whatever it says.
    """
    phase = table.phase
    if not house.slappable:
        return NO_SLAPS
    if out:
        return NOT_PLAYING
    if phase == SETTLING:
        return TOO_LATE
    if not table.cards:
        return EMPTY_PILE
    if table.n < locked:
        return LOCKED_OUT
    if hand_burned:
        return HAND_BURNED
    if phase == LAST_CHANCE:
        return SLAP_IN if table.challenger >= 0 and table.challenger != seat else COUNTS
    if held == 0 and not newcomer and (missed or not may_slap_in(house.slap_in, table.two_active)):
        return SLAP_IN
    return COUNTS


def may_slap_in(slap_in: int, two_active: int) -> bool:
    """Whether players who have lost their cards may slap, if they have not missed their chance."""
    return bool(two_active) if slap_in == WHILE_TWO_ACTIVE else slap_in != NO


def needs_forehead(redneck: int, touched: int, convicted: int) -> bool:
    """Whether the seat has to touch its forehead before it slaps."""
    return bool(not touched and (redneck == EVERYBODY or (redneck == CONVICTED and convicted)))
