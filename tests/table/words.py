"""Events of a table in words."""

from __future__ import annotations

from ratscrew import cards
from ratscrew.game.events import Burned, Dealt, Fouled, Locked, Played, Struck, Taken, Won
from ratscrew.table.record.entries import Judged, Recorded, Sat


def say(event: Recorded) -> str:
    """An entry in words: `0 turns 9S`."""
    match event:
        case Sat(seat, name, bot):
            return f"{seat} is {name}" + (f", {bot}" if bot else "")
        case Dealt(_, _, to):
            return f"{to.turn} leads"
        case Played(seat, card):
            return f"{seat} turns {card}"
        case Fouled(seat):
            return f"{seat} slaps wrong"
        case Burned(seat, _, burned):
            return f"{seat} burns {cards.text(burned)}"
        case Struck(seat, strikes):
            return f"{seat} has strike {strikes}"
        case Locked(seat, until):
            return f"{seat} is locked: {until}"
        case Taken(seat, count, why):
            return f"{seat} takes {count}: {why}"
        case Won(seat):
            return f"{seat} wins"
        case Judged(n, pattern, order, tie):
            hands = ", ".join(f"{hit.seat} {hit.us / 1000:g}" for hit in order)
            return f"{pattern} on {n}: {hands}{', drawn' * tie}"
    told = [f"{name}={getattr(event, name)}" for name in event.__struct_fields__ if name not in ("standing", "rules")]
    return " ".join([event.__class__.__name__, *told])
