"""Pairing among strangers: the nearest by rating and distance, wider with time, and people before bots."""

from __future__ import annotations

import pytest

from ratscrew.errors import Refusal
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import AccountLinked, Entry
from ratscrew.table.registry.pairing import HASTE, Arrivals, Seeker, WaitingTable, distance
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.session.timing import FILL_US, FULL_US
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, pass_ms


def busy(per_s: float, *ratings: float) -> Arrivals:
    """Players of these ratings have come, in turn, for a minute, so many a second; it is second 60."""
    arrivals = Arrivals()
    for number in range(round(60 * per_s)):
        arrivals.note(Seeker(ratings[number % len(ratings)]), number / per_s)
    return arrivals


def test_a_difference_of_four_in_rating_weighs_as_much_as_a_tenth_of_a_second() -> None:
    assert distance(Seeker(25, 20), Seeker(29, 20)) == distance(Seeker(25, 20), Seeker(25, 120)) == 1


@on_manual_clock
async def test_players_of_whom_one_has_blocked_the_other_do_not_meet(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog[Entry](), clock)
    room, seat = registry.quick("Ana", seeker=Seeker(account="ana", blocked=frozenset({"bo"})))
    room.change(lambda table, now_us: table.record([AccountLinked(seat, "ana", 0)], now_us))
    assert registry.quick("Cy", seeker=Seeker(account="cy"))[0] is room
    assert registry.quick("Bo", seeker=Seeker(account="bo"))[0] is not room
    assert registry.quick("Di", seeker=Seeker(account="di", blocked=frozenset({"ana"})))[0] is not room


def test_where_few_come_a_table_takes_everybody() -> None:
    table = WaitingTable([Seeker(40)], 3, 68)
    assert busy(0.1, 20, 25, 30).accepts(table, Seeker(5), 60)


def test_where_many_come_it_takes_the_nearest_and_the_more_the_less_time_it_has() -> None:
    """Two a second for 8 s are 16 of whom it wants 3: it takes the nearest 28 %, and with 1 s left everybody."""
    arrivals, begins_s = busy(2, *range(20, 40)), 68.0
    table = WaitingTable([Seeker(20)], 3, begins_s)
    share = HASTE * 3 / 16
    taken = [rating for rating in range(20, 40) if arrivals.accepts(table, Seeker(rating), 60)]
    assert taken == list(range(20, 20 + len(taken)))
    assert len(taken) / 20 == pytest.approx(share, abs=0.06)
    assert all(arrivals.accepts(table, Seeker(rating), begins_s - 1) for rating in range(20, 40))


def test_the_table_that_suits_best_comes_first_and_full_ones_not_at_all() -> None:
    tables = [
        (name, WaitingTable([Seeker(rating)], wanted, 61))
        for name, rating, wanted in (("far", 35, 2), ("near", 26, 2), ("full", 25, 0), ("nearest", 25.5, 1))
    ]
    assert busy(0.2, 25).ranked(tables, Seeker(25), 60) == ["nearest", "near", "far"]


@on_manual_clock
async def test_players_of_like_rating_meet_and_a_full_table_begins_soon(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    for number in range(200):  # a busy minute before
        registry._quick._arrivals.note(Seeker(15 + number % 21), clock.now_us() / 1e6 + number * 0.3 - 60)
    strong, _ = registry.quick("Ana", seeker=Seeker(35))
    weak, _ = registry.quick("Ben", seeker=Seeker(15))
    assert strong is not weak
    for number in range(3):
        assert registry.quick(f"Cy{number}", seeker=Seeker(35))[0] is strong
    for seat in range(4):
        strong.enter(Person(seat))
    weak.enter(Person(0))
    await pass_ms(FULL_US / 1000 + 10)
    assert (strong.table.state.playing, weak.table.state.playing) == (True, False)
    await pass_ms(FILL_US / 1000)
    assert weak.table.state.playing
    assert [seat.bot_level for seat in weak.table.seats] == [None, "steady", "steady", "steady"]


@on_manual_clock
async def test_a_room_that_refuses_is_no_reason_to_wait(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Eve", 0, wait=True, listed=True, fill=True))
    with pytest.raises(Refusal):
        registry.join(room, "Eve")
    other, _ = registry.quick("Eve")
    assert other is not room
