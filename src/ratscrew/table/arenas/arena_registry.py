"""The arenas of a server: opens them, pairs their players, opens their tables, and stores them after each change.

An arena has a room of its own, in which nobody plays: its code is the arena's address, and in a cluster its owner has
the arena. The arena is stored under the room's name and the owner's epoch, once a second if it has changed: so an owner
that has been replaced without knowing it overwrites nothing. A table is stored before its
players learn of it, and leaves the stored arena together with its points: so whatever a crash interrupts, the arena
goes on with every point, and no game counts twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import NamedTuple

from ratscrew.errors import LimitExceeded, LogError, Overloaded, Refusal, RoomElsewhere
from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.log.protocol import EventLog
from ratscrew.table.arenas.anchor import Anchor
from ratscrew.table.arenas.arena import Arena, Player, check_house, pair, too_many_arenas
from ratscrew.table.arenas.stored import ARENA, OPEN, OVER_S, STATE, delete_other_epochs, state_name, tidy_stored
from ratscrew.table.arenas.summary import ArenaSummary, PlayerState
from ratscrew.table.effects import Effects
from ratscrew.table.records.entries import Entry, RoomLocked, is_game_event
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.table import Table

ARENAS_MOST, ARENAS_OF_ADDRESS = 20, 2
"""Arenas that are not over yet, of all nodes, and how many of them one address may have opened at one node."""

LISTED_MOST = 50
TICK_S = 1.0
HERE_S = 10.0
"""A player who has not asked for so long is not paired."""

COME_WITHIN_S = 8.0
"""A game begins when all its players are at their table, or after so long."""

LOOK_AGAIN_S = 10.0
"""How often the log is read for the result of a table that went on at another node."""

_SUMMARY = Codec[ArenaSummary](ArenaSummary)
_logger = logging.getLogger(__name__)


class Result(NamedTuple):
    """The result of a game: the winner's seat, None if nobody won."""

    winner: int | None


class Asked(NamedTuple):
    """When a player asked for a table, what tells whether they are banned, and a hash of their network."""

    at_s: float
    is_banned: Callable[[], bool]
    network: str | None


class RunningArena:
    """One arena in memory, with its task."""

    def __init__(self, arena: Arena, anchor: Room, registry: ArenaRegistry) -> None:
        self.arena, self.epoch, self._registry = arena, anchor.epoch, registry
        self.address = ""
        self._waiting: dict[int, float] = {}
        self._asked: dict[int, Asked] = {}
        self._opened: dict[str, float] = {}
        self._look_again_s: dict[str, float] = {}
        self._shown: set[str] = set(arena.tables)
        self._changed, self._saving = True, asyncio.Lock()
        self.ended = False
        anchor.enter(Anchor(self.stop))
        self.task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """End it in memory: its room goes to another node, or the server stops."""
        self.ended = True
        self.task.cancel()

    def note_changed(self) -> None:
        """Store it soon."""
        self._changed = True

    def player_of(self, player: int, account: str) -> int:
        """Which player a browser is that joined as `player` and has an account with this hash now.

        An account has one player: so another one, who joined before it had the account, does not wait any more.
        """
        if (known := self.arena.player_of(account)) is None:
            if not self.arena.players[player].account:
                self.arena.players[player].account = account
                self._changed = True
            return player
        if known.id != player:
            self._waiting.pop(player, None)
        return known.id

    def ask(
        self, player: int, is_banned: Callable[[], bool] = lambda: False, network: str | None = None
    ) -> PlayerState | None:
        """A player asks for a table: it waits from now on, or has one. None if there is no such player.

        `is_banned` is called again before the player is paired: then the player does not wait any more. `network` is a
        hash of the player's network.
        """
        now_s = self._registry.now_s()
        ranked = self.arena.standings()
        rank = next((number for number, each in enumerate(ranked, 1) if each.id == player), None)
        if rank is None:
            return None
        self._asked[player] = Asked(now_s, is_banned, network)
        room = self.arena.table_of(player)
        if room is None and now_s < self.arena.ends_s:
            self._waiting.setdefault(player, now_s)
        each = self.arena.players[player]
        seat = self.arena.tables[room].index(player) if room is not None and room in self._shown else None
        shown = room if seat is not None else None
        return PlayerState(player, rank, each.points, each.doubles, shown and code_of(shown), seat, shown)

    async def save(self) -> None:
        """Store it, if it has changed.

        Raises: LogError.
        """
        async with self._saving:  # or an earlier state could be stored last
            if self._changed:
                self._changed = False
                tables = set(self.arena.tables)
                try:
                    await self._registry.store(self.arena, self.epoch)
                except LogError:
                    self._changed = True
                    raise
                self._shown = tables

    async def _run(self) -> None:
        try:
            while not self.ended:
                try:
                    await self._tick()
                except (LogError, LimitExceeded) as error:
                    _logger.warning("an arena waits for its log", extra={"arena": self.arena.room, "why": repr(error)})
                if self._registry.now_s() > self.arena.ends_s + OVER_S:
                    break
                await asyncio.sleep(TICK_S / self._registry.speed)
        finally:
            self.ended = True

    async def _tick(self) -> None:
        now_s = self._registry.now_s()
        for name in list(self.arena.tables):
            await self._look_at(name, now_s)
        if self.arena.begins_s <= now_s < self.arena.ends_s:
            self._pair(now_s)
        await self.save()

    async def _look_at(self, name: str, now_s: float) -> None:
        """Begin a table's game when its players are there; give its points when it is over."""
        try:
            room = await self._registry.room(name)
        except RoomElsewhere:  # it went on at another node when this arena's or its own node ended
            if now_s >= self._look_again_s.get(name, 0.0):
                self._look_again_s[name] = now_s + LOOK_AGAIN_S
                if (result := await self._registry.result_in_log(name)) is not None:
                    self._finish(name, result.winner, now_s)
            return
        game = room.table.game if room else None
        if room is None:
            self.arena.tables.pop(name, None)
            self._changed = True
        elif game is None:
            opened_s = self._opened.setdefault(name, now_s)
            seats = [seat for seat in room.table.seats if not seat.gone]
            if len(seats) < 2:
                self.arena.tables.pop(name, None)
                self._changed = True
            elif all(seat.here for seat in seats) or now_s > opened_s + COME_WITHIN_S:
                room.change(_begin)
        elif game.over and room.table.log.round == 1:
            seat = game.winner
            self._finish(name, None if seat is None else room.table.seats[seat].player_id, now_s)
        elif room.table.log.round > 1:  # they have begun another game since the last look
            result = await self._registry.result_in_log(name)
            self._finish(name, result.winner if result else None, now_s)

    def _finish(self, name: str, winner: int | None, now_s: float) -> None:
        """Give the points of a table; `winner` is the number of a player in its room, from 0."""
        players = self.arena.tables[name]
        self.arena.finish(name, players[winner] if winner is not None and winner < len(players) else None, now_s)
        for times in (self._opened, self._look_again_s):
            times.pop(name, None)
        self._changed = True

    def _pair(self, now_s: float) -> None:
        """Open tables for the players who wait and are here."""
        for player in list(self._waiting):
            asked = self._asked[player]
            if now_s - asked.at_s > HERE_S or asked.is_banned():
                del self._waiting[player]
        waiting = [(self.arena.players[player], since_s) for player, since_s in self._waiting.items()]
        networks = {player: self._asked[player].network for player in self._waiting}
        for table in pair(waiting, now_s, networks):
            try:
                room = self._registry.open_table(self.arena, table)
            except (Refusal, Overloaded):  # the server has no space: they wait
                return
            self.arena.tables[room.table.room] = tuple(player.id for player in table)
            for each in table:
                self._waiting.pop(each.id, None)
            self._changed = True


def lock(table: Table, now_us: int) -> Effects:
    """Nobody else can join."""
    table.locked = True
    return table.record([RoomLocked(True)], now_us)


def _begin(table: Table, now_us: int) -> Effects:
    with suppress(Refusal):
        return table.next_game(now_us)
    return []


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

    def open(self, title: str, house: str, minutes: float, starts_in_s: float, address: str = "") -> RunningArena:
        """Open an arena.

        Raises: RulesError with every problem of the request; Refusal (too_many_rooms); Overloaded.
        """
        check_house(house)
        running = [each for each in self._running.values() if self.now_s() < each.arena.ends_s and not each.ended]
        if len(running) >= ARENAS_MOST or sum(each.address == address for each in running) >= ARENAS_OF_ADDRESS:
            raise too_many_arenas()
        anchor = self.open_anchor(title, house, address)
        begins_s = self.now_s() + starts_in_s
        arena = Arena(anchor.table.room, anchor.table.seats[0].name, house, begins_s, begins_s + minutes * 60)
        found = self.start(arena, anchor)
        found.address = address
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

    async def room(self, name: str) -> Room | None:
        """A room by its full name; None if there is none any more.

        Raises: LogError; LimitExceeded; RoomElsewhere.
        """
        room = await self._rooms.find(code_of(name))
        return room if room and room.table.room == name else None

    async def result_in_log(self, name: str) -> Result | None:
        """The result of a room's first game as the log has it; None if that is not over.

        Raises: LogError.
        """
        entries = await asyncio.to_thread(self._log.read, f"{name}-1")
        events = [entry.event for entry in entries if is_game_event(entry.event)]
        if not events or not (game := replay(events)).over:
            return None
        return Result(game.winner)

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
