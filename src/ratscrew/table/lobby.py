"""Rooms by their codes: open one, find one (also after a stop of the server), sit down in one."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from typing import NamedTuple

from ratscrew.bots.ladder import BOTS
from ratscrew.bots.names import NAMES
from ratscrew.bots.teacher import TEACHER
from ratscrew.bots.teacher import bot as make_bot
from ratscrew.errors import LogError, Refusal, RulesError, Why
from ratscrew.log.protocol import EventLog
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house
from ratscrew.rules.words import say
from ratscrew.table import names
from ratscrew.table.clock import Clock
from ratscrew.table.codes import is_code, new_code
from ratscrew.table.core import Table
from ratscrew.table.dealing import Laid
from ratscrew.table.lessons import HOUSE, TEACHERS_NAME, Lesson
from ratscrew.table.pace import FILL_US
from ratscrew.table.record import Entry, Guise
from ratscrew.table.retrial import FRESH, Ledger
from ratscrew.table.room import Room
from ratscrew.table.seal import NO_NONCE

IDLE_US = 10 * 60 * 1_000_000
"""A room that nobody has been in for so long leaves the memory; its log stays, and brings it back when asked for."""

LISTED_MOST = 30
"""How many rooms strangers are told of at once."""

CODE_KEPT_US = 7 * 24 * 3600 * 1_000_000
"""How long a code leads to its room, which nobody is in, before another room may have it."""


_ALIVE = "alive"
"""The name under which the log keeps when the server was alive last. Unit: microseconds since 1970, as text."""


class Asked(NamedTuple):
    """A room that somebody asks for: with so many bots of a strength, in the house of a text.

    Its game begins at once, with the person's `nonce` in the shuffle, or (`wait`) when the host says so, or (`fill`)
    when bots have filled it.
    """

    name: str
    bots: int
    strength: str = "steady"
    house: str = "1;classic"
    wait: bool = False
    listed: bool = False
    guise: Guise | None = None
    fill: bool = False
    nonce: str | None = None


class Lobby:
    """All rooms of one server."""

    def __init__(self, log: EventLog[Entry], clock: Clock, laid: Laid | None = None) -> None:
        self._log, self._clock, self._laid = log, clock, laid
        self._rooms: dict[str, Room] = {}
        self._before_us = int(log.keep(_ALIVE, lambda: b"0"))

    def open(self, asked: Asked) -> Room:
        """A new room for a person, who is its host, at seat 0, and bots.

        Raises: RulesError with every problem of what was asked for.
        """
        name = names.tidy(asked.name)
        rules = self._check(name, asked)
        table = self._table(self._new_name())
        table.rules, table.listed = rules, asked.listed
        table.sit(name, guise=asked.guise)
        for _ in range(asked.bots):
            table.sit(table.company.bot_name(asked.strength), asked.strength)
        room = Room(table, self._log, self._clock)
        if asked.wait:
            room.open(FILL_US if asked.fill else None)
        else:
            table.seats[0].nonce = asked.nonce or NO_NONCE
            room.start()
        self._rooms[code_of(table.room)] = room
        return room

    def teach(self, name: str, lesson: Lesson, guise: Guise | None = None) -> Room:
        """A new room for a person, at seat 0, and the teacher, with the cards of a lesson.

        Raises: RulesError if the name is none.
        """
        name = names.tidy(name)
        if problems := names.faults(name):
            raise RulesError(problems)
        table = self._table(self._new_name(), lesson.lay)
        table.rules = HOUSE
        table.sit(name, guise=guise)
        table.sit(TEACHERS_NAME, TEACHER)
        room = self._rooms[code_of(table.room)] = Room(table, self._log, self._clock)
        room.start()
        return room

    def join(self, room: Room, name: str, guise: Guise | None = None) -> int:
        """A seat in a room for one more person.

        Raises: RulesError if the name is none; Refusal (name_taken, room_full).
        """
        name = names.tidy(name)
        if problems := names.faults(name):
            raise RulesError(problems)
        if room.table.company.knows(name):
            raise Refusal(Why.NAME_TAKEN, f"name: {name!r} sits here already, or a name that looks the same")
        return room.join(name, guise)

    def quick(self, name: str, guise: Guise | None = None) -> tuple[Room, int]:
        """A seat among strangers: in a room that waits for some, or in a new one.

        Raises: RulesError if the name is none.
        """
        now_us = self._clock.now_us()
        for room in self._rooms.values():
            table = room.table
            if not room.closed and table.listed and table.round == 0 and (table.fill_us or 0) > now_us:
                with suppress(Refusal):
                    return room, self.join(room, name, guise)
        room = self.open(Asked(name, 0, wait=True, listed=True, guise=guise, fill=True))
        return room, room.table.company.host

    def listed(self) -> list[Room]:
        """Some rooms that strangers may come to, those first that wait for them."""
        rooms = [room for room in self._rooms.values() if not room.closed and _welcoming(room.table)]
        return sorted(rooms, key=lambda room: room.table.playing)[:LISTED_MOST]

    def find(self, code: str) -> Room | None:
        """The room of a code, in capital letters or small: from memory, or from the log if its last game is there.

        Raises: LogError if the log cannot be read, or if the room is closed and the log has not answered it yet: a
        game that it has dealt may still be kept.
        """
        code = code.upper()
        if not is_code(code):
            return None
        room = self._rooms.get(code)
        if room and room.closed and not room.settled:
            raise LogError(f"room {code} has failed, and its log has not answered yet")
        if (room is None or room.closed) and (games := self._log.games(f"{code}-")):
            name, _, number = games[-1].rpartition("-")
            table = self._table(name)
            entries = self._log.read(games[-1])
            table.restore(int(number), entries, ledger_before(self._log, games[-1]), self._before_us)
            room = self._rooms[code] = Room(table, self._log, self._clock, entries)
        return None if room is None or room.closed else room

    def sweep(self) -> None:
        """Let go of the rooms that nobody has been in for long."""
        now_us = self._clock.now_us()
        for code, room in list(self._rooms.items()):
            if room.closed or (room.empty and now_us - room.quiet_since_us > IDLE_US):
                room.close()
                del self._rooms[code]

    def close(self) -> None:
        """Close every room; their logs are whole."""
        for room in self._rooms.values():
            room.close("restart")
        self._rooms.clear()

    @property
    def ticking(self) -> bool:
        """Whether somebody's time runs out somewhere."""
        return any(room.table.clock(0) for room in self)

    def live(self) -> None:
        """Note that the server lives now: how much of somebody's time was over, should it be the last moment.

        This takes as long as the log needs for it, and may be called from any thread.

        Raises: LogError.
        """
        self._log.note(_ALIVE, str(self._clock.now_us()).encode())

    def quiet_for(self, seconds: float) -> bool:
        """Whether no table judges a race, or has anything to do by itself in the next seconds."""
        until_us = self._clock.now_us() + seconds * 1e6 * self._clock.speed
        due = (room.table.wake_us() for room in self)
        return not any(room.table.racing for room in self) and all(us is None or us > until_us for us in due)

    def __iter__(self) -> Iterator[Room]:
        return iter(self._rooms.values())

    def __len__(self) -> int:
        return len(self._rooms)

    def _check(self, name: str, asked: Asked) -> Rules:
        """The house that was asked for.

        Raises: RulesError with every problem of what was asked for.
        """
        problems = names.faults(name)
        rules = house()
        try:
            rules = from_link(asked.house)
        except RulesError as error:
            problems += error.problems
        least, most = 0 if asked.wait else 1, min(rules.max_players or len(NAMES), len(NAMES)) - 1
        if not least <= asked.bots <= most:
            problems.append(
                say(
                    "{name} = {value!r}: it can be {least} to {most}",
                    name="bots",
                    value=asked.bots,
                    least=least,
                    most=most,
                )
            )
        if asked.strength not in BOTS:
            problems.append(
                say(
                    "{option} = {value}: it can be {allowed}",
                    option="strength",
                    value=asked.strength,
                    allowed=(*BOTS,),
                )
            )
        if problems:
            raise RulesError(problems)
        return rules

    def _table(self, name: str, laid: Laid | None = None) -> Table:
        return Table(name, house(), make_bot, secrets.randbelow, random.SystemRandom().random, laid or self._laid)

    def _new_name(self) -> str:
        """A room's full name: a free code, and the time of its opening."""
        return f"{new_code(self._is_free, secrets.randbelow)}-{self._clock.now_us():x}"

    def _is_free(self, code: str) -> bool:
        """Whether a code leads nowhere, or only to a room that was opened long ago and is not in use."""
        if code in self._rooms:
            return False
        games = self._log.games(f"{code}-")
        return not games or self._clock.now_us() - int(games[-1].split("-")[1], 16) > CODE_KEPT_US


def _welcoming(table: Table) -> bool:
    """Whether strangers find a person here, and a chair."""
    listed = table.listed and table.closed_us is None and table.company.attended
    return listed and table.company.has_chair(table.most, table.playing)


def ledger_before(log: EventLog[Entry], game: str) -> Ledger:
    """What the games of a room before this one tell of its people."""
    games = log.games(f"{game.rpartition('-')[0]}-")
    noted = (entry.event for before in games[: games.index(game)] for entry in log.read(before))
    return reduce(Ledger.after, noted, FRESH)


def code_of(room: str) -> str:
    """The four letters that people say, of a room's full name."""
    return room.partition("-")[0]
