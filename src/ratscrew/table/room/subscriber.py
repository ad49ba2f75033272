"""A client of a room as the room sees it, and what the room sends it: messages, and snapshots of the table. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ratscrew.game.view import View, view
from ratscrew.judge.page_state import PageState
from ratscrew.table.core.table import Table
from ratscrew.table.record.messages import Countdown, EventMessage, LinkStats, Message
from ratscrew.table.record.room_kind import RoomKind
from ratscrew.table.session.seat import PublicSeat


class TableSnapshot(NamedTuple):
    """The state of a table, for a client that comes to it: `room` is its full name, `game` the game's public one."""

    room: str
    game: str
    version: int
    seats: tuple[PublicSeat, ...]
    host: int | None
    kind: RoomKind
    rated: bool
    house: str
    listed: bool
    locked: bool
    paused: bool
    paused_by: int | None
    ready: tuple[int, ...]
    removed: int
    closed_us: int | None
    view: View | None
    clock: Countdown | None
    promise: str | None
    commitment: str | None


def snapshot_of(table: Table, now_us: int) -> TableSnapshot:
    """Take a snapshot of a table. It may be sent later, when the table has changed."""
    state = table.state
    return TableSnapshot(
        table.room,
        table.log.public,
        state.version,
        tuple([seat.public for seat in table.seats]),
        state.host if state.has_host else None,
        state.kind,
        table.rated,
        table.link,
        state.listed,
        state.locked,
        state.pause.on,
        state.pause.seat,
        tuple(sorted(table.rematch.ready)),
        len(state.removed),
        state.closed_us,
        view(state.game) if state.game else None,
        table.clock(now_us),
        state.promise,
        state.commitment,
    )


def link_stats(page_state: PageState | None) -> LinkStats | None:
    """The quality of a page's connection; None if there is no page, or no measurement yet.

    In steps of 5 ms: players read no finer ones, and so it seldom changes.
    """
    if page_state is None or not page_state.rtt_estimator.samples:
        return None
    return LinkStats(round(page_state.link_estimate.rtt_us / 5000) * 5, round(page_state.jitter_us / 5000) * 5)


class Broadcast:
    """Messages that leave together, to one subscriber or to all; the first one encodes them, into `frames`, for all."""

    __slots__ = ("frames", "messages")

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.frames: Sequence[bytes] | None = None


class Subscriber(Protocol):
    """A client of a room: one page, with its `seats` (none: it watches), which the room changes when players move.

    None of these calls waits.
    """

    seats: tuple[int, ...]
    page_state: PageState

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """Send the whole table."""

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        """Send the events that the client has missed, and the state of the table."""

    def announce(self, n: int, at_us: int) -> None:
        """Announce that card `n` comes next, and is revealed at this moment of the page's own clock."""

    def ping(self) -> None:
        """Ask the page for the time by its clock."""

    def probe(self, playing: bool) -> None:
        """Measure the page's round trip again, as often as it is needed while a game is running, or not."""

    def send(self, broadcast: Broadcast) -> None:
        """Send messages."""

    def disconnect(self, why: str) -> None:
        """End the connection of a client that may not stay."""
