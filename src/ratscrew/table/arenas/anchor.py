"""Keeps an arena's own room in memory: a `Subscriber` that ignores all messages, but notices when the room ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ratscrew.judge.page_state import PageState
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.room.subscriber import Broadcast, TableSnapshot


class Anchor:
    """See the module."""

    def __init__(self, on_end: Callable[[], None]) -> None:
        self.seats: tuple[int, ...] = ()
        self.page_state = PageState()
        self._on_end = on_end

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """See `Subscriber`."""

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        """See `Subscriber`."""

    def announce(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""

    def ping(self) -> None:
        """See `Subscriber`."""

    def probe(self, playing: bool) -> None:
        """See `Subscriber`."""

    def send(self, broadcast: Broadcast) -> None:
        """See `Subscriber`."""

    def disconnect(self, why: str) -> None:
        self._on_end()
