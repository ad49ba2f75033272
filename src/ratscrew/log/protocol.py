"""What an event log promises. Nothing in this file knows how it is kept.

A log holds one numbered list of entries for each game, numbered from 1 without a gap. An append names the number
after which it writes: if that is not the last any more, somebody else has written, and nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol, TypeVar

E = TypeVar("E")


class LogReader(Protocol[E]):
    """What can be read of a log of entries of type E. Every method may be called from any thread."""

    def read(self, game: str, after: int = 0) -> list[E]:
        """The entries of a game after number `after`, in order; none if there is no such game.

        Raises: Corrupt for an entry that cannot be read.
        """
        ...

    def last(self, game: str) -> E | None:
        """The last entry of a game; None if there is no such game.

        Raises: Corrupt if it cannot be read.
        """
        ...

    def games(self, prefix: str = "") -> list[str]:
        """The games whose names begin so, oldest first."""
        ...

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """The kept values whose names begin so, by name."""
        ...


class EventLog(LogReader[E], Protocol[E]):
    """A log of entries of type E. Every method may be called from any thread."""

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        """Write entries after number `after` of a game, all or none, and wait until they are kept.

        What fails leaves nothing behind, and the log can be used again as soon as what is wrong with it is over.

        Returns the number of the last one.

        Raises: Conflict if `after` is not the last number of this game; LogError if they cannot be kept.
        """
        ...

    def append_soon(self, game: str, after: int, events: Sequence[E]) -> Future[int]:
        """The same without waiting: the future is done once the entries are kept, or carries the error.

        Appends are carried out in the order in which they were asked for.
        """
        ...

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value kept under a name; the first time, `make` makes it."""
        ...

    def redact(self, game: str, change: Callable[[E], E]) -> None:
        """Put what `change` makes of each entry of a game in its place, all or none; numbers and order stay.

        `change` is called in this thread and perhaps in another. What was there before is not read any more; it may
        still lie in the log's files until `purge` has been done.

        Raises: Corrupt for an entry that cannot be read; LogError if it cannot be done, and may be asked for again.
        """
        ...

    def delete_prefix(self, prefix: str) -> None:
        """Delete the kept values whose names begin so; they may lie in the log's files until `purge` has been done.

        Raises: LogError if it cannot be done, and may be asked for again.
        """
        ...

    def purge(self) -> bool:
        """Clear the log's files of what was rewritten or dropped; whether nothing of it is left in its old place.

        It holds up no append and waits for nobody: while another program reads the files, it returns False, and may be
        asked for again.

        Raises: LogError if the files cannot be reached.
        """
        ...

    def check(self) -> None:
        """Look whether what is appended would stay.

        Raises: Detached if the log's file was deleted or replaced.
        """
        ...

    def put(self, name: str, value: bytes) -> None:
        """Keep a value under a name in the place of what was there, and wait a moment until it is kept.

        Raises: LogError if it cannot be, or is not yet.
        """
        ...

    def close(self) -> None:
        """Wait for what is under way, then let go. To close once more does nothing."""
        ...
