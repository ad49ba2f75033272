"""Strangers find tables on every node, and the chairs reserved for them."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg
import pytest

from ratscrew.cluster.directory import ClusterDirectory
from ratscrew.cluster.open_rooms import RESERVED_S, SHOWN_S
from ratscrew.cluster.records import OpenRoom, Placement, RoomState
from ratscrew.log.postgres.address import PostgresAddress
from tests.cluster.conftest import LEASE_S, OpenDirectory, pass_time
from tests.cluster.test_races import at_once
from tests.log.conftest import sql

TIMEOUT_S = 60


def waiting(room: str, chairs: int, fill_in_s: float = 500, joined: int = 0) -> RoomState:
    """A table that waits for strangers."""
    return RoomState(room, 1, listed=True, free_chairs=chairs, fill_in_s=fill_in_s, joined=joined)


def test_strangers_at_two_nodes_meet_at_one_table(open_directory: OpenDirectory) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    a.publish([waiting("WOLF1-1", 2)])
    there = Placement("WOLF1-1", 1, "a", "https://a.example.org")
    assert [b.reserve_chair(), a.reserve_chair(), b.reserve_chair()] == [there, there, None]


def test_each_chair_is_reserved_once_however_many_ask_at_the_same_moment(open_directory: OpenDirectory) -> None:
    nodes = [open_directory(name) for name in "abcdef"]
    chairs = {"WOLF1-1": 7, "BEAR2-2": 5}
    for room, free in chairs.items():
        nodes[0].create(room, room[:5])
        nodes[0].publish([waiting(room, free)])

    def reserve_some(node: ClusterDirectory) -> list[Placement | None]:
        return [node.reserve_chair() for _ in range(4)]

    found = at_once([partial(reserve_some, node) for node in nodes])
    rooms = [place.room for places in found for place in places if place]
    assert {room: rooms.count(room) for room in chairs} == chairs


def test_a_table_whose_row_is_locked_for_a_moment_is_found(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """A renewal locks the rows of all tables of its node."""
    a = open_directory("a")
    a.create("WOLF1-1", "WOLF1")
    a.publish([waiting("WOLF1-1", 1)])
    with psycopg.connect(address.url) as other, ThreadPoolExecutor(1) as threads:
        other.execute("UPDATE ratscrew.room SET lease_until = lease_until")
        reserving = threads.submit(a.reserve_chair)
        while not sql(address, "SELECT count(*) FROM pg_locks WHERE NOT granted")[0][0]:
            assert not reserving.done()
            time.sleep(0.01)
        other.commit()
        assert reserving.result(TIMEOUT_S)


def test_a_reservation_ends_when_its_player_takes_the_seat_or_does_not_come(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a = open_directory("a")
    a.create("WOLF1-1", "WOLF1")
    a.publish([waiting("WOLF1-1", 2)])
    assert a.reserve_chair()
    a.publish([waiting("WOLF1-1", 1, joined=1)])
    assert a.reserve_chair()
    assert not a.reserve_chair()
    pass_time(address, RESERVED_S + 1)
    assert a.reserve_chair()
    assert not a.reserve_chair()


@pytest.mark.parametrize(
    "state",
    [
        RoomState("WOLF1-1", 1, listed=False, free_chairs=3, fill_in_s=500),
        RoomState("WOLF1-1", 1, listed=True, playing=True, free_chairs=3, fill_in_s=500),
        RoomState("WOLF1-1", 1, listed=True, free_chairs=0, fill_in_s=500),
        RoomState("WOLF1-1", 1, listed=True, free_chairs=3),
        RoomState("WOLF1-1", 2, listed=True, free_chairs=3, fill_in_s=500),
    ],
    ids=["not listed", "playing", "full", "not waiting", "stale epoch"],
)
def test_no_chair_is_reserved_at_a_table(open_directory: OpenDirectory, state: RoomState) -> None:
    a = open_directory("a")
    a.create("WOLF1-1", "WOLF1")
    a.publish([state])
    assert not a.reserve_chair()


def test_tables_that_bots_fill_sooner_come_first_and_those_that_refused_or_whose_time_is_over_not_at_all(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a = open_directory("a")
    for room, fill_in_s in (("WOLF1-1", 300), ("BEAR2-2", 100), ("LION3-3", 20)):
        a.create(room, room[:5])
        a.publish([waiting(room, 3, fill_in_s)])
    pass_time(address, 30)
    first, second = a.reserve_chair(), a.reserve_chair(refused=["BEAR2-2"])
    assert first
    assert second
    assert (first.room, second.room) == ("BEAR2-2", "WOLF1-1")
    assert not a.reserve_chair(refused=["BEAR2-2", "WOLF1-1"])


def test_open_rooms_of_all_nodes_are_listed_a_few_of_each_opener(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a, b = open_directory("a"), open_directory("b")
    for number in range(4):
        a.create(f"A{number}-1", f"A{number}", opener="one client")
        b.create(f"B{number}-1", f"B{number}")
    a.publish([RoomState(f"A{number}-1", 1, True, False, 2, summary=b"waits") for number in range(4)])
    b.publish([RoomState(f"B{number}-1", 1, True, number < 2, number) for number in range(4)])
    listed = a.open_rooms(10, 3)
    assert [room.code for room in listed] == ["A0", "A1", "A2", "B2", "B3", "B1"]
    assert listed[0] == OpenRoom("A0-1", "A0", False, b"waits", "https://a.example.org")
    assert {room.code for room in b.open_rooms(3, 1)} == {"A0", "B2", "B3"}
    pass_time(address, LEASE_S - 100)
    b.renew()
    pass_time(address, 200)
    assert [room.code for room in b.open_rooms(10, 3)] == ["B2", "B3", "B1"]


def test_of_too_many_open_rooms_each_is_listed_now_and_then(
    open_directory: OpenDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise those whose codes come last would never be."""
    a = open_directory("a")
    for number in range(12):
        a.create(f"A{number:02}-1", f"A{number:02}")
    a.publish([RoomState(f"A{number:02}-1", 1, True, number < 6, 1) for number in range(12)])
    shown = set[str]()
    for turn in range(30):
        monkeypatch.setattr(time, "time", lambda turn=turn: 1e9 + SHOWN_S * turn)
        codes = [room.code for room in a.open_rooms(3, 3)]
        assert codes == sorted(codes)
        assert len(codes) == 3
        shown.update(codes)
    assert shown == {f"A{number:02}" for number in range(6, 12)}  # those with a game come after those that wait


def test_games_to_watch_are_listed_ones_that_are_on_also_without_a_free_seat(open_directory: OpenDirectory) -> None:
    a, b = open_directory("a"), open_directory("b")
    for name in ("WAIT1", "GAME1", "FULL1", "MINE1"):
        a.create(f"{name}-1", name)
    a.publish([RoomState("WAIT1-1", 1, True, False, 2), RoomState("GAME1-1", 1, True, True, 2)])
    a.publish([RoomState("FULL1-1", 1, True, True, 0), RoomState("MINE1-1", 1, False, True, 2)])
    assert [room.code for room in b.open_rooms(10, 3, playing=True)] == ["FULL1", "GAME1"]
    assert [room.code for room in b.open_rooms(10, 3)] == ["WAIT1", "GAME1"]
    assert b.reserve_chair() is None


def test_what_strangers_saw_of_a_room_is_deleted_with_its_lease(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """A player's name can be in it."""
    summaries = "SELECT summary, listed FROM ratscrew.room WHERE listed OR summary IS NOT NULL"
    a, b = open_directory("a"), open_directory("b")
    for number, end in enumerate(("released", "claimed", "expired")):
        a.create(f"{end}-{number}", end)
        a.publish([RoomState(f"{end}-{number}", 1, True, free_chairs=1, summary=b"Ada's table")])
    a.release({"released-0": 1})
    assert len(sql(address, summaries)) == 2
    pass_time(address, LEASE_S + 1)
    b.renew()
    b.claim("claimed")
    assert len(sql(address, summaries)) == 1
    b.retire(kept_s=1e6, unplayed_kept_s=1e6)
    assert sql(address, summaries) == []


def test_a_stale_owner_publishes_nothing(open_directory: OpenDirectory, address: PostgresAddress) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    pass_time(address, LEASE_S + 1)
    b.renew()
    b.claim("WOLF1")
    a.publish([waiting("WOLF1-1", 3), RoomState("WOLF1-1", 2, True, False, 3, 500)])
    assert (b.reserve_chair(), b.open_rooms(10, 10)) == (None, [])
