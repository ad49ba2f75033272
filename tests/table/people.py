"""Subscribers of a room on a manual clock that record what they get; and a log that stores entries on command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from ratscrew.errors import LogError
from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import EventMessage, LinkStatsMessage, Message
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import Broadcast, TableSnapshot
from ratscrew.table.session.slap_measurement import Press
from ratscrew.testing.clock import ManualClock
from tests.table.driver import LiveTable, at_table, line
from tests.table.words import say


@dataclass(eq=False)
class Person:
    """A subscriber that records what it gets."""

    seat: int | None
    others: tuple[int, ...] = ()
    page_state: PageState = field(default_factory=PageState)
    got: list[Any] = field(default_factory=list)
    soons: list[tuple[int, int]] = field(default_factory=list)
    pings: int = 0
    seats: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.seats = self.others if self.seat is None else (self.seat, *self.others)

    def far(self, clock: ManualClock, rtt_ms: float) -> None:
        """Give the page's connection this round trip; its clock agrees with ours."""
        self.page_state.rtt_estimator = line(clock.now_us(), rtt_ms)

    def announce(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""
        self.soons.append((n, at_us))

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """See `Subscriber`."""
        self.got.append(snapshot)

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        """See `Subscriber`."""
        self.got.append(("missed", snapshot.version, list(missed)))

    def send(self, broadcast: Broadcast) -> None:
        """See `Subscriber`."""
        for message in broadcast.messages:
            self.hear(message)

    def hear(self, message: Message) -> None:
        """One message of a broadcast; how good connections are is no matter of these tests."""
        if not isinstance(message, LinkStatsMessage):
            self.got.append(message)

    def ping(self) -> None:
        """See `Subscriber`."""
        self.pings += 1

    def probe(self, playing: bool) -> None:
        """See `Subscriber`."""

    def disconnect(self, why: str) -> None:
        """See `Subscriber`."""
        self.got.append(f"leave: {why}")

    def now(self) -> list[Any]:
        """What has come since the last call."""
        got, self.got = self.got, []
        return got

    def events(self) -> list[str]:
        """The events that have come since the last call, numbered, in words."""
        return [numbered(some) for some in self.now() if isinstance(some, EventMessage)]


def numbered(some: EventMessage) -> str:
    """An event in words, with its number."""
    return f"{some.v}: {say(some.e)}"  # type: ignore[arg-type]


class SlowLog(MemoryLog[Entry]):
    """A log that stores entries when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Future[int], str, int, Sequence[Entry]]] = []

    def append_soon(
        self, game: str, after: int, events: Sequence[Entry], behind: Future[int] | None = None
    ) -> Future[int]:
        """See `EventLog`; done later, by hand."""
        done: Future[int] = Future()
        self.waiting.append((done, game, after, events))
        return done

    async def keep_now(self, which: int = 0, count: int = 1) -> None:
        """Store the append that waits at this place, and the following ones up to `count`."""
        for _ in range(count):
            done, game, after, events = self.waiting.pop(which)
            done.set_result(after + len(events) if which else self.append(game, after, events))
        await settle()

    async def fail_now(self, error: LogError) -> None:
        """Refuse the append that has waited longest."""
        self.waiting.pop(0)[0].set_exception(error)
        await settle()


async def settle() -> None:
    """Let the loop do what is due now; no time passes."""
    for _ in range(5):
        await asyncio.sleep(0)


async def pass_ms(ms: float) -> None:
    """Let time pass on the manual clock."""
    await asyncio.sleep(ms / 1000)


HANDS = "Ana: 9S 2C 4H 6D | Bo: TH 3H 5H 7D"


def room_of(live: LiveTable, log: MemoryLog[Entry], clock: ManualClock) -> Room:
    """A room around a table that has a log already."""
    MemoryLog.append(log, live.table.log.game, 0, live.entries)
    return Room(live.table, log, clock)


def two(clock: ManualClock, log: MemoryLog[Entry] | None = None, hands: str = HANDS) -> tuple[Room, Person, Person]:
    """A room with two players who have got everything so far."""
    room = room_of(at_table(hands, here=[]), MemoryLog() if log is None else log, clock)
    ana, bo = Person(0), Person(1)
    for person in (ana, bo):
        room.enter(person)
    ana.now(), bo.now()
    return room, ana, bo


def now(clock: ManualClock) -> Press:
    """A slap that arrives now, without timestamps of its page."""
    return Press(clock.now_us())


def here(found: Room | Elsewhere | None) -> Room | None:
    """A room that a registry has found, in this process."""
    assert not isinstance(found, Elsewhere)
    return found


def names(room: Room) -> list[str]:
    """The names of the players in a room."""
    return [seat.name for seat in room.table.seats]
