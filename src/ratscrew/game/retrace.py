"""Which command led to the events of a log. Nothing in this file decides; that it guesses right, deciding again shows.

Several commands can have the same events: then it is the plainest of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.game import commands as asked
from ratscrew.game import events as happened
from ratscrew.game.chance import decide_again, orders_in
from ratscrew.game.commands import Command, Slap, Touch
from ratscrew.game.decide import Decision
from ratscrew.game.decide.uncover import ground
from ratscrew.game.events import Event
from ratscrew.game.state import Game


def retrace(game: Game, rest: Sequence[Event]) -> tuple[Command, Decision]:
    """The command that a game was asked next, and the decision, with whose events the rest of the game's log begins.

    Raises: ValueError if no command leads to them; Refusal if it would have been refused.
    """
    command = _command(game, rest)
    decision = decide_again(game, command, orders_in(game, rest))
    if decision.events != tuple(rest[: len(decision.events)]):
        raise ValueError(f"no command leads from here to {rest[0]}")
    return command, decision


def _command(game: Game, rest: Sequence[Event]) -> Command:
    match rest[0]:
        case happened.Played(seat, at_ms=at_ms):
            return asked.Play(seat, at_ms)
        case happened.Misplayed(seat) | happened.Exposed(seat):
            return asked.Reveal(seat)
        case happened.Slapped(seats, under):
            back = [event for event in rest[1:2] if isinstance(event, happened.Withdrawn)]
            return Slap(_touches(ground(game, under), seats, rest[1 + len(back) :]), under)
        case happened.Claimed(seat) | happened.Grabbed(seat):
            return asked.Collect(seat)
        case happened.Taken(seat) if game.to.phase == "won" and game.rules.judge != "honour":
            return asked.Collect(seat)
        case happened.Contested(seat):
            return asked.Contest(seat)
        case happened.Resumed() if game.to.phase == "tie":
            return asked.Award(_taker(rest[1:]) or 0)
        case happened.Stowed(seat):
            return asked.Stow(seat)
        case happened.Returned() | happened.Split():
            return asked.Notice(protester(game))
        case happened.Got(seat, _, half):
            return asked.Choose(seat, half)
        case happened.Touched(seat):
            return asked.Forehead(seat)
        case happened.Hovered(seat, off):
            return asked.Hover(seat, off)
        case happened.Downed(seat, target):
            return asked.SlapDown(seat, target)
        case happened.Feinted(seat, what):
            return asked.Feint(seat, what)
        case happened.Arrived():
            return asked.Arrive()
    return asked.Timeout()


def protester(game: Game) -> int:
    """The first seat that may protest against a false pickup: a log does not tell who did."""
    thief = game.theft.seat if game.theft else None
    return next(seat for seat in game.circle if game.people[seat].playing and seat != thief)


def timed(game: Game, near: Sequence[Touch], late: Sequence[Touch]) -> tuple[Touch, ...]:
    """Hands of which some came too late for a tie with the others."""
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
    """The hands that came down so that this came of it."""
    near = len(seats)
    taker = _taker(then)
    match then[:1]:
        case [happened.Voided(tied) | happened.Tied(tied)]:
            near = len(tied)
        case [happened.Taken() | happened.Won() | happened.Lost()] if game.rules.tie in ("void", "judge"):
            near = 1
    hands = [Touch(seat, None, 1 + (seat == taker != seats[0]), _beside(game, seat, taker, then)) for seat in seats]
    return timed(game, hands[:near], hands[near:])


def _taker(then: Sequence[Event]) -> int | None:
    """Who took the pile or ended the game, if that came of it at once."""
    match then[:1]:
        case [happened.Taken(seat) | happened.Won(seat) | happened.Lost(seat)]:
            return seat
    return None


def _beside(game: Game, seat: int, taker: int | None, then: Sequence[Event]) -> int | None:
    """Behind whom a newcomer sat down who took the pile and might choose."""
    if seat != taker or game.people[seat].playing or game.rules.join_seat != "choose":
        return None
    joined = (event for event in then if isinstance(event, happened.Joined) and event.seat == seat)
    circle = next(event.circle for event in joined)
    return circle[circle.index(seat) - 1]
