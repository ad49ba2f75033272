"""Watchers elsewhere see the table some seconds later, all of it, in order, and encoded once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.messages import EventMessage, Message
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.room import audience
from ratscrew.table.room.audience import ALIVE_EVERY_S, DELAY_S, FRESH_AFTER, GATHER_S, PIECE, Audience, Encoding
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, pass_ms, two

LATER_MS = (DELAY_S + GATHER_S) * 1000 + 1


class Frames:
    """Encodes by name: a frame is the number of what it has; counts how often that is done."""

    def __init__(self) -> None:
        self.content: list[Any] = []
        self.encoding = Encoding(self._add, self._add)

    def _add(self, content: Any) -> bytes:
        self.content.append(list(content) if isinstance(content, list) else content)
        return str(len(self.content) - 1).encode()


class Someone:
    """A watcher that records what it gets."""

    def __init__(self, frames: Frames) -> None:
        self.frames, self.got, self.pings, self.left = frames, list[Any](), 0, ""
        self.at_iteration: list[int] = []

    def send_frame(self, frame: bytes) -> None:
        """See `Watcher`."""
        self.got.append(self.frames.content[int(frame)])

    def ping(self) -> None:
        """See `Watcher`."""
        self.pings += 1

    def disconnect(self, why: str) -> None:
        """See `Watcher`."""
        self.left = why

    def versions(self) -> list[int]:
        """The version of the first snapshot, then those of all events."""
        snapshots = [some for some in self.got if isinstance(some, TableSnapshot)]
        lists: Sequence[list[Message]] = [some for some in self.got if isinstance(some, list)]
        return [snapshots[0].version] + [each.v for some in lists for each in some if isinstance(each, EventMessage)]


def watched(clock: ManualClock) -> tuple[Room, Person, Person, Audience, Frames]:
    """A room with two players, and its audience."""
    room, ana, bo = two(clock)
    frames = Frames()
    return room, ana, bo, Audience(room.enter, lambda: room.table.state.playing, clock, frames.encoding), frames


async def turn(room: Room, players: Sequence[Person], n: int) -> None:
    """Turn card `n` + 1, which takes half a second."""
    room.play(players[n % 2], n)
    await pass_ms(500)


@on_manual_clock
async def test_a_watcher_gets_every_event_but_none_before_its_delay(clock: ManualClock) -> None:
    room, ana, _bo, watchers, frames = watched(clock)
    watchers.come(eve := Someone(frames))
    await pass_ms(DELAY_S * 1000 - 100)
    assert eve.got == []
    await pass_ms(201)
    assert eve.versions() == [room.table.state.version]
    before = room.table.state.version
    room.play(ana, 0)
    await pass_ms(500)
    shown = room.table.state.version
    assert shown > before
    await pass_ms(DELAY_S * 1000 - 500)
    assert eve.versions() == [before]  # the card was revealed after it was played: less than the delay ago
    await pass_ms(700)
    assert eve.versions() == list(range(before, shown + 1))


@on_manual_clock
async def test_who_comes_later_sees_what_the_others_see_and_then_the_same(clock: ManualClock) -> None:
    room, ana, bo, watchers, frames = watched(clock)
    watchers.come(eve := Someone(frames))
    for n in range(4):
        await turn(room, (ana, bo), n)
    await pass_ms(DELAY_S * 1000 - 900)
    watchers.come(late := Someone(frames))
    assert late.versions() == eve.versions()
    assert late.versions()[-1] < room.table.state.version
    for n in range(4, 7):
        await turn(room, (ana, bo), n)
    await pass_ms(LATER_MS)
    assert late.versions() == eve.versions()
    assert late.versions()[-1] == room.table.state.version


@on_manual_clock
async def test_what_all_see_is_encoded_once_and_sent_to_a_few_at_a_time(clock: ManualClock) -> None:
    _room, _ana, _bo, watchers, frames = watched(clock)
    many = [Someone(frames) for _ in range(3 * PIECE)]
    for some in many:
        watchers.come(some)
    await pass_ms(DELAY_S * 1000 + 99)
    while not many[0].got:
        await asyncio.sleep(0)
        clock.advance(500)
    assert 0 < sum(bool(some.got) for some in many) <= PIECE
    await pass_ms(1)
    assert all(some.got for some in many)
    assert len(frames.content) == 1


@on_manual_clock
async def test_a_watcher_who_comes_gets_only_a_few_events_besides_the_snapshot(clock: ManualClock) -> None:
    room, _ana, bo, watchers, frames = watched(clock)
    watchers.come(eve := Someone(frames))
    for _ in range(FRESH_AFTER):
        for on in (False, True):
            room.exit(bo) if on else room.enter(bo)
            await pass_ms(GATHER_S * 1000 + 1)
    await pass_ms(LATER_MS)
    watchers.come(late := Someone(frames))
    assert sum(len(some) for some in late.got if isinstance(some, list)) <= FRESH_AFTER + 2
    assert sum(isinstance(some, TableSnapshot) for some in eve.got) == 1  # the newer ones are for who comes


@on_manual_clock
async def test_each_watcher_is_pinged_every_eight_seconds(clock: ManualClock) -> None:
    _, _, _, watchers, frames = watched(clock)
    many = [Someone(frames) for _ in range(10)]
    for some in many:
        watchers.come(some)
    await pass_ms(10 * ALIVE_EVERY_S * 1000)
    assert {some.pings for some in many} <= {9, 10}


@on_manual_clock
async def test_a_deleted_name_is_not_shown_to_who_comes_later(clock: ManualClock) -> None:
    room, _, _, watchers, frames = watched(clock)
    watchers.come(Someone(frames))
    await pass_ms(LATER_MS)
    room.delete_names([room.table.seats[0].player_id])
    watchers.restart()
    watchers.come(late := Someone(frames))
    await pass_ms(LATER_MS)
    assert [seat.name for seat in late.got[0].seats][1] == "Bo"
    assert not any(seat.name == "Ana" for some in late.got if isinstance(some, TableSnapshot) for seat in some.seats)


@on_manual_clock
async def test_watchers_are_disconnected_with_the_room(clock: ManualClock) -> None:
    room, _, _, watchers, frames = watched(clock)
    watchers.come(eve := Someone(frames))
    await pass_ms(10)
    assert not room.empty
    room.close()
    await pass_ms(10)
    assert (eve.left, watchers.ended) == ("closed", True)


@on_manual_clock
async def test_before_a_game_a_visitor_sees_the_waiting_room_at_once_and_the_game_later(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room, frames = registry.open(RoomRequest("Ana", 1, wait=True)), Frames()
    room.enter(ana := Person(0))
    watchers = Audience(room.enter, lambda: room.table.state.playing, clock, frames.encoding)
    watchers.come(eve := Someone(frames))
    await pass_ms(10)
    assert eve.got[0].view is None
    room.request(ana, requests.Start())
    await pass_ms(DELAY_S * 1000)
    assert len(eve.got) == 1
    await pass_ms(GATHER_S * 1000 + 1)
    assert eve.got[1].view is not None


def test_the_delay_is_longer_than_any_race() -> None:
    assert audience.DELAY_S > 2
