"""A disk that outlives its server, and a log on it that is slow, fails, and loses pending writes in a crash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.rows import Packed
from ratscrew.table.record.entries import Entry
from tests.simulation.world import World

ENTRIES = Codec[Entry](Entry)


@dataclass
class Moods:
    """The faults of a disk: the longest append, how often one fails, and how often a failed one is stored anyway."""

    slow_us: int = 0
    fails: float = 0.0
    fails_kept: float = 0.0


class Disk:
    """The stored entries. `watch` is called with every entry once it is stored."""

    def __init__(self, world: World, moods: Moods, watch: Callable[[str, Sequence[Entry]], None]) -> None:
        self.world, self.moods, self.watch = world, moods, watch
        self.bodies = MemoryLog[bytes]()


class DiskLog:
    """The log of one process; see `EventLog`. After its process has crashed it does nothing."""

    def __init__(self, disk: Disk) -> None:
        self._disk, self._world = disk, disk.world
        self._free_us = 0
        self.alive = True

    def append(self, game: str, after: int, events: Sequence[Entry]) -> int:
        """See `EventLog`."""
        last = self._disk.bodies.append(game, after, [ENTRIES.encode(entry) for entry in events])
        self._disk.watch(game, events)
        return last

    def append_soon(self, game: str, after: int, events: Sequence[Entry]) -> Future[int]:
        """See `EventLog`; appends complete later, one after the other."""
        done = Future[int]()
        if self.alive:
            slow_us = self._world.between(50, 200 + self._disk.moods.slow_us)
            self._free_us = max(self._free_us, self._world.now_us + slow_us)
            self._world.later(self._free_us - self._world.now_us, partial(self._write, done, game, after, [*events]))
        return done

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        return [ENTRIES.decode(body) for body in self._disk.bodies.read(game, after)]

    def read_packed(self, game: str) -> Packed:
        """See `EventLog`."""
        return Packed.of(self._disk.bodies.read(game))

    def count(self, game: str) -> int:
        """See `EventLog`."""
        return len(self._disk.bodies.read(game))

    def last(self, game: str) -> Entry | None:
        """See `EventLog`."""
        body = self._disk.bodies.last(game)
        return None if body is None else ENTRIES.decode(body)

    def games(self, prefix: str = "") -> list[str]:
        """See `EventLog`."""
        return self._disk.bodies.games(prefix)

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """See `EventLog`."""
        return self._disk.bodies.get_or_create(name, make)

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """See `EventLog`."""
        return self._disk.bodies.get(prefix)

    def redact(self, game: str, change: Callable[[Entry], Entry]) -> None:
        """See `EventLog`."""
        self._disk.bodies.redact(game, lambda body: ENTRIES.encode(change(ENTRIES.decode(body))))

    def delete_prefix(self, prefix: str) -> int:
        """See `EventLog`."""
        return self._disk.bodies.delete_prefix(prefix)

    def purge(self) -> bool:
        """See `EventLog`."""
        return self._disk.bodies.purge()

    def check(self) -> None:
        """See `EventLog`."""

    def put(self, name: str, value: bytes) -> None:
        """See `EventLog`."""
        self._disk.bodies.put(name, value)

    def close(self) -> None:
        """Crash the process: pending appends are not stored, and none is answered."""
        self.alive = False

    def _write(self, done: Future[int], game: str, after: int, events: list[Entry]) -> None:
        if not self.alive:
            return
        moods, world = self._disk.moods, self._world
        failed: LogError | None = None
        last = 0
        if world.happens(moods.fails):
            failed = LogError("the disk has failed")
        try:
            if failed is None or world.happens(moods.fails_kept):
                last = self.append(game, after, events)
        except LogError as error:
            failed = error
        world.note("disk", "fails" if failed else "keeps", f"{game} {after}+{len(events)} {failed or ''}")
        world.later(world.between(0, 2000), partial(self._answer, done, failed or last))

    def _answer(self, done: Future[int], answer: LogError | int) -> None:
        if not self.alive:
            return
        if isinstance(answer, LogError):
            done.set_exception(answer)
        else:
            done.set_result(answer)
