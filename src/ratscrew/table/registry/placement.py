"""Where rooms are. A server without a cluster has all of them (`OneProcess`); a node shares them (`cluster_rooms.py`).

The registry asks its placement; a placement knows the rooms in memory (`RoomsHere`), and not the registry.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ratscrew.errors import ServerFull
from ratscrew.table.core.table import Table
from ratscrew.table.history.game_names import OPENED
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.code_registry import CodeRegistry, code_of
from ratscrew.table.registry.codes import new_code
from ratscrew.table.registry.room_directory import RoomDirectory
from ratscrew.table.room.ownership import Ownership
from ratscrew.table.room.room import Room
from ratscrew.table.room.room_events import RoomEvents

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A room is at another node of the cluster, or should be opened there. `room` is its full name, if it has one."""

    url: str
    room: str | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class RoomsHere:
    """The rooms in the memory of a process, and the codes that it knows. `let_go` unloads a room and says why."""

    directory: RoomDirectory
    codes: CodeRegistry
    clock: Clock
    events: RoomEvents
    let_go: Callable[[Room, str], None]

    def get(self, name: str) -> Room | None:
        """The room with this full name."""
        room = self.directory.rooms.get(code_of(name))
        return room if room and room.table.room == name else None

    def is_free(self, code: str) -> bool:
        """Whether a code is free. It leads to its room until the room has not been used for long."""
        return code not in self.directory.rooms and self.codes.get(code) is None

    def new_name(self, code: str) -> str:
        """The full name of a room that is opened now: its code, and the time."""
        return f"{code}{OPENED}{self.clock.now_us():x}"

    def rows(self, row: Callable[[Table], T], playing: bool) -> list[T]:
        """A `row` for each of some rooms that strangers may join; if `playing`, those with a game, also full ones."""
        return [row(room.table) for room in (self.directory.playing() if playing else self.directory.listed())]


class RoomPlacement(Protocol):
    """Decides which rooms a process has. `alone`: nobody else has any, so countdowns survive its restart."""

    @property
    def alone(self) -> bool: ...

    def bind(self, here: RoomsHere) -> None:
        """Work on these rooms. The first call."""

    def new_name(self) -> str:
        """A full name for a new room. Raises: Overloaded if there is none at the moment."""

    def ownership(self, name: str) -> Ownership | None:
        """This process's claim on a room; None if it needs none. Raises: Overloaded if it was lost meanwhile."""

    def left(self, room: Room) -> None:
        """A room is not in memory any more."""

    async def claim(self, code: str) -> str | Elsewhere | None:
        """A full name for a room with this code, or where to open it; None if somebody has.

        Raises: ServerFull; LogError; Overloaded.
        """

    async def locate(self, code: str) -> str | Elsewhere | None:
        """The full name of a room that is not in memory and may be restored here, or where it is; None without one.

        Raises: ServerFull if no node has space for it; LogError; Overloaded.
        """

    async def place_elsewhere(self, name: str, error: ServerFull) -> Elsewhere:
        """Where a room can be restored that was located here. Raises: `error` if nowhere; LogError; Overloaded."""

    async def check_owner(self, room: Room) -> None:
        """Drop a room in memory that another node has by now. Raises: LogError; Overloaded."""

    async def find_strangers(self) -> Elsewhere | None:
        """The other node at which strangers wait, with a chair reserved there, if none wait here."""

    async def open_rooms(self, row: Callable[[Table], T], playing: bool) -> list[T]:
        """See `RoomsHere.rows`: those of all nodes."""


class OneProcess:
    """The placement of a server that has all rooms."""

    alone = True

    def bind(self, here: RoomsHere) -> None:
        self._here = here

    def new_name(self) -> str:
        here = self._here
        return here.new_name(new_code(here.is_free, here.codes.in_use, secrets.randbelow))

    def ownership(self, name: str) -> None:
        pass

    def left(self, room: Room) -> None:
        pass

    async def claim(self, code: str) -> str | None:
        return self._here.new_name(code) if self._here.is_free(code) else None

    async def locate(self, code: str) -> str | None:
        use = self._here.codes.get(code)
        return use.room if use else None

    async def place_elsewhere(self, name: str, error: ServerFull) -> Elsewhere:
        raise error

    async def check_owner(self, room: Room) -> None:
        pass

    async def find_strangers(self) -> None:
        pass

    async def open_rooms(self, row: Callable[[Table], T], playing: bool) -> list[T]:
        return self._here.rows(row, playing)
