"""Effects: a table's methods return what is to be done as values: store entries, send a message, move subscribers.

The room carries effects out in their order. No I/O here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.log.protocol import End
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import EventMessage, Message, Refused, RequestName


class RevealTime(NamedTuple):
    """When everybody sees card `n`. Unit: `at_us` microseconds of the table's clock."""

    n: int
    at_us: int


class Store(NamedTuple):
    """Append these entries to the log of `game` after its entry number `after`; once stored, send them to everybody.

    `messages` are the same events as the public may see them. With a `reveal` they turn a card, and reach each client
    just in time for it. The first ones of a game end the room's game before, if there is one (`ends`).
    """

    game: str
    after: int
    entries: tuple[Entry, ...]
    messages: tuple[EventMessage, ...]
    reveal: RevealTime | None = None
    ends: End | None = None


class Send(NamedTuple):
    """Send a message to the player at seat `to`, or to everybody at the table and all who watch."""

    message: Message
    to: int | None = None


class Reseat(NamedTuple):
    """A client that acts for a seat acts for the one that `seats` names instead; for a seat not named, no client does.

    A client without a seat only watches, or, if its player was `removed`, is disconnected.
    """

    seats: Mapping[int, int]
    removed: bool = False


Effect: TypeAlias = Store | Send | Reseat
Effects: TypeAlias = list[Effect]


def refused(what: RequestName, seat: int, refusal: Refusal) -> Send:
    """The reply to a player whose request is refused."""
    return Send(Refused(what, refusal.reason.value), seat)


def require(holds: bool, why: RefusalReason) -> None:
    """Refuse a request unless a condition holds.

    Raises: Refusal.
    """
    if not holds:
        raise Refusal(why)
