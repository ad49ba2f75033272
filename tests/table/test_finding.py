"""The registry finds rooms by their codes, also after a restart of the server."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from ratscrew.errors import LogError
from ratscrew.game.events import Won
from ratscrew.game.view import view
from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.pause import RESUME_ALONE_US
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import IDLE_US, RoomRegistry, RoomRequest, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, SlowLog, here, names, pass_ms

pytestmark = pytest.mark.usefixtures("tireless")

# Finding


@on_manual_clock
async def test_a_room_is_found_by_its_code_in_capital_letters_and_small_ones(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, "gentle"))
    code = code_of(room.table.room)
    assert (
        here(await registry.find(code))
        is here(await registry.find(code.lower()))
        is here(await registry.find(code.title()))
        is room
    )


@pytest.mark.parametrize("code", ["", "QQQQ", "BEARS", "%", "____", "BE%", "ßS", "ＢＥＡＲ", "\ud800", "x" * 10_000])
@on_manual_clock
async def test_what_is_no_code_finds_no_room(clock: ManualClock, code: str) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    registry.open(RoomRequest("Ana", 1, "gentle"))
    assert here(await registry.find(code)) is None


@on_manual_clock
async def test_after_a_restart_the_room_is_there_with_its_game(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    before = RoomRegistry(log, clock)
    room = before.open(RoomRequest("Ana", 2, "sharp"))
    room.enter(Person(0))
    await pass_ms(30_000)
    game = room.table.game
    assert game
    assert game.n > 3
    before.close()
    after = RoomRegistry(log, clock)
    again = here(await after.find(code_of(room.table.room)))
    assert again
    assert again is not room
    assert again.table.game == game
    assert (again.table.log.game, again.table.state.version) == (room.table.log.game, room.table.state.version)
    assert (again.table.state.rules, names(again)) == (room.table.state.rules, names(room))
    assert again.table.state.seats_of([0]) == (0,)
    again.enter(person := Person(0))
    await pass_ms(30_000)
    assert person.events()
    assert again.table.game != game


@on_manual_clock
async def test_after_a_restart_whoever_has_to_act_has_the_time_that_was_left(clock: ManualClock) -> None:
    """The server was noted as alive for seven seconds, so these are over; the time that it was off does not count."""
    log = MemoryLog[Entry]()
    before = RoomRegistry(log, clock)
    room = before.open(RoomRequest("Ana", 1, house="1;classic;turn_ms=20000"))
    assert not before.ticking
    room.enter(Person(0))
    while room.table.game is None or room.table.game.standing.turn:
        await pass_ms(100)
    dealt_us = log.read(room.table.log.game)[-1].at_us
    await pass_ms(7000)
    assert before.ticking
    before.note_alive()
    lived_us = clock.now_us()
    await pass_ms(900)
    clock.advance(3_600_000_000)
    after = RoomRegistry(log, clock)
    again = here(await after.find(code_of(room.table.room)))
    assert again
    again.enter(Person(0))
    if again.table.game and again.table.game.n:
        await pass_ms(RESUME_ALONE_US / 1000)
    left = again.table.clock(clock.now_us())
    assert left
    assert left.left_ms == pytest.approx(20_000 - (lived_us - dealt_us) / 1000, abs=2)


@on_manual_clock
async def test_after_a_restart_the_last_game_of_a_room_is_found(clock: ManualClock) -> None:
    """Two rooms, and in one of them a second game: it is the one that goes on."""
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ana", 1, "sharp"))
    registry.open(RoomRequest("Bo", 1, "sharp"))
    room.enter(ana := Person(0))
    for _ in range(100):
        await pass_ms(60_000)
        if room.table.game and room.table.game.winner is not None:
            break
    assert any(isinstance(entry.event, Won) for entry in log.read(room.table.log.game))
    room.request(ana, requests.DealAgain())
    registry.close()
    again = here(await RoomRegistry(log, clock).find(code_of(room.table.room)))
    assert again
    assert again.table.log.game == f"{room.table.room}-2"
    assert again.table.game == room.table.game
    assert names(again) == names(room)


@on_manual_clock
async def test_a_found_room_is_found_again_and_not_twice(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    room = RoomRegistry(log, clock).open(RoomRequest("Ana", 1, "gentle"))
    after, code = RoomRegistry(log, clock), code_of(room.table.room)
    assert here(await after.find(code)) is here(await after.find(code))
    assert len(after) == 1


@on_manual_clock
async def test_a_code_leads_to_the_newest_room_that_had_it(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    entries = [log.read(registry.open(RoomRequest(name, 1, "gentle")).table.log.game) for name in ("Ana", "Bo")]
    for number, some in enumerate(entries):
        log.append(f"QUIZ-{number + 1:x}-1", 0, some)
    found = here(await RoomRegistry(log, clock).find("quiz"))
    assert found
    assert names(found)[0] == "Bo"


# Coming and going


@on_manual_clock
async def test_a_room_that_nobody_is_in_leaves_the_memory_after_ten_minutes_and_comes_back(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, "gentle"))
    ana = Person(0)
    room.enter(ana)
    clock.advance(2 * IDLE_US)
    registry.sweep()
    assert len(registry) == 1  # a player is in it
    room.exit(ana)
    clock.advance(IDLE_US)
    registry.sweep()
    assert len(registry) == 1
    clock.advance(1)
    registry.sweep()
    assert (len(registry), room.closed) == (0, True)
    again = here(await registry.find(code_of(room.table.room)))
    assert again
    assert again.table.game
    assert room.table.game
    assert view(again.table.game) == view(room.table.game)
    assert again.table.state.seats_of([0]) == (0,)


@on_manual_clock
async def test_a_watched_room_stays(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, "gentle"))
    room.enter(Person(None))
    clock.advance(2 * IDLE_US)
    registry.sweep()
    assert len(registry) == 1


@on_manual_clock
async def test_a_closing_lobby_shows_everybody_out_until_the_restart(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    people = [Person(0), Person(None)]
    for person in people:
        registry.open(RoomRequest("Ana", 1, "gentle")).enter(person)
    registry.close()
    assert [person.got[-1] for person in people] == ["leave: restart"] * 2
    assert len(registry) == 0


class FullLog(MemoryLog[Entry]):
    """A log whose disk is full, or not."""

    full = True

    def append_soon(
        self, game: str, after: int, events: Sequence[Entry], behind: Future[int] | None = None
    ) -> Future[int]:
        """See `EventLog`."""
        if not self.full:
            return super().append_soon(game, after, events, behind)
        failed: Future[int] = Future()
        failed.set_exception(LogError("the disk is full"))
        return failed


@on_manual_clock
async def test_a_room_whose_deal_could_not_be_kept_is_not_found(clock: ManualClock) -> None:
    registry = RoomRegistry(FullLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, "gentle"))
    assert room.closed
    assert here(await registry.find(code_of(room.table.room))) is None


@on_manual_clock
async def test_a_room_that_failed_is_taken_up_from_its_log(clock: ManualClock) -> None:
    log = FullLog()
    log.full = False
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ana", 1, "sharp"))
    room.enter(Person(0))
    await pass_ms(20_000)
    log.full = True
    await pass_ms(20_000)
    assert room.closed
    log.full = False
    again = here(await registry.find(code_of(room.table.room)))
    assert again
    assert not again.closed
    assert again.table.state.version == len(log.read(again.table.log.game)) < room.table.state.version
    again.enter(ana := Person(0))
    await pass_ms(20_000)
    assert ana.events()


@on_manual_clock
async def test_a_room_that_failed_is_found_when_the_log_has_answered_all_that_it_asked(clock: ManualClock) -> None:
    """Otherwise two games would go on: one restored from before the deal, and the deal, which is stored after all."""
    registry = RoomRegistry(log := SlowLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, "gentle", wait=True))
    await log.keep_now()
    room.enter(ana := Person(0))
    registry.join(room, "Bo")
    room.request(ana, requests.Start())
    await log.fail_now(LogError("the disk is full"))
    with pytest.raises(LogError):
        here(await registry.find(code_of(room.table.room)))
    await log.keep_now()
    again = here(await registry.find(code_of(room.table.room)))
    assert again
    assert again.table.log.game == f"{room.table.room}-1"
