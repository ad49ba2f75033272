"""The interface of an event log, independent of its storage.

A log holds a list of entries for each game, numbered from 1 without gaps, and values stored by name. An append names
the number after which it writes: if that is no longer the last, another writer was faster, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol, TypeVar

from ratscrew.log.rows import Packed

E = TypeVar("E")


class LogReader(Protocol[E]):
    """The read access to a log of entries of type E. Every method may be called from any thread."""

    def read(self, game: str, after: int = 0) -> list[E]:
        """The entries of a game after number `after`, in order; none if there is no such game.

        Raises: Corrupt for an entry that cannot be read.
        """
        ...

    def read_packed(self, game: str) -> Packed:
        """All entries of a game as they are stored, to be decoded in another process (`rows.unpack`).

        Decoding a long game holds the interpreter's lock for a tenth of a second, on whichever thread.
        """
        ...

    def count(self, game: str) -> int:
        """The number of the last entry of a game; 0 if there is no such game."""
        ...

    def last(self, game: str) -> E | None:
        """The last entry of a game; None if there is no such game.

        Raises: Corrupt if it cannot be read.
        """
        ...

    def games(self, prefix: str = "") -> list[str]:
        """The names of the games that start with `prefix`, oldest first."""
        ...

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """The stored values whose names start with `prefix`, by name."""
        ...


class EventLog(LogReader[E], Protocol[E]):
    """A log of entries of type E. Every method may be called from any thread."""

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        """Append entries after number `after` of a game, all or none, and wait until they are stored.

        A failed append leaves nothing behind, unless the error says that its outcome is unknown, as after a connection
        to a database was lost. The log works again as soon as the cause is gone.

        Returns the number of the last entry.

        Raises: Conflict if `after` is not the last number of this game; LogError if the entries cannot be stored.
        """
        ...

    def append_soon(self, game: str, after: int, events: Sequence[E]) -> Future[int]:
        """Append without waiting: the future is done once the entries are stored, or holds the error.

        Appends are executed in the order of the calls.
        """
        ...

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value stored under a name; if there is none, `make` creates it."""
        ...

    def redact(self, game: str, change: Callable[[E], E]) -> None:
        """Replace each entry of a game with `change(entry)`, all or none; numbers and order stay.

        `change` is called in this thread and possibly in another. The previous entries are not read again, but may
        remain in the log's files until `purge`.

        Raises: Corrupt for an entry that cannot be read; LogError if it failed; the call can be repeated.
        """
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Delete the stored values whose names start with `prefix`; they may remain in the log's files until `purge`.

        Returns how many this call has deleted: of several at the same moment only one deletes a value. A connection to
        a database that is lost meanwhile may hide some.

        Raises: LogError if it failed; the call can be repeated.
        """
        ...

    def purge(self) -> bool:
        """Clear the log's files of redacted and deleted data; True if none is left in its old place.

        Does not delay appends and waits for no other program: while one reads the files, it returns False, and the
        call can be repeated.

        Raises: LogError if the files cannot be accessed.
        """
        ...

    def check(self) -> None:
        """Check that appended entries would last.

        Raises: Detached if the log's file was deleted or replaced.
        """
        ...

    def put(self, name: str, value: bytes) -> None:
        """Store a value under a name, replacing the previous one, and wait a moment until it is stored.

        Raises: LogError if it failed, or is not done in time.
        """
        ...

    def close(self) -> None:
        """Finish the writes under way, then close. Closing again does nothing."""
        ...


class End(NamedTuple):
    """The end of a game: the number of its last entry, after which nothing is appended any more."""

    game: str
    last: int


class CommitCounts(NamedTuple):
    """How many commits this process has made, and how many it has looked up because their answers were lost."""

    commits: int = 0
    lookups: int = 0


class SharedLog(EventLog[E], Protocol[E]):
    """A log that several processes write at a time.

    A number alone does not say what comes before it: if an append of a stale writer failed, the number of its next one
    may fit what another process has written meanwhile. So an append is given the one that it is `behind`, of the same
    writer, and fails if that one has failed.
    """

    def append_soon(self, game: str, after: int, events: Sequence[E], behind: Future[int] | None = None) -> Future[int]:
        """See `EventLog`; it fails with the error of the append that it is `behind`, if there is one."""
        ...

    def begin_soon(self, game: str, events: Sequence[E], ends: End, behind: Future[int] | None = None) -> Future[int]:
        """Append the first entries of a game as `append_soon` does, and end another game, both or neither.

        It conflicts if the other game has another last number, or was ended before; later appends to an ended game
        conflict. So a stale writer cannot begin the next game while another process goes on in the present one.
        """
        ...
