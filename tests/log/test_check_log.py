"""The conformance suite of logs finds what it says it finds: each of these logs breaks one promise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event

import pytest

from ratscrew.errors import Conflict, LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.log_checks import check_log


class Unfenced(MemoryLog[str]):
    """Writes after any number."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        return super().append(game, len(self.read(game)), events)


class ChecksTooEarly(MemoryLog[str]):
    """Looks for a conflict and writes afterwards: in between another thread may write."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        if len(self.read(game)) != after:
            raise Conflict(game)
        Event().wait(0.001)  # another thread may go on
        return super().append(game, len(self.read(game)), events)


class Half(MemoryLog[str]):
    """Refuses a number that is much too large, and writes all the same."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        if after > 50 and events:
            super().append(game, len(self.read(game)), events)
        return super().append(game, after, events)


class Vague(MemoryLog[str]):
    """Refuses with another error."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        try:
            return super().append(game, after, events)
        except Conflict as error:
            raise LogError(str(error)) from None


class Backwards(MemoryLog[str]):
    """Lists the newest game first."""

    def games(self, prefix: str = "") -> list[str]:
        return super().games(prefix)[::-1]


class Wild(MemoryLog[str]):
    """Takes the beginning of a name for a pattern."""

    def games(self, prefix: str = "") -> list[str]:
        pattern = prefix.replace("%", ".*").replace("_", ".")
        return [game for game in super().games() if re.match(pattern, game)]


class Forgetful(MemoryLog[str]):
    """Creates a new value each time."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        return make()


class Eager(MemoryLog[str]):
    """Makes a value each time, though it keeps the first."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        made = make()
        return super().get_or_create(name, lambda: made)


class OffByOne(MemoryLog[str]):
    """Reads from the number it is given, not after it."""

    def read(self, game: str, after: int = 0) -> list[str]:
        return super().read(game, max(0, after - 1))


class Shared(MemoryLog[str]):
    """Keeps the caller's own lists."""

    def __init__(self) -> None:
        super().__init__()
        self.lists: list[tuple[str, Sequence[str]]] = []

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        last = super().append(game, after, events)
        self.lists.append((game, events))
        return last

    def read(self, game: str, after: int = 0) -> list[str]:
        return [event for name, events in self.lists for event in events if name == game][after:]


class Overtaken(MemoryLog[str]):
    """Lets one append be overtaken by those after it."""

    def append_soon(
        self, game: str, after: int, events: Sequence[str], behind: Future[int] | None = None
    ) -> Future[int]:
        return super().append_soon(game, after + (after == 400), events)


class Ghosts(MemoryLog[str]):
    """Lists a game as soon as an append is requested."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        last = super().append(game, after, events)
        self._games.setdefault(game, [])
        return last


class Additive(MemoryLog[str]):
    """Puts what is changed at the end."""

    def redact(self, game: str, change: Callable[[str], str]) -> None:
        events = self.read(game)
        super().append(game, len(events), [change(event) for event in events])


class Rash(MemoryLog[str]):
    """Changes one entry after the other."""

    def redact(self, game: str, change: Callable[[str], str]) -> None:
        for number, event in enumerate(self.read(game)):
            self._games[game][number] = change(event)


class Clinging(MemoryLog[str]):
    """Drops a value of exactly that name only."""

    def delete_prefix(self, prefix: str) -> int:
        return int(self._values.pop(prefix, None) is not None)


class Hasty(MemoryLog[str]):
    """Returns before the operation is done."""

    def append_soon(
        self, game: str, after: int, events: Sequence[str], behind: Future[int] | None = None
    ) -> Future[int]:
        return Future() if (game, after) == ("last", 99) else super().append_soon(game, after, events, behind)


class Torn(MemoryLog[str]):
    """On a full disk it keeps the first of two entries."""

    full = False

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        if self.full:
            super().append(game, after, events[:1])
            raise LogError("the disk is full")
        return super().append(game, after, events)


class Sulky(Torn):
    """What it cannot keep it calls a conflict."""

    def append(self, game: str, after: int, events: Sequence[str]) -> int:
        if self.full:
            raise Conflict("the disk is full")
        return super().append(game, after, events)


@contextmanager
def on_a_full_disk(log: Torn) -> Iterator[None]:
    """The disk is full for a while."""
    log.full = True
    yield
    log.full = False


FAULTS = {
    Unfenced: "conflicts",
    ChecksTooEarly: "one succeeds",
    Half: "changes nothing",
    Vague: "refused with Conflict",
    Backwards: "oldest first",
    Wild: "no character is a wildcard|exact prefix",
    Forgetful: "a stored value stays",
    Eager: "only the first time",
    OffByOne: "read starts after",
    Shared: "the passed list afterwards",
    Overtaken: "in the order",
    Ghosts: "not listed|creates none",
    Additive: "replaces the one before it",
    Rash: "a change that fails changes nothing",
    Clinging: "values with the prefix",
    Hasty: "close waits",
}


@pytest.mark.parametrize(("faulty", "says"), [(Torn, "leaves nothing behind"), (Sulky, "it is not a conflict")])
def test_a_log_that_does_not_bear_a_full_disk_is_found_out(faulty: type[Torn], says: str) -> None:
    check_log(faulty)
    with pytest.raises(AssertionError, match=says):
        check_log(faulty, on_a_full_disk)


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_log_that_breaks_a_promise_is_found_out(faulty: type[MemoryLog[str]]) -> None:
    with pytest.raises(AssertionError, match=FAULTS[faulty]):
        check_log(faulty)
