"""The registry: a room is opened as requested, or the error names every problem."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from ratscrew.bots.names import NAMES
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.view import view
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.table.registry.codes import WORDS, is_code
from ratscrew.table.registry.lessons import LESSONS
from ratscrew.table.registry.placement import RoomsHere
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import SlowLog, names, settle


def problems(ask: Callable[[], object]) -> tuple[str, ...]:
    """The problems of a request."""
    with pytest.raises(RulesError) as caught:
        ask()
    return caught.value.problems


# Opening


@on_manual_clock
async def test_a_new_room_has_its_person_at_seat_0_and_bots_of_the_strength_asked_for(clock: ManualClock) -> None:
    room = RoomRegistry(MemoryLog(), clock).open(RoomRequest("Ana", 3, "sharp"))
    assert names(room)[0] == "Ana"
    assert [seat.bot_level for seat in room.table.seats] == [None, "sharp", "sharp", "sharp"]
    assert set(names(room)[1:]) <= set(NAMES)
    assert len(set(names(room))) == 4
    assert room.table.game is not None
    assert view(room.table.game).cards_held == (13, 13, 13, 13)


@on_manual_clock
async def test_opponents_of_the_ladder_have_their_own_names_and_then_any(clock: ManualClock) -> None:
    room = RoomRegistry(MemoryLog(), clock).open(RoomRequest("Ana", 5, "ra"))
    assert names(room)[1:5] == ["Ra", "Ra II", "Ra III", "Ra IV"]
    assert names(room)[5] in NAMES
    assert "Ra" not in names(RoomRegistry(MemoryLog(), clock).open(RoomRequest("Ra", 1, "bes")))[1:]


@on_manual_clock
async def test_no_bot_has_the_name_of_the_person(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    for name in NAMES:
        assert names(registry.open(RoomRequest(name, 7, "gentle"))).count(name) == 1


@on_manual_clock
async def test_every_room_has_a_code_of_its_own(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    codes = [code_of(registry.open(RoomRequest("Ana", 1, "gentle")).table.room) for _ in range(60)]
    assert all(map(is_code, codes))
    assert len(set(codes)) == 60 == len(registry)


@on_manual_clock
async def test_a_code_whose_room_sleeps_in_the_log_is_not_given_to_another(clock: ManualClock) -> None:
    """Every word has a room in the log of an earlier server."""
    table = RoomRegistry(MemoryLog(), clock).open(RoomRequest("Ana", 1, "gentle")).table
    log = MemoryLog[Entry]()
    for word in WORDS:
        log.append(f"{word}-{clock.now_us():x}-1", 0, [Entry(1, Sat(0, table.seats[0].name))])
    assert code_of(RoomRegistry(log, clock).open(RoomRequest("Bo", 1, "gentle")).table.room) not in WORDS


@pytest.mark.parametrize(
    ("name", "kept"), [("Ana", "Ana"), ("  Ana \t B.\n", "Ana B."), ("Ωmega 🂡", "Ωmega 🂡"), ("x" * 20, "x" * 20)]
)
@on_manual_clock
async def test_a_name_is_trimmed_and_kept(clock: ManualClock, name: str, kept: str) -> None:
    room = RoomRegistry(MemoryLog(), clock).open(RoomRequest(name, 1, "gentle"))
    assert names(room)[0] == kept


@on_manual_clock
async def test_a_name_that_could_deceive_is_refused(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    told = ("In the name, leave out the character that turns the text around (U+202E)",)
    assert problems(lambda: registry.open(RoomRequest("A\u202ena", 1, "gentle"))) == told
    room = registry.open(RoomRequest("Ana", 1, "gentle"))
    assert problems(lambda: registry.join(room, "A\u202ena")) == told
    assert problems(lambda: registry.open_lesson("A\u202ena", LESSONS["turn"])) == told
    assert len(registry) == 1


@pytest.mark.parametrize("bots", [-1, 0, 8, 10**30])
@on_manual_clock
async def test_there_are_one_to_seven_bots(clock: ManualClock, bots: int) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    bound = "at least 1" if bots < 1 else "at most 7 with these rules"
    told = problems(lambda: registry.open(RoomRequest("Ana", bots, "gentle")))
    assert told == (f"Number of bots: {bound}, not {bots}",)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("x" * 99, 0, "gentle", "1;classic"), ["name", "bots"]),
        (("x" * 99, 1, "iron", "1;classic"), ["name", "opponent"]),
        (("x" * 99, 1, "gentle", "1;nowhere"), ["name", "nowhere"]),
        (("x" * 99, 99, "iron", "1;nowhere"), ["name", "opponent", "nowhere"]),
    ],
)
@on_manual_clock
async def test_every_problem_is_reported_at_once(
    clock: ManualClock, asked: tuple[str, int, str, str], words: list[str]
) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    told = problems(lambda: registry.open(RoomRequest(*asked)))
    assert all(any(word in problem for problem in told) for word in words), told
    assert len(registry) == 0


@on_manual_clock
async def test_where_every_code_is_taken_there_is_no_room_left(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    monkeypatch.setattr(RoomsHere, "is_free", lambda here, code: False)
    told = problems(lambda: registry.open(RoomRequest("Ana", 1)))
    assert told == ("this server is full: try again later",)
    assert len(registry) == 0


# A room that waits for players


@on_manual_clock
async def test_a_room_that_waits_has_its_person_and_perhaps_bots_and_no_game(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    rooms = [registry.open(RoomRequest("Ana", bots, house="1;beggar", wait=True)) for bots in (0, 1)]
    assert [len(room.table.seats) for room in rooms] == [1, 2]
    assert [room.table.game for room in rooms] == [None, None]
    assert [room.table.state.rules for room in rooms] == [house("beggar")] * 2


@on_manual_clock
async def test_in_a_house_for_two_there_is_one_bot_at_most(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    for wait in (False, True):
        told = problems(partial(registry.open, RoomRequest("Ana", 2, house="1;beggar", wait=wait)))
        assert told == ("Number of bots: at most 1 with these rules, not 2",)


@on_manual_clock
async def test_who_joins_has_a_name_of_his_own_and_the_next_seat(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    seat = registry.join(room, " Bo  B. ")
    assert (seat, names(room), room.table.state.seats_of([1])) == (1, ["Ana", "Bo B."], (1,))
    for name in ("Ana", "Bo B.", "  Bo B.", "bo b.", "ANA"):
        with pytest.raises(Refusal) as caught:
            registry.join(room, name)
        assert caught.value.reason is RefusalReason.NAME_TAKEN
    assert len(room.table.seats) == 2


@on_manual_clock
async def test_a_full_room_takes_nobody(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 1, house="1;beggar", wait=True))
    with pytest.raises(Refusal) as caught:
        registry.join(room, "Bo")
    assert caught.value.reason is RefusalReason.ROOM_FULL
    assert len(room.table.seats) == 2


# Waiting for the log


@on_manual_clock
async def test_who_waits_no_longer_for_the_log_calls_nothing_back_from_it(clock: ManualClock) -> None:
    room = RoomRegistry(log := SlowLog(), clock).open(RoomRequest("Ana", 1, "gentle"))
    waiting = asyncio.create_task(room.stored())
    await settle()
    waiting.cancel()
    await settle()
    await log.keep_now()
    assert not room.closed
    assert len(log.read(room.table.log.game)) == room.table.state.version
