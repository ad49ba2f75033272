"""The rooms of a server by their codes: open one, find one (also after a restart), join one."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TypeVar

from msgspec.structs import replace

from ratscrew.bots.teacher import TEACHER
from ratscrew.bots.teacher import bot as make_bot
from ratscrew.errors import LogError, Refusal, RefusalReason, RulesError, ServerFull
from ratscrew.log.protocol import EventLog
from ratscrew.rules.link import base_of, from_link, shared
from ratscrew.rules.words import say
from ratscrew.table.core.table import Table
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.names import names
from ratscrew.table.names.guest_names import free_name
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.entries import Appearance, Entry
from ratscrew.table.record.moment import Moment
from ratscrew.table.registry.code_registry import CodeRegistry
from ratscrew.table.registry.code_registry import code_of as code_of
from ratscrew.table.registry.codes import read_code
from ratscrew.table.registry.daily_deal import as_daily, daily_deal
from ratscrew.table.registry.lessons import HOUSE, TEACHERS_NAME, Lesson
from ratscrew.table.registry.pairing import SOMEBODY, Seeker
from ratscrew.table.registry.placement import Elsewhere, OneProcess, RoomPlacement, RoomsHere
from ratscrew.table.registry.quick_play import QuickPlay
from ratscrew.table.registry.restoring import Breaks, Restored, RestoreQueue, restore
from ratscrew.table.registry.room_directory import RoomDirectory
from ratscrew.table.registry.room_request import CLASSIC, check_request
from ratscrew.table.registry.room_request import RoomRequest as RoomRequest
from ratscrew.table.room.recent_events import RecentEvents
from ratscrew.table.room.room import Room
from ratscrew.table.room.room_events import FirstCardTurned, RoomEvents, Timed
from ratscrew.table.session.timing import FILL_US
from ratscrew.table.state.dealer import Laid
from ratscrew.turns import Turns

QUICK_TRIES = 8
"""How many rooms with a free seat are tried for a player who wants to play at once. Each may refuse the name, and
hundreds of refusals would take the event loop 20 ms for each such request."""

QUICK_MOST = 20
"""Among how many rooms, the oldest, the best one is chosen."""

IDLE_US = 10 * 60 * 1_000_000
"""How long an empty room stays in memory. Afterwards it is restored from its log when a client asks for it."""

T = TypeVar("T")
_CHANCE = random.SystemRandom().random
"""The chance of all bots: it has no state that rooms could share."""

_ALIVE = "alive"
"""The name under which the log keeps when the server was last alive. Unit: microseconds since 1970, as text."""


class RoomRegistry:
    """All rooms of one server. Only `__init__` and `note_alive` wait for the log on the calling thread.

    `alive_us` is when the previous server was last alive, in microseconds since 1970; 0 if there was none.
    """

    def __init__(
        self, log: EventLog[Entry], clock: Clock, laid: Laid | None = None, placement: RoomPlacement | None = None
    ) -> None:
        """Reads the codes in use from the log, before the event loop has anything to do. Raises: LogError."""
        self._log, self._clock, self._laid = log, clock, laid
        self._turns, self.events = Turns(), RoomEvents()
        self._directory, self._quick = RoomDirectory(clock, self.events), QuickPlay(clock)
        self._timed = set[str]()
        self.events.subscribe(Timed, self._note_timed)
        self._rooms, self.is_playing = self._directory.rooms, self._directory.is_playing
        self._codes, self.game_names = CodeRegistry(log, clock.now_us()), GameNames.create(log)
        self._restores, self._breaks = RestoreQueue[Room | None](), Breaks()
        self._thread = ThreadPoolExecutor(1, "ratscrew-restore")
        self._closed, self.rated_rules = False, frozenset[str]()
        self._placement = placement or OneProcess()
        self._here = RoomsHere(self._directory, self._codes, clock, self.events, self._let_go)
        self._placement.bind(self._here)
        # in a cluster no clock runs from the last entry that an owner has written to its successor's first
        self.alive_us = int(log.get_or_create(_ALIVE, lambda: b"0")) if self._placement.alone else 0

    def open(self, request: RoomRequest) -> Room:
        """Open a room for a player, who is its host at seat 0, and bots.

        Raises: RulesError with every problem of the request; Refusal (too_many_rooms); ServerFull.
        """
        return self._open(request, self._placement.new_name)

    async def claim(self, code: str) -> str | Elsewhere | None:
        """A name for a room with this code, or where to open it; None if somebody has. Raises: see `RoomPlacement`."""
        return await self._placement.claim(code)

    def open_as(self, name: str, request: RoomRequest) -> Room | None:
        """Open a room with a claimed name; None if somebody has meanwhile. Raises: the errors of `open`."""
        return None if code_of(name) in self._rooms else self._open(request, lambda: name)

    def _open(self, request: RoomRequest, new_name: Callable[[], str]) -> Room:
        laid = None
        if day := request.daily:
            request, laid = as_daily(request, day, self._clock.now_us()), daily_deal(day)
        name = self._named(request.name)
        rules = check_request(name, request)
        self._make_space(request.address)
        table = self._table(new_name(), laid)
        base = base_of(request.house)
        table.set_state(replace(table.state, rules=rules, base=base, listed=request.listed, kind=request.kind))
        nonce = None if request.wait else request.nonce
        table.add_seat(name, appearance=request.appearance, nonce=nonce or NO_NONCE)
        for _ in range(request.bots):
            table.add_seat(table.bot_name(request.strength), request.strength)
        room = self._room(table)
        if request.wait:
            room.open(FILL_US if request.fill else None)
        else:
            room.start()
        self._add(room, request.address)
        return room

    def open_for(self, players: Sequence[tuple[str, Appearance]], house: str) -> Room:
        """Open a room for these players, by seat, without a game. Raises: Refusal (too_many_rooms); ServerFull."""
        self._make_space()
        table = self._table(self._placement.new_name())
        table.set_state(replace(table.state, rules=shared(from_link(house)), base=base_of(house), kind="arena"))
        for name, appearance in players:
            table.add_seat(name, appearance=appearance)
        room = self._room(table)
        room.open()
        self._directory.add(room)
        self._codes.use(table.room, self._clock.now_us(), room.played)
        return room

    def open_lesson(self, name: str, lesson: Lesson, appearance: Appearance | None = None, address: str = "") -> Room:
        """Open a room for a player, at seat 0, and the teacher, with the cards of a lesson.

        Raises: RulesError if the name is not valid; Refusal (too_many_rooms); ServerFull.
        """
        name = self._named(name)
        if problems := names.faults(name):
            raise RulesError(problems)
        self._make_space(address)
        table = self._table(self._placement.new_name(), lesson.lay)
        table.set_state(replace(table.state, rules=HOUSE))
        table.add_seat(name, appearance=appearance)
        table.add_seat(TEACHERS_NAME, TEACHER)
        room = self._room(table)
        self._add(room, address)
        room.start()
        return room

    def continue_game(
        self, name: str, seat: int, moment: Moment, appearance: Appearance | None = None, address: str = ""
    ) -> Room:
        """Open a room for a player and bots, whose game goes on from a moment of another.

        Raises: RulesError if there is no such seat, or the name is not valid; Refusal (too_many_rooms).
        """
        name, seats = self._named(name), len(moment.game.hands)
        unknown = () if 0 <= seat < seats else (say("This game has no such seat: choose one of its players"),)
        if problems := (*names.faults(name), *unknown):
            raise RulesError(problems)
        self._make_space(address)
        table = self._table(self._placement.new_name())
        table.set_state(replace(table.state, rules=shared(moment.game.rules)))
        for other in range(seats):
            if other == seat:
                table.add_seat(name, appearance=appearance)
            else:
                table.add_seat(table.bot_name("steady"), "steady")
        room = self._room(table)
        self._add(room, address)
        room.start(moment)
        return room

    def join(self, room: Room, name: str, appearance: Appearance | None = None, key: str | None = None) -> int:
        """Take a seat in a room for another player.

        Raises: RulesError if the name is not valid; Refusal (locked, name_taken, room_full).
        """
        if room.table.state.locked:
            raise Refusal(RefusalReason.LOCKED, say("the host has locked this table: no new players can join now"))
        name = self._named(name, room.table.state.has_name)
        if problems := names.faults(name):
            raise RulesError(problems)
        if room.table.state.has_name(name):
            raise Refusal(RefusalReason.NAME_TAKEN)
        return room.join(name, appearance, key)

    def quick(
        self, name: str, appearance: Appearance | None = None, address: str = "", seeker: Seeker = SOMEBODY
    ) -> tuple[Room, int]:
        """Take a seat among strangers: in a room that waits for some, or in a new one.

        Raises: RulesError if the name is not valid; Refusal (too_many_rooms); ServerFull.
        """
        waiting = islice(self._directory.filling(self._clock.now_us()), QUICK_MOST)
        for room in self._quick.ranked(waiting, seeker)[:QUICK_TRIES]:
            with suppress(Refusal):
                seat = self.join(room, name, appearance)
                self._quick.note_joined(room, seat, seeker)
                return room, seat
        room = self.open(
            RoomRequest(name, 0, wait=True, listed=True, appearance=appearance, fill=True, address=address)
        )
        self._quick.note_joined(room, room.table.state.host, seeker)
        return room, room.table.state.host

    async def find_strangers(self) -> Elsewhere | None:
        """Where strangers wait, if none wait here. Raises: LogError; Overloaded."""
        return await self._placement.find_strangers()

    async def open_rooms(self, row: Callable[[Table], T], playing: bool = False) -> list[T]:
        """A `row` for each of some rooms that strangers may join; if `playing`, those with a game, also full ones."""
        return await self._placement.open_rooms(row, playing)

    def listed(self) -> list[Room]:
        """Some rooms that strangers may join, those that wait for players first."""
        return self._directory.listed()

    async def find(
        self, typed: str, address: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> Room | Elsewhere | None:
        """The room of a code, as a player typed it: from memory, or from the log if its last game is there; or where
        it is. A room without an owner becomes this process's.

        The log is read in a background thread. Callers that ask for the same code meanwhile get the same room. Rooms
        are restored one after the other, for each address in turn, and only while a caller is still `wanted`.

        Raises: LogError if the log cannot be read, if the server stops, or if the room is closed and the log has not
        answered it yet: a game that it has dealt may still be stored. LimitExceeded if too many are being restored;
        ServerFull if no node has space for it.
        """
        if (code := read_code(typed)) is None:
            return None
        room = self._rooms.get(code)
        if room and not room.closed:
            return room
        if not isinstance(place := await self._placement.locate(code), str):
            return place
        if room and not room.settled:
            raise LogError(f"room {code} has failed, and its log has not answered yet")
        try:
            return await self._restores.run(code, partial(self._restore, code, place), address, wanted)
        except ServerFull as error:  # others have opened rooms meanwhile
            return await self._placement.place_elsewhere(place, error)

    async def check_owner(self, room: Room) -> None:
        """Drop a room that another node of a cluster has by now. Asks the directory, so not for each client.

        Raises: LogError; Overloaded.
        """
        await self._placement.check_owner(room)

    def name_of(self, typed: str) -> str | None:
        """The full name of the room that a code leads to, without reading the log; None if there is none."""
        use = self._codes.get(code) if (code := read_code(typed)) else None
        return use.room if use else None

    def sweep(self) -> None:
        """Unload the rooms that have been empty for long, and release the codes that have not been used for longer."""
        now_us = self._clock.now_us()
        for room in list(self._rooms.values()):
            if room.closed or (room.empty and now_us - room.quiet_since_us > IDLE_US):
                self._let_go(room)
            elif not room.empty:
                self._codes.use(room.table.room, now_us, room.played)
        self._codes.release_unused(now_us)

    def note_uses(self) -> None:
        """Note in the log, once a day for each room, that it is used: call it off the event loop, after `sweep`.

        Raises: LogError.
        """
        for room in list(self._rooms.values()):
            if room.played and not room.empty:
                self._codes.note(self._log, room.table.room, self._clock.now_us())

    def close(self) -> None:
        """Close every room because the server stops; their logs are complete. No room is found any more."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        for room in self._rooms.values():
            room.close("restart")
        self._rooms.clear()

    def fail(self) -> None:
        """Close every room because the log cannot be written any more. Everything that players saw is in it."""
        for room in self._rooms.values():
            if not room.closed:
                room.close("unkept")

    @property
    def restoring(self) -> bool:
        """Whether a room is being read from the log, or waits for that."""
        return bool(self._restores)

    @property
    def full(self) -> bool:
        """Whether there is no space for another room."""
        return self._directory.full

    @property
    def ticking(self) -> bool:
        """Whether a room has something to do by itself, such as to end a countdown."""
        return bool(self._timed)

    def note_alive(self) -> None:
        """Note in the log that the server is alive now: after a crash, countdowns go on from the last such moment.

        This takes as long as the log needs for it, and may be called from any thread.

        Raises: LogError.
        """
        self._log.put(_ALIVE, str(self._clock.now_us()).encode())

    def quiet_for(self, seconds: float) -> bool:
        """Whether no table judges a race, has anything to do by itself in the next seconds, or is being restored."""
        if self.restoring:
            return False
        until_us = self._clock.now_us() + seconds * 1e6 * self._clock.speed
        due = (room.table.wake_us() for room in self)
        return not any(room.table.racing for room in self) and all(us is None or us > until_us for us in due)

    def __iter__(self) -> Iterator[Room]:
        return iter(self._rooms.values())

    def __len__(self) -> int:
        return len(self._rooms)

    def _note_timed(self, event: Timed) -> None:
        if event.on:
            self._timed.add(event.room)
        else:
            self._timed.discard(event.room)

    def _named(self, name: str, is_taken: Callable[[str], bool] = lambda _: False) -> str:
        """A tidy name; a free guest name for a player who chose none."""
        return names.tidy(name) or free_name(is_taken, secrets.randbelow)

    def _table(self, name: str, laid: Laid | None = None) -> Table:
        laid, public = laid or self._laid, self.game_names.public
        return Table(name, CLASSIC, make_bot, secrets.randbelow, _CHANCE, laid, public, self.rated_rules)

    def _room(self, table: Table, recent: RecentEvents | None = None) -> Room:
        """A room around a table; `recent` are the events of its game, if it was restored."""
        return Room(
            table, self._log, self._clock, self._turns, recent, self._placement.ownership(table.room), self.events
        )

    def _add(self, room: Room, address: str) -> None:
        self._directory.add(room, address)
        self._codes.use(room.table.room, self._clock.now_us(), room.played)

    def _make_space(self, address: str | None = None) -> None:
        """Unload an empty room if there is no space for another.

        Raises: Refusal (too_many_rooms); ServerFull.
        """
        if room := self._directory.to_evict(address):
            self._let_go(room)
            if not room.played:
                self._codes.release(code_of(room.table.room))

    def _let_go(self, room: Room, why: str = "closed") -> None:
        """Remove a room from memory. Its code still leads to it while it may be used."""
        if not room.closed:
            self._codes.use(room.table.room, room.quiet_since_us, room.played)
            room.close(why)
        self._directory.remove(code_of(room.table.room))
        self._placement.left(room)

    def _read(self, name: str) -> Restored | None:
        """Restore a room's table, in the thread for that.

        Raises: LogError.
        """
        return restore(self._log, name, self._table(name), self.alive_us, self._breaks)

    async def _restore(self, code: str, name: str) -> Room | None:
        """Restore a room from the log. It is added to the rooms when it is complete, or not at all."""
        restored = None
        try:
            if not self._closed:
                restored = await asyncio.get_running_loop().run_in_executor(self._thread, self._read, name)
        except asyncio.CancelledError:  # by `close`, or with the whole event loop
            if not self._closed:
                raise
        if self._closed:
            raise LogError(f"room {code} is not restored: the server stops")
        room = self._rooms.get(code)
        if room and not room.closed:  # its code was free, and another room has taken it meanwhile
            return room
        if restored is None:
            self._codes.release(code)
            return None
        self._make_space()
        room = self._room(restored.table, restored.recent)
        room.take_over()
        self._directory.add(room)
        self._codes.use(name, self._clock.now_us(), room.played)
        if room.played:
            self.events.publish(FirstCardTurned(name))
        room.note_over()  # a server that crashed may not have settled it
        return room
