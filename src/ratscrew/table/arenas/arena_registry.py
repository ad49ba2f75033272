"""The arenas of a server: opens them, pairs their players, opens their tables, and stores them after each change.

An arena has a room of its own, in which nobody plays: its code is the arena's address, and in a cluster its owner has
the arena. The arena is stored under the room's name and the owner's epoch, once a second if it has changed: so an owner
that has been replaced without knowing it overwrites nothing. A table is stored before its
players learn of it, and leaves the stored arena together with its points: so whatever a crash interrupts, the arena
goes on with every point, and no game counts twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.log.protocol import EventLog
from ratscrew.table.arenas.arena import Arena, Player, check_house, too_many_arenas
from ratscrew.table.arenas.running_arena import Result as Result
from ratscrew.table.arenas.running_arena import RunningArena as RunningArena
from ratscrew.table.arenas.running_arena import lock
from ratscrew.table.arenas.stored import ARENA, OPEN, STATE, delete_other_epochs, state_name, tidy_stored
from ratscrew.table.arenas.summary import ArenaSummary
from ratscrew.table.record.entries import Entry, Left, Sat, is_game_event
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.room.room import Room

ARENAS_MOST, ARENAS_OF_ADDRESS, ARENAS_OF_NETWORK = 20, 2, 3
"""Arenas that are not over yet, of all nodes, and how many of them one address and one network may have opened at one
node. When there are too many, the newest one that nobody has joined makes space."""

ARENAS_KEPT = 20
"""So many more, for networks that have opened none: a few clients with players of their own do not take all."""

LISTED_MOST = 50
_SUMMARY = Codec[ArenaSummary](ArenaSummary)


class ArenaRegistry:
    """All arenas that this process runs."""

    def __init__(
        self, log: EventLog[Entry], rooms: RoomRegistry, now_us: Callable[[], int], speed: float = 1.0
    ) -> None:
        self._log, self._rooms, self._now_us, self.speed = log, rooms, now_us, speed
        self._running: dict[str, RunningArena] = {}
        self._loading: dict[str, asyncio.Task[RunningArena | None]] = {}

    def now_s(self) -> float:
        """The time, in seconds since 1970."""
        return self._now_us() / 1e6

    def open(
        self,
        title: str,
        house: str,
        minutes: float,
        starts_in_s: float,
        address: str = "",
        network: str = "",
        elsewhere: int = 0,
    ) -> RunningArena:
        """Open an arena, for a client of this address and network; there are so many at other nodes.

        Raises: RulesError with every problem of the request; Refusal (too_many_rooms); Overloaded.
        """
        check_house(house)
        running = [each for each in self._running.values() if self.now_s() < each.arena.ends_s and not each.ended]
        own = sum(bool(address) and each.address == address for each in running)
        near = sum(bool(network) and each.network == network for each in running)
        if own >= ARENAS_OF_ADDRESS or near >= ARENAS_OF_NETWORK:
            raise too_many_arenas()
        if len(running) + elsewhere >= ARENAS_MOST + (ARENAS_KEPT if network and not near else 0):
            empty = next((each for each in reversed(running) if each.address and not each.arena.players), None)
            if empty is None:
                raise too_many_arenas()
            empty.arena.ends_s = self.now_s()
            empty.note_changed()
        anchor = self.open_anchor(title, house, address)
        begins_s = self.now_s() + starts_in_s
        arena = Arena(anchor.table.room, anchor.table.seats[0].name, house, begins_s, begins_s + minutes * 60)
        found = self.start(arena, anchor)
        found.address, found.network = address, network
        return found

    def open_anchor(self, title: str, house: str, address: str = "") -> Room:
        """Open the room of an arena, in which nobody plays.

        Raises: RulesError; Refusal (too_many_rooms); Overloaded.
        """
        anchor = self._rooms.open(RoomRequest(title, 0, house=house, wait=True, address=address))
        anchor.change(lock)
        return anchor

    async def find(self, room: Room) -> RunningArena | None:
        """The arena of a room; also after a restart. None if the room is an ordinary one.

        Raises: LogError.
        """
        name = room.table.room
        if (found := self._running.get(name)) and not found.ended:
            return found
        if (task := self._loading.get(name)) is None:
            task = self._loading[name] = asyncio.create_task(self._load(room))
            task.add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(task)

    async def listed(self) -> list[ArenaSummary]:
        """The arenas that are not over, of all nodes, the next to end first.

        Raises: LogError.
        """
        stored = await asyncio.to_thread(self._log.get, OPEN)
        found = [_SUMMARY.decode(value) for value in stored.values()]
        return sorted((each for each in found if each.ends_s > self.now_s()), key=lambda each: each.ends_s)[
            :LISTED_MOST
        ]

    async def elsewhere(self) -> int:
        """How many arenas that are not over run at other nodes.

        Raises: LogError.
        """
        own = {code_of(name) for name in self._running}
        return sum(each.code not in own for each in await self.listed())

    async def delete_names(self, room: Room, players: Collection[int]) -> None:
        """Delete the names of an arena's players.

        Raises: LogError.
        """
        if found := await self.find(room):
            for player in players:
                if each := found.arena.players.get(player):
                    each.name = ""
            found.note_changed()
            await found.save()

    def seats_of(self, accounts: Collection[str]) -> list[tuple[str, int]]:
        """The tables that arenas here gave players with these hashes of accounts, by full name, and their seats."""
        return [seat for found in self._running.values() for seat in found.arena.seats_of(accounts)]

    async def forget_accounts(self, accounts: Collection[str]) -> None:
        """Delete the names of players with these hashes of accounts in the arenas that run here.

        Raises: LogError.
        """
        for found in list(self._running.values()):
            if not found.ended and found.arena.forget(accounts):
                found.note_changed()
                await found.save()
                await asyncio.to_thread(delete_other_epochs, self._log, found.arena.room, found.epoch)

    async def tidy(self, accounts: Collection[str] = ()) -> None:
        """Delete stored arenas that ended long ago, and in those that are over players with these hashes of accounts.

        Raises: LogError.
        """
        await asyncio.to_thread(tidy_stored, self._log, accounts, self.now_s())

    async def store(self, arena: Arena, epoch: int) -> None:
        """Store an arena, and its line in the list.

        Raises: LogError.
        """
        await asyncio.to_thread(self._log.put, state_name(arena.room, epoch), STATE.encode(arena))
        line = f"{OPEN}{arena.room}"
        if self.now_s() > arena.ends_s:
            await asyncio.to_thread(self._log.delete_prefix, line)
        else:
            await asyncio.to_thread(self._log.put, line, _SUMMARY.encode(ArenaSummary.of(arena, code_of(arena.room))))

    async def is_stored(self, name: str) -> bool:
        """Whether an arena, by its room's full name, has been stored by any owner.

        Raises: LogError.
        """
        return bool(await asyncio.to_thread(self._log.get, f"{ARENA}{name}/"))

    def open_table(self, arena: Arena, players: Collection[Player]) -> Room:
        """Open a room for these players.

        Raises: Refusal (too_many_rooms); Overloaded.
        """
        room = self._rooms.open_for([(each.name, each.appearance) for each in players], arena.house)
        room.change(lock)
        return room

    async def room(self, name: str) -> Room | Elsewhere | None:
        """A room by its full name, or where it is; None if there is none any more.

        Raises: LogError; LimitExceeded.
        """
        room = await self._rooms.find(code_of(name))
        return None if isinstance(room, Room) and room.table.room != name else room

    async def result_in_log(self, name: str) -> Result | None:
        """The result of a room's first game as the log has it; None if that is not over.

        Raises: LogError.
        """
        entries = await asyncio.to_thread(self._log.read, f"{name}-1")
        events = [entry.event for entry in entries if is_game_event(entry.event)]
        if not events or not (game := replay(events)).over:
            return None
        voted_out = any(isinstance(entry.event, Left) and entry.event.by for entry in entries)
        sat = {entry.event.seat: entry.event.player_id for entry in entries if isinstance(entry.event, Sat)}
        return Result(None if game.winner is None or voted_out else sat.get(game.winner, game.winner))

    def close(self) -> None:
        """The server stops."""
        for each in self._running.values():
            each.stop()

    def start(self, arena: Arena, anchor: Room) -> RunningArena:
        """Run an arena, new or stored, with its room."""
        self._running = {name: each for name, each in self._running.items() if not each.ended}
        found = self._running[arena.room] = RunningArena(arena, anchor, self)
        return found

    async def _load(self, room: Room) -> RunningArena | None:
        stored = await asyncio.to_thread(self._log.get, f"{ARENA}{room.table.room}/")
        if not stored or room.closed:
            return None
        return self.start(STATE.decode(stored[max(stored)]), room)
