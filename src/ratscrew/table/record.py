"""What a table remembers besides the cards: who sat down, which house was chosen, how a race was judged.

Together with the game's own events these are the entries of its log, each with its time. Nothing in this file
decides anything.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ratscrew.game.events import Event
from ratscrew.game.view import Public, public
from ratscrew.rules.house import Rules


class Sat(Struct, frozen=True, tag_field="e", tag="sat"):
    """Somebody took a seat: a person, or a bot of the strength `bot`."""

    seat: int
    name: str
    bot: str | None = None


class Hit(Struct, frozen=True):
    """One hand in a race. Unit: `us` microseconds from the card's reveal to the slap, as the judge counts them."""

    seat: int
    us: int


class Judged(Struct, frozen=True, tag_field="e", tag="judged"):
    """A race to slap card `n` was decided: the hands in their order, the winner first; `tie` if a draw decided."""

    n: int
    pattern: str
    order: tuple[Hit, ...]
    tie: bool = False


class Housed(Struct, frozen=True, tag_field="e", tag="housed"):
    """The host has chosen the house for the next game; `link` is its short text."""

    rules: Rules
    link: str


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """Nobody may play here before `until_us` (microseconds since 1970), unless the host lifts it."""

    until_us: int


class Lifted(Struct, frozen=True, tag_field="e", tag="lifted"):
    """The host has opened the room again."""


TableEvent: TypeAlias = Sat | Housed | Judged | Closed | Lifted
Recorded: TypeAlias = Event | TableEvent
Told: TypeAlias = Public | TableEvent
"""Whatever may be told to everybody at the table."""


class Entry(Struct, frozen=True):
    """One entry of a table's log. Unit: `at_us` microseconds of the server's clock since 1970."""

    at_us: int
    event: Recorded


def told(event: Recorded) -> Told:
    """What everybody may be told of a recorded event."""
    if isinstance(event, TableEvent):
        return event
    return public(event)
