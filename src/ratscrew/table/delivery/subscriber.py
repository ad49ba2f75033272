"""Somebody at a table, as its room sees him, and what he is shown when he comes. Nothing in this file does anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from ratscrew.game.view import View
from ratscrew.judge.page_state import PageState
from ratscrew.table.messages import Clock, Message, Told
from ratscrew.table.players.seat import Seat


class TableSnapshot(NamedTuple):
    """A table as it stands, for somebody who comes to it."""

    game: str
    version: int
    seats: tuple[Seat, ...]
    host: int
    house: str
    listed: bool
    locked: bool
    removed: int
    closed_us: int | None
    view: View | None
    clock: Clock | None
    promise: str | None
    commitment: str | None


class Line(NamedTuple):
    """How somebody's connection is. Unit: microseconds of its round trip, and of what that mostly takes longer."""

    rtt_us: int
    jitter_us: int


def line_of(page_state: PageState | None) -> Line | None:
    """How the connection behind a page is; None if there is no page, or nothing is known of it yet."""
    return (
        Line(page_state.link_estimate.rtt_us, page_state.jitter_us)
        if page_state and page_state.rtt_estimator.samples
        else None
    )


class Subscriber(Protocol):
    """Somebody at the table, or watching it: one page, with its `seats` in front of it (none: it watches),
    which the room changes when they move.

    None of these calls waits.
    """

    seats: tuple[int, ...]
    page_state: PageState

    def scene(self, scene: TableSnapshot) -> None:
        """Be shown the whole table."""

    def missed(self, scene: TableSnapshot, events: Iterable[Told]) -> None:
        """Be told the events that were missed, and where things stand."""

    def soon(self, n: int, at_us: int) -> None:
        """Be told that card `n` comes next, and is to be seen at this moment of the page's own clock."""

    def hear(self, message: Message) -> None:
        """Be told something."""

    def leave(self, why: str) -> None:
        """Be shown out: there is no place here any more."""
