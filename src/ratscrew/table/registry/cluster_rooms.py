"""The rooms of one node of a cluster: it opens rooms under reserved names, claims those it restores, and returns them.

Which node has a room is in the directory (`cluster/`). Only the log decides who may write (`log/postgres/fence.py`).
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import RoomState
from ratscrew.errors import ClusterError, LogError, Overloaded, RulesError, ServerFull
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import SharedLog
from ratscrew.table.core.table import Table
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.code_registry import KEPT_US, UNPLAYED_KEPT_US, code_of
from ratscrew.table.registry.codes import LETTERS, new_code, read_code
from ratscrew.table.registry.placement import Elsewhere, RoomsHere
from ratscrew.table.registry.public_rooms import LISTED_MOST, LISTED_MOST_OF_ADDRESS
from ratscrew.table.registry.room_directory import TRY_AGAIN_S as FULL_S
from ratscrew.table.room.listing import has_space
from ratscrew.table.room.ownership import Ownership
from ratscrew.table.room.room import Room
from ratscrew.table.room.room_events import FirstCardTurned

NAMES_READY = 32
"""Names of new rooms that a node reserves in advance: so a room is opened without waiting for the directory."""

TRY_AGAIN_S = 1.0

LISTED_FOR_S = 1.0
"""How old the list of open rooms may be."""

USES_AT_ONCE = 200
"""Of how many rooms one statement publishes that they are used."""

QUIET_POLL_S = 0.02
"""How often a node that drains looks for rooms with a quiet moment."""

T = TypeVar("T")
_ROW = Codec[Any](Any)
_logger = logging.getLogger(__name__)


class ClusterRooms:
    """The `RoomPlacement` of a node."""

    alone = False

    def __init__(self, node: ClusterNode, shared: SharedLog[Entry]) -> None:
        """`shared` is the log itself, for the first entries of games."""
        self._node, self._shared = node, shared
        self._names: dict[str, None] = {}
        self._taken, self._lengths = asyncio.Event(), dict[int, int]()
        self._returns = dict[str, asyncio.Task[None]]()
        self._unused = set[str]()
        self._published: dict[str, RoomState] = {}
        self._played = set[str]()
        self._listed_rows: dict[bool, tuple[float, list[bytes]]] = {}
        self.given_away = 0
        """How many rooms this node has given to the others because it drains."""

    def bind(self, here: RoomsHere) -> None:
        self._here, self._rooms = here, here.directory.rooms
        here.events.subscribe(FirstCardTurned, lambda event: self._played.add(event.room))
        self._node.on_lost = self.lose

    @property
    def full(self) -> bool:
        """Whether there is no space here for another room."""
        return self._here.directory.full

    async def locate(self, code: str) -> str | Elsewhere | None:
        """See `RoomPlacement`. A room without an owner becomes this node's."""
        if task := self._returns.get(code):
            await asyncio.wait({task})
        try:
            if self.full:
                raise ServerFull(FULL_S)
            placement = await self._node.claim(code)
        except (ClusterError, ServerFull) as error:
            placement = await self._node.find(code)
            if placement and placement.node in (None, self._node.identity.name):
                return await self._other_node(placement.room, placement.epoch if placement.node else None, error)
        if placement is None:
            self._here.codes.release(code)
            return None
        self._here.codes.use(placement.room, self._here.clock.now_us())
        if placement.node != self._node.identity.name:
            return Elsewhere(str(placement.url), placement.room, placement.node)
        return placement.room

    async def place_elsewhere(self, name: str, error: ServerFull) -> Elsewhere:
        """See `RoomPlacement`. The room is returned."""
        return await self._other_node(name, self._node.epoch_of(name), error)

    async def claim(self, code: str) -> str | Elsewhere | None:
        """See `RoomPlacement`. A code that this node has, but could open no room for, is used again."""
        name = self._here.new_name(code)
        try:
            if self.full:
                raise ServerFull(FULL_S)
            if await self._node.create(name, code) is None:
                placement = await self._node.find(code)
                if placement is None or placement.node != self._node.identity.name:
                    return None
                name = placement.room
        except (ClusterError, ServerFull) as error:
            return await self._other_node(name, None, error)
        return name

    async def owner_of(self, typed: str) -> str | None:
        """The name of the other node that has a room; None if it is here, or nobody has it. Claims nothing.

        Raises: LogError; Overloaded.
        """
        code = read_code(typed)
        if code is None or ((room := self._rooms.get(code)) and not room.closed):
            return None
        placement = await self._node.find(code)
        return placement.node if placement and placement.node != self._node.identity.name else None

    async def check_owner(self, room: Room) -> None:
        placement = await self._node.find(code_of(room.table.room))
        if placement and placement.epoch != room.epoch:
            self.lose({room.table.room: room.epoch})

    def lose(self, rooms: Mapping[str, int]) -> None:
        """Close rooms that other nodes own now, given by their full names with their epochs here."""
        for name, epoch in rooms.items():
            self._names.pop(name, None)
            room = self._rooms.get(code_of(name))
            if room and (room.table.room, room.epoch) == (name, epoch):
                room.close("moved")
                self._here.directory.remove(code_of(name))

    async def reserve_names(self) -> None:
        """Reserve the names of some new rooms for this node.

        Raises: LogError; ClusterError if this node cannot own rooms now; Overloaded.
        """
        self._taken.clear()
        self._lengths = await self._node.codes_in_use()
        while len(self._names) < NAMES_READY and not self._node.draining:
            await self._reserve_name()

    async def keep_names_reserved(self) -> None:
        """Reserve a name for each that is taken, until the task is cancelled."""
        while True:
            await self._taken.wait()
            try:
                await self.reserve_names()
            except (LogError, ClusterError, Overloaded, RulesError) as error:
                _logger.debug("no names of rooms can be reserved: %s", error)
                await asyncio.sleep(TRY_AGAIN_S)

    async def find_strangers(self) -> Elsewhere | None:
        if next(self._here.directory.filling(self._here.clock.now_us()), None):
            return None
        placement = await self._node.reserve_chair()
        if placement and placement.node != self._node.identity.name:
            return Elsewhere(str(placement.url), placement.room, placement.node)
        return None

    async def open_rooms(self, row: Callable[[Table], T], playing: bool) -> list[T]:
        """See `RoomPlacement`: at most a second old."""
        now_s = asyncio.get_running_loop().time()
        at_s, rows = self._listed_rows.get(playing, (-math.inf, []))
        if now_s >= at_s + LISTED_FOR_S:
            self._listed_rows[playing] = now_s, rows  # for those who ask meanwhile
            found = await self._node.open_rooms(LISTED_MOST, LISTED_MOST_OF_ADDRESS, playing)
            rows = [room.summary for room in found if room.summary]
            self._listed_rows[playing] = now_s, rows
        return [_ROW.decode(summary) for summary in rows]

    async def publish(self, row: Callable[[Table], object]) -> None:
        """Publish which rooms strangers may join or watch, as far as it has changed; `row` describes one in the lists.

        Rooms where the first card was turned are published too: so the code is kept even if this node is killed now.

        Raises: LogError; Overloaded.
        """
        shown = {room.table.room: room for room in (*self._here.directory.listed(), *self._here.directory.playing())}
        played, self._played = self._played, set[str]()
        states = dict[str, RoomState]()
        for name in shown.keys() | self._published.keys() | played:
            if room := shown.get(name) or self._here.get(name):
                summary = _ROW.encode(row(room.table)) if name in shown else None
                states[name] = self._state(room)._replace(listed=name in shown, summary=summary)
        changed = [
            state._replace(joined=max(0, before.free_chairs - state.free_chairs) if before else 0)
            for name, state in states.items()
            if not (before := self._published.get(name)) or before._replace(fill_in_s=state.fill_in_s) != state
        ]
        try:
            await self._node.publish(changed)
        except (LogError, Overloaded):
            self._played |= played
            raise
        self._published = {name: state for name, state in states.items() if state.listed}

    async def publish_uses(self) -> None:
        """Publish of every room whether a card was ever turned there, and that it is used, if players are there.

        Its code is kept by that. Reserved names count as used too, or a room that gets an old one could lose its code
        if this node is killed before the next time. Raises: LogError; Overloaded.
        """
        names = {name: epoch for name in self._names if (epoch := self._node.epoch_of(name)) is not None}
        await self._node.publish([RoomState(name, epoch, used=True) for name, epoch in names.items()])
        rooms = list(self._rooms.values())
        for first in range(0, len(rooms), USES_AT_ONCE):
            some = [self._state(room) for room in rooms[first : first + USES_AT_ONCE]]
            await self._node.publish(
                [
                    self._published.get(state.room, state)._replace(used=state.used, played=state.played)
                    for state in some
                ]
            )

    async def tidy(self) -> None:
        """Return rooms that this node owns and does not have in memory, and have the directory free unused codes.

        Such a room was claimed for a client that has left meanwhile. It is returned at the second look.

        Raises: LogError; Overloaded.
        """
        known = {room.table.room for room in self._rooms.values()} | self._names.keys()
        unused = {name: epoch for name, epoch in self._node.rooms.items() if name not in known}
        if stale := {name: epoch for name, epoch in unused.items() if name in self._unused}:
            await self._node.release(stale)
        self._unused = unused.keys() - stale.keys()
        await self._node.retire(KEPT_US / 1e6, UNPLAYED_KEPT_US / 1e6)

    async def drain(self, within_s: float) -> None:
        """Give every room to the other nodes at its first quiet moment, at the latest after so long.

        Raises nothing: what fails ends with this node's leases.
        """
        with suppress(LogError, Overloaded):
            await self._node.drain()
        names = {name: epoch for name in self._names if (epoch := self._node.epoch_of(name)) is not None}
        self._names.clear()
        if names:
            with suppress(LogError, Overloaded):
                await self._node.release(names)
        ends_s = asyncio.get_running_loop().time() + within_s
        while self._rooms:
            over = asyncio.get_running_loop().time() >= ends_s
            rooms = self._rooms.values()
            ready = [room for room in rooms if room.closed or over or (room.table.quiet and room.settled)]
            await self._hand_over([room for room in ready if room.settled])
            for room in ready:
                if self._here.get(room.table.room) is room:
                    self._here.let_go(room, "moved")
                    self.given_away += 1
            await asyncio.sleep(QUIET_POLL_S)
        if self._returns:
            await asyncio.wait(self._returns.values(), timeout=within_s)

    async def _other_node(self, name: str, epoch: int | None, error: ClusterError | ServerFull) -> Elsewhere:
        """Where a client should go if this node cannot own its room now; one that it owns, by its epoch, is returned.

        Raises: ServerFull or LogError if there is no such node; LogError; Overloaded.
        """
        if epoch is not None:
            await self._node.release({name: epoch})
        others = [
            status
            for status in await self._node.nodes()
            if status.takes_rooms and status.name != self._node.identity.name
        ]
        if not others:
            raise error if isinstance(error, ServerFull) else LogError(str(error))
        other = min(others, key=lambda status: status.load)
        return Elsewhere(other.url, name, other.name)

    async def _reserve_name(self) -> None:
        code = new_code(self._here.is_free, self._codes_in_use, secrets.randbelow)
        name = self._here.new_name(code)
        if await self._node.create(name, code) is not None:
            self._names[name] = None

    def _codes_in_use(self, digits: int) -> int:
        return max(self._here.codes.in_use(digits), self._lengths.get(LETTERS + digits, 0))

    def new_name(self) -> str:
        """See `RoomPlacement`: a name that this node has reserved."""
        self._taken.set()
        for name in list(self._names):
            del self._names[name]
            if self._node.epoch_of(name) is not None:
                return name
        raise Overloaded(TRY_AGAIN_S)

    def ownership(self, name: str) -> Ownership:
        epoch = self._node.epoch_of(name)
        if epoch is None:
            raise Overloaded(TRY_AGAIN_S)  # its lease was lost meanwhile
        return Ownership(epoch, self._node.identity.name, self._shared, partial(self._drop, name, epoch))

    def _drop(self, name: str, epoch: int) -> None:
        """Forget a room that another node has written to. If the lease is still ours, it is restored when asked for."""
        room = self._rooms.get(code_of(name))
        if room and (room.table.room, room.epoch) == (name, epoch):
            self._here.directory.remove(code_of(name))

    def left(self, room: Room) -> None:
        """See `RoomPlacement`: the room is returned as soon as all its appends are done."""
        code = code_of(room.table.room)
        task = self._returns[code] = asyncio.get_running_loop().create_task(self._return(room))
        task.add_done_callback(lambda _: self._returns.pop(code, None))

    def _state(self, room: Room) -> RoomState:
        """What the directory holds of a room that is not listed."""
        table = room.table
        free = table.state.most - len(table.state.staying) if has_space(table) else 0
        waits = free and table.state.fill_us is not None and not table.state.round
        fill_in_s = self._here.clock.until_s(table.state.fill_us or 0) if waits else None
        return RoomState(
            table.room, room.epoch, False, table.state.playing, free, fill_in_s, used=not room.empty, played=room.played
        )

    async def _hand_over(self, rooms: Sequence[Room]) -> None:
        """Return rooms before their clients are sent away: the node that they are sent to can claim them at once.

        If a room appends something until it closes, it is in the log before that node's first entry, or is refused.
        """
        if rooms:
            with suppress(LogError, Overloaded):
                await self._node.publish([self._state(room) for room in rooms])
                await self._node.release({room.table.room: room.epoch for room in rooms})

    async def _return(self, room: Room) -> None:
        with suppress(LogError):
            await room.stored()
        with suppress(LogError, Overloaded):
            await self._node.publish([self._state(room)])
            await self._node.release({room.table.room: room.epoch})
