"""Table manners: foreheads, hovering hands, feints, and new arrivals."""

from __future__ import annotations

from contextlib import suppress

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Feint, Forehead, Hover
from ratscrew.game.decide import slap
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Arrived, Feinted, Hovered, SlappedDown, Touched
from ratscrew.rules.example import slappable


def manners(builder: EventBuilder, command: Forehead | Hover | Feint) -> None:
    """The seat touches its forehead, hovers its hand, or feints.

    Raises: Refusal (not_so_here) if the house has no such rule, or nothing that could be slapped.
    """
    rules = builder.game.rules
    slaps = not (isinstance(command, Feint) and command.feint_type == "card")
    builder.require(not slaps or slappable(rules), RefusalReason.NOT_SO_HERE)
    match command:
        case Forehead(seat):
            builder.require(rules.redneck != "off", RefusalReason.NOT_SO_HERE)
            builder.add(Touched(seat))
        case Hover(seat, off):
            builder.require(rules.hover != "off", RefusalReason.NOT_SO_HERE)
            builder.add(Hovered(seat, off))
        case Feint(seat, what):
            builder.require(rules.feints, RefusalReason.NOT_SO_HERE)
            builder.add(Feinted(seat, what))


def slap_down(builder: EventBuilder, seat: int, target: int) -> None:
    """The seat slaps a hovering hand down, which counts as a slap by the hand's owner.

    Raises: Refusal (not_so_here, not_hovering).
    """
    game = builder.game
    builder.require(game.rules.hover != "off", RefusalReason.NOT_SO_HERE)
    hovers = 0 <= target < len(game.seat_states) and game.seat_states[target].hovering
    builder.require(hovers and seat != target, RefusalReason.NOT_HOVERING)
    builder.add(SlappedDown(seat, target))
    with suppress(Refusal):
        slap.slap(builder, cmd.slap(target))


def arrive(builder: EventBuilder) -> None:
    """A newcomer arrives at the table."""
    builder.add(Arrived(len(builder.game.hands)))
