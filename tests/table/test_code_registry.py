"""How long a code belongs to its room, how many rooms may be open, and which of them are listed for strangers."""

from __future__ import annotations

import pytest

from ratscrew.errors import Refusal, RefusalReason, ServerFull
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry import room_directory
from ratscrew.table.registry.code_registry import DAY_US, KEPT_US, NOTED, UNPLAYED_KEPT_US, CodeRegistry
from ratscrew.table.registry.lessons import LESSONS
from ratscrew.table.registry.room_registry import IDLE_US, RoomRegistry, RoomRequest, code_of
from ratscrew.table.registry.tokens import LASTS_S
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here, pass_ms

MINUTE_US = 60_000_000


async def played(registry: RoomRegistry, name: str = "Ana") -> Room:
    """A room in which cards were turned, and which is empty now."""
    room = registry.open(RoomRequest(name, 1, "sharp"))
    room.enter(ana := Person(0))
    await pass_ms(30_000)
    room.exit(ana)
    assert room.played
    return room


# Release by last use


def test_a_code_is_kept_longer_than_any_cookie_of_its_room() -> None:
    """14 days of a cookie, a day between two notes, and one more."""
    assert LASTS_S["seat"] == 14 * 24 * 3600
    assert KEPT_US == 16 * DAY_US


@on_manual_clock
async def test_a_code_belongs_to_its_room_for_16_days_after_the_last_use(clock: ManualClock) -> None:
    """It is used on 20 days, each after a restart; the last cookie was renewed at the last visit."""
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    code = code_of((await played(registry)).table.room)
    for _ in range(20):
        clock.advance(DAY_US)
        registry = RoomRegistry(log, clock)
        room = here(await registry.find(code))
        assert room
        room.enter(ana := Person(None))  # a visit writes no entry
        registry.sweep()
        registry.note_uses()
        clock.advance(IDLE_US)
        room.exit(ana)
    last_us = clock.now_us()
    clock.advance(IDLE_US + 1)
    registry.sweep()
    assert len(registry) == 0
    clock.advance(last_us + 15 * DAY_US - clock.now_us())
    for server in (registry, RoomRegistry(log, clock)):
        server.sweep()
        assert server.name_of(code)
        assert not server._here.is_free(code)
    clock.advance(DAY_US + IDLE_US + 1)
    for server in (registry, RoomRegistry(log, clock)):
        server.sweep()
        assert server.name_of(code) is None
        assert here(await server.find(code)) is None
        assert server._here.is_free(code)


@on_manual_clock
async def test_a_visit_is_noted_once_a_day(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    room = await played(registry)
    room.enter(Person(None))
    name, notes = NOTED + room.table.room, list[bytes]()
    for _ in range(49):
        clock.advance(DAY_US // 24)
        registry.sweep()
        registry.note_uses()
        notes += [value for value in [log.get(NOTED).get(name)] if value and value not in notes]
    assert len(notes) == 2
    assert CodeRegistry(log).get(code_of(room.table.room)) == (room.table.room, int(notes[-1]), True)


@pytest.mark.parametrize("kind", ["waiting", "bots", "lesson"])
@on_manual_clock
async def test_a_room_in_which_nobody_played_is_released_within_the_hour(clock: ManualClock, kind: str) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    asked = {"waiting": RoomRequest("Ana", 0, wait=True), "bots": RoomRequest("Ana", 3)}.get(kind)
    room = registry.open(asked) if asked else registry.open_lesson("Ana", LESSONS["turn"])
    code = code_of(room.table.room)
    for _ in range(59):
        clock.advance(MINUTE_US)
        registry.sweep()
    assert here(await registry.find(code))
    for _ in range(60 + 10 + 1):
        clock.advance(MINUTE_US)
        registry.sweep()
    assert registry._here.is_free(code)
    assert here(await registry.find(code)) is None


@on_manual_clock
async def test_a_room_that_somebody_waits_in_keeps_its_code(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    room.enter(Person(0))
    for _ in range(300):
        clock.advance(MINUTE_US)
        registry.sweep()
    assert here(await registry.find(code_of(room.table.room))) is room
    assert registry.name_of(code_of(room.table.room)) == room.table.room


@on_manual_clock
async def test_after_a_restart_a_room_that_waits_has_another_hour(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    room.enter(Person(0))
    clock.advance(20 * UNPLAYED_KEPT_US)
    registry.sweep()
    after, code = RoomRegistry(log, clock), code_of(room.table.room)
    clock.advance(UNPLAYED_KEPT_US - 1)
    after.sweep()
    assert not after._here.is_free(code)
    clock.advance(2)
    after.sweep()
    assert after._here.is_free(code)
    clock.advance(DAY_US)
    assert RoomRegistry(log, clock)._here.is_free(code)


def test_the_registry_counts_codes_by_their_length() -> None:
    codes = CodeRegistry(MemoryLog())
    for room in ("WOLF-1", "WOLF4821-1", "BEAR4821-1", "BEAR48215-1", "WOLF4821-2"):
        codes.use(room, 1)
    assert [codes.in_use(digits) for digits in (0, 4, 5, 6)] == [1, 2, 1, 0]
    codes.release("WOLF4821")
    codes.release("WOLF4821")
    assert [codes.in_use(digits) for digits in (0, 4, 5, 6)] == [1, 1, 1, 0]


# How many


@on_manual_clock
async def test_an_address_has_a_bounded_number_of_rooms_and_empty_ones_go_first(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_directory, "OPEN_MOST_OF_ADDRESS", 3)
    registry = RoomRegistry(MemoryLog(), clock)
    first = await played(registry)
    registry._directory.add(first, "192.0.2.1")
    second, third = (registry.open(RoomRequest("Ana", 0, wait=True, address="192.0.2.1")) for _ in range(2))
    fourth = registry.open(RoomRequest("Ana", 0, wait=True, address="192.0.2.1"))
    assert (first.closed, second.closed, third.closed) == (False, True, False)
    assert registry._here.is_free(code_of(second.table.room))  # no game was played there
    for room in (third, fourth):
        room.enter(Person(0))
    fifth = registry.open(RoomRequest("Ana", 0, wait=True, address="192.0.2.1"))
    assert first.closed
    assert here(await registry.find(code_of(first.table.room)))  # its log brings it back
    fifth.enter(Person(0))
    with pytest.raises(Refusal, match="3 tables of your network are open: leave one of them first") as caught:
        registry.open(RoomRequest("Ana", 0, wait=True, address="192.0.2.1"))
    assert caught.value.reason is RefusalReason.TOO_MANY_ROOMS
    assert registry.open(RoomRequest("Ana", 0, wait=True, address="192.0.2.2"))
    with pytest.raises(Refusal):
        registry.open_lesson("Ana", LESSONS["turn"], address="192.0.2.1")


@on_manual_clock
async def test_the_number_of_all_rooms_is_bounded(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_directory, "OPEN_MOST", 20)
    monkeypatch.setattr(room_directory, "OPEN_KEPT", 0)
    registry = RoomRegistry(MemoryLog(), clock)
    rooms = [registry.open(RoomRequest("Ana", 0, wait=True, address=f"10.0.0.{number}")) for number in range(30)]
    assert [room.closed for room in rooms] == [True] * 10 + [False] * 20
    for room in rooms[10:]:
        room.enter(Person(0))
    with pytest.raises(ServerFull, match="the server has no space for another table now: try again in 30 s"):
        registry.open(RoomRequest("Ana", 0, wait=True, address="10.0.1.1"))
    assert (len(registry), registry.full) == (20, True)


@on_manual_clock
async def test_an_address_with_no_rooms_yet_opens_one_when_others_have_filled_the_server(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_directory, "OPEN_MOST", 20)
    monkeypatch.setattr(room_directory, "OPEN_KEPT", 3)
    registry = RoomRegistry(MemoryLog(), clock)

    def open_from(address: str) -> None:
        registry.open(RoomRequest("Ana", 0, wait=True, address=address)).enter(Person(0))

    for _ in range(20):
        open_from("10.0.0.1")
    for address in ("10.0.0.1", "10.0.0.2"):  # also others in the network of one who has many
        with pytest.raises(ServerFull):
            open_from(address)
    for address in ("10.0.2.1", "10.0.2.1", "10.0.3.1"):
        open_from(address)
    with pytest.raises(ServerFull):
        open_from("10.0.4.1")  # what is kept is bounded too


# Which of them strangers find


@on_manual_clock
async def test_strangers_find_rooms_that_are_listed_and_have_a_person_in_them(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    room.enter(ana := Person(0))
    assert registry.listed() == []
    room.request(ana, requests.ListRoom(True))
    assert registry.listed() == [room]
    room.exit(ana)
    assert registry.listed() == []
    room.enter(again := Person(0))
    assert registry.listed() == [room]
    room.request(again, requests.ListRoom(False))
    assert registry.listed() == []


@on_manual_clock
async def test_games_to_watch_are_those_of_listed_rooms_that_are_not_locked_also_of_full_ones(
    clock: ManualClock,
) -> None:
    registry = RoomRegistry(MemoryLog(), clock)

    async def shown() -> list[str]:
        return await registry.open_rooms(lambda table: table.room, playing=True)

    private = registry.open(RoomRequest("Ana", 1, wait=False))
    private.enter(Person(0))
    public = registry.open(RoomRequest("Ana", 1, house="1;classic;max_players=2", wait=True, listed=True))
    public.enter(ana := Person(0))
    assert await shown() == []  # it waits
    public.request(ana, requests.Start())
    assert (await shown(), registry.listed()) == ([public.table.room], [])
    public.request(ana, requests.LockRoom(True))
    assert await shown() == []
    public.request(ana, requests.LockRoom(False))
    assert await shown() == [public.table.room]
    public.request(ana, requests.ListRoom(False))
    assert await shown() == []
