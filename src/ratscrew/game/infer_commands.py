"""Infers the command that led to the events of a log, and checks it by deciding it again.

If several commands have the same events, it is the simplest of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.game import commands as cmd
from ratscrew.game import events as ev
from ratscrew.game.commands import Command, Slap, Touch
from ratscrew.game.decide import Decision
from ratscrew.game.decide.uncover import slapped_game
from ratscrew.game.events import Event
from ratscrew.game.recorded_shuffles import decide_with_orders, shuffled_orders
from ratscrew.game.state import Game


def infer_command(game: Game, rest: Sequence[Event]) -> tuple[Command, Decision]:
    """The next command of a game, and its decision, whose events begin the rest of the log.

    Raises: ValueError if no command leads to those events; Refusal if the command would be refused.
    """
    command = _command(game, rest)
    decision = decide_with_orders(game, command, shuffled_orders(game, rest))
    if decision.events != tuple(rest[: len(decision.events)]):
        raise ValueError(f"no command leads from here to {rest[0]}")
    return command, decision


def _command(game: Game, rest: Sequence[Event]) -> Command:
    match rest[0]:
        case ev.Played(seat, at_ms=at_ms):
            return cmd.Play(seat, at_ms)
        case ev.Misplayed(seat) | ev.Exposed(seat):
            return cmd.Reveal(seat)
        case ev.Slapped(seats, under):
            back = [event for event in rest[1:2] if isinstance(event, ev.Withdrawn)]
            return Slap(_touches(slapped_game(game, under), seats, rest[1 + len(back) :]), under)
        case ev.Claimed(seat) | ev.Grabbed(seat):
            return cmd.Collect(seat)
        case ev.Taken(seat) if game.standing.phase == "won" and game.rules.judge != "honour":
            return cmd.Collect(seat)
        case ev.Contested(seat):
            return cmd.Contest(seat)
        case ev.Resumed() if game.standing.phase == "tie":
            return cmd.Award(_taker(rest[1:]) or 0)
        case ev.Stowed(seat):
            return cmd.Stow(seat)
        case ev.Returned() | ev.Split():
            return cmd.Notice(protester(game))
        case ev.HalfTaken(seat, _, half):
            return cmd.Choose(seat, half)
        case ev.Touched(seat):
            return cmd.Forehead(seat)
        case ev.Hovered(seat, off):
            return cmd.Hover(seat, off)
        case ev.SlappedDown(seat, target):
            return cmd.SlapDown(seat, target)
        case ev.Feinted(seat, what):
            return cmd.Feint(seat, what)
        case ev.Arrived():
            return cmd.Arrive()
        case ev.LimitSet(cards):
            return cmd.SetLimit(cards)
    return cmd.Timeout()


def protester(game: Game) -> int:
    """The first seat that may protest against a false pickup; a log does not say which one did."""
    thief = game.theft.seat if game.theft else None
    return next(seat for seat in game.circle if game.seat_states[seat].playing and seat != thief)


def with_tie_times(game: Game, near: Sequence[Touch], late: Sequence[Touch]) -> tuple[Touch, ...]:
    """Slaps with times such that the `late` ones cannot tie with the `near` ones."""
    if not late:
        return tuple(near)
    first = (game.turned_ms or 0) + game.rules.withdraw_ms
    then = first + game.rules.tie_window_ms + 1
    return tuple(
        Touch(touch.seat, at_ms, touch.contact, touch.after)
        for at_ms, some in ((first, near), (then, late))
        for touch in some
    )


def _touches(game: Game, seats: Sequence[int], then: Sequence[Event]) -> tuple[Touch, ...]:
    """The slaps that lead to these events."""
    near = len(seats)
    taker = _taker(then)
    match then[:1]:
        case [ev.Voided(tied) | ev.Tied(tied)]:
            near = len(tied)
        case [ev.Taken() | ev.Won() | ev.Lost()] if game.rules.tie in ("void", "judge"):
            near = 1
    hands = [Touch(seat, None, 1 + (seat == taker != seats[0]), _beside(game, seat, taker, then)) for seat in seats]
    return with_tie_times(game, hands[:near], hands[near:])


def _taker(then: Sequence[Event]) -> int | None:
    """The seat that took the pile or ended the game, if that was the first event."""
    match then[:1]:
        case [ev.Taken(seat) | ev.Won(seat) | ev.Lost(seat)]:
            return seat
    return None


def _beside(game: Game, seat: int, taker: int | None, then: Sequence[Event]) -> int | None:
    """After which seat a newcomer sat who took the pile and could choose."""
    if seat != taker or game.seat_states[seat].playing or game.rules.join_seat != "choose":
        return None
    joined = (event for event in then if isinstance(event, ev.Joined) and event.seat == seat)
    circle = next(event.circle for event in joined)
    return circle[circle.index(seat) - 1]
