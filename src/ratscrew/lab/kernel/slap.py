"""Slaps in the kernel: which count, by `game/slap_logic.py`, compiled; which is first, and what it wins."""

from __future__ import annotations

import numpy as np

from ratscrew.game import slap_logic
from ratscrew.game.slap_logic import SlapHouse, SlapTable
from ratscrew.lab.jit import jit, jit_inline, jit_module
from ratscrew.lab.kernel import trace
from ratscrew.lab.kernel.cards import take, update_barred
from ratscrew.lab.kernel.layout import CHALLENGE, NEVER, OVER, SLAP, TIE, WON, Number, Record
from ratscrew.lab.kernel.patterns import find_pattern
from ratscrew.lab.kernel.slap_penalty import is_ignored, penalise
from ratscrew.lab.kernel.trace import emit
from ratscrew.lab.kernel.turn import finish, set_standing, win

PILE, WINS, ALL_LOSE = range(3)
"""What a valid slap wins."""

EARLIEST, VOID, JUDGE = range(3)
"""How ties are resolved. Bots slap with one finger, so `contact` is `earliest`."""

_NEWCOMER = 0
"""Every seat of the lab has been dealt in."""

_logic = jit_module(slap_logic, np.int64)
_slap_refusal, _slap_bar, _may_slap_in, _needs_forehead = (
    _logic.slap_refusal,
    _logic.slap_bar,
    _logic.may_slap_in,
    _logic.needs_forehead,
)


@jit
def slap(config: Record, game: Record, moment_us: int) -> None:
    """Execute the first slap and all within its tie window; after a voided contest they have no effect."""
    together = gather_slaps(config, game, moment_us)
    if game.voided:
        return
    counted = 0
    for place in range(together):
        seat = game.hands[place]
        if not blocked(config, game, seat, game.slap_us[seat] // 1000):
            game.hands[counted] = seat
            counted += 1
        game.slap_us[seat] = NEVER
    if counted == 0:
        return
    pattern = find_pattern(config, game)
    if pattern >= 0:
        record_slaps(config, game, counted)
        race(config, game, pattern, counted)
    elif not penalise_all(config, game, counted):
        return
    finish(config, game)


@jit
def gather_slaps(config: Record, game: Record, moment_us: int) -> Number:
    """Collect the slaps within the tie window, in their order; also updates the time of the next slap."""
    last_ms = game.now_us // 1000 + config.tie_window_ms
    count = 0
    later_us = NEVER
    for seat in range(config.seats):
        us = game.slap_us[seat]
        if us < moment_us and us // 1000 <= last_ms:
            place = count
            while place and game.slap_us[game.hands[place - 1]] > us:
                game.hands[place] = game.hands[place - 1]
                place -= 1
            game.hands[place] = seat
            count += 1
        else:
            later_us = min(later_us, us)
    game.slap_first_us = later_us
    if game.voided:
        for place in range(count):
            game.slap_us[game.hands[place]] = NEVER
    return count


@jit
def blocked(config: Record, game: Record, seat: int, at_ms: int) -> bool:
    """Whether a slap does not count: then it has no effect and no penalty."""
    why = _slap_refusal(
        house_of(config),
        table_of(game),
        seat,
        game.held[seat],
        game.out[seat],
        _NEWCOMER,
        game.missed >> seat & 1,
        game.locked[seat],
        game.hand_burned[seat],
        game.touched[seat],
        game.convicted[seat],
        at_ms - game.turned_ms,
    )
    return bool(why)


@jit
def barred(config: Record, game: Record, seat: int) -> bool:
    """Whether a seat may not slap this pile, as everybody sees it."""
    house, table = house_of(config), table_of(game)
    return bool(
        _slap_bar(
            house,
            table,
            seat,
            game.held[seat],
            game.out[seat],
            _NEWCOMER,
            game.missed >> seat & 1,
            game.locked[seat],
            game.hand_burned[seat],
        )
    )


@jit
def may_slap_in(config: Record, game: Record) -> bool:
    """Whether players who have lost their cards may slap."""
    return slap_ins(config, game.holding)


@jit_inline
def slap_ins(config: Record, holding: int) -> bool:
    """Whether players without cards may slap while the seats of a mask hold some."""
    return bool(_may_slap_in(config.slap_in, holding & (holding - 1) != 0))


@jit
def needs_forehead(config: Record, game: Record, seat: int) -> bool:
    """Whether a seat has to touch its forehead before it slaps."""
    redneck = config.redneck
    return bool(redneck and _needs_forehead(redneck, game.touched[seat], game.convicted[seat]))


@jit_inline
def house_of(config: Record) -> SlapHouse:
    """The options of the house that decide whether a slap counts."""
    return SlapHouse(config.slappable, config.slap_window, config.slap_in, config.redneck, config.withdraw_ms)


@jit_inline
def table_of(game: Record) -> SlapTable:
    """The table as `slap_logic` sees it."""
    failed: Number = np.int64(game.phase == WON and game.why == CHALLENGE)
    cards: Number = np.int64(game.hi > game.lo)
    return SlapTable(game.phase, failed, game.by, cards, game.n, game.last, two_active(game))


@jit_inline
def two_active(game: Record) -> Number:
    """Whether two seats or more hold cards."""
    return np.int64(game.holding & (game.holding - 1) != 0)


@jit
def record_slaps(config: Record, game: Record, counted: int) -> None:
    """Record the slaps: foreheads have to be touched again, and hands under the pile are free."""
    for place in range(counted):
        game.touched[game.hands[place]] = 0
        emit(game, trace.SLAPPED, game.hands[place], -1, counted)
    for seat in range(config.seats):
        game.hand_burned[seat] = 0
    update_barred(config, game)


@jit
def race(config: Record, game: Record, pattern: int, counted: int) -> None:
    """The first slap wins, unless the house resolves a tie differently."""
    first = game.hands[0]
    if counted == 1 or config.tie == EARLIEST:
        valid_slap(config, game, first, pattern)
        return
    for place in range(counted):
        emit(game, trace.VOIDED if config.tie == VOID else trace.TIED, game.hands[place], -1, counted)
    if config.tie == VOID:
        game.voided = 1
    else:
        game.tied = first
        game.back_phase, game.back_turn, game.back_by = game.phase, game.turn, game.by
        game.back_left, game.back_why = game.left, game.why
        set_standing(game, TIE, first, -1, 0, -1)


@jit
def award(config: Record, game: Record) -> None:
    """The judge awards a tie to its first slap."""
    seat = game.tied
    set_standing(game, game.back_phase, game.back_turn, game.back_by, game.back_left, game.back_why)
    emit(game, trace.RESUMED, game.turn, -1, 0)
    valid_slap(config, game, seat, find_pattern(config, game))


@jit
def valid_slap(config: Record, game: Record, seat: int, pattern: int) -> None:
    """A valid slap wins the pile or the game, or ends the game for everybody."""
    game.slaps[pattern] += 1
    game.good[seat] += 1
    if config.ends[pattern] == PILE:
        take(config, game, seat, SLAP + pattern)
    elif config.ends[pattern] == WINS:
        win(game, seat)
    else:
        game.all_lose = 1
        set_standing(game, OVER, seat, -1, 0, -1)
        emit(game, trace.LOST, seat, -1, 0)


@jit
def penalise_all(config: Record, game: Record, counted: int) -> bool:
    """Penalise wrong slaps in order of arrival while there is a pile; returns whether any was penalised."""
    done = False
    for place in range(counted):
        if game.phase == OVER or (done and game.hi == game.lo):
            break
        seat = game.hands[place]
        if is_ignored(config, game, seat):
            continue
        if not done:
            record_slaps(config, game, counted)
        penalise(config, game, seat)
        done = True
    return done
