"""Hands on the pile in the kernel: who counts, who is first, and what it brings; as in `game/decide/slap.py`."""

from __future__ import annotations

from ratscrew.lab.compiled import compiled
from ratscrew.lab.kernel import note as told
from ratscrew.lab.kernel.cards import bar, take
from ratscrew.lab.kernel.layout import CHALLENGE, LAST, NEVER, OVER, PLAY, SLAP, TIE, WON, Number, Record
from ratscrew.lab.kernel.note import note
from ratscrew.lab.kernel.sight import found
from ratscrew.lab.kernel.turn import finish, stand, win
from ratscrew.lab.kernel.wrong import passes, wrong

PILE, WINS, ALL_LOSE = range(3)
"""What a good slap brings."""

EARLIEST, VOID, JUDGE = range(3)
"""What becomes of hands that come down together. Bots slap with one finger, so `contact` is `earliest`."""

NOT_AFTER_FAIL, NOT_DURING_CHALLENGE = 1, 2
NO, WHILE_TWO_ACTIVE = 0, 1
CONVICTED, EVERYBODY = 1, 2


@compiled
def slap(house: Record, game: Record, moment_us: int) -> None:
    """The first hand comes down, and with it whoever is together with it; where nobody could tell, too late."""
    together = gather(house, game, moment_us)
    if game.voided:
        return
    counted = 0
    for place in range(together):
        seat = game.hands[place]
        if not blocked(house, game, seat, game.slap_us[seat] // 1000):
            game.hands[counted] = seat
            counted += 1
        game.slap_us[seat] = NEVER
    if counted == 0:
        return
    pattern = found(house, game)
    if pattern >= 0:
        come_down(house, game, counted)
        race(house, game, pattern, counted)
    elif not fouls(house, game, counted):
        return
    finish(house, game)


@compiled
def gather(house: Record, game: Record, moment_us: int) -> Number:
    """How many hands come down together now, noted in their order; the next time after them is noted too."""
    last_ms = game.now_us // 1000 + house.tie_window_ms
    count = 0
    later_us = NEVER
    for seat in range(house.seats):
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


@compiled
def blocked(house: Record, game: Record, seat: int, at_ms: int) -> bool:
    """Whether a hand does not count: then it has no effect and costs nothing."""
    phase = game.phase
    if game.out[seat] or phase == TIE or game.hi == game.lo or game.n < game.locked[seat] or game.hand_burned[seat]:
        return True
    if house.slap_window:
        if phase == WON and game.why == CHALLENGE:
            return True
        if house.slap_window == NOT_DURING_CHALLENGE and phase == PLAY and game.by >= 0:
            return True
    if phase == LAST:
        if game.by >= 0 and game.by != seat:
            return True
    elif game.held[seat] == 0 and not may_slap_in(house, game):
        return True
    if house.redneck and not game.touched[seat] and (house.redneck == EVERYBODY or game.convicted[seat]):
        return True
    return bool(house.withdraw_ms and game.last == seat and at_ms - game.turned_ms < house.withdraw_ms)


@compiled
def may_slap_in(house: Record, game: Record) -> bool:
    """Whether somebody without cards may slap."""
    if house.slap_in == WHILE_TWO_ACTIVE:
        return bool(game.holding & (game.holding - 1))
    return bool(house.slap_in != NO)


@compiled
def come_down(house: Record, game: Record, counted: int) -> None:
    """The hands are down: foreheads have to be touched again, and hands under the pile are free."""
    for place in range(counted):
        game.touched[game.hands[place]] = 0
        note(game, told.SLAPPED, game.hands[place], -1, counted)
    for seat in range(house.seats):
        game.hand_burned[seat] = 0
    bar(house, game)


@compiled
def race(house: Record, game: Record, pattern: int, counted: int) -> None:
    """The first takes it, unless several came so close together that the house has a word on that."""
    first = game.hands[0]
    if counted == 1 or house.tie == EARLIEST:
        good(house, game, first, pattern)
        return
    for place in range(counted):
        note(game, told.VOIDED if house.tie == VOID else told.TIED, game.hands[place], -1, counted)
    if house.tie == VOID:
        game.voided = 1
    else:
        game.tied = first
        game.back_phase, game.back_turn, game.back_by = game.phase, game.turn, game.by
        game.back_left, game.back_why = game.left, game.why
        stand(game, TIE, first, -1, 0, -1)


@compiled
def award(house: Record, game: Record) -> None:
    """The judge of the house names the first of the tied."""
    seat = game.tied
    stand(game, game.back_phase, game.back_turn, game.back_by, game.back_left, game.back_why)
    note(game, told.RESUMED, game.turn, -1, 0)
    good(house, game, seat, found(house, game))


@compiled
def good(house: Record, game: Record, seat: int, pattern: int) -> None:
    """A good slap: the pile, the game, or the end of it for everybody."""
    game.slaps[pattern] += 1
    game.good[seat] += 1
    if house.ends[pattern] == PILE:
        take(house, game, seat, SLAP + pattern)
    elif house.ends[pattern] == WINS:
        win(game, seat)
    else:
        game.all_lose = 1
        stand(game, OVER, seat, -1, 0, -1)
        note(game, told.LOST, seat, -1, 0)


@compiled
def fouls(house: Record, game: Record, counted: int) -> bool:
    """Everybody pays, in order of arrival, while there is still something that can be slapped; whether anybody did."""
    done = False
    for place in range(counted):
        if game.phase == OVER or (done and game.hi == game.lo):
            break
        seat = game.hands[place]
        if passes(house, game, seat):
            continue
        if not done:
            come_down(house, game, counted)
        wrong(house, game, seat)
        done = True
    return done
