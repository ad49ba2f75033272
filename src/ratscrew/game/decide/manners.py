"""Manners at the table: foreheads, hovering hands, feints, and people who come to it."""

from __future__ import annotations

from contextlib import suppress

from ratscrew.errors import Refusal, Why
from ratscrew.game import commands as asked
from ratscrew.game.commands import Feint, Forehead, Hover
from ratscrew.game.course import Course
from ratscrew.game.decide import slap
from ratscrew.game.events import Arrived, Downed, Feinted, Hovered, Touched


def manners(course: Course, command: Forehead | Hover | Feint) -> None:
    """The seat touches its forehead, lets its hand hover, or pretends.

    Raises: Refusal (not_so_here) where the house has no such rule.
    """
    rules = course.game.rules
    match command:
        case Forehead(seat):
            course.require(rules.redneck != "off", Why.NOT_SO_HERE)
            course.add(Touched(seat))
        case Hover(seat, off):
            course.require(rules.hover != "off", Why.NOT_SO_HERE)
            course.add(Hovered(seat, off))
        case Feint(seat, what):
            course.require(rules.feints, Why.NOT_SO_HERE)
            course.add(Feinted(seat, what))


def slap_down(course: Course, seat: int, target: int) -> None:
    """The seat slaps a hovering hand down: that is its owner's slap, and judged as his.

    Raises: Refusal (not_so_here, not_hovering).
    """
    game = course.game
    course.require(game.rules.hover != "off", Why.NOT_SO_HERE)
    hovers = 0 <= target < len(game.people) and game.people[target].hovering
    course.require(hovers and seat != target, Why.NOT_HOVERING)
    course.add(Downed(seat, target))
    with suppress(Refusal):
        slap.slap(course, asked.slap(target))


def arrive(course: Course) -> None:
    """Somebody comes to the table."""
    course.add(Arrived(len(course.game.hands)))
