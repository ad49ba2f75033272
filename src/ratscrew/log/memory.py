"""An event log in memory, which ends with its process: for tests and trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Any, Generic, TypeVar

from ratscrew.errors import Conflict, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import End
from ratscrew.log.rows import Packed

E = TypeVar("E")

_ENTRY = Codec[Any](Any)


class MemoryLog(Generic[E]):
    """An event log in memory."""

    def __init__(self) -> None:
        self._games: dict[str, list[E]] = {}
        self._ended = set[str]()
        self._values: dict[str, bytes] = {}
        self._lock = Lock()

    def append(self, game: str, after: int, events: Sequence[E]) -> int:
        with self._lock:
            last = len(self._games.get(game, ()))
            if after != last:
                raise Conflict(f"game {game}: append after {after}, but the last entry is {last}")
            if game in self._ended:
                raise Conflict(f"game {game} has ended")
            if events:
                self._games.setdefault(game, []).extend(events)
            return last + len(events)

    def append_soon(self, game: str, after: int, events: Sequence[E], behind: Future[int] | None = None) -> Future[int]:
        """See `SharedLog`; here it is done before the call returns."""
        if behind and behind.exception():
            return behind
        done: Future[int] = Future()
        try:
            done.set_result(self.append(game, after, events))
        except LogError as error:
            done.set_exception(error)
        return done

    def begin_soon(self, game: str, events: Sequence[E], ends: End, behind: Future[int] | None = None) -> Future[int]:
        if behind and behind.exception():
            return behind
        with self._lock:
            ended = ends.game in self._ended or len(self._games.get(ends.game, ())) != ends.last
            if not ended and game not in self._games:
                self._ended.add(ends.game)
        if not ended:
            return self.append_soon(game, 0, events)
        failed: Future[int] = Future()
        failed.set_exception(Conflict(f"game {ends.game} has ended, or goes on elsewhere"))
        return failed

    def read(self, game: str, after: int = 0) -> list[E]:
        with self._lock:
            return self._games.get(game, [])[after:]

    def read_packed(self, game: str) -> Packed:
        return Packed.of(list(map(_ENTRY.encode, self.read(game))))

    def count(self, game: str) -> int:
        with self._lock:
            return len(self._games.get(game, ()))

    def last(self, game: str) -> E | None:
        with self._lock:
            return next(reversed(self._games.get(game, ())), None)

    def games(self, prefix: str = "") -> list[str]:
        with self._lock:
            return [game for game in self._games if game.startswith(prefix)]

    def get(self, prefix: str = "") -> dict[str, bytes]:
        with self._lock:
            return {name: value for name, value in self._values.items() if name.startswith(prefix)}

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        with self._lock:
            if name not in self._values:
                self._values[name] = make()
            return self._values[name]

    def redact(self, game: str, change: Callable[[E], E]) -> None:
        with self._lock:
            if game in self._games:
                self._games[game] = [change(event) for event in self._games[game]]

    def delete_prefix(self, prefix: str) -> int:
        with self._lock:
            before = len(self._values)
            self._values = {name: value for name, value in self._values.items() if not name.startswith(prefix)}
            return before - len(self._values)

    def purge(self) -> bool:
        """See `EventLog`; here there are no files to clear."""
        return True

    def check(self) -> None:
        """See `EventLog`; here nothing can be lost."""

    def put(self, name: str, value: bytes) -> None:
        with self._lock:
            self._values[name] = value

    def close(self) -> None:
        """See `EventLog`; here there is nothing to close."""
