"""What an event log promises. Nothing in this file knows how it is kept.

A log holds one numbered list of entries for each game, numbered from 1 without a gap. An append names the number
after which it writes: if that is not the last any more, somebody else has written, and nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol, TypeVar

E = TypeVar("E")


class EventLog(Protocol[E]):
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

    def read(self, game: str, after: int = 0) -> list[E]:
        """The entries of a game after number `after`, in order; none if there is no such game.

        Raises: Corrupt for an entry that cannot be read.
        """
        ...

    def games(self, prefix: str = "") -> list[str]:
        """The games whose names begin so, oldest first."""
        ...

    def keep(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value kept under a name; the first time, `make` makes it."""
        ...

    def rewrite(self, game: str, change: Callable[[E], E]) -> None:
        """Put what `change` makes of each entry of a game in its place, all or none; numbers and order stay.

        This is for what must not be kept any longer: once it is done, the log's files do not hold it where it was.

        Raises: Corrupt for an entry that cannot be read; LogError if it cannot be done, and may be asked for again.
        """
        ...

    def drop(self, prefix: str) -> None:
        """Delete the kept values whose names begin so, in the same way.

        Raises: LogError if it cannot be done, and may be asked for again.
        """
        ...

    def note(self, name: str, value: bytes) -> None:
        """Keep a value under a name in the place of what was there, and wait until it is kept. Nobody waits for it.

        Raises: LogError if it cannot be.
        """
        ...

    def close(self) -> None:
        """Wait for what is under way, then let go. To close once more does nothing."""
        ...
