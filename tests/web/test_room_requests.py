"""Limits of requests to a room: per seat, per room, per address and for all addresses, across connections."""

from __future__ import annotations

import asyncio
from typing import get_args

import pytest

from ratscrew.limits import buckets, limits
from ratscrew.limits.limits import GLOBAL, LIMITS, OF_ROOM, OF_SEAT, SLAPS_OF_SEAT, WATCHERS_OF_ADDRESS, Limit, Limits
from ratscrew.table.record.log_budget import PRICES
from ratscrew.table.record.messages import RequestName as Request
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import ServedRoom, serve

WAITING = RoomRequest("Ana", 0, wait=True)
HOUSES = ("1;classic", "1;wiki")
ANA, BO = 0, 1
HERE, THERE = "192.0.2.1", "192.0.2.2"


class Room:
    """Something that limits are kept for."""


async def change_house(served: ServedRoom, connections: int, times: int) -> tuple[int, int]:
    """The host changes the house so often by each of so many connections, one after the other: done, and refused."""
    done = refused = 0
    for _ in range(connections):
        ana = await served.enter()
        await ana.receive("welcome")
        for number in range(times):
            await ana.send("house", house=HOUSES[(number + 1) % 2])
        await ana.send("again")
        while (heard := await ana.receive("event", "refused")).get("request") != "again":
            done += heard["t"] == "event"
            refused += heard.get("reason") == "slow_down"
        await ana.socket.close()
    return done, refused


def test_every_request_has_a_price() -> None:
    assert set(PRICES) == set(get_args(Request))
    assert all(price > 0 for what, price in PRICES.items() if what not in ("play", "slap", "beat"))


@on_manual_clock
async def test_a_new_connection_brings_no_new_allowance(clock: ManualClock) -> None:
    """Ten houses at once, and one more each two seconds: some ten seconds pass in this test at most."""
    async with serve(clock, asked=WAITING) as served:
        start_us = clock.now_us()
        done, refused = await change_house(served, connections=10, times=6)
        passed_s = (clock.now_us() - start_us) / 1e6
        most = OF_SEAT.most / PRICES["house"] + passed_s / OF_SEAT.every_s / PRICES["house"] + 1
        assert done <= most
        assert refused >= 40 - most


@on_manual_clock
async def test_what_changes_nothing_is_not_logged(clock: ManualClock) -> None:
    async with serve(clock, asked=RoomRequest("Ana", 1, wait=True)) as served:
        ana = await served.enter(page="Ana's page, one of many")
        await ana.receive("welcome")
        before = served.room.table.state.version
        requests: list[tuple[str, dict[str, object]]] = [
            ("house", {"house": "1;classic"}),
            ("list", {"on": False}),
            ("mute", {"seat": 1, "on": False}),
        ]
        for s, (t, fields) in enumerate(requests, 1):
            await ana.send(t, s=s, **fields)
            assert (await ana.receive("done", "refused")) == {"t": "done", "s": s}
        assert served.room.table.state.version == before


def test_a_house_costs_as_much_as_what_it_writes() -> None:
    """A house of the longest text is some 3,600 bytes of the log, whether a room is listed some 60."""
    assert (PRICES["house"], PRICES["list"]) == (40, 2)


def test_what_a_seat_has_used_up_is_not_taken_from_others() -> None:
    some, room = Limits(ManualClock(1)), Room()
    while not some.request(room, ANA, HERE, 40):
        pass
    assert [some.request(room, ANA, THERE, 40) > 0, some.request(room, BO, HERE, 40)] == [True, 0]


def test_the_seats_of_a_room_together_have_a_limit() -> None:
    some, room, other = Limits(ManualClock(1)), Room(), Room()
    granted = sum(not some.request(room, player, f"192.0.2.{player}", 40) for player in range(20) for _ in range(20))
    assert granted == OF_ROOM.most // 40
    assert not some.request(other, ANA, HERE, 40)


def test_the_rooms_of_an_address_together_have_a_limit() -> None:
    """150 hosts at one address change houses as fast as they may, for an hour."""
    clock = ManualClock(1)
    some, rooms = Limits(clock), [Room() for _ in range(150)]
    granted = 0
    for _ in range(3600):
        granted += sum(not some.request(room, ANA, HERE, 40) for room in rooms)
        clock.advance(1_000_000)
    limit = LIMITS["room_requests"]
    assert granted <= (limit.most + 3600 / limit.every_s) / 40 + 1  # 9,150 houses of at most 4 kB: 37 MB an hour
    assert not some.request(Room(), ANA, THERE, 40)


def test_all_addresses_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GLOBAL, "room_requests", Limit(100, 1))
    monkeypatch.setattr(buckets, "KEPT_FOR", 0)
    some = Limits(ManualClock(1))
    assert [some.request(Room(), ANA, f"192.0.2.{number}", 40) > 0 for number in range(3)] == [False, False, True]


def test_a_request_that_is_refused_is_charged_to_nobody() -> None:
    some, room = Limits(ManualClock(1)), Room()
    while not some.request(room, ANA, HERE, 40):
        pass
    for _ in range(1000):
        some.request(room, ANA, HERE, 40)
    left = (OF_ROOM.most - OF_SEAT.most) // 40
    granted = sum(not some.request(room, player, THERE, 40) for player in range(1, 9) for _ in range(10))
    assert granted == left


def test_where_an_address_slaps_too_much_those_who_slap_least_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "slaps", Limit(30, 1))
    clock = ManualClock(1)
    some, room = Limits(clock), Room()
    heard = sum(not some.slap(room, player, HERE) for _ in range(50) for player in range(2, 5))
    assert heard <= 30 + 3 * SLAPS_OF_SEAT.most
    assert [some.slap(room, ANA, HERE), some.slap(room, 2, HERE) > 0, some.slap(room, BO, THERE)] == [0, True, 0]


def test_what_is_kept_of_a_room_is_bounded_and_goes_with_the_room() -> None:
    clock = ManualClock(1)
    some, room = Limits(clock), Room()
    for player in range(10_000):
        some.request(room, player, HERE, 1)
        some.slap(room, player, HERE)
        clock.advance(1_000_000)
    assert len(some._use(room)._seats) <= 100
    del room
    assert len(some._rooms) == 0


@on_manual_clock
async def test_requests_that_are_refused_do_not_use_up_what_others_at_the_table_may_ask_for(clock: ManualClock) -> None:
    """Bo is not the host: a hundred houses of Bo's are refused, and cost an eighth of what Ana's cost."""
    async with serve(clock, asked=WAITING) as served:
        seat = served.room.join("Bo")
        assert served.room.table.seats[seat].player_id == BO
        ana = await served.enter()
        served.use_cookies(served.tokens.sign("seat", served.room.table.room, [BO], clock.now_us()))
        bo = await served.enter(player_ids=[BO])
        await bo.receive("welcome")
        for number in range(100):
            await bo.send("house", house=HOUSES[(number + 1) % 2])
        whys = [(await bo.receive("refused"))["reason"] for _ in range(100)]
        assert set(whys) == {"not_host", "slow_down"}
        assert whys.count("not_host") >= (OF_SEAT.most - PRICES["house"]) // (PRICES["house"] // 8)
        await ana.receive("welcome")
        for number in range(OF_SEAT.most // PRICES["house"]):
            await ana.send("house", house=HOUSES[(number + 1) % 2])
        assert {(await ana.receive("event", "refused"))["t"] for _ in range(OF_SEAT.most // PRICES["house"])} == {
            "event"
        }


# Watching


def test_one_address_cannot_take_every_place_to_watch_from() -> None:
    some, room = Limits(ManualClock(1)), Room()
    taken = [some.watch(room, HERE) for _ in range(WATCHERS_OF_ADDRESS + 1)]
    assert taken == [True] * WATCHERS_OF_ADDRESS + [False]
    assert some.watch(room, THERE)
    some.unwatch(room, HERE)
    assert some.watch(room, HERE)
    assert not some.watch(room, HERE)


@on_manual_clock
async def test_an_address_that_watches_by_many_pages_is_told_so_and_its_players_come_in(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCHERS_OF_ADDRESS", 2)
    async with serve(clock, asked=WAITING) as served:
        pages = [await served.enter(player_ids=[]) for _ in range(2)]
        for page in pages:
            await page.receive("welcome")
        assert (await (await served.enter(player_ids=[])).receive("bye"))["reason"] == "crowded"
        assert (await (await served.enter(player_ids=[], only="slaps")).receive("bye"))["reason"] == "crowded"
        assert (await (await served.enter()).receive("welcome"))["you"] == 0
        await pages[0].socket.close()
        await asyncio.sleep(1)
        await (await served.enter(player_ids=[])).receive("welcome")
