"""When players without cards lose their chance to slap in, where the house gives only one.

With `slap_in = once` they do when another player slaps a pile; with `until_turn` when their turn comes. Cards bring the
chance back.
"""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from ratscrew.game.events import Event, Passed, Played, Taken
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game

ONE_CHANCE = ("once", "until_turn")
"""The values of `slap_in` for which this matters."""


def note_missed(before: Game, after: Game, event: Event) -> Game:
    """The game after an event, with the chances that players lose by it, or get back with cards."""
    lost = _lost(before, after, event)
    states = [
        state if state.missed == (missed := _missed(after, seat, lost)) else replace(state, missed=missed)
        for seat, state in enumerate(after.seat_states)
    ]
    return after if states == [*after.seat_states] else replace(after, seat_states=tuple(states))


def _missed(game: Game, seat: int, lost: Container[int]) -> int:
    """The card at which a seat has lost its chance, or 0."""
    if game.cards_held(seat):
        return 0
    return game.seat_states[seat].missed or (game.n if seat in lost else 0)


def _lost(before: Game, after: Game, event: Event) -> Container[int]:
    """The seats that lose their chance if they have no cards."""
    once = after.rules.slap_in == "once"
    match event:
        case Taken(reason=reason) if once and reason.startswith("slap:"):
            return after.circle
        case Played(seat, standing=to) if not once and to.phase == "play" and before.standing.phase == "play":
            answers_on = to.turn == seat and to.challenger is not None
            return () if answers_on else _passed_over(after, seat, to)
        case Passed(to) if not once and to.phase == "play" and before.standing.phase == "play":
            gone = before.standing.turn
            return () if to.turn == gone else (gone, *_passed_over(after, gone, to))
    return ()


def _passed_over(game: Game, seat: int, to: Standing) -> tuple[int, ...]:
    """The seats after `seat` in the order of play, up to the one whose turn it is now."""
    circle, step = game.circle, game.rules.step
    place, end, found = circle.index(seat), circle.index(to.turn), []
    while (place := (place + step) % len(circle)) != end:
        found.append(circle[place])
    return tuple(found)
