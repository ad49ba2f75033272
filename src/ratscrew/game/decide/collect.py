"""Picking the pile up by hand: by right, on one's honour, or as a cheat."""

from __future__ import annotations

from ratscrew.errors import Refusal, Why
from ratscrew.game.course import Course
from ratscrew.game.decide.cheating import grab
from ratscrew.game.decide.honour import claim
from ratscrew.game.decide.timeout import bring_in


def collect(course: Course, seat: int) -> None:
    """The seat picks the pile up.

    Raises: Refusal (not_playing, nothing_to_take, not_yours).
    """
    game, now = course.game, course.game.to
    course.require(game.people[seat].playing, Why.NOT_PLAYING)
    course.require(now.phase in ("play", "won") and bool(game.pile), Why.NOTHING_TO_TAKE)
    if game.rules.judge == "honour":
        claim(course, seat, "collect")
    elif now.phase == "won" and now.turn == seat and now.why:
        bring_in(course)
    elif game.rules.cheat == "split":
        grab(course, seat)
    else:
        raise Refusal(Why.NOT_YOURS if now.phase == "won" else Why.NOTHING_TO_TAKE)
