"""Hands on the pile: who of them counts, who is first, and what it brings."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.errors import Refusal, Why
from ratscrew.game.commands import Slap, Touch
from ratscrew.game.course import Course
from ratscrew.game.decide.gate import blocked
from ratscrew.game.decide.good import found, good
from ratscrew.game.decide.honour import claim
from ratscrew.game.decide.uncover import ground, withdrawal
from ratscrew.game.decide.wrong import wrong
from ratscrew.game.events import Resumed, Slapped, Tied, Voided
from ratscrew.game.standing import Standing


def slap(course: Course, command: Slap) -> None:
    """Hands come down; those that do not count are passed over. A card that came too late to cover a pattern goes back.

    Raises: Refusal with the first one's reason if none counts.
    """
    game, under = ground(course.game, command.under), command.under
    reasons = [blocked(game, touch) for touch in command.touches]
    counted = [touch for touch, why in zip(command.touches, reasons, strict=True) if why is None]
    if not counted:
        raise Refusal(next(filter(None, reasons), Why.NOT_PLAYING))
    counted.sort(key=lambda touch: touch.at_ms or 0)
    pattern, _ = found(game)
    honour = game.rules.judge == "honour"
    course.add(Slapped(tuple(touch.seat for touch in counted), under))
    if under and (pattern or honour):
        course.add(withdrawal(course.game))
    if honour:
        claim(course, counted[0].seat, "slap")
    elif pattern:
        _race(course, counted)
    else:
        _fouls(course, counted)


def award(course: Course, seat: int) -> None:
    """The judge of the house names the first of the tied seats.

    Raises: Refusal (too_late, not_playing).
    """
    course.require(course.game.to.phase == "tie", Why.TOO_LATE)
    course.require(seat in course.game.tied, Why.NOT_PLAYING)
    assert course.game.back
    course.add(Resumed(course.game.back))
    good(course, Touch(seat))


def _race(course: Course, touches: Sequence[Touch]) -> None:
    """The first takes it, unless several came so close together that the house has a word on that."""
    rules, first = course.game.rules, touches[0]
    near = [t for t in touches if (t.at_ms or 0) - (first.at_ms or 0) <= rules.tie_window_ms]
    seats = tuple(touch.seat for touch in near)
    if len(near) == 1 or rules.tie == "earliest":
        good(course, first)
    elif rules.tie == "contact":
        good(course, max(near, key=lambda touch: touch.contact))
    elif rules.tie == "void":
        course.add(Voided(seats))
    else:
        course.add(Tied(seats, Standing("tie", first.seat)))


def _fouls(course: Course, touches: Sequence[Touch]) -> None:
    """Everybody pays, in order of arrival, while there is still something that can be slapped."""
    done = 0
    for touch in touches:
        if course.game.to.phase == "over" or (done and not course.game.pile):
            return
        try:
            wrong(course, touch.seat)
            done += 1
        except Refusal:
            if touch is touches[-1] and not done:
                raise
