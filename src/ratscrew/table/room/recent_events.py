"""The last events of a running game, for clients that come back. No I/O here.

As objects they would be most of a room's memory, and clients seldom miss more than the newest ones. So older events are
compressed JSON, an eighth of the size.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator

from ratscrew.game.codec import Codec
from ratscrew.table.record.messages import EventMessage

REMEMBERED = 400
"""How many events of a game are kept for clients that come back; one that has missed more gets a snapshot."""

PACK = 16
"""How many events are compressed together, which takes some 0.1 ms."""

_CODEC = Codec[list[EventMessage]](list[EventMessage])


class RecentEvents:
    """The last events of a game, at least `REMEMBERED` of them if there were so many."""

    __slots__ = ("_newest", "_packs")

    def __init__(self, events: Iterable[EventMessage] = ()) -> None:
        self._packs: list[bytes] = []
        self._newest: list[EventMessage] = list(events)

    def add(self, events: Iterable[EventMessage]) -> None:
        """Add events; compress at most one pack of older ones, so that this never takes long."""
        self._newest += events
        if len(self._newest) >= PACK:
            self._packs.append(zlib.compress(_CODEC.encode(self._newest[:PACK])))
            del self._newest[:PACK]
            if len(self) - PACK >= REMEMBERED:
                del self._packs[0]

    def clear(self) -> None:
        """Forget all: another game begins."""
        self._packs.clear()
        self._newest.clear()

    def last(self, count: int) -> list[EventMessage] | None:
        """The newest `count` events, oldest first; None if they are not all kept, or more than `REMEMBERED`."""
        if not 0 <= count <= min(REMEMBERED, len(self)):
            return None
        packed = max(0, count - len(self._newest))
        packs = self._packs[len(self._packs) - -(-packed // PACK) :]
        events = [*(event for pack in packs for event in _unpack(pack)), *self._newest]
        return events[len(events) - count :]

    def rewrite(self, change: Callable[[EventMessage], EventMessage]) -> None:
        """Change all events that are kept."""
        self._newest, self._packs = list(map(change, self)), []

    def __iter__(self) -> Iterator[EventMessage]:
        for pack in self._packs:
            yield from _unpack(pack)
        yield from self._newest

    def __len__(self) -> int:
        return len(self._packs) * PACK + len(self._newest)


def _unpack(pack: bytes) -> list[EventMessage]:
    return _CODEC.decode(zlib.decompress(pack))
