"""Access to a table: a locked room takes no new players, and players whom the host removed cannot come back."""

from __future__ import annotations

import pytest

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Left, Readmitted, RoomLocked
from ratscrew.table.record.requests import Request
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.state.evolve import REMOVED_MOST
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.looks import refused
from tests.table.people import Person
from tests.table.test_joining import begin, waiting
from tests.table.test_seat_assignment import again, ask


def test_the_host_locks_the_room_and_unlocks_it_and_everybody_sees_it() -> None:
    live = waiting(guests="Bo")
    for on in (True, False):
        ask(live, 0, requests.LockRoom(on))
        assert live.entries[-1].event == RoomLocked(on)
        assert live.table.state.locked == on


def test_locking_a_locked_room_writes_nothing() -> None:
    live = waiting(guests="Bo")
    ask(live, 0, requests.LockRoom(True))
    before = len(live.entries)
    assert ask(live, 0, requests.LockRoom(True)) == []
    assert len(live.entries) == before


@pytest.mark.parametrize("request_", [requests.LockRoom(True), requests.Readmit()])
def test_only_the_host_locks_and_readmits(request_: Request) -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.Remove(2))
    ask(live, 1, request_)
    assert refused(live) == ["not_host"]
    assert (live.table.state.locked, live.table.state.removed) == (False, (2,))


def test_the_lock_and_the_removed_survive_a_restart_before_and_after_a_deal() -> None:
    """Cy's player id was 2; bots that are removed are only replaced."""
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.AddBot("steady"))
    ask(live, 0, requests.LockRoom(True))
    ask(live, 0, requests.Remove(2))
    ask(live, 0, requests.Remove(3))
    assert again(live).table.state.locked
    assert again(live).table.state.removed == (2,)
    begin(live)
    assert again(live).table.state.locked
    assert again(live).table.state.removed == (2,)


def test_the_host_lets_the_removed_come_back() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.Remove(2))
    ask(live, 0, requests.Readmit())
    assert live.entries[-1].event == Readmitted()
    assert live.table.state.removed == again(live).table.state.removed == ()
    before = len(live.entries)
    ask(live, 0, requests.Readmit())
    assert len(live.entries) == before


def test_a_player_who_leaves_by_themself_may_come_back() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 2, requests.Leave())
    assert live.entries[-1].event == Left(2)
    assert live.table.state.removed == ()


def test_a_room_remembers_a_bounded_number_of_the_removed() -> None:
    live = waiting()
    for number in range(REMOVED_MOST + 5):
        ask(live, 0, requests.Remove(live.join(f"Eve {number}")))
    assert len(live.table.state.removed) == REMOVED_MOST
    assert live.table.state.removed[-1] == live.table.state.next_player_id - 1


@on_manual_clock
async def test_nobody_new_joins_a_locked_room_and_strangers_do_not_find_it(clock: ManualClock) -> None:
    registry = RoomRegistry(MemoryLog(), clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True, listed=True))
    room.enter(ana := Person(0))
    assert registry.listed() == [room]
    room.request(ana, requests.LockRoom(True))
    assert registry.listed() == []
    with pytest.raises(Refusal, match="the host has locked this table: no new players can join now") as caught:
        registry.join(room, "Bo")
    assert caught.value.reason is RefusalReason.LOCKED
    room.request(ana, requests.LockRoom(False))
    assert registry.join(room, "Bo") == 1
